/**
 * The numbers of a text that may be those of a day, told by the characters around them. Few numbers of a text are, so that
 * most texts need no pattern for days.
 */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { CodeSet } from '../code-set.ts';
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

/** Numbers of a text. */
export type DayNumbers = {
  /** True for a text without a number that may be part of a day: there is no day in it. */
  readonly isEmpty: boolean;
  /** The numbers that may open a day or stand behind the name of its month; of years in kanji the character behind. */
  readonly openings: readonly Stretch[];
};

/** What a number may be: nothing of a day; part of one in a rare form, which only counts beside its word; part of any. */
type Use = typeof none | typeof besideWord | typeof anywhere;
const none = 0;
const besideWord = 1;
const anywhere = 2;

/** So much of a day stands before its first number, or before its year when that is the last. */
export const leadMax = 12;
/** Days in words are longer than others: `twenty-first of September `. */
export const wordsMax = 28;
const inWords = /(?:th|st|nd|rd)(?: day)?(?: of)? [a-z]{3,9}\.?[-, ]{1,2}$/i;
/** `September` */
const monthMax = 9;
const kanjiNumerals = new CodeSet('〇零一二三四五六七八九十元');
/** What eras end with. */
const eraEnds = new CodeSet('治正和成明大昭平令MTSHRmtshr');
/** The first three letters of the names of months, as {@link threeLetters} packs them. */
const monthStarts = new Set(
  'jan feb mar apr may jun jul aug sep oct okt nov dec dez mär mai'.split(' ').map((word) => threeLetters(word, 0)),
);
/** Character → what it is to a number: parts of these. */
const digit = 1;
const letter = 2;
/** What the name of a month begins with. */
const monthInitial = 4;
/** What a letter behind a day is: the first of a month, of `rd` or of `th`. */
const dayEnd = 32;
/** Between the numbers of a day: `-./`. */
const separator = 8;
/** Between a month and a year: also a blank, a comma, an apostrophe. */
const joint = 16;

const space = 0x20;
const comma = 0x2c;
const hyphen = 0x2d;
const stop = 0x2e;
const year = 0x5e74;
const month = 0x6708;
const day = 0x65e5;
/** `の` */
const no = 0x306e;
const middleDot = 0x30fb;
/** Of characters that are not ASCII, as bytes. */
const smallMark = 0x80;
const capitalMark = 0x81;
const apostropheMark = 0x82;

function newKinds(): Uint8Array {
  const table = new Uint8Array(256);
  const add = (characters: string, kind: number) => {
    for (const c of characters) table[c.charCodeAt(0)] = (table[c.charCodeAt(0)] as number) | kind;
  };
  add('0123456789', digit);
  add('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', letter);
  add('jfmasondJFMASOND', monthInitial | dayEnd);
  add('rtRT', dayEnd);
  add('-./', separator | joint);
  add(" ,'", joint);
  table[smallMark] = letter;
  table[capitalMark] = letter;
  table[apostropheMark] = joint;
  return table;
}

const kinds = newKinds();

const kindAt = (bytes: Uint8Array, at: number) => kinds[bytes[at] as number] as number;
const isDigitAt = (bytes: Uint8Array, at: number) => (kindAt(bytes, at) & digit) !== 0;

/** The numbers that may be those of a day. */
export function dayNumbers(text: ScanText): DayNumbers {
  const { bytes, digitStarts, shadow } = text;
  const openings: Stretch[] = [];
  let isEmpty = true;
  let rareStart = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < digitStarts.length; i++) {
    const start = digitStarts[i] as number;
    let end = start + 1;
    while (isDigitAt(bytes, end)) end++;
    const length = end - start;
    let use: Use = none;
    if (length < 3) use = useOfShort(shadow, bytes, start, end);
    else if (length === 4) use = useOfYear(shadow, bytes, start, end);
    else if (length === 8) use = anywhere;
    if (use === none && start - rareStart <= leadMax && goesOn(bytes, start, end)) use = anywhere;
    if (use === none) continue;
    isEmpty = false;
    if (use === anywhere) openings.push({ start, end });
    else rareStart = start;
  }
  if (!text.hasJapanese) return { isEmpty, openings };
  const { length } = openings;
  for (let at = shadow.indexOf('年'); at >= 0; at = shadow.indexOf('年', at + 1)) {
    const before = shadow.charCodeAt(at - 1);
    if (!isKanjiNumeral(before === space ? shadow.charCodeAt(at - 2) : before)) continue;
    const use = useOfYearSign(shadow, at);
    if (use === none) continue;
    isEmpty = false;
    if (use === anywhere) openings.push({ start: at, end: at + 1 });
  }
  if (openings.length > length) openings.sort((a, b) => a.start - b.start);
  return { isEmpty, openings };
}

const isKanjiNumeral = (c: number) => kanjiNumerals.has(c);

/** True for a number with a sign or another word behind it, which makes that of a day in a rare form count anywhere. */
function goesOn(bytes: Uint8Array, start: number, end: number): boolean {
  const isYear = end - start === 4;
  if (bytes[end] !== space) return isYear && (kindAt(bytes, end) & separator) !== 0;
  return (kindAt(bytes, end + 1) & (digit | separator | (isYear ? monthInitial : letter))) !== 0;
}

/** Of four digits: what follows a year that opens a day, or a day in words before it. */
function useOfYear(shadow: string, bytes: Uint8Array, start: number, end: number): Use {
  const next = bytes[end] as number;
  const sign = next === space ? end + 1 : end;
  if (bytes[sign] === 0 && shadow.charCodeAt(sign) === year) {
    const use = useOfYearSign(shadow, sign);
    if (use !== none) return use;
  } else if (next === space) {
    if (areTwoNumbers(bytes, end) > 0 || isMonth(shadow, bytes, end + 1)) return anywhere;
  } else if ((kindAt(bytes, end) & separator) !== 0) {
    if (areTwoNumbers(bytes, end) > 0 || (next === hyphen && isMonth(shadow, bytes, end + 1))) return anywhere;
  }
  if (!isYearInWords(shadow, bytes, start)) return none;
  return next !== 0 && bytes[start - 1] === space ? anywhere : besideWord;
}

/** True for four digits behind a month and a day in words: `twenty-first of May, 1964`. */
export function isYearInWords(shadow: string, bytes: Uint8Array, start: number): boolean {
  return isBehindMonth(shadow, bytes, start) && inWords.test(shadow.slice(Math.max(0, start - wordsMax), start));
}

/** Of one or two digits: a day of a month, a month, the year of an era. */
function useOfShort(shadow: string, bytes: Uint8Array, start: number, end: number): Use {
  const next = bytes[end] as number;
  if (next === 0) {
    const c = shadow.charCodeAt(end);
    if (c === year) return isBehindEra(shadow, start) ? useOfYearSign(shadow, end) : none;
    if (c !== middleDot) return none;
    return isBehindEra(shadow, start) ? anywhere : useBehindKanji(shadow, start);
  }
  const kind = kindAt(bytes, end);
  if ((kind & (joint | dayEnd)) === 0) return none;
  if (next === space && shadow.charCodeAt(end + 1) === year)
    return isBehindEra(shadow, start) ? useOfYearSign(shadow, end + 1) : none;
  const isParted = (kind & separator) !== 0;
  // Behind most numbers stands a word or nothing.
  if ((kind & dayEnd) !== 0 || (kindAt(bytes, end + 1) & (digit | monthInitial | joint)) !== 0) {
    if (next === space || isParted) {
      const last = areTwoNumbers(bytes, end);
      if (last === 2 || last === 4 || (last === 1 && isBehindEra(shadow, start))) return anywhere;
    }
    const use = useBeforeMonth(shadow, bytes, end) || useBehindMonth(shadow, bytes, start, end);
    if (use !== none) return use;
  }
  return isParted ? useBehindKanji(shadow, start) : none;
}

/** `平成元.4.1` */
function useBehindKanji(shadow: string, start: number): Use {
  const before = shadow.charCodeAt(start - 1);
  const isParted = before === middleDot || (before < 0x80 && ((kinds[before] as number) & separator) !== 0);
  return isParted && isKanjiNumeral(shadow.charCodeAt(start - 2)) ? besideWord : none;
}

/**
 * How many digits the last of two numbers has that stand behind a sign and, between them, the same sign: `-4-1`, ` 4 1`,
 * ` / 4 / 1`; 0 for others.
 */
function areTwoNumbers(bytes: Uint8Array, end: number): number {
  const isSpaced = bytes[end] === space && (kindAt(bytes, end + 1) & separator) !== 0;
  const sign = bytes[isSpaced ? end + 1 : end];
  let at = end + 1;
  if (isSpaced && bytes[++at] !== space) return 0;
  if (isSpaced) at++;
  if (!isDigitAt(bytes, at)) return 0;
  if (isDigitAt(bytes, at + 1)) at++;
  if (isSpaced && bytes[++at] !== space) return 0;
  if (bytes[++at] !== sign) return 0;
  if (isSpaced && bytes[++at] !== space) return 0;
  const last = ++at;
  while (isDigitAt(bytes, at)) at++;
  return at - last;
}

/** `3 May`, `3rd of May`, `3-May`, `3May`, with a year; after a stop and a blank only beside a word. */
function useBeforeMonth(shadow: string, bytes: Uint8Array, end: number): Use {
  let at = end + suffixLength(bytes, end);
  const isStopped = bytes[at] === stop;
  if (isStopped) at++;
  const isOf =
    bytes[at] === space && ((bytes[at + 1] as number) | 0x20) === 0x6f && ((bytes[at + 2] as number) | 0x20) === 0x66;
  if (isOf) at += 3;
  const isJoined = bytes[at] === space || bytes[at] === hyphen || bytes[at] === 0x2f;
  if (isJoined) at++;
  if (!isMonth(shadow, bytes, at)) return none;
  return isStopped && isJoined ? besideWord : anywhere;
}

/** `May 3, 1970`, `May 3rd, '70`; some of them only beside a word, such as `May-3-1970`. */
function useBehindMonth(shadow: string, bytes: Uint8Array, start: number, end: number): Use {
  if (!isBehindMonth(shadow, bytes, start)) return none;
  const suffix = suffixLength(bytes, end);
  const at = end + suffix;
  if (!isYearNear(bytes, at)) return none;
  if (suffix > 0) return anywhere;
  const next = bytes[at] as number;
  if (next === comma) return bytes[start - 1] === hyphen ? besideWord : anywhere;
  const behind = bytes[at + 1] as number;
  if (next === hyphen) return behind === space ? anywhere : besideWord;
  const isPlain = next === space && behind !== space && behind !== 0x27 && behind !== apostropheMark;
  return isPlain ? anywhere : besideWord;
}

/** Of `st`, `nd`, `rd`, `th` at the place; 0 without one. */
function suffixLength(bytes: Uint8Array, at: number): number {
  const first = (bytes[at] as number) | 0x20;
  const second = (bytes[at + 1] as number) | 0x20;
  if (second === 0x64) return first === 0x6e || first === 0x72 ? 2 : 0;
  return (second === 0x74 && first === 0x73) || (second === 0x68 && first === 0x74) ? 2 : 0;
}

/** True where the name of a month starts that a number soon follows. */
function isMonth(shadow: string, bytes: Uint8Array, start: number): boolean {
  if ((kindAt(bytes, start) & monthInitial) === 0 || !monthStarts.has(threeLetters(shadow, start))) return false;
  let at = start + 3;
  const limit = start + monthMax;
  while (at < limit && (kindAt(bytes, at) & letter) !== 0) at++;
  return isDigitAt(bytes, at) || isYearNear(bytes, at);
}

/** True before a few signs and a number. */
function isYearNear(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (at < from + 4 && (kindAt(bytes, at) & joint) !== 0) at++;
  return at > from && isDigitAt(bytes, at);
}

/** True behind the name of a month, which may have a stop and some signs behind it. */
function isBehindMonth(shadow: string, bytes: Uint8Array, start: number): boolean {
  let end = start;
  const floor = Math.max(0, start - 3);
  while (end > floor && (kindAt(bytes, end - 1) & joint) !== 0) end--;
  let at = end;
  const limit = Math.max(0, end - monthMax);
  while (at > limit && isAsciiLetter(bytes[at - 1] as number)) at--;
  // `MÄRZ`
  if (end - at < 3 && at > 1 && (bytes[at - 1] === smallMark || bytes[at - 1] === capitalMark)) at -= 2;
  return end - at > 2 && (kindAt(bytes, at) & monthInitial) !== 0 && monthStarts.has(threeLetters(shadow, at));
}

/** The three characters at the place as a number that is the same for capitals. */
function threeLetters(text: string, at: number): number {
  return (
    (((text.charCodeAt(at) | 0x20) << 16) |
      ((text.charCodeAt(at + 1) | 0x20) << 8) |
      text.charCodeAt(at + 2) |
      0x20) >>>
    0
  );
}

/** True behind the name of an era, which may have a stop or a blank. */
function isBehindEra(shadow: string, start: number): boolean {
  let at = start - 1;
  for (let i = 0; i < 2 && (shadow.charCodeAt(at) === space || shadow.charCodeAt(at) === stop); i++) at--;
  return eraEnds.has(shadow.charCodeAt(at));
}

/** Of the sign of a year: a month and a day follow, or another way to write the year, in brackets. */
function useOfYearSign(shadow: string, at: number): Use {
  let next = at + 1;
  while (next < at + 4 && isFiller(shadow.charCodeAt(next))) next++;
  const use = next - at > 2 ? besideWord : anywhere;
  const c = shadow.charCodeAt(next);
  if (c === 0x28 || c === 0xff08 || c === year) return use;
  const behind = afterNumber(shadow, next);
  if (shadow.charCodeAt(behind) !== month) return none;
  next = behind + 1;
  while (next < behind + 3 && isFiller(shadow.charCodeAt(next))) next++;
  return shadow.charCodeAt(afterNumber(shadow, next)) === day ? use : none;
}

/** A blank and `の`. */
const isFiller = (c: number) => c === space || c === no;

/** Behind a number of up to three digits or kanji and a blank; -1 where none starts. */
function afterNumber(shadow: string, start: number): number {
  let at = start;
  for (; at < start + 3; at++) {
    const c = shadow.charCodeAt(at);
    if (!isDigit(c) && !isKanjiNumeral(c)) break;
  }
  if (at === start) return -1;
  return shadow.charCodeAt(at) === space ? at + 1 : at;
}
