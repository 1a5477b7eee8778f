/** Finds the start of an address: the first word of its street, and the flats and buildings before it. */
import { isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };
import {
  hasStreetEnding,
  hasStrongEnding,
  isCapitalised,
  isLinkWord,
  isStreetPrefix,
  type Word,
  wordBefore,
} from './address-words.ts';

const { beforeNumber, adjective, partEnd } = patternsOf('address-start');

const prefixes: ReadonlySet<string> = new Set(words.before);
const openers: ReadonlySet<string> = new Set(words.openers);
const rooms: ReadonlySet<string> = new Set(words.rooms);
const houses: ReadonlySet<string> = new Set(words.houses);
const wordsMax = 7;
/** Streets without a street word are short: `Am Alten Markt`. */
const plainWordsMax = 4;
const joins: ReadonlySet<string> = new Set(['van', 'von', 'ten', 'ter']);

/**
 * The start of the street before a house number: `Ich wohne in der | Hauptstraße 5`.
 * @param isAlone true when only the words of the street suggest an address
 */
export function streetStart(text: string, number: number, floor: number, isAlone = false): number | undefined {
  const gap = beforeNumber.exec(text.slice(Math.max(floor, number - 6), number));
  if (gap === null) return undefined;
  const row: Word[] = [];
  for (let end = number - gap[0].length; row.length < wordsMax; ) {
    const word = partBefore(text, end, floor);
    if (word === undefined || !isPart(word.text, row.length)) break;
    row.unshift(word);
    if (text[word.start - 1] !== ' ') break;
    end = word.start - 1;
  }
  if (isAlone && !tellsStreet(row)) return undefined;
  const first = row[firstOf(row)];
  return first === undefined || rooms.has(first.text.toLowerCase()) ? undefined : first.start;
}

/** True when a row of words contains a street word or a clear street ending. */
function tellsStreet(row: readonly Word[]): boolean {
  const last = row.at(-1)?.text ?? '';
  if (last !== '' && isCapitalised(last) && hasStrongEnding(last)) return true;
  return row.some(({ text }, i) => i < row.length - 1 && isCapitalised(text) && isStreetPrefix(text));
}

/** The first word of the name or number at the end of a part: `We live at | Rose Cottage`. */
export function namedStart(text: string, start: number, end: number): number {
  let first = end;
  for (let word = lastOf(text, end, start); word !== undefined; word = lastOf(text, first - 1, start)) {
    if (!isCapitalised(word.text) && !isLinkWord(word.text) && !/\d/.test(word.text)) break;
    first = word.start;
    if (text[first - 1] !== ' ' || first <= start) break;
  }
  while (first < end && isLinkWord(text.slice(first, text.indexOf(' ', first))) && /[a-z]/.test(text[first] as string))
    first = text.indexOf(' ', first) + 1;
  return first;
}

/** The word or number before `end`: `C/`, or the `25` of `25 de Março`. */
function partBefore(text: string, end: number, floor: number): Word | undefined {
  if (text[end - 1] === '/') {
    const word = wordBefore(text, end - 1, floor);
    return word && { ...word, end, text: `${word.text}/` };
  }
  let start = end;
  while (start > floor && isDigit(text.charCodeAt(start - 1))) start--;
  return start < end ? { start, end, text: text.slice(start, end) } : wordBefore(text, end, floor);
}

function isPart(word: string, behind: number): boolean {
  if (isDigit(word.charCodeAt(0))) return behind > 0 && word.length < 5;
  return isCapitalised(word) || isLinkWord(word) || isPrefix(word);
}

function isPrefix(word: string): boolean {
  const lower = word.toLowerCase();
  return prefixes.has(lower) || prefixes.has(`${lower}.`);
}

/** The index of the first word of the street. */
function firstOf(row: readonly Word[]): number {
  if (row.length === 0) return 0;
  const last = row.length - 1;
  const prefix = row.findIndex(({ text }, i) => i < last && isPrefix(text));
  if (prefix >= 0) return prefix;
  let first = last;
  const isEnding = hasStreetEnding((row[last] as Word).text);
  const isOwnWord = prefixes.has((row[last] as Word).text.toLowerCase()) || (row[last] as Word).text.length < 7;
  while (first > 0) {
    const { text } = row[first - 1] as Word;
    if (openers.has(text.toLowerCase()) && isCapitalised(text)) return first - 1;
    const goesOn = isEnding ? (isOwnWord && isCapitalised(text)) || adjective.test(text) : last - first < plainWordsMax;
    if (!goesOn && !joins.has(text)) break;
    first--;
  }
  while (first < last && !isCapitalised((row[first] as Word).text)) first++;
  return isCapitalised((row[first] as Word).text) ? first : row.length;
}

const partMax = 48;
const partsMax = 4;

/** The part of an address that ends before `at`. */
export function partBeforeAt(text: string, at: number, floor: number): { start: number; end: number } | undefined {
  const gap = partEnd.exec(text.slice(Math.max(floor, at - 12), at));
  if (gap === null) return undefined;
  return partEndingAt(text, at - gap[0].length, floor);
}

/** The part of an address that ends at `end`. */
export function partEndingAt(text: string, end: number, floor: number): { start: number; end: number } | undefined {
  let start = end;
  while (start > floor && end - start < partMax && !isPartSign(text, start - 1)) start--;
  while (text[start] === ' ') start++;
  return start < end ? { start, end } : undefined;
}

/** True for a separator; the comma of `1,450` is not one. */
function isPartSign(text: string, at: number): boolean {
  return /[,\n:;·|"'“„<>=]/.test(text[at] as string) && !/^\d,\d/.test(text.slice(at - 1, at + 2));
}

/** The start of the address of a street, including flats, blocks and named houses before it. */
export function buildingStart(text: string, street: number, floor: number): number {
  let start = street;
  for (let count = 0; count < partsMax; count++) {
    const part = partBeforeAt(text, start, floor) ?? lastWordsBefore(text, start, floor);
    const from = part === undefined ? undefined : buildingIn(text, part.start, part.end, floor);
    if (from === undefined) break;
    start = from;
  }
  return start;
}

/** The room directly before a house number: `Flat 3 14 Rosebery Avenue`, `Blk 412 …`. */
function lastWordsBefore(text: string, at: number, floor: number): { start: number; end: number } | undefined {
  if (text[at - 1] !== ' ') return undefined;
  const last = partBefore(text, at - 1, floor);
  if (last === undefined) return undefined;
  if (rooms.has(last.text.toLowerCase()) && isCapitalised(last.text)) return { start: last.start, end: at - 1 };
  if (!isDigit(last.text.charCodeAt(0)) || text[last.start - 1] !== ' ') return undefined;
  const room = wordBefore(text, last.start - 1, floor);
  return room && rooms.has(room.text.toLowerCase()) ? { start: room.start, end: at - 1 } : undefined;
}

/** The start of the building at the end of a part: `Résidence Les Pins`, `Flat 2B`, `at | Rose Cottage`, `3rd floor`. */
function buildingIn(text: string, start: number, end: number, floor: number): number | undefined {
  let word = lastOf(text, end, floor);
  const isHouse = word !== undefined && houses.has(word.text.toLowerCase()) && isCapitalised(word.text);
  let first: number | undefined;
  for (let count = 0; word !== undefined && word.start >= start && count < wordsMax; count++) {
    if (rooms.has(word.text.toLowerCase()) && (isCapitalised(word.text) || word.start === start)) first = word.start;
    if (isHouse && isCapitalised(word.text)) first = word.start;
    if (isHouse && !isCapitalised(word.text) && !isLinkWord(word.text)) break;
    if (text[word.start - 1] !== ' ') break;
    word = lastOf(text, word.start - 1, floor);
  }
  return first;
}

/** The last word of a part, or its flat number. */
function lastOf(text: string, end: number, floor: number): Word | undefined {
  const word = wordBefore(text, end, floor);
  if (word !== undefined && !isDigit(text.charCodeAt(word.start - 1))) return word;
  let start = end;
  while (start > floor && end - start < 8 && /[0-9A-Za-z./#º°ª-]/.test(text[start - 1] as string)) start--;
  return start < end ? { start, end, text: text.slice(start, end) } : undefined;
}
