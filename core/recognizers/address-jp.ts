/** Japanese postal addresses (prefecture or known municipality, town, lot number) and postal codes. */

import { prefecturePattern } from '../data/japanese-places.ts';
import { CodeSet, codesOf } from '../detect/code-set.ts';
import type { ScanText } from '../detect/scan.ts';
import words from '../lexicon/japanese-address.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { AddressPlaces } from './japanese-address-places.ts';

const patterns = patternsOf('address-jp', { ...words, prefectures: prefecturePattern, sentences: words.sentence });

/** Characters that end the search for the start of an address. */
const breaks = new CodeSet('、。，．,!?！？:：;；「」『』"\'|\n\t<>=はをへ');
const townLengthMax = 30;
const lookBack = 48;

/** Checks every number that may be a lot number, and every postal code. */
export const addressJp: Recognizer = {
  name: 'address-jp',
  type: 'ADDRESS',
  trigger: ({ hasAddressSigns }) => hasAddressSigns,
  find(text: ScanText): Detection[] {
    const { shadow } = text;
    const spans = addresses(text);
    addCodes(shadow, spans);
    return spans.map(({ start, end, isCode }) =>
      detectionAt(text, start, end, { type: 'ADDRESS', score: isCode ? 0.8 : 0.95, recognizer: 'address-jp' }),
    );
  },
};

type Span = { start: number; end: number; readonly isCode: boolean };

function addresses({ shadow, numbers }: ScanText): Span[] {
  const spans: Span[] = [];
  let done = 0;
  let next = 0;
  const digits = kanjiDigitsIn(shadow);
  const places = new AddressPlaces(shadow);
  for (let a = 0, b = 0; a < numbers.length || b < digits.length; ) {
    const isPlain = b === digits.length || (numbers[a] as number) < (digits[b] as number);
    const number = (isPlain ? numbers[a++] : digits[b++]) as number;
    if (number < next || !mayStandBefore(shadow.charCodeAt(number - 1))) continue;
    patterns.numberStart.lastIndex = number;
    if (!patterns.numberStart.test(shadow)) continue;
    next = patterns.numberStart.lastIndex;
    if (number < done || !places.read(Math.max(done, number - lookBack), number)) continue;
    const start = placeStart(shadow, places, number, done);
    if (start === undefined) continue;
    const end = lotEnd(shadow, number);
    if (end === undefined) continue;
    spans.push({ start, end, isCode: false });
    done = end;
  }
  return spans;
}

/** Offsets of kanji digits before the words for a lot. */
function kanjiDigitsIn(shadow: string): number[] {
  const found: number[] = [];
  patterns.kanjiDigits.lastIndex = 0;
  for (let run = patterns.kanjiDigits.exec(shadow); run !== null; run = patterns.kanjiDigits.exec(shadow))
    for (let i = run.index; i < patterns.kanjiDigits.lastIndex; i++) found.push(i);
  return found;
}

/** True for a Japanese character or a space. */
const mayStandBefore = codesOf(' \u3005-\u30ff\u3400-\u9fff');

/** The start of the prefecture or municipality of the lot number at `number`. */
function placeStart(shadow: string, places: AddressPlaces, number: number, floor: number): number | undefined {
  let from = number;
  while (from > floor && number - from < lookBack && !breaks.has(shadow.charCodeAt(from - 1))) from--;
  let place = places.lastPrefecture(from);
  if (place !== undefined && patterns.sentence.test(shadow.slice(place.end, number))) place = undefined;
  // Only a town may be between the municipality and the number.
  const city = places.firstMunicipality(
    place?.end ?? from,
    (end) => !patterns.sentence.test(shadow.slice(end, number)),
  );
  const { start } = place ?? city ?? {};
  if (start === undefined) return undefined;
  const town = shadow.slice((city ?? place)?.end, number);
  if (town.length > townLengthMax || patterns.sentence.test(town) || patterns.cityHall.test(town)) return undefined;
  // Directly after the municipality only a complete number counts: 渋谷区1-2-3.
  if (
    town.trim() === '' &&
    !/^[0-9]{1,4}(?:-[0-9]{1,4}){2}|^.{1,3}丁目|^[0-9]{1,5}番地/.test(shadow.slice(number, number + 16))
  )
    return undefined;
  return start;
}

function lotEnd(shadow: string, number: number): number | undefined {
  const near = shadow.slice(number, number + 48);
  const length = patterns.lotNumber.exec(near)?.[0].trimEnd().length ?? 0;
  if (length === 0 || patterns.counter.test(near.slice(length))) return undefined;
  const lot = near.slice(0, length);
  if (/^[0-9]+-[0-9]+$/.test(lot) && /^[\u3041-\u3093]*(?:で|に)?(?:勝|敗|負)/.test(near.slice(length)))
    return undefined;
  const end = number + length;
  if (!mayOpenBuilding(shadow.charCodeAt(end))) return end;
  const behind = shadow.slice(end, end + 56);
  return patterns.buildingSign.test(behind) ? end + (patterns.building.exec(behind)?.[0].length ?? 0) : end;
}

/** True for a character that a building name may start with. */
const mayOpenBuilding = codesOf(" .&'0-9;-\x7f\u3005-\u30ff\u3400-\u9fff-");

/** Adds postal codes and labels, joined with the address that follows. */
function addCodes(shadow: string, spans: Span[]): void {
  for (const span of spans) {
    const code = patterns.bareCode.exec(shadow.slice(Math.max(0, span.start - 10), span.start));
    if (code !== null && shadow[span.start - 1] === ' ') span.start -= (code[1] as string).length + 1;
  }
  // Both lists are sorted, so one pass over the addresses is enough.
  let next = 0;
  const codes: Span[] = [];
  for (const match of patterns.hasCode.test(shadow) ? shadow.matchAll(patterns.postalCode) : []) {
    const start = match.index + match[0].search(/[〒0-9]/);
    const end = match.index + match[0].length;
    while (next < spans.length && (spans[next] as Span).start < match.index) next++;
    const before = spans[next - 1];
    if (before !== undefined && before.end > start) continue;
    const owner = spans[next];
    if (
      owner !== undefined &&
      owner.start <= end + 3 &&
      /^\s*$/.test(shadow.slice(Math.min(end, owner.start), owner.start))
    )
      owner.start = start;
    else codes.push(townAfter(shadow, start, end));
  }
  // Pushed one by one: a text of postal codes has more than a call can take as arguments.
  for (const span of addLabelled(shadow, spans)) spans.push(span);
  for (const span of codes) spans.push(span);
  spans.sort((a, b) => a.start - b.start);
}

/** Characters between a label and a prefecture. */
const labelEnds = new CodeSet(':： 」\'"は');

/** A postal code, with the address after it when that ends in a bare number. */
function townAfter(shadow: string, start: number, end: number): Span {
  const rest = patterns.bareLot.exec(shadow.slice(end, end + 64));
  return rest === null ? { start, end, isCode: true } : { start, end: end + rest[0].length, isCode: false };
}

/** Addresses after a label such as 住所, whose number may have no sign. */
function addLabelled(shadow: string, spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  let next = 0;
  patterns.prefecture.lastIndex = 0;
  for (let place = patterns.prefecture.exec(shadow); place !== null; place = patterns.prefecture.exec(shadow)) {
    const start = place.index;
    if (!labelEnds.has(shadow.charCodeAt(start - 1))) continue;
    if (!patterns.label.test(shadow.slice(Math.max(0, start - 12), start))) continue;
    const match = patterns.bareLot.exec(shadow.slice(start, start + 64));
    if (match === null || patterns.sentence.test(match[0])) continue;
    const end = start + match[0].length;
    while (next < spans.length && (spans[next] as Span).end <= start) next++;
    if (next < spans.length && (spans[next] as Span).start < end) continue;
    found.push({ start, end, isCode: false });
  }
  return found;
}
