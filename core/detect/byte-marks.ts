/** Byte marks for the few non-ASCII characters that the scan distinguishes, and lookup tables by byte. */

/** Marks for non-ASCII characters; all others are 0. */
export const smallMark = 0x80;
export const capitalMark = 0x81;
export const apostropheMark = 0x82;

/** The mark of a non-ASCII code unit. */
export function markOf(c: number): number {
  if (c > 0x2019) return 0;
  if (c === 0x2019) return apostropheMark;
  if (c < 0xc0 || c > 0x1eff || (c > 0x24f && c < 0x1e00) || c === 0xd7 || c === 0xf7) return 0;
  if (c <= 0xff) return c <= 0xde ? capitalMark : smallMark;
  if (c > 0x17f && c < 0x1e00) return smallMark;
  const character = String.fromCharCode(c);
  return character.toLowerCase() === character ? smallMark : capitalMark;
}

/** A lookup table by byte; unmarked non-ASCII bytes have no entry. */
export function tableOf(kindOf: (character: string) => number): Uint8Array {
  const table = new Uint8Array(256);
  for (let c = 0; c < 128; c++) table[c] = kindOf(String.fromCharCode(c));
  return table;
}
