import { hashWord } from './hash.ts';
import { englishLevel, kindBits, otherLevel, tables } from './tables.ts';

const entry = (word: string): number => tables().words.get(hashWord(word));

/** Whether a word is a country, region or city of the lists. */
export const isPlaceWord = (word: string): boolean => (kindBits(entry(word)) & 1) !== 0;

/** Whether a word is a part of names that are not a person's: of organisations, products, works, dates. */
export const isNoNameWord = (word: string): boolean => (kindBits(entry(word)) & 2) !== 0;

/** Whether a word is one of the commonest of a language, such as an article. */
export const isFunctionWord = (word: string): boolean => englishLevel(entry(word)) > 5 || otherLevel(entry(word)) > 5;
