/** Folds full-width characters of a non-ASCII text in one pass, and collects facts about Japanese script on the way. */

import { isDigit } from '../characters.ts';
import { markOf } from './byte-marks.ts';

/** The result of {@link foldUnits}. */
export type Folded = {
  /** True when folding changed the text. */
  readonly isChanged: boolean;
  /** True for a text with kana, kanji or Japanese punctuation. */
  readonly hasJapanese: boolean;
  /** True for a text with a character that every Japanese address or postal code contains. */
  readonly hasAddressSigns: boolean;
  /** Offsets of hiragana after a digit, capital, hyphen or space: possible Japanese plates. */
  readonly kanaJoints: readonly number[];
};

/** Bits of {@link newFacts} above the byte mark. */
/** Kanji, hiragana or katakana. */
const writing = 1 << 9;
/** Marks Japanese script; the long vowel mark alone does not. */
const japanese = 1 << 12;
/** Folded only between digits. */
const longDash = 1 << 11;
const folds = 1 << 14;
const addressSign = 1 << 15;

/** Every Japanese address or postal code contains one of these; `便` is for 郵便番号. */
const addressSigns = '〒便都道府県市区町村郡';

const longVowelMark = 0x30fc;
const longDashes = [0x2014, 0x2015];
/** Unicode spaces (general category Zs), common in text copied from pages and documents. */
const blanks = [0x00a0, 0x1680, ...Array.from({ length: 11 }, (_, i) => 0x2000 + i), 0x202f, 0x205f, 0x3000];

/** Zeros of other scripts (general category Nd), each followed by its nine digits. */
const zeros = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
];

const middleDot = 0x30fb;

/** Bits and byte mark by code unit. A table, because branches on character kinds mispredict. */
function newFacts(): Uint16Array {
  const facts = new Uint16Array(65_536);
  facts.fill(japanese, 0x3006, 0xa000);
  const ofKanji = writing | japanese;
  facts.fill(ofKanji, 0x3400, 0x4dc0).fill(ofKanji, 0x4e00, 0xa000).fill(ofKanji, 0xf900, 0xfb00);
  facts[0x3005] = ofKanji;
  facts.fill(writing | japanese, 0x30a1, 0x30fb);
  facts[longVowelMark] = writing;
  facts.fill(writing | japanese, 0x3041, 0x3097);
  facts[middleDot] = 0;
  for (let c = 0; c < 0x2213; c++) facts[c] = c < 0x80 ? c : markOf(c);
  for (const c of [0x2010, 0x2011, 0x2012, 0x2013, 0x2212]) facts[c] = 0x2d | folds;
  // A hyphen only between digits; elsewhere it is punctuation.
  for (const c of longDashes) facts[c] = (facts[c] as number) | longDash;
  for (let c = 0xff01; c < 0xff5f; c++) facts[c] = (c - 0xfee0) | folds;
  for (const zero of zeros) for (let digit = 0; digit < 10; digit++) facts[zero + digit] = (0x30 + digit) | folds;
  for (const c of blanks) facts[c] = 0x20 | folds;
  for (const sign of addressSigns) facts[sign.charCodeAt(0)] = (facts[sign.charCodeAt(0)] as number) | addressSign;
  return facts;
}

/** The buffers of {@link foldUnits}. */
export type FoldBuffers = {
  /** The code units of the text, folded in place. */
  readonly units: Uint16Array;
  /** Receives the ASCII characters of the folded text and the marks of the others. */
  readonly bytes: Uint8Array;
};

let facts: Uint16Array | undefined;

/**
 * Folds the first `length` code units in place: full-width ASCII, spaces and dashes become ASCII. The result may use the
 * buffers.
 */
export function foldUnits(length: number, { units, bytes }: FoldBuffers): Folded {
  facts ??= newFacts();
  /** Where runs of Japanese script start and end, in turn. */
  const edges: number[] = [];
  let seen = 0;
  let before = 0;
  // A line break after the text ends its last run.
  units[length] = 0x0a;
  for (let i = 0; i <= length; i++) {
    const fact = facts[units[i] as number] as number;
    bytes[i] = fact;
    seen |= fact;
    if (((fact ^ before) & writing) !== 0) edges.push(i);
    before = fact;
  }
  bytes[length] = 0;
  const places: Places = { kanaJoints: [], isChanged: (seen & folds) !== 0, hasJapanese: (seen & japanese) !== 0 };
  if ((seen & (folds | longDash)) !== 0) foldSigns(facts, length, { units, bytes }, places);
  for (let n = 0; n < edges.length; n += 2)
    lookAround(edges[n] as number, edges[n + 1] as number, { units, bytes }, places);
  return { ...places, hasAddressSigns: (seen & addressSign) !== 0 };
}

type Places = { readonly kanaJoints: number[]; isChanged: boolean; hasJapanese: boolean };

function foldSigns(facts: Uint16Array, length: number, { units, bytes }: FoldBuffers, places: Places): void {
  const foldedUnit = (c: number) => {
    const fact = facts[c] as number;
    return (fact & folds) === 0 ? c : fact & 0xff;
  };
  for (let i = 0; i < length; i++) {
    const c = units[i] as number;
    if (c !== 0x2014 && c !== 0x2015) units[i] = foldedUnit(c);
    else if (i > 0 && isDigit(units[i - 1] as number) && isDigit(foldedUnit(units[i + 1] as number))) {
      units[i] = 0x2d;
      bytes[i] = 0x2d;
      places.isChanged = true;
    }
  }
}

/** Checks both ends of a run of Japanese script. */
function lookAround(start: number, end: number, { units, bytes }: FoldBuffers, places: Places): void {
  const first = units[start] as number;
  const before = start > 0 ? (units[start - 1] as number) : 0;
  const behind = units[end] as number;
  if (first === longVowelMark && end === start + 1 && isDigit(before) && isDigit(behind)) {
    units[start] = 0x2d;
    bytes[start] = 0x2d;
    places.isChanged = true;
    return;
  }
  places.hasJapanese = true;
  if (start > 0 && before < 0x5b && first >= 0x3041 && first <= 0x3093 && isPlateCode(before))
    places.kanaJoints.push(start);
}

function isPlateCode(c: number): boolean {
  return c === 0x20 || c === 0x2d || isDigit(c) || (c >= 0x41 && c <= 0x5a);
}
