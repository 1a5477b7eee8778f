/** Bodies are read as UTF-8. If the receiver used another charset, detection would miss PII and send it unmasked. */
import { PrivetError } from '../../../core/errors.ts';
import { charsetsIn, isReadableCharset, unreadableCharset } from '../../../core/payload/charsets.ts';
import type { TextBodyKind } from '../../../core/payload/request.ts';

const hint = 'Send the text in UTF-8.';

/**
 * Throws `undecodable_body` for text in another charset, by its declared type or its content. UTF-16 text is valid
 * UTF-8 with a NUL next to every letter; a NUL at the end is valid in STOMP messages, and JSON.parse accepts none.
 */
export function refuseHidden(kind: TextBodyKind, text: string, contentType: string | undefined): void {
  if (text === '') return;
  for (const charset of charsetsIn(contentType)) if (!isReadableCharset(charset)) throw unreadableCharset(charset);
  if (kind === 'json') return;
  const at = text.indexOf('\0');
  if (at >= 0 && !/^\0[\r\n]*$/.test(text.slice(at)))
    throw new PrivetError('undecodable_body', 'Step decode: the body is not valid UTF-8 text.', { hint });
}
