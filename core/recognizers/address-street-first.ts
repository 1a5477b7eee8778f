/** Addresses whose number follows the word that explains it: a box, a street, a state, a unit. */
import { isLatinLetter } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import lexicon from '../lexicon/street-words.json' with { type: 'json' };
import { numberFirst } from './address-number-first.ts';
import { streetStart } from './address-start.ts';
import { type AddressSpan, withTail } from './address-tail.ts';
import {
  beforeStreet,
  hasStreetEnding,
  isCapitalised,
  isLinkWord,
  isState,
  isUnitWord,
  leadInBefore,
  type Word,
  wordBefore,
} from './address-words.ts';

const { military, stateBefore, isUnitLine } = patternsOf('address-street-first');

const lookBack = 72;

const smallHeads = new Set(['box', 'apt', 'apartment', 'suite', 'ste', 'unit']);

/** The address at a number that follows a word. */
export function streetFirst(
  text: string,
  previous: Word,
  start: number,
  end: number,
  floor: number,
): AddressSpan | undefined {
  const word = previous.text;
  if (end - start < 5 && !isCapitalised(word)) {
    if (isLinkWord(word)) {
      // A link word counts only inside a street name.
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
  if (
    isUnitWord(word) &&
    isUnitLine.test(near) &&
    !/^,? Box /i.test(text.slice(end, end + 6)) &&
    !/^ [^\n,]{1,24}[:=]/.test(text.slice(end, end + 28))
  )
    return { start: previous.start, end, score: 0.6, context: word.toLowerCase() };
  const first = namedStreetStart(text, start, floor) ?? cuedStreetStart(text, previous, floor);
  if (first === undefined) return undefined;
  // Two streets in a row: `Grolmanstraße 25 Lindman Street`.
  const second = numberFirst(text, start, end, undefined);
  return second === undefined ? withTail(text, first, end, 0.8) : { ...second, start: first };
}

const notStreets: ReadonlySet<string> = new Set(lexicon.notStreets);
const spokenMax = 4;

/** The start of a street that only a lead-in announces: `the station is on Pod Floriánem 1677`. */
function cuedStreetStart(text: string, last: Word, floor: number): number | undefined {
  let first: Word | undefined;
  for (let word: Word | undefined = last, count = 0; word !== undefined && count < spokenMax; count++) {
    if (!isCapitalised(word.text) && word.text !== 'and') break;
    if (word.text !== 'and') first = word;
    if (text[word.start - 1] !== ' ') break;
    word = wordBefore(text, word.start - 1, floor);
  }
  if (first === undefined || notStreets.has(first.text.toLowerCase())) return undefined;
  return leadInBefore(text, first.start, beforeStreet) === undefined ? undefined : first.start;
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

/** The start of a street such as `Ziegelgasse 19` or `Rua Graciliano Ramos 1950`, including a house number before it. */
function namedStreetStart(text: string, number: number, floor: number): number | undefined {
  const first = streetStart(text, number, floor, true);
  if (first === undefined) return undefined;
  const house = /(?:^|[^\w.-])([0-9]{1,5}[A-Za-z]? (?:[0-9]{1,5} )?)$/.exec(
    text.slice(Math.max(floor, first - 14), first),
  );
  return first - (house === null ? 0 : (house[1] as string).length);
}
