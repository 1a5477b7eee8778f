/** Reads words and numbers of a text as addresses have them. */
import { isLatinLetter } from '../characters.ts';
import { isNoNameWord } from '../names/word-kinds.ts';

/** A word of a text; `text` is without the dot that may end it. */
export type Word = { readonly start: number; readonly end: number; readonly text: string };

/** The word that ends at `end`; a dot may end it. */
export function wordBefore(text: string, end: number, floor: number): Word | undefined {
  let last = end;
  if (text[last - 1] === '.') last--;
  let start = last;
  while (start > floor && last - start < 32 && isWordCharacter(text.charCodeAt(start - 1))) start--;
  return start === last ? undefined : { start, end, text: text.slice(start, last) };
}

/** A letter of a street: Latin, Greek or Cyrillic, an apostrophe or a hyphen. */
export function isWordCharacter(c: number): boolean {
  return isLatinLetter(c) || c === 0x27 || c === 0x2019 || c === 0x2d || (c >= 0x370 && c <= 0x52f);
}

/** The word that starts at `start`. */
export function wordAt(text: string, start: number): Word | undefined {
  let end = start;
  while (end < text.length && end - start < 32 && isWordCharacter(text.charCodeAt(end))) end++;
  return end === start || text[start] === '-' ? undefined : { start, end, text: text.slice(start, end) };
}

/** True for a word that begins with a capital. */
export function isCapitalised(word: string): boolean {
  const first = word[0] as string;
  return first !== first.toLowerCase();
}

/** True for a word that may be a part of a name. */
export function isNameWord(word: string): boolean {
  return !isNoNameWord(word);
}

/** Behind the commas, blanks and line ends between two parts of an address. */
export function afterSigns(text: string, at: number): number {
  let i = at;
  for (let c = text.charCodeAt(i); c === 0x20 || c === 0x2c || c === 0x0a || c === 0x0d || c === 0x09; )
    c = text.charCodeAt(++i);
  return i;
}
