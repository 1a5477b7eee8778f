/** Character classes by code. NaN and undefined (positions outside of a text) are in none. */

/** `0` to `9`. */
export function isDigit(c = 0): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** `A` to `Z`. */
export function isCapital(c = 0): boolean {
  return c >= 0x41 && c <= 0x5a;
}

/** `A` to `Z` and `a` to `z`. */
export function isAsciiLetter(c = 0): boolean {
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
