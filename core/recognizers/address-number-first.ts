/** Addresses that start with a number: `742 Maple Street`. */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import { WordSet } from '../detect/word-set.ts';
import { leadInBeforeNumber } from './address-lead-in.ts';
import { type AddressSpan, hasTail, hasUnit, withTail } from './address-tail.ts';
import { isCapitalised, isNameWord, isWordCharacter, type Word, wordAt } from './address-tokens.ts';
import {
  hasStreetEnding,
  isDirection,
  isLinkWord,
  isLooseSuffix,
  isPlainSuffix,
  isStreetPrefix,
} from './address-words.ts';

const { capitalLetter, stateAndCode, isMonth } = patternsOf('address-number-first');

const streetWordsMax = 6;
/** Words that own the number after them, in any case: `Bus 12 March Street stop`. */
const numberedWords = new WordSet('bus buses tram metro coach train platform gate exit chapter question'.split(' '));
const isNumberedWord = (word: string) => numberedWords.has(word);

/** The address that starts at a number. */
export function numberFirst(
  text: string,
  start: number,
  numberEnd: number,
  previous: Word | undefined,
): AddressSpan | undefined {
  const end = houseEnd(text, numberEnd);
  if (text.charCodeAt(end) !== 0x20) return undefined;
  let i = end + 1;
  let first = text.charCodeAt(i);
  if (!isDigit(first) && !isWordCharacter(first)) return undefined;
  // A building number and a street number.
  const second = isDigit(first) ? secondNumberEnd(text, i) : 0;
  if (second > 0) {
    i = second + 1;
    first = text.charCodeAt(i);
  }
  // A single word (`12 March, 2024`) needs the form of a street.
  const lone = isDigit(first) ? undefined : wordAt(text, i);
  if (lone !== undefined) {
    const behind = text.charCodeAt(lone.end);
    const mayGoOn = behind === 0x20 || behind === 0x2e;
    if (!mayGoOn && !isStreetPrefix(lone.text) && !hasStreetEnding(lone.text)) return undefined;
  }
  const isSmall = first >= 0x61 && first <= 0x7a;
  const cue = leadInBeforeNumber(text, start);
  if (isSmall && cue === undefined && (lone === undefined || !isStreetPrefix(lone.text))) return undefined;
  // `Windows 11 Pro Drive`, `Chapter 5 Road`: the number belongs to the word before it, unless a state and its ZIP code follow.
  if (cue === undefined && previous !== undefined && isCapitalised(previous.text) && !isNameWord(previous.text)) {
    if (!stateAndCode.test(text.slice(end, end + 96))) return undefined;
  }
  if (cue === undefined && previous !== undefined && isNumberedWord(previous.text)) return undefined;
  let names = 0;
  let isForeign = false;
  let links = 0;
  for (let count = 0; count < streetWordsMax; count++) {
    const ordinal = isDigit(text.charCodeAt(i)) ? /^[0-9]{1,3}(?:st|nd|rd|th)\b/.exec(text.slice(i, i + 6)) : null;
    const word = ordinal === null ? wordAt(text, i) : { start: i, end: i + ordinal[0].length, text: ordinal[0] };
    if (word === undefined) break;
    const isCapital = ordinal !== null || isCapitalised(word.text) || cue !== undefined;
    if (!isCapital && !(names + links > 0 || isForeign ? isLinkWord(word.text) : false)) {
      // Hungarian and other languages write the street word in lower case.
      if (names > 0 ? !hasStreetEnding(word.text) : !isStreetPrefix(word.text)) break;
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
    const house = names > 0 && text[i] === ' ' ? houseNumberEnd(text, i + 1) : 0;
    if (house > 0) {
      // A house number after its street: `27534 Þorsteinsgata 63`. But not `18 March 2026, Room 2`.
      if (names === 1 && isMonth.test(text.slice(end + 1, i))) return undefined;
      if (isForeign || cue !== undefined || hasUnit(text, house)) return withTail(text, start, house, 0.75, cue);
      return undefined;
    }
    if (text[i] !== ' ') break;
    i++;
  }
  const behind = text[i - 1] === ' ' ? i - 1 : i;
  if (!isForeign || names < 1) return undefined;
  return cue !== undefined || second > 0 || hasTail(text, behind) ? withTail(text, start, behind, 0.7, cue) : undefined;
}

const numberDigitsMax = 5;

/** The end of a number of one to five digits; 0 for any other. */
function shortNumberEnd(text: string, start: number): number {
  let i = start;
  while (i <= start + numberDigitsMax && isDigit(text.charCodeAt(i))) i++;
  return i === start || i > start + numberDigitsMax ? 0 : i;
}

/** The end of a number before a space and a capital; 0 for any other. */
function secondNumberEnd(text: string, start: number): number {
  const end = shortNumberEnd(text, start);
  return end > 0 && text[end] === ' ' && capitalLetter.test(text.slice(end + 1, end + 3)) ? end : 0;
}

/** The end of a house number; 0 for part of a word, a decimal or a version. */
function houseNumberEnd(text: string, start: number): number {
  const end = shortNumberEnd(text, start);
  const c = text.charCodeAt(end);
  return end === 0 || isAsciiLetter(c) || (c === 0x2e && isDigit(text.charCodeAt(end + 1))) ? 0 : end;
}

/** The end of a house number with a letter or a second number: `12b`, `12-14`, `12/3`. */
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

/** True for a year before a street name: `the 2008 Wall Street crash`. */
function isYear(
  text: string,
  start: number,
  end: number,
  previous: Word | undefined,
  cue: string | undefined,
): boolean {
  return end - start === 4 && /^(?:19|20)/.test(text.slice(start, end)) && cue === undefined && previous !== undefined;
}

/** The end of the street word with its full stop and direction. */
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
