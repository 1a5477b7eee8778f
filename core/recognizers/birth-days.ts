/** All days in a text that somebody living may have been born on. */
import type { ScanText } from '../shadow.ts';
import { birthYear, date, yearNow } from './birth-dates.ts';

/** Offsets of the text. */
export type Stretch = { readonly start: number; readonly end: number };
export type Day = Stretch & { readonly written: string; readonly year: number };

/** Numbers of a text. */
export type DayNumbers = {
  /** True for a text without a number that may be part of a day: there is no day in it. */
  readonly isEmpty: boolean;
  /** The numbers that may open a day or stand behind the name of its month; of years in kanji the character behind. */
  readonly openings: readonly Stretch[];
};

/** Nobody is older. */
const yearsMax = 125;
/** So much of a day stands before its first number. */
const leadMax = 12;
/** Days in words are longer: `twenty-first of September `. */
const wordsMax = 28;
const inWords = /(?:th|st|nd|rd)(?: day)?(?: of)? [a-z]{3,9}\.?,? $/i;
/** Days longer than this have a remark. */
const dateMax = 36;
const kanjiNumerals = '〇零一二三四五六七八九十元';
const kanjiFrom = 0x4e00;
/** What eras end with. */
const eraEnds = '治正和成明大昭平令MTSHRmtshr';
/** What the names of months begin with. */
const monthInitials = 'jfmasondJFMASOND';
const year = 0x5e74;
const month = 0x6708;
/** `の` */
const no = 0x306e;
const middleDot = 0x30fb;

/** The numbers that may be those of a day. */
export function dayNumbers(text: ScanText): DayNumbers {
  const { shadow, bytes, digitStarts } = text;
  const openings: Stretch[] = [];
  for (let i = 0; i < digitStarts.length; i++) {
    const start = digitStarts[i] as number;
    let end = start + 1;
    while (isDigit(bytes[end] as number)) end++;
    if (mayOpenDay(shadow, bytes, start, end)) openings.push({ start, end });
  }
  const isEmpty = !addKanjiYears(text, openings) && digitStarts.length === 0;
  return { isEmpty, openings: openings.sort((a, b) => a.start - b.start) };
}

/** Adds the years in kanji; true when there are any, also those that open no day. */
function addKanjiYears({ shadow, hasJapanese }: ScanText, openings: Stretch[]): boolean {
  let hasAny = false;
  for (let at = hasJapanese ? shadow.indexOf('年') : -1; at >= 0; at = shadow.indexOf('年', at + 1)) {
    const isSpaced = shadow.charCodeAt(at - 1) === 0x20;
    if (!isKanjiNumeral(shadow.charCodeAt(isSpaced ? at - 2 : at - 1))) continue;
    hasAny = true;
    if (isYearOfDay(shadow, at)) openings.push({ start: at, end: at + 1 });
  }
  return hasAny;
}

/** The days at the openings, in order. */
export function daysOf({ shadow, bytes }: ScanText, openings: readonly Stretch[]): readonly Day[] {
  const days: Day[] = [];
  const oldest = yearNow() - yearsMax;
  let done = 0;
  for (const { start: first, end } of openings) {
    if (first < done) continue;
    const lead = isInWords(shadow, bytes, first, end) ? wordsMax : leadMax;
    const from = Math.max(done, first - lead);
    const before = Math.min(from, 3);
    date.lastIndex = before;
    const groups = date.exec(shadow.slice(from - before, first + dateMax));
    if (groups === null) continue;
    const start = from - before + groups.index;
    if (start > first) continue;
    const written = groups[0];
    done = start + written.length;
    const born = isLoose(written) ? undefined : birthYear(written);
    if (born !== undefined && born >= oldest) days.push({ start, end: done, written, year: born });
  }
  return days;
}

const isDigit = (c: number) => c >= 0x30 && c <= 0x39;
const isKanjiNumeral = (c: number) =>
  (c >= kanjiFrom || c === 0x3007) && kanjiNumerals.includes(String.fromCharCode(c));
const isLetter = (c: number) => ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x7a) || c === 0x2c;

/** True for digits that may be the first of a day, or stand behind the name of its month. */
function mayOpenDay(shadow: string, bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 8) return true;
  if (length !== 4 && length > 2) return false;
  const next = bytes[end] as number;
  if (next === 0) {
    const c = shadow.charCodeAt(end);
    if (c === year) return (length === 4 || isBehindEra(shadow, start)) && isYearOfDay(shadow, end);
    return c === middleDot && length < 3 && isBehindEra(shadow, start);
  }
  if (isInWords(shadow, bytes, start, end)) return true;
  // `-`, `.` and `/`.
  if (next === 0x2d || next === 0x2e || next === 0x2f) return isNumericDay(shadow, bytes, start, end);
  if (next === 0x20) {
    const behind = bytes[end + 1] as number;
    if (behind === 0) return shadow.charCodeAt(end + 1) === year;
    return (
      isDigit(behind) ||
      behind === 0x2f ||
      behind === 0x2d ||
      behind === 0x2e ||
      (length < 3 ? isLetter(behind) : monthInitials.includes(String.fromCharCode(behind)))
    );
  }
  if (length === 4) return false;
  // `May 3, 1970`, `3May1970`, `3rd`
  if (next === 0x2c) return /[A-Za-z.] ?$/.test(shadow.slice(Math.max(0, start - 2), start));
  return (
    (next | 0x20) >= 0x61 &&
    (monthInitials.includes(shadow.charAt(end)) || (next | 0x20) === 0x72 || (next | 0x20) === 0x74)
  );
}

/** True behind the name of an era, which may have a stop or a blank. */
function isBehindEra(shadow: string, start: number): boolean {
  let at = start - 1;
  for (let i = 0; i < 2 && (shadow.charCodeAt(at) === 0x20 || shadow.charCodeAt(at) === 0x2e); i++) at--;
  const c = shadow.charCodeAt(at);
  return (c >= kanjiFrom || isLetter(c)) && eraEnds.includes(String.fromCharCode(c));
}

/** True for the sign of a year that the number of a month follows, or another way to write the year, in brackets. */
function isYearOfDay(shadow: string, at: number): boolean {
  let next = at + 1;
  if (shadow.charCodeAt(next) === 0x20 || shadow.charCodeAt(next) === no) next++;
  const c = shadow.charCodeAt(next);
  if (c === 0x28 || c === 0xff08 || c === year) return true;
  let digits = 0;
  while (digits < 3 && (isDigit(shadow.charCodeAt(next)) || isKanjiNumeral(shadow.charCodeAt(next)))) {
    digits++;
    next++;
  }
  if (shadow.charCodeAt(next) === 0x20) next++;
  return digits > 0 && shadow.charCodeAt(next) === month;
}

/** `twenty-first of May, 1964` */
function isInWords(shadow: string, bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 4 &&
    start > 2 &&
    isLetter(bytes[start - 2] as number) &&
    inWords.test(shadow.slice(Math.max(0, start - wordsMax), start))
  );
}

/**
 * `1.2.1985`, `1985-1-2`, `S60.1.2`, `1-Feb`, `March 1985.`, no `2.4.1` and no `3.5`: three numbers, of which one is a year,
 * or the year behind a month.
 */
function isNumericDay(shadow: string, bytes: Uint8Array, start: number, end: number): boolean {
  let at = end + 1;
  while (isDigit(bytes[at] as number)) at++;
  if (at === end + 1) {
    // `October 9- 1960`
    const isSpaced = bytes[end] === 0x2d && bytes[at] === 0x20;
    return end - start === 4 || isSpaced || isLetter(bytes[at] as number);
  }
  if (bytes[at] !== bytes[end]) return end - start === 4;
  const last = at + 1;
  at = last;
  while (isDigit(bytes[at] as number)) at++;
  if (end - start === 4 || at - last > 1) return at > last;
  return at > last && isBehindEra(shadow, start);
}

/** `1 2 34` is no day without a word. */
const isLoose = (written: string) => /^[0-9]{1,2} [0-9]{1,2} [0-9]{2,4}$/.test(written);
