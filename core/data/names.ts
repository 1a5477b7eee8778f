/** The compiled lists, decoded when first asked for and kept: facts that never change. */
import { CodeSet } from '../code-set.ts';
import english from './english-names.json' with { type: 'json' };
import { foldName } from './fold.ts';
import japanese from './japanese-names.json' with { type: 'json' };
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
    words: new WordTable({ cells: english.wordCells, cellBytes: 2, valueBits: 6 }),
    surnames: new WordTable({ cells: english.surnameCells, cellBytes: 1, valueBits: 0 }),
    mistaken: new Set(english.mistakenSurnames.split(' ').map(firstHashOf)),
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
  if (value >= 0) return mistaken.has(hash.first) ? surname.listed : (english.wordClasses[value] ?? 0);
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

let surnameRanks: SurnameRanks | undefined;
/** Code unit → bits of what it may be in a surname. */
let surnameBits: Uint8Array | undefined;
let givenNames: WordTable | undefined;
let givenNameEnds: { readonly firsts: CodeSet; readonly lasts: CodeSet } | undefined;
/** Which two kana begin a reading. */
let givenReadingStarts: Uint8Array | undefined;
let readings: { readonly surnames: ReadonlySet<string>; readonly given: ReadonlySet<string> } | undefined;

function bitsOfSurnames(): Uint8Array {
  surnameBits ??= surnameBitsOf(japanese.surnames.split(' '));
  return surnameBits;
}

function listedReadings() {
  readings ??= {
    surnames: new Set(japanese.surnameReadings.split(' ')),
    given: new Set(japanese.givenNameReadings.split(' ')),
  };
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

/** Which of the lengths one to three a surname that starts here may have, by the characters it would hold alone; 0 for none. */
export function surnameLengthsAt(text: string, start: number, end: number): number {
  const bits = bitsOfSurnames();
  const first = bits[text.charCodeAt(start)] as number;
  if ((first & startBit) === 0) return 0;
  const one = (first & ownBit) === 0 ? 0 : 1;
  if (start + 1 >= end) return one;
  const second = bits[text.charCodeAt(start + 1)] as number;
  if ((second & (secondBit | lastShapeBit)) === 0) return one;
  const two = (second & (endOfTwoBit | lastShapeBit)) === 0 ? 0 : 2;
  if (start + 2 >= end || ((bits[text.charCodeAt(start + 2)] as number) & endOfThreeBit) === 0) return one | two;
  return one | two | 4;
}

/** True for two kanji `start..end` that begin and end surnames, though together they are in no list. */
export function isSurnameShape(text: string, start: number, end: number): boolean {
  const bits = bitsOfSurnames();
  return (
    end - start === 2 &&
    ((bits[text.charCodeAt(start)] as number) & firstShapeBit) !== 0 &&
    ((bits[text.charCodeAt(start + 1)] as number) & lastShapeBit) !== 0
  );
}

/** The ranks by name; those of two kanji, which are most, without a string for each question. */
class SurnameRanks {
  readonly #others = new Map<string, number>();
  /** Both kanji as one number, and the rank, in turn: a hash table whose empty rows are 0. */
  readonly #pairs = new Int32Array(2 << pairBits);

  constructor(names: readonly string[]) {
    names.forEach((name, rank) => {
      if (name.length === 2) {
        const row = this.#rowOf(name, 0);
        this.#pairs[row] = pairOf(name, 0);
        this.#pairs[row + 1] = rank;
      } else this.#others.set(name, rank);
    });
  }

  of(text: string, start: number, end: number): number {
    if (end - start !== 2) return this.#others.get(text.slice(start, end)) ?? -1;
    const row = this.#rowOf(text, start);
    return this.#pairs[row] === 0 ? -1 : (this.#pairs[row + 1] as number);
  }

  /** The row of the pair, or the empty one where it would be. */
  #rowOf(text: string, start: number): number {
    const pair = pairOf(text, start);
    let row = (Math.imul(pair, 0x9e3779b1) >>> (32 - pairBits)) << 1;
    while (this.#pairs[row] !== pair && this.#pairs[row] !== 0) row = (row + 2) & ((2 << pairBits) - 1);
    return row;
  }
}

/** Twice as many rows as names, or more. */
const pairBits = 12;

function pairOf(text: string, start: number): number {
  return (text.charCodeAt(start) << 16) | text.charCodeAt(start + 1);
}

/**
 * Where the surname `start..end` in kanji stands in the order of their numbers of bearers, from 0; -1 when it is not among
 * the 1,999.
 */
export function surnameRank(text: string, start = 0, end = text.length): number {
  surnameRanks ??= new SurnameRanks(japanese.surnames.split(' '));
  return surnameRanks.of(text, start, end);
}

/** True for the first code unit of a surname. */
export function isSurnameStart(c: number): boolean {
  return ((bitsOfSurnames()[c] as number) & startBit) !== 0;
}

/** In how many of two sources the given name `start..end` in kanji is: 1 for the large one, 2 for the picked one, 3 for both; or -1. */
export function givenNameSources(text: string, start = 0, end = text.length): number {
  givenNames ??= new WordTable({ cells: japanese.givenNameCells, cellBytes: 2, valueBits: 2 });
  return givenNames.valueOf(text, start, end);
}

/** True when the word `start..end` in kanji begins and ends with characters that often begin and end given names. */
export function isGivenNameShape(text: string, start: number, end: number): boolean {
  givenNameEnds ??= { firsts: new CodeSet(japanese.givenNameFirsts), lasts: new CodeSet(japanese.givenNameLasts) };
  return givenNameEnds.firsts.has(text.charCodeAt(start)) && givenNameEnds.lasts.has(text.charCodeAt(end - 1));
}

/** True for the reading of a surname in katakana. */
export function isSurnameReading(katakana: string): boolean {
  return listedReadings().surnames.has(katakana);
}

/** True when two kana are the first of some reading of a given name, whichever kind they are. Most words begin with others. */
export function mayBeginGivenReading(text: string, start: number): boolean {
  givenReadingStarts ??= startsOf(japanese.givenNameReadings.split(' '));
  return givenReadingStarts[startOf(text, start)] === 1;
}

function startsOf(names: readonly string[]): Uint8Array {
  const starts = new Uint8Array(1 << (2 * kanaBits));
  for (const name of names) starts[startOf(name, 0)] = 1;
  return starts;
}

const kanaBits = 7;

/** Two kana as one number. */
function startOf(text: string, at: number): number {
  return (indexOfKana(text.charCodeAt(at)) << kanaBits) | indexOfKana(text.charCodeAt(at + 1));
}

/** The same for hiragana and katakana. */
function indexOfKana(c: number): number {
  return c < 0x30a1 ? c - 0x3041 : c - 0x30a1;
}

/** True for the reading of a given name in katakana. */
export function isGivenNameReading(katakana: string): boolean {
  return listedReadings().given.has(katakana);
}
