/** The compiled lists, decoded when first asked for and kept: facts that never change. */
import { mistakenSurnames, surnameCells, wordCells, wordClasses } from './english-names.ts';
import { foldName } from './fold.ts';
import {
  givenNameCells,
  givenNameFirsts,
  givenNameLasts,
  givenNameReadings,
  surnameReadings,
  surnames,
} from './japanese-names.ts';
import { surname } from './word-class.ts';
import { hashLatinWord, hashWord, type WordHash, WordTable } from './word-table.ts';

let latin:
  | {
      readonly words: WordTable;
      readonly surnames: WordTable;
      /** Hashes of words. */
      readonly mistaken: ReadonlySet<number>;
    }
  | undefined;

/**
 * What the lists say of a word in Latin letters, as bits of word-class.ts; 0 for a word of no list. Upper and lower case,
 * accents and apostrophes make no difference.
 */
export function latinClassOf(word: string): number {
  latin ??= {
    words: new WordTable({ cells: wordCells, cellBytes: 2, valueBits: 6 }),
    surnames: new WordTable({ cells: surnameCells, cellBytes: 1, valueBits: 0 }),
    mistaken: new Set(mistakenSurnames.split(' ').map(firstHashOf)),
  };
  if (!hashLatinWord(word, hash)) {
    const key = foldName(word).replaceAll("'", '');
    hashWord(key, 0, key.length, hash);
  }
  const row = (hash.first & (knownRows - 1)) * 3;
  if (known[row] === hash.first && known[row + 1] === hash.second) return known[row + 2] as number;
  const bits = listedClassOf(latin);
  known[row] = hash.first;
  known[row + 1] = hash.second;
  known[row + 2] = bits;
  return bits;
}

/** What the lists say of the word with this {@link hash}. */
function listedClassOf({ words, surnames, mistaken }: NonNullable<typeof latin>): number {
  const value = words.valueAt(hash);
  if (value >= 0) return mistaken.has(hash.first) ? surname.listed : (wordClasses[value] ?? 0);
  return surnames.valueAt(hash) >= 0 ? surname.listed : 0;
}

const hash: WordHash = { first: 0, second: 0 };
/** Answers given lately: both hashes of a word, which the answer depends on alone, and the answer. The tables are larger than caches. */
const knownRows = 1024;
const known = new Int32Array(knownRows * 3);

function firstHashOf(word: string): number {
  hashLatinWord(word, hash);
  return hash.first;
}

let surnameRanks: ReadonlyMap<string, number> | undefined;
/** Code unit → bits of what it may be in a surname. */
let surnameBits: Uint8Array | undefined;
let givenNames: WordTable | undefined;
let givenNameEnds: { readonly firsts: ReadonlySet<string>; readonly lasts: ReadonlySet<string> } | undefined;
let readings: { readonly surnames: ReadonlySet<string>; readonly given: ReadonlySet<string> } | undefined;

function bitsOfSurnames(): Uint8Array {
  surnameBits ??= surnameBitsOf(surnames.split(' '));
  return surnameBits;
}

function listedReadings() {
  readings ??= { surnames: new Set(surnameReadings.split(' ')), given: new Set(givenNameReadings.split(' ')) };
  return readings;
}

const startBit = 1;
const secondBit = 2;
/** Begins, or ends, enough surnames of two kanji to do so in one of no list. */
const firstShapeBit = 4;
const lastShapeBit = 8;
/** The only kanji, the second or the third one of a surname of one, two or three. */
const ownBit = 16;
const endOfTwoBit = 32;
const endOfThreeBit = 64;

function surnameBitsOf(names: readonly string[]): Uint8Array {
  const bits = new Uint8Array(65_536);
  const firsts = new Uint16Array(65_536);
  const lasts = new Uint16Array(65_536);
  for (const name of names) {
    const first = name.charCodeAt(0);
    bits[first] = (bits[first] as number) | startBit;
    const last = name.charCodeAt(name.length - 1);
    bits[last] = (bits[last] as number) | endBitOf(name.length);
    if (name.length === 1) continue;
    const second = name.charCodeAt(1);
    bits[second] = (bits[second] as number) | secondBit;
    if (name.length > 2) continue;
    firsts[first] = (firsts[first] as number) + 1;
    lasts[second] = (lasts[second] as number) + 1;
    if (firsts[first] === 2) bits[first] = (bits[first] as number) | firstShapeBit;
    if (lasts[second] === 6) bits[second] = (bits[second] as number) | lastShapeBit;
  }
  return bits;
}

function endBitOf(length: number): number {
  if (length === 1) return ownBit;
  return length === 2 ? endOfTwoBit : length === 3 ? endOfThreeBit : 0;
}

/** False when no surname of one to three characters, nor one shaped like them, ends in this code unit. */
export function maySurnameEnd(c: number, length: number): boolean {
  const bits = bitsOfSurnames()[c] as number;
  return (bits & (length === 2 ? endOfTwoBit | lastShapeBit : endBitOf(length))) !== 0;
}

/** True for two kanji that begin and end surnames, though together they are in no list. */
export function isSurnameShape(name: string): boolean {
  const bits = bitsOfSurnames();
  return (
    name.length === 2 &&
    ((bits[name.charCodeAt(0)] as number) & firstShapeBit) !== 0 &&
    ((bits[name.charCodeAt(1)] as number) & lastShapeBit) !== 0
  );
}

/** Where a surname in kanji stands in the order of their numbers of bearers, from 0; -1 when it is not among the 1,999. */
export function surnameRank(name: string): number {
  surnameRanks ??= new Map(surnames.split(' ').map((listed, rank) => [listed, rank]));
  return surnameRanks.get(name) ?? -1;
}

/** True for the first code unit of a surname. */
export function isSurnameStart(c: number): boolean {
  return ((bitsOfSurnames()[c] as number) & startBit) !== 0;
}

/** False when no surname of the lists, nor one shaped like them, has this as its second code unit. */
export function maySurnameGoOn(c: number): boolean {
  return ((bitsOfSurnames()[c] as number) & (secondBit | lastShapeBit)) !== 0;
}

/** In how many of two sources a given name in kanji is: 1 for the large one, 2 for the picked one, 3 for both; or -1. */
export function givenNameSources(name: string): number {
  givenNames ??= new WordTable({ cells: givenNameCells, cellBytes: 2, valueBits: 2 });
  return givenNames.valueOf(name);
}

/** True when a word in kanji begins and ends with characters that often begin and end given names. */
export function isGivenNameShape(name: string): boolean {
  givenNameEnds ??= { firsts: new Set(givenNameFirsts), lasts: new Set(givenNameLasts) };
  return givenNameEnds.firsts.has(name[0] as string) && givenNameEnds.lasts.has(name[name.length - 1] as string);
}

/** True for the reading of a surname in katakana. */
export function isSurnameReading(katakana: string): boolean {
  return listedReadings().surnames.has(katakana);
}

/** True for the reading of a given name in katakana. */
export function isGivenNameReading(katakana: string): boolean {
  return listedReadings().given.has(katakana);
}
