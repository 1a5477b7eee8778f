/** Addresses whose number follows a word that says what it is: a box, a street, a state, a label. */
import { isLatinLetter } from '../characters.ts';
import { numberFirst } from './address-number-first.ts';
import { isCapitalised, isNameWord, type Word, wordBefore } from './address-reading.ts';
import { behindCode } from './address-regional.ts';
import { type AddressSpan, withTail } from './address-tail.ts';
import { hasStreetEnding, isLinkWord, isState, isStreetPrefix, isUnitWord } from './address-words.ts';

const streetWordsMax = 6;
const lookBack = 72;

const military =
  /(?:\b(?:PSC|CMR|Unit) [0-9]{1,5},? Box [0-9]{1,5}|\bUS[A-Z]{1,3} [\p{L}'-]{2,24})\s{1,4}(?:APO|FPO|DPO),? (?:AA|AE|AP) $/iu;
const stateBefore = /(?:^|[\s,])((?:[A-Z][\p{L}'.-]{1,20} ){0,2}[A-Z][\p{L}'.-]{1,20}),? ([A-Z]{2}),? $/u;

const smallHeads = new Set(['box', 'apt', 'apartment', 'suite', 'ste', 'unit']);

/** A number behind a word that says what it is: a box, a street, a state, a label. */
export function numberBehind(
  text: string,
  previous: Word,
  start: number,
  end: number,
  floor: number,
): AddressSpan | undefined {
  const word = previous.text;
  if (end - start < 5 && !isCapitalised(word)) {
    if (isLinkWord(word)) {
      // Only as a part of a street: the word before it must be another one.
      if (text.charCodeAt(previous.start - 1) !== 0x20) return undefined;
      const lead = wordBefore(text, previous.start - 1, floor);
      if (lead === undefined || !(isCapitalised(lead.text) || isLinkWord(lead.text))) return undefined;
    } else if (!smallHeads.has(word) && !hasStreetEnding(word)) return undefined;
  }
  const near = text.slice(Math.max(floor, start - lookBack), start);
  if (word.length === 3 && /^box$/i.test(word)) {
    const box = /(?:(?<![\w.])[0-9]{1,5} )?\bP(?:\. ?O\.|\.? ?O|ost(?: Office)?) Box $/i.exec(near);
    if (box !== null) return withTail(text, start - box[0].length, end, 0.9);
    return undefined;
  }
  const zip = end - start === 5 ? zipEnd(text, end) : undefined;
  if (zip !== undefined) {
    const base = military.exec(near);
    if (base !== null) return { start: start - base[0].length, end: zip, score: 0.95 };
    const town = isState(word) && word === word.toUpperCase() ? stateBefore.exec(near) : null;
    if (town !== null) return { start: start - town[0].trimStart().replace(/^,\s*/, '').length, end: zip, score: 0.75 };
  }
  if (end - start > 4 || !isNumberEnd(text, end)) return undefined;
  if (isUnitWord(word)) {
    const closed = behindCode(text, end);
    if (closed !== undefined) return { start: previous.start, end: closed, score: 0.85 };
  }
  if (
    isUnitWord(word) &&
    isUnitLine.test(near) &&
    !/^,? Box /i.test(text.slice(end, end + 6)) &&
    !/^ [^\n,]{1,24}[:=]/.test(text.slice(end, end + 28))
  )
    return { start: previous.start, end, score: 0.6, context: word.toLowerCase() };
  const first = streetStart(text, previous, floor) ?? cuedStreetStart(text, near, previous, start, floor);
  if (first === undefined) return undefined;
  // Two streets in a row: Grolmanstraße 25 Lindman Street.
  const second = numberFirst(text, start, end, undefined);
  return second === undefined ? withTail(text, first, end, 0.8) : { ...second, start: first };
}

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
