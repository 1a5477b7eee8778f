/**
 * Postal addresses in Latin letters: a number and a street, with unit, town, state and postal code on the same or the next
 * lines; post boxes, military addresses, and postal codes after a label.
 */
import { latinClassOf } from '../data/names.ts';
import { place, stop } from '../data/word-class.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';
import { behindCode, buildingStart, indianStart } from './address-regional.ts';
import {
  hasStreetEnding,
  isDirection,
  isLinkWord,
  isLooseSuffix,
  isPlainSuffix,
  isState,
  isStreetPrefix,
} from './address-words.ts';
import { isLatinLetter } from './latin-words.ts';

const numberDigitsMax = 6;
const streetWordsMax = 6;
const tailSegmentsMax = 7;
const lookBack = 72;

type Span = { readonly start: number; readonly end: number; readonly score: number; readonly context?: string };

/** Looks at every number that may be a house number, a box, or a postal code. */
export const address: Recognizer = {
  name: 'address',
  type: 'ADDRESS',
  anchors: ['corner of'],
  trigger: ({ numbers }) => numbers.length > 0,
  find(text: ScanText): Detection[] {
    const { shadow } = text;
    const found: Detection[] = [];
    let done = 0;
    const hasCorner = text.keywords.anchors('address').length > 0;
    for (const start of text.numbers) {
      if (start < done) continue;
      const end = digitsEnd(shadow, start);
      if (end - start > numberDigitsMax) continue;
      const corner = hasCorner ? cornerAt(shadow, start, done) : undefined;
      const span =
        corner ?? indianAt(shadow, start, end, found) ?? addressAt(shadow, start, end, done, found.length > 0);
      if (span === undefined) continue;
      const { score, context } = span;
      const unitBefore = found.at(-1);
      const isUnitBefore =
        unitBefore !== undefined &&
        isUnitWord.test(unitBefore.context ?? '') &&
        /^,?[ \n]{1,2}$/.test(shadow.slice(done, span.start));
      const from = isUnitBefore ? unitBefore.start : buildingStart(shadow, span.start, done);
      if (isUnitBefore) found.pop();
      found.push(detectionAt(text, from, span.end, { type: 'ADDRESS', score, recognizer: 'address', context }));
      done = span.end;
    }
    return found;
  },
  samples: {
    match: [
      ['Visit 4800 N Lincoln Ave, Chicago, IL 60625', '4800 N Lincoln Ave, Chicago, IL 60625'],
      ['lives at 742 Maple Street, Apt 5, Springfield, IL 62704.', '742 Maple Street, Apt 5, Springfield, IL 62704'],
      ['Ship to\n12 Oak Ave\nSuite 300\nAustin, TX 78717-1234\nUSA', '12 Oak Ave\nSuite 300\nAustin, TX 78717-1234'],
      ['write to P.O. Box 1234, Reno, NV 89501', 'P.O. Box 1234, Reno, NV 89501'],
      ['221B Baker Street, London NW1 6XE', '221B Baker Street, London NW1 6XE'],
      ['He moved to Ziegelgasse 19 last year', 'Ziegelgasse 19'],
      ['PSC 0272, Box 1651\nAPO AA 94530', 'PSC 0272, Box 1651\nAPO AA 94530'],
      ['My zip code is 35649', '35649'],
      ['350 Fifth Avenue', '350 Fifth Avenue'],
      ['leave 25 Station Approach, Epsom KT19 8EU.', '25 Station Approach, Epsom KT19 8EU'],
      [
        'Blk 214 Ang Mo Kio Avenue 3 #08-1142, Singapore 560214',
        'Blk 214 Ang Mo Kio Avenue 3 #08-1142, Singapore 560214',
      ],
      [
        'Address: H-204, Silver Oak Apartments, 4th Cross, Indiranagar, Bengaluru 560038',
        'H-204, Silver Oak Apartments, 4th Cross, Indiranagar, Bengaluru 560038',
      ],
      ['at Rose Cottage, 8 Church Row, Ludlow SY8 1AP.', 'Rose Cottage, 8 Church Row, Ludlow SY8 1AP'],
      [
        'Unit 7, Trent Park Industrial Estate, Nottingham NG2 4LA',
        'Unit 7, Trent Park Industrial Estate, Nottingham NG2 4LA',
      ],
      [
        "SET address = '1502 Peach Orchard Road, Augusta, GA 30906' WHERE",
        '1502 Peach Orchard Road, Augusta, GA 30906',
      ],
      ['Unit 4, 27 Kangaroo Point Road, Brisbane QLD 4169', 'Unit 4, 27 Kangaroo Point Road, Brisbane QLD 4169'],
      ['at 12 Rue de la Paix, 75002 Paris', '12 Rue de la Paix, 75002 Paris'],
    ],
    noMatch: [
      '5 Way handshake',
      '100 Drive letters',
      'the 2008 Wall Street crash',
      'HTTP 404 Not Found',
      'Windows 10 Home Edition',
      'in 2024 New York grew',
      'Figure 3 Road map',
      'Section 12 Court of Appeal',
      'Python 3 Way of life',
      'Product Council, 18 March 2026, Room 2',
      'Orders, Returns, Part Block 2, Model 560038',
    ],
  },
};

/** An address that ends in six digits; takes the place of a part of it that was found before. */
function indianAt(text: string, pin: number, end: number, found: Detection[]): Span | undefined {
  if (end - pin !== 6 || isLatinLetter(text.charCodeAt(end))) return undefined;
  const start = indianStart(text, pin);
  if (start === undefined) return undefined;
  while (found.length > 0 && (found.at(-1) as Detection).end > start) {
    if ((found.at(-1) as Detection).start < start) return undefined;
    found.pop();
  }
  return { start, end, score: 0.8 };
}

function digitsEnd(text: string, start: number): number {
  let end = start + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function addressAt(text: string, start: number, end: number, floor: number, isAfterAddress: boolean): Span | undefined {
  const before = text.charCodeAt(start - 1);
  const after = text.charCodeAt(end);
  if (isDigit(after) || after === 0x2e || after === 0x25) {
    // A decimal, a version, a share: but the number of a street may end a sentence.
    if (after !== 0x2e || isDigit(text.charCodeAt(end + 1))) return undefined;
  }
  const previous = before === 0x20 ? wordBefore(text, start - 1, floor) : undefined;
  if (previous !== undefined) {
    const span = numberBehind(text, previous, start, end, floor);
    if (span !== undefined) return span;
  }
  const street = numberFirst(text, start, end, previous);
  if (street !== undefined) return street;
  return isAfterAddress ? countryAndCode(text, start, end, floor) : undefined;
}

const cornerBefore = /(?:the )?corner of (?:[\p{L}'.-]+ ){0,4}$/iu;
const cornerBehind =
  /^(?:[ .][\p{L}'.-]+){0,4}? and (?:[0-9]{1,5} )?(?:(?:\p{Lu}[\p{L}'.-]+)(?: (?=\p{Lu}))?){1,4}(?: [0-9]{1,5}(?![0-9]))?|^(?:[ .][\p{L}'.-]+){0,4}? and (?:[\p{L}'.-]+ ){1,2}(?:street|avenue|road|drive|lane|boulevard|court|courts|way|route)\b/u;

/** Two streets: the corner of Auenweg 85 and Kesä Street. */
function cornerAt(text: string, start: number, floor: number): Span | undefined {
  const near = text.slice(Math.max(floor, start - 48), start);
  if (!near.includes('corner of')) return undefined;
  const before = cornerBefore.exec(near);
  const behind = before === null ? null : cornerBehind.exec(text.slice(start, start + 80).replace(/^[0-9]+/, ''));
  if (before === null || behind === null) return undefined;
  const digits = /^[0-9]+/.exec(text.slice(start, start + 6))?.[0].length ?? 0;
  return { start: start - before[0].length, end: start + digits + behind[0].length, score: 0.7, context: 'corner of' };
}

type Word = { readonly start: number; readonly end: number; readonly text: string };

/** The word that ends at `end`; a dot may end it. */
function wordBefore(text: string, end: number, floor: number): Word | undefined {
  let last = end;
  if (text[last - 1] === '.') last--;
  let start = last;
  while (start > floor && last - start < 32 && isWordCharacter(text.charCodeAt(start - 1))) start--;
  return start === last ? undefined : { start, end, text: text.slice(start, last) };
}

function isWordCharacter(c: number): boolean {
  return isLatinLetter(c) || c === 0x27 || c === 0x2019 || c === 0x2d || (c >= 0x370 && c <= 0x52f);
}

/** The word that starts at `start`. */
function wordAt(text: string, start: number): Word | undefined {
  let end = start;
  while (end < text.length && end - start < 32 && isWordCharacter(text.charCodeAt(end))) end++;
  return end === start || text[start] === '-' ? undefined : { start, end, text: text.slice(start, end) };
}

function isCapitalised(word: string): boolean {
  const first = word[0] as string;
  return first !== first.toLowerCase();
}

const zipLabel = /\b(?:zip(?: ?code)?|postal code|post ?code|postcode)(?: is| was|:|=|)?["']?[:=]? ?["']?$/i;
const military =
  /(?:\b(?:PSC|CMR|Unit) [0-9]{1,5},? Box [0-9]{1,5}|\bUS[A-Z]{1,3} [\p{L}'-]{2,24})\s{1,4}(?:APO|FPO|DPO),? (?:AA|AE|AP) $/iu;
const stateBefore = /(?:^|[\s,])((?:[A-Z][\p{L}'.-]{1,20} ){0,2}[A-Z][\p{L}'.-]{1,20}),? ([A-Z]{2}),? $/u;

const smallHeads = /^(?:box|apt|apartment|suite|ste|unit)$/;

/** A number behind a word that says what it is: a box, a street, a state, a label. */
function numberBehind(text: string, previous: Word, start: number, end: number, floor: number): Span | undefined {
  const word = previous.text;
  if (end - start < 5 && !isCapitalised(word)) {
    if (isLinkWord(word)) {
      // Only as a part of a street: the word before it must be another one.
      if (text.charCodeAt(previous.start - 1) !== 0x20) return undefined;
      const lead = wordBefore(text, previous.start - 1, floor);
      if (lead === undefined || !(isCapitalised(lead.text) || isLinkWord(lead.text))) return undefined;
    } else if (!smallHeads.test(word) && !hasStreetEnding(word)) return undefined;
  }
  const near = text.slice(Math.max(floor, start - lookBack), start);
  if (/^box$/i.test(word)) {
    const box = /(?:(?<![\w.])[0-9]{1,5} )?\bP(?:\. ?O\.|\.? ?O|ost(?: Office)?) Box $/i.exec(near);
    if (box !== null) return withTail(text, start - box[0].length, end, 0.9);
    return undefined;
  }
  const zip = end - start === 5 ? zipEnd(text, end) : undefined;
  if (zip !== undefined) {
    const label = zipLabel.exec(near);
    if (label !== null) return { start, end: zip, score: 0.85, context: 'zip code' };
    const base = military.exec(near);
    if (base !== null) return { start: start - base[0].length, end: zip, score: 0.95 };
    const town = isState(word) && word === word.toUpperCase() ? stateBefore.exec(near) : null;
    if (town !== null) return { start: start - town[0].trimStart().replace(/^,\s*/, '').length, end: zip, score: 0.75 };
  }
  if (end - start > 4 || !isNumberEnd(text, end)) return undefined;
  if (isUnitWord.test(word)) {
    const closed = behindCode(text, end);
    if (closed !== undefined) return { start: previous.start, end: closed, score: 0.85 };
  }
  if (isUnitWord.test(word) && isUnitLine.test(near) && !/^,? Box /i.test(text.slice(end, end + 6)))
    return { start: previous.start, end, score: 0.6, context: word.toLowerCase() };
  const first = streetStart(text, previous, floor) ?? cuedStreetStart(text, near, previous, start, floor);
  if (first === undefined) return undefined;
  // Two streets in a row: Grolmanstraße 25 Lindman Street.
  const second = numberFirst(text, start, end, undefined);
  return second === undefined ? withTail(text, first, end, 0.8) : { ...second, start: first };
}

const isUnitWord = /^(?:Apt|Apartment|Suite|Ste|Unit)$/i;
/** A unit that stands alone on its line, such as the second line of a quoted address. */
const isUnitLine = /(?:^|\n)[>?*|\s-]{0,6}(?:Apt|Apartment|Suite|Ste|Unit)\.? #?$/i;
const spokenPlace =
  /\b(?:(?:lives?|lived|living|reside[sd]?|station is|restaurant is|office is|shop is|store is|hotel is|house is|located|situated) (?:on|at|in)|return to|side of|meet (?:you|me|us) at) (?:the [a-z]+ side of )?((?:\p{Lu}[\p{L}'.-]+ (?:and )?){1,4})$/u;

const spokenEnds = new Set(['on', 'at', 'in', 'to', 'of']);

/** False when no word of {@link spokenPlace} stands before the capitalised words that end with this one. */
function mayBeSpoken(text: string, last: Word, floor: number): boolean {
  let word = last;
  for (let count = 0; count < streetWordsMax; count++) {
    const c = text.charCodeAt(word.start - 1);
    if (c !== 0x20) return c === 0x2e || c > 0x7f;
    const before = wordBefore(text, word.start - 1, floor);
    if (before === undefined) return text.charCodeAt(word.start - 2) > 0x7f;
    if (spokenEnds.has(before.text)) return true;
    if (!isCapitalised(before.text) && before.text !== 'and') return false;
    word = before;
  }
  return true;
}

/** Start of a street that is only known by what is said of it: the station is on Pod Floriánem 1677. */
function cuedStreetStart(
  text: string,
  near: string,
  previous: Word,
  number: number,
  floor: number,
): number | undefined {
  const words =
    isCapitalised(previous.text) && mayBeSpoken(text, previous, floor) ? spokenPlace.exec(near)?.[1] : undefined;
  return words === undefined ||
    /^(?:Version|Chapter|Page|Floor|Gate|Platform|Track|Level|Day|Room|Table|Line|Step)\b/.test(words)
    ? undefined
    : number - words.length;
}

function zipEnd(text: string, end: number): number | undefined {
  const plus = /^-[0-9]{4}(?![0-9-])/.exec(text.slice(end, end + 6));
  if (plus !== null) return end + 5;
  const c = text.charCodeAt(end);
  return c === 0x2d || c === 0x2f || isLatinLetter(c) ? undefined : end;
}

function isNumberEnd(text: string, end: number): boolean {
  const c = text.charCodeAt(end);
  return !isLatinLetter(c) && c !== 0x2d && c !== 0x2f && c !== 0x3a && c !== 0x28 && c !== 0x5f;
}

/** Start of a street of the kind `Ziegelgasse 19`, `Rua Graciliano Ramos 1950`, given the word before its number. */
function streetStart(text: string, last: Word, floor: number): number | undefined {
  let word: Word | undefined = last;
  let first: Word | undefined;
  for (let count = 0; word !== undefined && count < streetWordsMax; count++) {
    const isPrefix = isStreetPrefix(word.text) && count > 0;
    if (isPrefix && isCapitalised(word.text)) {
      first = word;
      break;
    }
    if (count === 0 && hasStreetEnding(word.text) && isCapitalised(word.text) && isStrongEnding(word.text)) {
      first = word;
      const before = text[word.start - 1] === ' ' ? wordBefore(text, word.start - 1, floor) : undefined;
      if (word.text.length < 8 && before !== undefined && isCapitalised(before.text) && isNameWord(before.text))
        first = before;
      break;
    }
    if (!isCapitalised(word.text) && !isLinkWord(word.text)) break;
    word = text[word.start - 1] === ' ' ? wordBefore(text, word.start - 1, floor) : undefined;
  }
  if (first === undefined) return undefined;
  const house = /(?:^|[^\w.-])([0-9]{1,5}[A-Za-z]? (?:[0-9]{1,5} )?)$/.exec(
    text.slice(Math.max(floor, first.start - 14), first.start),
  );
  return first.start - (house === null ? 0 : (house[1] as string).length);
}

/** An ending that leaves no doubt; `ring`, `hof` or `markt` end ordinary words, too. */
function isStrongEnding(word: string): boolean {
  return /(?:stra(?:ß|ss)e|gasse|weg|allee|platz|damm|laan|straat|plein|gracht|gade|vej|gata|gatan|vägen|veien|braut|vegur|katu|utca|útja)$/i.test(
    word,
  );
}

function isNameWord(word: string): boolean {
  return (latinClassOf(word) & stop) === 0;
}

/** A number before a street: `742 Maple Street`. */
function numberFirst(text: string, start: number, numberEnd: number, previous: Word | undefined): Span | undefined {
  const end = houseEnd(text, numberEnd);
  if (text.charCodeAt(end) !== 0x20) return undefined;
  let i = end + 1;
  let first = text.charCodeAt(i);
  if (!isDigit(first) && !isWordCharacter(first)) return undefined;
  // Building and street number.
  const second = isDigit(first) ? /^[0-9]{1,5} (?=\p{Lu})/u.exec(text.slice(i, i + 8)) : null;
  if (second !== null) {
    i += second[0].length;
    first = text.charCodeAt(i);
  }
  if (isDigit(first) && !mayBeOrdinal(text, i)) return undefined;
  // One word alone, as in `12 March, 2024`, is a street only by its own form.
  const lone = isDigit(first) ? undefined : wordAt(text, i);
  if (lone !== undefined) {
    const behind = text.charCodeAt(lone.end);
    const mayGoOn = behind === 0x20 || behind === 0x2e;
    if (!mayGoOn && !isStreetPrefix(lone.text) && !hasStreetEnding(lone.text)) return undefined;
  }
  const isSmall = first >= 0x61 && first <= 0x7a;
  const cue = mayBeCue(text, start)
    ? addressCue.exec(text.slice(Math.max(0, start - 40), start))?.[1]?.toLowerCase()
    : undefined;
  if (isSmall && cue === undefined && (lone === undefined || !isStreetPrefix(lone.text))) return undefined;
  // Windows 11 Pro Drive, Chapter 5 Road: the number belongs to the word before it, unless a state and its code follow.
  if (cue === undefined && previous !== undefined && isCapitalised(previous.text) && !isNameWord(previous.text)) {
    if (!stateAndCode.test(text.slice(end, end + 96))) return undefined;
  }
  let names = 0;
  let isForeign = false;
  let links = 0;
  for (let count = 0; count < streetWordsMax; count++) {
    const ordinal = isDigit(text.charCodeAt(i)) ? /^[0-9]{1,3}(?:st|nd|rd|th)\b/.exec(text.slice(i, i + 6)) : null;
    const word = ordinal === null ? wordAt(text, i) : { start: i, end: i + ordinal[0].length, text: ordinal[0] };
    if (word === undefined) break;
    const isCapital = ordinal !== null || isCapitalised(word.text) || cue !== undefined;
    if (!isCapital && !(names + links > 0 || isForeign ? isLinkWord(word.text) : false)) {
      // Hungarian and others write the street word small.
      if (names > 0 && hasStreetEnding(word.text) && word.text.length > 1) isForeign = true;
      else if (names > 0 || !isStreetPrefix(word.text)) break;
    }
    if (names > 0 && isCapital && isPlainSuffix(word.text)) {
      const behind = suffixEnd(text, word);
      if (isYear(text, start, numberEnd, previous, cue) && !hasTail(text, behind)) return undefined;
      return withTail(text, start, behind, 0.9, cue);
    }
    if (names > 0 && isCapital && isLooseSuffix(word.text)) {
      const behind = suffixEnd(text, word);
      if (hasTail(text, behind) || (cue !== undefined && !/^ \p{Lu}/u.test(text.slice(behind, behind + 3))))
        return withTail(text, start, behind, 0.8, cue);
    }
    if (isStreetPrefix(word.text) && names === 0) isForeign = true;
    else if (hasStreetEnding(word.text)) isForeign = true;
    if (isLinkWord(word.text) && !isCapitalised(word.text)) links++;
    else if (!isDirection(word.text)) names++;
    i = word.end;
    if (text[i] === '.') i++;
    const house =
      names > 0 && isDigit(text.charCodeAt(i + 1))
        ? /^ ([0-9]{1,5})(?![0-9A-Za-z])\.?(?!\.?[0-9])/.exec(text.slice(i, i + 8))
        : null;
    if (house !== null) {
      // 27534 Þorsteinsgata 63: the number of the house behind its street.
      const behind = i + 1 + (house[1] as string).length;
      // 18 March 2026, Room 2
      if (names === 1 && isMonth.test(text.slice(end + 1, i))) return undefined;
      if (isForeign || cue !== undefined || hasUnit(text, behind)) return withTail(text, start, behind, 0.75, cue);
      return undefined;
    }
    if (text[i] !== ' ') break;
    i++;
  }
  const behind = text[i - 1] === ' ' ? i - 1 : i;
  if (names > 0) {
    const closed = behindCode(text, behind);
    if (closed !== undefined) return { start, end: closed, score: 0.85 };
  }
  if (!isForeign || names < 1) return undefined;
  return cue !== undefined || second !== null || hasTail(text, behind)
    ? withTail(text, start, behind, 0.7, cue)
    : undefined;
}

const stateAndCode = /^ [^\n;]{4,70}?, [A-Z]{2} [0-9]{5}(?![0-9])/;
const isMonth = /^(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?$/i;

/** False unless `st`, `nd`, `rd` or `th` may follow up to three digits. */
function mayBeOrdinal(text: string, start: number): boolean {
  let i = start;
  while (i < start + 3 && isDigit(text.charCodeAt(i))) i++;
  const c = text.charCodeAt(i);
  return c === 0x73 || c === 0x6e || c === 0x72 || c === 0x74;
}

const addressCue =
  /\b(address(?:es)?(?: is| to| at|:| with)?|lives? (?:at|on|in)|living at|located (?:at|on)|resid(?:es?|ing|ence) (?:at|of)|return to|deliver(?:ed|y)? to|ship(?:ped|ping)? to|send (?:it )?to|mail(?:ed)? to|meet (?:you|me|us) at|bill(?:ed|ing)? to|home at|office at|moved to|visit us at|street)[:\s"'>]{0,8}(?:is |it is |it's in |the corner of )?$/i;

const cueEnds = new Set('address addresses is to at with on in of street'.split(' '));
/** What stands before the last word of a cue. */
const cueStems = new Set(
  "address addresses live lives living located reside resides residing residence return deliver delivered delivery ship shipped shipping send it mail mailed you me us bill billed billing home office moved it's it’s corner is to at with on in of street".split(
    ' ',
  ),
);

/** False when the words directly before a number cannot be the end of a cue. */
function mayBeCue(text: string, start: number): boolean {
  let end = start;
  while (end > 0 && start - end < 9 && isCueSign(text.charCodeAt(end - 1))) end--;
  const last = wordBefore(text, end, 0);
  if (last === undefined || !cueEnds.has(lastPart(last.text))) return false;
  // An address and a street are a cue by themselves.
  if (last.text.length > 4 || text.charCodeAt(last.start - 1) !== 0x20) return true;
  const stem = wordBefore(text, last.start - 1, 0);
  return stem === undefined || cueStems.has(stem.text.toLowerCase()) || cueStems.has(lastPart(stem.text));
}

/** White space, `:`, `"`, `'` and `>`. */
function isCueSign(c: number): boolean {
  return c === 0x20 || c === 0x3a || c === 0x22 || c === 0x27 || c === 0x3e || (c >= 0x09 && c <= 0x0d) || c === 0xa0;
}

/** Behind the last hyphen or apostrophe, in lower case. */
function lastPart(word: string): string {
  const joint = Math.max(word.lastIndexOf('-'), word.lastIndexOf("'"), word.lastIndexOf('’'));
  return word.slice(joint + 1).toLowerCase();
}

/** Behind the letter or the second number of a house: `12b`, `12-14`, `12/3`. */
function houseEnd(text: string, end: number): number {
  const c = text.charCodeAt(end);
  if (isAsciiLetter(c)) {
    const next = text.charCodeAt(end + 1);
    return isAsciiLetter(next) || isDigit(next) ? end : end + 1;
  }
  if (c !== 0x2d && c !== 0x2f) return end;
  let i = end + 1;
  while (i < end + 5 && isDigit(text.charCodeAt(i))) i++;
  const next = text.charCodeAt(i);
  return i === end + 1 || isDigit(next) || next === 0x2d || next === 0x2f ? end : i;
}

function isAsciiLetter(c: number): boolean {
  return (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
}

/** A year before a street that is spoken of: the 2008 Wall Street crash. */
function isYear(
  text: string,
  start: number,
  end: number,
  previous: Word | undefined,
  cue: string | undefined,
): boolean {
  return end - start === 4 && /^(?:19|20)/.test(text.slice(start, end)) && cue === undefined && previous !== undefined;
}

/** Behind the street word with its dot and a direction. */
function suffixEnd(text: string, word: Word): number {
  let end = word.end;
  if (
    text[end] === '.' &&
    word.text.length < 5 &&
    /^\.[ ,\n]/.test(text.slice(end, end + 2)) &&
    !/^\. [A-Z]?[a-z]+ [a-z]/.test(text.slice(end, end + 12))
  )
    end++;
  const direction = /^ (?:[NSEW]{1,2}|North|South|East|West)(?![A-Za-z])\.?/.exec(text.slice(end, end + 7));
  return direction === null ? end : end + direction[0].length;
}

const unit =
  /^\.?[,\s]{1,4}(?:(?:Apt|Apartment|Suite|Ste|Unit|Floor|Fl|Room|Rm|Bldg|Building|Flat|Dept|Lot|Box|No)\.? ?#? ?(?:[0-9]{1,5}[A-Z]?|[A-Z][0-9]{0,4})(?![A-Za-z0-9])|# ?[0-9]{1,5}[A-Z]?(?:-[0-9]{1,5}[A-Z]?)?|[0-9]{1,2}(?:st|nd|rd|th) [Ff]loor)/i;

/** True when a unit follows, also on the next line of a quoted address. */
function hasUnit(text: string, end: number): boolean {
  const near = text.slice(end, end + 24);
  return unit.test(near) || /^\.?\n[>?*|\s-]{1,6}(?:Apt|Apartment|Suite|Ste|Unit)\b/i.test(near);
}

/** True when an address may end or go on here: a unit, a comma and a capital, a line's end. */
function hasTail(text: string, end: number): boolean {
  const near = text.slice(end, end + 24);
  return /^\s*$|^\.?(?:\n|$)|^, ?(?:\p{Lu}|[0-9]{5} \p{Lu})|^[;)"'<]/u.test(near) || unit.test(near);
}

/** The street with units, town, state, country and postal code behind it. */
function withTail(text: string, start: number, end: number, score: number, context?: string): Span {
  // A numbered avenue or cross: Ang Mo Kio Avenue 3 #08-1142.
  let at = end + (/^ [0-9]{1,3}(?=,? ?#[0-9])/.exec(text.slice(end, end + 6))?.[0].length ?? 0);
  for (let units = 0; units < 3; units++) {
    const match = unit.exec(text.slice(at, at + 28));
    if (match === null) break;
    at += match[0].length;
  }
  const street = text.slice(start, end);
  at = townEnd(text, at, street === street.toLowerCase());
  return context === undefined ? { start, end: at, score } : { start, end: at, score, context };
}

const segment =
  /^(?:[, ]|\r?\n){1,3}[ \t]{0,8}(?:, ?)?(?:(?:(?:d['’])?\p{Lu}[\p{L}'’.-]{0,24}|de|la|del|di|do|da|of|the|el|les|sur|am|an der|upon)(?:[ -](?=\p{Lu}|d['’]\p{Lu}|de |la |del |di |do |da |of |the |el )|(?![\p{L}\p{N}])))+/u;
/** The same in a text without capitals: one word. */
const smallSegment = /^(?:[, ]|\r?\n){1,3}[ \t]{0,8}(?:, ?)?[\p{L}'’.-]{2,24}/u;
/** A short region before a postal code, in any case. */
const regionAndCode =
  /^(?:[, ]|\r?\n){1,3}[ \t]{0,8}(?:, ?)?\p{L}{2,3}(?:[, ]|\r?\n){1,2}[ \t]{0,8}[0-9]{5}(?![0-9A-Za-z-])/u;
const postcode =
  /^(?:[, ]|\r?\n){0,3}[ \t]{0,8}(?:, ?)?(?:[0-9]{5}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}|[A-Z][0-9][A-Z] ?[0-9][A-Z][0-9]|[0-9]{4,6})(?![0-9A-Za-z-])/;

/**
 * Behind the town: the longest row of segments that ends in a postal code, a state or a known place; else one town behind a
 * comma at the end of its line.
 */
function townEnd(text: string, from: number, isSmall: boolean): number {
  let at = from;
  let best = from;
  for (let count = 0; count < tailSegmentsMax; count++) {
    const near = text.slice(at, at + 80);
    const code = postcode.exec(near);
    if (code !== null && (count > 0 || /^[,\n ]/.test(code[0]))) {
      best = at + code[0].length;
      // The town may follow its code: 75002 Paris.
      if (count > 0) return best;
      at = best;
      continue;
    }
    const region = regionAndCode.exec(near);
    if (region !== null) return at + region[0].length;
    const match = (isSmall ? smallSegment : segment).exec(near);
    if (match === null) break;
    const words = match[0];
    const bare = words.replace(/^[\s,]+/, '').trimEnd();
    if (/\n\s*\n/.test(words) || bare.length > 48 || bare === '') break;
    at += words.trimEnd().length;
    const isLine = /^(?:\s*$|[\n.;)"'<])/.test(text.slice(at, at + 4));
    const last = bare.slice(bare.lastIndexOf(' ') + 1);
    if (isState(last) && (isSmall || last === last.toUpperCase()) && last.length === 2) best = at;
    else if ((latinClassOf(last) & place) !== 0) best = at;
    else if (count === 0 && isLine && words.startsWith(',')) best = at;
  }
  return best;
}

/** In quoted lines behind an address: a country with a postal code. */
function countryAndCode(text: string, start: number, end: number, floor: number): Span | undefined {
  if (end - start !== 5 || start - floor > 96 || floor === 0) return undefined;
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/^[>?*|\s-]{0,6}(?:[\p{L}'-]+ (?:(?:of|the|and) )?){1,4}$/u.test(line)) return undefined;
  const words = line.replace(/^[^\p{L}]+/u, '').split(' ');
  if (!words.some((word) => (latinClassOf(word) & place) !== 0)) return undefined;
  return { start, end, score: 0.6 };
}
