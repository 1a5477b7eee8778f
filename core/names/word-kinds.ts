import { hashWord, mix } from './hash.ts';
import { englishLevel, familyLevel, givenLevel, kindBits, otherLevel, tables } from './tables.ts';
import { gapKind, shape, type Words } from './tokens.ts';

const entry = (word: string): number => tables().words.get(hashWord(word));

/** Whether a word is a country, region or city of the lists. */
export const isPlaceWord = (word: string): boolean => (kindBits(entry(word)) & 1) !== 0;

/** Whether a word is a part of names that are not a person's: of organisations, products, works, dates. */
export const isNoNameWord = (word: string): boolean => (kindBits(entry(word)) & 2) !== 0;

/** Whether a word is one of the commonest of a language, such as an article. */
export const isFunctionWord = (word: string): boolean => englishLevel(entry(word)) > 5 || otherLevel(entry(word)) > 5;

/** Whether a word is one of the lists of words. */
export const isKnownWord = (word: string): boolean => englishLevel(entry(word)) > 0 || otherLevel(entry(word)) > 0;

/** Whether a word is at least as common as a name as it is otherwise. */
export function isListedName(word: string): boolean {
  const listed = tables().names.get(hashWord(word));
  const level = Math.max(givenLevel(listed), familyLevel(listed));
  return level > 5 || (level > 2 && level >= Math.max(englishLevel(entry(word)), otherLevel(entry(word))));
}

/** Mixed with the hashes of two adjacent words of a place name. */
export const pairTemplate = 200;

/** Whether a word and the next one are adjacent in a place name. */
export function isPlacePair(words: Words, first: number): boolean {
  if (first < 0 || first + 1 >= words.count || words.shape[first] === shape.lower) return false;
  const gap = words.gap[first + 1];
  if (gap !== gapKind.space && gap !== gapKind.hyphen) return false;
  const key = mix(pairTemplate, words.hash[first] as number, words.hash[first + 1] as number);
  return (kindBits(tables().words.get(key)) & 1) !== 0;
}
