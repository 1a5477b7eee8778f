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
  let folded = '';
  for (let i = 0; i < lower.length; i++) {
    const c = lower.charCodeAt(i);
    // Marks of their own change places with each other, so that such a text is folded as a whole.
    if (c > lastLatin) return withoutMarks(lower);
    folded += latin[c] ??= withoutMarks(lower[i] as string);
  }
  return folded;
}

/** The last letter of Latin Extended-B. */
const lastLatin = 0x24f;
/** Code unit → what it is folded to, as far as it was asked for. */
const latin: (string | undefined)[] = new Array(lastLatin + 1).fill(undefined);

function withoutMarks(lower: string): string {
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[ßæœøðđþłıħ]/g, (letter) => special[letter] as string)
    .replace(/[\u2018\u2019\u02BC\u00B4`]/g, "'");
}
