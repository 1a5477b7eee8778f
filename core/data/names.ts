/** The compiled lists, decoded when first asked for and kept: facts that never change. */
import { surnameCells, wordCells, wordClasses } from './english-names.ts';
import { foldName } from './fold.ts';
import { surname } from './word-class.ts';
import { bytesOfBase64, WordTable } from './word-table.ts';

let latin: { readonly words: WordTable; readonly surnames: WordTable } | undefined;

/**
 * What the lists say of a word in Latin letters, as bits of word-class.ts; 0 for a word of no list. Upper and lower case,
 * accents and apostrophes make no difference.
 */
export function latinClassOf(word: string): number {
  latin ??= {
    words: new WordTable({ cells: bytesOfBase64(wordCells), cellBytes: 2, valueBits: 6 }),
    surnames: new WordTable({ cells: bytesOfBase64(surnameCells), cellBytes: 1, valueBits: 0 }),
  };
  const key = foldName(word).replaceAll("'", '');
  const value = latin.words.valueOf(key);
  if (value >= 0) return wordClasses[value] ?? 0;
  return latin.surnames.has(key) ? surname.listed : 0;
}
