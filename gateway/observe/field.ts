/** External text as a log field: of limited length and without characters that could affect a log reader. */

/** C0 and C1 controls, line and paragraph separators, bidirectional controls, byte order mark, lone surrogates. */
const acting = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/u;
const actingAll = new RegExp(acting.source, 'gu');

/**
 * The text, cut to `max` UTF-16 units (an ellipsis marks the cut), with every control character written as `\uXXXX`.
 * Plain text costs one scan.
 */
export function plainField(text: string, max: number): string {
  const bounded = text.length > max ? `${text.slice(0, max)}…` : text;
  if (isPlain(bounded) || !acting.test(bounded)) return bounded;
  return bounded.replace(actingAll, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Fast check for visible ASCII and spaces only, far faster than a Unicode pattern. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
