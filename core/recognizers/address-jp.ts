/** Japanese postal addresses (prefecture or known municipality, town, lot number) and postal codes. */

import { prefecturePattern } from '../data/japanese-places.ts';
import { CodeSet } from '../detect/code-set.ts';
import type { ScanText } from '../detect/scan.ts';
import words from '../lexicon/japanese-address.json' with { type: 'json' };
import type { Detection, Recognizer } from '../recognizer.ts';
import { AddressPlaces } from './japanese-address-places.ts';

const postalCode =
  /〒 ?[0-9]{3}-?[0-9]{4}(?![0-9-])|(?:郵便番号[はの]?[:： >"'|｜=\t,]{0,5})[0-9]{3}-[0-9]{4}(?![0-9-])/g;
/** A regular expression, because `includes` stops at a byte of `〒` that all hiragana share. */
const hasCode = /〒|郵便番号/;
const bareCode = /(?:^|[^0-9-])([0-9]{3}-[0-9]{4}) ?$/;

const figure = '(?:[0-9]{1,5}|[一二三四五六七八九十百〇]{1,5})';
/** A lot number starts after a Japanese character or a space. */
const numberStart = new RegExp(
  `(?<=[\\u3005-\\u30FF\\u3400-\\u9FFF ])${figure}(?:丁目|番丁|番(?![町街館線目組隊線手])地?|-[0-9]|条|線(?=[東西南北0-9])|の[0-9]|(?<=町[0-9]{1,4})(?=$|[\\n,"'<|\\t 、。)」]))`,
  'y',
);
const joint = '[ ]?';
/** A complete lot number: `1丁目2番3号`, `1-2-3`, `北1条西2丁目3番地4`, `1丁目2-3`. */
const lotNumber = new RegExp(
  `^(?:[東西南北]?${figure}(?:条|線)${joint})?(?:[東西南北]?${figure}(?:丁目|番丁)${joint}){0,2}(?:${figure}番地?(?:の[0-9]{1,4}|-[0-9]{1,5}){0,2}(?:${joint}${figure}号(?![線車館機])室?)?|[0-9]{1,5}(?:-[0-9]{1,5}){1,4}号?室?|${figure}号(?![線車館機])|[0-9]{1,5}の[0-9]{1,4}|[0-9]{1,4}(?![0-9年月日人円時分歳代回個件台%.,階]))?`,
);
/** Counters after digits that are not a lot number. */
const counter = new RegExp(`^ ?(?:${words.counters.join('|')})`);
const buildingWords = words.buildings.join('|');
const inBuilding = "\\u3005\\u30A1-\\u30FF\\u3400-\\u9FFFA-Za-z0-9&・'.-";
const room =
  '(?:[ ]?(?:[A-Za-z]?[0-9]{1,4}|[0-9]{1,2}[A-Z])(?:号室|階|F(?![A-Za-z])|号棟|号|室)?(?:[ ]?-?[0-9]{1,4}(?:号室|号|室))?(?![0-9]))';
const building = new RegExp(
  `^[ ]?[${inBuilding}]{2,24}[ ]?[0-9]{1,4}(?:号室|号|室|階|F(?![A-Za-z]))` +
    `|^[ ]?(?:[${inBuilding}]{0,20}?[ ]?[${inBuilding}]{0,16}(?:${buildingWords}))(?:[\\u30A1-\\u30FF\\u3400-\\u9FFF]{1,8}(?=[0-9]{2,4}(?![0-9年月日])))?${room}?`,
);
/** Every building name contains one of these; most texts after an address contain none. */
const buildingSign = new RegExp(`${buildingWords}|[0-9](?:号|室|階|F)`);
/** Particles and sentence endings, which town names never contain. */
const sentence = new RegExp(words.sentence.join('|'));
/** A city hall with a floor or counter is not an address. */
const cityHall = /^(?:役所|役場)/;
/** Characters that end the search for the start of an address. */
const breaks = new CodeSet('、。，．,!?！？:：;；「」『』"\'|\n\t<>=はをへ');
const townLengthMax = 30;
const lookBack = 48;
const label = new RegExp(`(?:${words.labels.join('|')})[^\\n]{0,4}$`);

/** Checks every number that may be a lot number, and every postal code. */
export const addressJp: Recognizer = {
  name: 'address-jp',
  type: 'ADDRESS',
  trigger: ({ hasAddressSigns }) => hasAddressSigns,
  find(text: ScanText): Detection[] {
    const { shadow } = text;
    const spans = addresses(text);
    addCodes(shadow, spans);
    return spans.map(({ start, end, isCode }) => ({
      type: 'ADDRESS',
      value: text.original.slice(start, end),
      start,
      end,
      score: isCode ? 0.8 : 0.95,
      recognizer: 'address-jp',
    }));
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
    numberStart.lastIndex = number;
    if (!numberStart.test(shadow)) continue;
    next = numberStart.lastIndex;
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

const kanjiDigits = /[一二三四五六七八九十百〇]+(?=[丁番の\-条線])/g;

/** Offsets of kanji digits before the words for a lot. */
function kanjiDigitsIn(shadow: string): number[] {
  const found: number[] = [];
  kanjiDigits.lastIndex = 0;
  for (let run = kanjiDigits.exec(shadow); run !== null; run = kanjiDigits.exec(shadow))
    for (let i = run.index; i < kanjiDigits.lastIndex; i++) found.push(i);
  return found;
}

/** True for a Japanese character or a space. */
function mayStandBefore(c: number): boolean {
  return c === 0x20 || (c >= 0x3005 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff);
}

/** The start of the prefecture or municipality of the lot number at `number`. */
function placeStart(shadow: string, places: AddressPlaces, number: number, floor: number): number | undefined {
  let from = number;
  while (from > floor && number - from < lookBack && !breaks.has(shadow.charCodeAt(from - 1))) from--;
  let place = places.lastPrefecture(from);
  if (place !== undefined && sentence.test(shadow.slice(place.end, number))) place = undefined;
  // Only a town may stand between the municipality and the number.
  const city = places.firstMunicipality(place?.end ?? from, (end) => !sentence.test(shadow.slice(end, number)));
  const { start } = place ?? city ?? {};
  if (start === undefined) return undefined;
  const town = shadow.slice((city ?? place)?.end, number);
  if (town.length > townLengthMax || sentence.test(town) || cityHall.test(town)) return undefined;
  // Directly after the municipality only a complete number counts: 渋谷区1-2-3.
  if (
    town.trim() === '' &&
    !/^[0-9]{1,4}(?:-[0-9]{1,4}){2}|^.{1,3}丁目|^[0-9]{1,5}番地/.test(shadow.slice(number, number + 16))
  )
    return undefined;
  return start;
}

const prefecture = new RegExp(prefecturePattern, 'g');

function lotEnd(shadow: string, number: number): number | undefined {
  const near = shadow.slice(number, number + 48);
  const length = lotNumber.exec(near)?.[0].trimEnd().length ?? 0;
  if (length === 0 || counter.test(near.slice(length))) return undefined;
  const lot = near.slice(0, length);
  if (/^[0-9]+-[0-9]+$/.test(lot) && /^[\u3041-\u3093]*(?:で|に)?(?:勝|敗|負)/.test(near.slice(length)))
    return undefined;
  const end = number + length;
  if (!mayOpenBuilding(shadow.charCodeAt(end))) return end;
  const behind = shadow.slice(end, end + 56);
  return buildingSign.test(behind) ? end + (building.exec(behind)?.[0].length ?? 0) : end;
}

/** True for a character that a building name may start with. */
function mayOpenBuilding(c: number): boolean {
  if (c > 0x7f) return (c >= 0x3005 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff);
  return c === 0x20 || c === 0x2d || c === 0x2e || c === 0x26 || c === 0x27 || (c >= 0x30 && c !== 0x3a);
}

/** Adds postal codes and labels, joined with the address that follows. */
function addCodes(shadow: string, spans: Span[]): void {
  for (const span of spans) {
    const code = bareCode.exec(shadow.slice(Math.max(0, span.start - 10), span.start));
    if (code !== null && shadow[span.start - 1] === ' ') span.start -= (code[1] as string).length + 1;
  }
  // Both lists are sorted, so one pass over the addresses is enough.
  let next = 0;
  const codes: Span[] = [];
  for (const match of hasCode.test(shadow) ? shadow.matchAll(postalCode) : []) {
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
  const rest = bareLot.exec(shadow.slice(end, end + 64));
  return rest === null ? { start, end, isCode: true } : { start, end: end + rest[0].length, isCode: false };
}

const bareLot = new RegExp(
  `^[\\s]{0,3}${prefecturePattern}[\\u3005-\\u30FF\\u3400-\\u9FFF ]{3,${townLengthMax}}?[0-9]{1,5}(?![0-9年月日人円時分歳代回個件台%.,])`,
);

/** Addresses after a label such as 住所, whose number may have no sign. */
function addLabelled(shadow: string, spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  let next = 0;
  prefecture.lastIndex = 0;
  for (let place = prefecture.exec(shadow); place !== null; place = prefecture.exec(shadow)) {
    const start = place.index;
    if (!labelEnds.has(shadow.charCodeAt(start - 1))) continue;
    if (!label.test(shadow.slice(Math.max(0, start - 12), start))) continue;
    const match = bareLot.exec(shadow.slice(start, start + 64));
    if (match === null || sentence.test(match[0])) continue;
    const end = start + match[0].length;
    while (next < spans.length && (spans[next] as Span).end <= start) next++;
    if (next < spans.length && (spans[next] as Span).start < end) continue;
    found.push({ start, end, isCode: false });
  }
  return found;
}
