import { hashWord } from './hash.ts';
import { englishLevel, kindBits, otherLevel, tables } from './tables.ts';

/** Whether a word is a country, region or city of the lists. */
export function isPlaceWord(word: string): boolean {
  return (kindBits(tables().words.get(hashWord(word))) & 1) !== 0;
}

/** Whether a word is a part of names that are not a person's: of organisations, products, works, dates. */
export function isNoNameWord(word: string): boolean {
  return (kindBits(tables().words.get(hashWord(word))) & 2) !== 0;
}

/** Whether a word is one of the commonest of a language, such as an article. */
export function isFunctionWord(word: string): boolean {
  const entry = tables().words.get(hashWord(word));
  return englishLevel(entry) > 5 || otherLevel(entry) > 5;
}
