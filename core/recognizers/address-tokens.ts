/** Reads words as addresses contain them. */
import { isLatinLetter } from '../characters.ts';
import { isNoNameWord } from '../names/word-kinds.ts';

/** A word and its offsets; `text` excludes a full stop after it. */
export type Word = { readonly start: number; readonly end: number; readonly text: string };

/** The word that ends at `end`, with an optional full stop. */
export function wordBefore(text: string, end: number, floor: number): Word | undefined {
  let last = end;
  if (text[last - 1] === '.') last--;
  let start = last;
  while (start > floor && last - start < 32 && isWordCharacter(text.charCodeAt(start - 1))) start--;
  return start === last ? undefined : { start, end, text: text.slice(start, last) };
}

/** True for a character of a street name: Latin, Greek or Cyrillic letters, apostrophes, hyphens. */
export function isWordCharacter(c: number): boolean {
  return isLatinLetter(c) || c === 0x27 || c === 0x2019 || c === 0x2d || (c >= 0x370 && c <= 0x52f);
}

/** The word that starts at `start`. */
export function wordAt(text: string, start: number): Word | undefined {
  let end = start;
  while (end < text.length && end - start < 32 && isWordCharacter(text.charCodeAt(end))) end++;
  return end === start || text[start] === '-' ? undefined : { start, end, text: text.slice(start, end) };
}

/** True for a capitalized word. */
export function isCapitalised(word: string): boolean {
  const first = word[0] as string;
  return first !== first.toLowerCase();
}

/** True for a word that can be part of a name. */
export function isNameWord(word: string): boolean {
  return !isNoNameWord(word);
}
