/** The form of a value: its kinds of characters, and its letters and digits. */

import { isAsciiLetter, isDigit } from '../characters.ts';

/** Letters and digits of a value, in capitals. */
export function bareOf(value: string): string {
  return formOf(value).bare;
}

export type Form = {
  readonly shape: string;
  readonly bare: string;
  readonly digits: string;
  readonly hasSmall: boolean;
};

/** The kinds of characters of a value, its letters and digits in capitals, and its digits. */
export function formOf(value: string): Form {
  let shape = '';
  let bare = '';
  let digits = '';
  let hasSmall = false;
  let before = '';
  for (let i = 0; i < value.length; i++) {
    const c = value.charCodeAt(i);
    const kind = shapeOf(c);
    // A run of kana or kanji counts as one.
    if (kind !== before || (kind !== 'k' && kind !== 'K')) shape += kind === '' ? value.charAt(i) : kind;
    before = kind;
    if (kind === '9') {
      digits += value.charAt(i);
      bare += value.charAt(i);
    } else if (kind === 'a') {
      hasSmall = true;
      bare += String.fromCharCode(c & 0x5f);
    } else if (kind === 'A' && c < 0x80) bare += value.charAt(i);
  }
  return { shape, bare, digits, hasSmall };
}

/** Empty for a sign. */
function shapeOf(c: number): string {
  if (isDigit(c)) return '9';
  if (c < 0x80) return isAsciiLetter(c) ? (c < 0x61 ? 'A' : 'a') : '';
  if (c >= 0xc0 && c <= 0xde) return 'A';
  return c >= 0x3040 && c <= 0x30ff ? 'k' : c >= 0x3400 && c <= 0x9fff ? 'K' : '';
}
