/** Addresses that start with a number: `742 Maple Street`. */
import { isDigit } from '../characters.ts';
import { patternsOf } from '../detect/patterns.ts';
import { lengthAt } from '../detect/scan.ts';
import { isNoNameWord } from '../names/word-kinds.ts';
import { type AddressSpan, hasTail, hasUnit, withTail } from './address-tail.ts';
import {
  beforeNumber,
  hasStreetEnding,
  isCapitalised,
  isDirection,
  isLinkWord,
  isLooseSuffix,
  isNumbered,
  isPlainSuffix,
  isStreetPrefix,
  isWordCharacter,
  leadInBefore,
  type Word,
  wordAt,
} from './address-words.ts';

const patterns = patternsOf('address-number-first');

const streetWordsMax = 6;
/** The address that starts at a number. */
export function numberFirst(
  text: string,
  start: number,
  numberEnd: number,
  previous: Word | undefined,
): AddressSpan | undefined {
  const end = start + lengthAt(patterns.house, text, start);
  if (text.charCodeAt(end) !== 0x20) return undefined;
  let i = end + 1;
  let first = text.charCodeAt(i);
  if (!isDigit(first) && !isWordCharacter(first)) return undefined;
  // A building number and a street number.
  const second = lengthAt(patterns.second, text, i);
  if (second > 0) {
    i += second + 1;
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
  const cue = leadInBefore(text, start, beforeNumber);
  if (isSmall && cue === undefined && (lone === undefined || !isStreetPrefix(lone.text))) return undefined;
  // `Windows 11 Pro Drive`, `Chapter 5 Road`: the number belongs to the word before it, unless a state and its ZIP code follow.
  if (cue === undefined && previous !== undefined && isCapitalised(previous.text) && isNoNameWord(previous.text)) {
    if (!patterns.stateAndCode.test(text.slice(end, end + 96))) return undefined;
  }
  if (cue === undefined && previous !== undefined && isNumbered(previous.text)) return undefined;
  let names = 0;
  let isForeign = false;
  let links = 0;
  for (let count = 0; count < streetWordsMax; count++) {
    const ordinal = lengthAt(patterns.ordinal, text, i);
    const word = ordinal === 0 ? wordAt(text, i) : { start: i, end: i + ordinal, text: text.slice(i, i + ordinal) };
    if (word === undefined) break;
    const isCapital = ordinal > 0 || isCapitalised(word.text) || cue !== undefined;
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
    const digits = names > 0 && text[i] === ' ' ? lengthAt(patterns.numberBehind, text, i + 1) : 0;
    if (digits > 0) {
      const house = i + 1 + digits;
      // A house number after its street: `27534 Þorsteinsgata 63`. But not `18 March 2026, Room 2`.
      if (names === 1 && patterns.isMonth.test(text.slice(end + 1, i))) return undefined;
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
  const end = word.end + (word.text.length < 5 ? lengthAt(patterns.fullStop, text, word.end) : 0);
  return end + lengthAt(patterns.direction, text, end);
}
