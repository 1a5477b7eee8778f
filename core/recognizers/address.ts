/**
 * Postal addresses in Latin, Greek and Cyrillic script. `address-forms.json` has the ways in which countries write them, as
 * patterns over the kinds of words and numbers: the places of the street word and the number, what precedes and follows.
 */
import { isCapital, isDigit } from '../characters.ts';
import { firstFrom } from '../detect/candidates.ts';
import { codesOf } from '../detect/code-set.ts';
import { lengthAt, type ScanText } from '../detect/scan.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };
import { isNoNameWord } from '../names/word-kinds.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import data from './address-forms.json' with { type: 'json' };
import { AddressRow, asCapitals, kindPattern, kindsOf } from './address-row.ts';

const name = 'address';
const upperStates = words.states.map((state) => state.toUpperCase());
const patterns = patternsOf('address', { ...words, upperStates });
const { box, small, codeLine, leadIn, spokenLeadIn, province, numberLabel } = patterns;

type Texts = readonly { readonly pattern: RegExp; readonly score: number; readonly sign?: string }[];

/**
 * Addresses that are no row of street, number and town: the text before a number, and the number. A text with none of its `sign`
 * is not searched.
 */
const texts: Texts = [
  { pattern: box, score: 0.9 },
  { pattern: small, score: 0.75 },
  { pattern: patterns.military, score: 0.95 },
  { pattern: patterns.ship, score: 0.95 },
  { pattern: patterns.stateAndZip, score: 0.75 },
  { pattern: patterns.corner, score: 0.7, sign: 'corner of ' },
  { pattern: patterns.unitLine, score: 0.6 },
  { pattern: codeLine, score: 0.6 },
];

/** One way of writing an address; in the file as {@link kindPattern}s. */
type Form<Pattern> = {
  /** Patterns for the words leading up to the number or code; the first match wins. */
  readonly before: readonly Pattern[];
  /** Pattern for the number or code and the words after it. */
  readonly behind: Pattern;
  /** The number is a postal code. */
  readonly isCode?: boolean;
  /** Only after a lead-in, or one used before streets in speech: `the station is on | Pod Floriánem 1677`. */
  readonly lead?: 'any' | 'spoken';
  /** The town is part of the form. */
  readonly withTown?: boolean;
  /** Only after a lead-in, or where the address continues. */
  readonly needsMore?: boolean;
  readonly score: number;
};

const pattern = (written: string, flags = '') => kindPattern(written, data.parts, flags);
const forms = (data.forms as readonly (Omit<Form<string>, 'before'> & Partial<Form<string>>)[]).map(
  ({ before = [], behind, ...form }): Form<RegExp> => ({
    ...form,
    before: before.map((one) => pattern(`(?<=(${one}))`, 'y')),
    behind: pattern(behind, 'y'),
  }),
);
const goesOn = pattern(data.goesOn, 'y');
const withState = pattern(data.withState, 'y');
const units = pattern(data.units, 'y');
const towns = data.towns.map((town) => pattern(town, 'y'));
const buildings = [pattern(`(?<=(${data.buildings}))`, 'y')];

/** Checks every number that may be a house number, a box or a postal code. */
export const address: Recognizer = {
  name,
  type: 'ADDRESS',
  find(text: ScanText): Detection[] {
    const { shadow, numbers } = text;
    const row = new AddressRow(shadow);
    const likely = texts.filter(({ sign }) => sign === undefined || shadow.includes(sign));
    const found: Detection[] = [];
    for (const at of text.digitStarts) {
      const before = found.at(-1);
      const isNear = before !== undefined && at - before.end < linesMax;
      if (!isNear && !mayBeOfAddress(shadow, at)) continue;
      const isNumber =
        at >= (before?.end ?? 0) && (numbers[firstFrom(numbers, at)] === at || isAt(numberLabel, shadow, at));
      const one =
        (isNumber ? textAt(shadow, at, row, isNear, likely) : undefined) ?? rowAt(shadow, at, row, isNumber, before);
      if (one === undefined) continue;
      const start = withBuildings(row, one.start);
      // An address may be found by its number, its postal code or its unit: the longest one counts.
      for (let last = found.at(-1); last !== undefined && last.end > start; last = found.at(-1)) {
        if (last.end - last.start > one.end - start) break;
        found.pop();
      }
      if ((found.at(-1)?.end ?? 0) > start) continue;
      found.push(detectionAt(text, start, one.end, { type: 'ADDRESS', recognizer: name, score: one.score }));
    }
    return found;
  },
};

type Span = { readonly start: number; readonly end: number; readonly score: number };

const isInNumber = codesOf('0-9A-Za-z/-');
const isBetween = codesOf(' ,#/.º°ª-');
const isWord = codesOf("A-Za-zÀ-ɏͰ-ԯḀ-ỿ'’-");
const isAfterName = codesOf(' .,');
const isInsideWord = codesOf('a-z_:=0-9');
/** Minimum number of digits in a postal code. */
const codeDigitsMin = 4;

/** True when an adjacent word may be part of an address; most are not. */
function mayBeOfAddress(shadow: string, at: number): boolean {
  const before = shadow.charCodeAt(at - 1);
  let end = at + 1;
  while (end < at + 12 && isInNumber(shadow.charCodeAt(end))) end++;
  // `SW1A 2AA`, `P25 A4F2`
  if (isCapital(before)) return /^ [A-Z]?[0-9]/.test(shadow.slice(end, end + 3));
  if (isInsideWord(before)) return isAt(numberLabel, shadow, at);
  const sign = before === 0x20 ? shadow.charCodeAt(at - 2) : before;
  if (sign === 0x23 || sign === 0xba || sign === 0xb0) return true;
  let last = at;
  while (last > at - 5 && isBetween(shadow.charCodeAt(last - 1))) last--;
  let from = last;
  while (from > last - 32 && isWord(shadow.charCodeAt(from - 1))) from--;
  const previous = from < last ? kindsOf(shadow.slice(from, last)) : '';
  if (last < at && /[cEruN]/.test(previous)) return true;
  const next = end + (shadow.charCodeAt(end) === 0x2c ? 2 : 1);
  if (shadow.charCodeAt(next - 1) !== 0x20) return false;
  if (isDigit(shadow.charCodeAt(next))) return true;
  let to = next;
  while (isWord(shadow.charCodeAt(to))) to++;
  const kinds = to > next ? kindsOf(shadow.slice(next, to)) : '';
  const goesOn = isAfterName(shadow.charCodeAt(to));
  if (/[EPC]/.test(kinds) || (kinds.includes('c') && (goesOn || end - at >= codeDigitsMin))) return true;
  return kinds !== '' && (isAt(small, shadow, at) || (previous.includes('f') && isAt(leadIn, shadow, at)));
}

/** True when a sticky pattern matches at a place. */
function isAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** How far after an address there may be a line with a country and postal code. */
const linesMax = 96;

function textAt(shadow: string, at: number, row: AddressRow, isNear: boolean, likely: Texts): Span | undefined {
  const before = shadow.charCodeAt(at - 1);
  if (before !== 0x20 && before !== 0x23) return undefined;
  for (const { pattern, score } of likely) {
    pattern.lastIndex = at;
    const match = pattern.exec(shadow);
    if (match === null || (pattern === codeLine && !isNear)) continue;
    const i = pattern === box ? row.prepare(at) : -1;
    const kinds = /[A-Z]/.test(match[1] as string) ? row.kinds : asCapitals(row.kinds);
    const end = i < 0 ? pattern.lastIndex : row.endOf(townEnd(kinds, row.placeBehind(i)));
    return { start: at - (match[1] as string).length, end, score };
  }
  return undefined;
}

function rowAt(shadow: string, at: number, row: AddressRow, isNumber: boolean, last?: Span): Span | undefined {
  const i = row.prepare(at);
  // Numbers alone are no address.
  if (i < 0 || !row.hasWord) return undefined;
  const place = row.ats[i] as number;
  const start = row.starts[i] as number;
  const isBehindWord = row.kinds.slice(row.ats[i - 1] ?? place, place).includes('f');
  const hasLeadIn = isNumber && isBehindWord && isAt(leadIn, shadow, start);
  const kinds = hasLeadIn ? asCapitals(row.kinds) : row.kinds;
  const isFree = hasLeadIn || mayBeFirst(shadow, row, i);
  for (const { before, behind, isCode, lead, withTown, needsMore, score } of forms) {
    if (!isCode && (!isNumber || start !== at)) continue;
    const length = lengthAt(behind, kinds, place);
    if (length === 0) continue;
    let from = place;
    if (before.length > 0) {
      // The street of a postal code may be that of the address before, which was found by its own number.
      const floors = isCode ? [last?.end, last?.start] : [last?.end];
      from = floors.map((floor) => row.placeBefore(before, place, floor)).find((found) => found >= 0) ?? -1;
      if (from < 0 || (lead === 'spoken' && !isAt(spokenLeadIn, shadow, row.startOf(from)))) continue;
    } else if (!isFree || (lead === 'any' && !hasLeadIn)) continue;
    if (needsMore && !hasLeadIn && !isAt(goesOn, kinds, place + length)) continue;
    const isSmall = hasLeadIn && !/c/.test(row.kinds.slice(place, place + length));
    const isWhole = isCode || withTown;
    const end = row.endOf(isWhole ? place + length : townEnd(isSmall ? kinds : row.kinds, place + length));
    const behindTown = isCode ? lengthAt(province, shadow, end) : 0;
    return { start: row.startOf(from), end: end + behindTown, score };
  }
  return undefined;
}

/** The start of the flats, floors and named houses before a street. */
function withBuildings(row: AddressRow, start: number): number {
  const i = row.prepare(start);
  const place = i < 0 ? -1 : row.placeBefore(buildings, row.ats[i] as number);
  return place < 0 ? start : row.startOf(place);
}

/** True unless the number belongs to the word before: `Windows 11 Pro Drive`, `Bus 12 March Street stop`. */
function mayBeFirst(shadow: string, row: AddressRow, i: number): boolean {
  const place = row.ats[i] as number;
  if (i === 0 || row.kinds[place - 1] !== ' ') return true;
  const previous = row.kinds.slice(row.ats[i - 1], place);
  if (previous.includes('n')) return false;
  const isOfName = /^⟨wc[^r]*⟩/.test(previous) && isNoNameWord(shadow.slice(row.starts[i - 1], row.ends[i - 1]));
  return !isOfName || isAt(withState, row.kinds, place);
}

/** The end of the units, the town, its state and postal code after a street. */
function townEnd(kinds: string, from: number): number {
  const at = from + lengthAt(units, kinds, from);
  for (const town of towns) {
    const length = lengthAt(town, kinds, at);
    if (length > 0) return at + length;
  }
  return at;
}
