/** Latin letters without their marks, so that `José` and `Jose` are one word of the lists. */

const special: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ð: 'd',
  đ: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
};

/** The text in lower case, without accents; apostrophes are straight. The length may change. */
export function foldName(text: string): string {
  const lower = text.toLowerCase();
  if (/^[a-z'-]*$/.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[ßæœøðđþłıħ]/g, (letter) => special[letter] as string)
    .replace(/[\u2018\u2019\u02BC\u00B4`]/g, "'");
}
