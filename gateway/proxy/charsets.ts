/** Bodies are read as UTF-8; what its reader takes for another charset would be searched in vain and go out unmasked. */
import { PrivetError } from '../../core/errors.ts';
import { charsetsIn, isReadableCharset, unreadableCharset } from '../../core/payload/charsets.ts';
import type { TextBodyKind } from '../../core/payload/request.ts';

const hint = 'Send the text in UTF-8.';

/**
 * Throws `undecodable_body` for text that is in another charset by its type or by its looks. UTF-16 is valid UTF-8 with
 * a NUL beside every letter; one at the end is how messages of STOMP end, and JSON.parse takes none.
 */
export function refuseHidden(kind: TextBodyKind, text: string, contentType: string | undefined): void {
  if (text === '') return;
  for (const charset of charsetsIn(contentType)) if (!isReadableCharset(charset)) throw unreadableCharset(charset);
  if (kind === 'json') return;
  const at = text.indexOf('\0');
  if (at >= 0 && !/^\0[\r\n]*$/.test(text.slice(at)))
    throw new PrivetError('undecodable_body', 'Step decode: the body is not valid UTF-8 text.', { hint });
}
