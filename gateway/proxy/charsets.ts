/** Bodies are read as UTF-8; what its reader takes for another charset would be searched in vain and go out unmasked. */
import { PrivetError } from '../../core/errors.ts';
import type { TextBodyKind } from '../../core/payload/request.ts';

const charsetParameter = /[;,\s]charset\s*=\s*["']?\s*([^\s;,"']*)/gi;
/**
 * Names of UTF-8 and of charsets in which every byte below 0x80 is ASCII and no percent-encoded byte is half a letter
 * (https://encoding.spec.whatwg.org/#names-and-labels): their ASCII is found, and other bytes are no UTF-8.
 */
const readable = /^(?:(?:unicode-1-1-)?utf-?8|(?:us-)?ascii|iso[-_]?8859-?1|latin-?1|l1|(?:windows-|cp|x-cp)1252)?$/i;

const hint = 'Send the text in UTF-8.';

/**
 * Throws `undecodable_body` for text that is in another charset by its type or by its looks. UTF-16 is valid UTF-8 with
 * a NUL beside every letter; one at the end is how messages of STOMP end, and JSON.parse takes none.
 */
export function refuseHidden(kind: TextBodyKind, text: string, contentType: string | undefined): void {
  if (text === '') return;
  if (contentType?.includes('=')) {
    for (const { 1: charset = '' } of ` ${contentType}`.matchAll(charsetParameter)) {
      if (readable.test(charset)) continue;
      const name = /^[\w.:-]{1,40}$/.test(charset) ? `"${charset}"` : 'another charset';
      throw new PrivetError('undecodable_body', `Step decode: text in ${name} cannot be read.`, { hint });
    }
  }
  if (kind === 'json') return;
  const at = text.indexOf('\0');
  if (at >= 0 && !/^\0[\r\n]*$/.test(text.slice(at)))
    throw new PrivetError('undecodable_body', 'Step decode: the body is not valid UTF-8 text.', { hint });
}
