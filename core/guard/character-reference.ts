/** Numeric character references, `&#58;` or `&#x3a;`, and their meaning in a style sheet. */
import { isAsciiLetter, isDigit } from '../characters.ts';

const reference = /^&#(?:x0*([\da-f]+)|0*(\d+))/i;

/** The code of a numeric reference; undefined for other text. */
export function codeOf(text: string): number | undefined {
  const match = reference.exec(text);
  if (!match) return undefined;
  return match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16);
}

/** True if this character may be part of a CSS name, an escape in it, or a function that makes it an address. */
export function isNameSign(code: number): boolean {
  if (code >= 0x80) return false;
  // Whitespace ends an escape; `&` may start another reference; `-`, `\`, `(`, `@`.
  if (code <= 0x20 || isAsciiLetter(code) || isDigit(code)) return true;
  return code === 0x26 || code === 0x28 || code === 0x2d || code === 0x40 || code === 0x5c;
}
