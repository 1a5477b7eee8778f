import { unpackBytes, WordTable } from './tables.ts';
import words from './words-east.json' with { type: 'json' };

/** Dictionary entries for Japanese, Chinese and Korean words, and the simplified forms of Chinese characters. */

/** Kinds of words. */
export const wordKind = { noun: 1, place: 2, proper: 3, affix: 4, other: 5, person: 6, family: 7 } as const;

type EastWords = {
  readonly table: WordTable;
  readonly simplified: Uint16Array;
  /** By syllable its number from 1 on among those of Korean words, and a bit for each pair of them that is a word. */
  readonly syllables: Uint16Array;
  readonly pairs: Uint8Array;
};
const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
let loaded: EastWords | undefined;

function load(): EastWords {
  const simplified = new Uint16Array(0x10000);
  for (let at = 0; at < words.traditional.length; at++)
    simplified[words.traditional.charCodeAt(at)] = words.simplified.charCodeAt(at);
  const { syllables: listed, pairs } = words.korean;
  const syllables = new Uint16Array(lastSyllable - firstSyllable + 1);
  for (let at = 0; at < listed.length; at++) syllables[listed.charCodeAt(at) - firstSyllable] = at + 1;
  return {
    table: new WordTable(words),
    simplified,
    syllables,
    pairs: unpackBytes(pairs, ((listed.length ** 2) >> 3) + 1),
  };
}

/** The words by hash: {@link wordKind} (3 bits) and how common (2 bits) in Japanese, then the same in Chinese. */
export function eastWords(): WordTable {
  loaded ??= load();
  return loaded.table;
}

/** The simplified form of a Chinese character. */
export function simplify(code: number): number {
  loaded ??= load();
  return loaded.simplified[code] || code;
}

/** Whether two syllables are a Korean noun. */
export function isKoreanNoun(first: number, second: number): boolean {
  loaded ??= load();
  const { syllables, pairs } = loaded;
  const one = syllables[first - firstSyllable];
  const two = syllables[second - firstSyllable];
  if (!one || !two) return false;
  const bit = (one - 1) * words.korean.syllables.length + two - 1;
  return (((pairs[bit >> 3] as number) >> (bit & 7)) & 1) === 1;
}
