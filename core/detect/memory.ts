/**
 * Finds known values again: in the same text, another message or a table cell, in another case, with other separators, or as
 * part of a full name.
 */

import { mayStartIn, RarePhrases } from '../dictionary/phrases.ts';
import { isFunctionWord } from '../names/word-kinds.ts';
import type { Detection, FoundInTexts } from '../recognizer.ts';
import { codesOf } from './code-set.ts';

/** Maximum number of values that are searched again. */
const valuesMax = 2_000;
/** Minimum length; shorter values occur by chance. */
const lengthMin = 5;
const nameLengthMin = 4;
const partLengthMin = 3;
/** A password with a low score that is repeated more often is a word of the text, such as the name of a license. */
const weakRepeatsMax = 8;
const weakScoreMax = 0.7;
/** Types that mean nothing elsewhere. */
const momentary: ReadonlySet<string> = new Set([
  'CARD_CVV',
  'CARD_EXPIRY',
  'OTP_CODE',
  'MRZ',
  'SWIFT_BIC',
  'UK_POSTCODE',
]);

type Phrase = {
  readonly text: string;
  readonly type: string;
  readonly recognizer: string;
  readonly isPart: boolean;
  /** Its best score. */
  score: number;
  /** Index of the source text; -1 for several. */
  source: number;
};

/**
 * All repeats of detected values in any of the texts, outside existing detections; undefined if there are none. Input
 * detections are sorted and do not overlap, and neither do the results.
 * @param isSearched whether each text has already been searched for its own values, as in {@link withRepeats}
 */
export function repeated(texts: readonly string[], found: FoundInTexts, isSearched = false): FoundInTexts | undefined {
  const only = isSearched ? onlySource(found) : undefined;
  const others = only === undefined ? texts : texts.filter((_, i) => i !== only);
  const phrases = phrasesOf(found, mayStartIn(others));
  if (phrases.length === 0) return undefined;
  const search = new RarePhrases(phrases.map(({ text }) => text));
  let any = false;
  const added = texts.map((text, i) => {
    if (isSearched && phrases.every(({ source }) => source === i)) return undefined;
    const own = text.toLowerCase();
    // A few characters change their length in lower case; the offsets would not fit.
    if (own.length !== text.length) return undefined;
    const more = repeatsIn(text, own, { search, phrases, found: found[i] ?? [] });
    any ||= more.length > 0;
    return more.length > 0 ? more : undefined;
  });
  return any ? added : undefined;
}

/** The detections of a text with those that {@link repeated} adds. */
export function withRepeats(text: string, found: Detection[]): Detection[] {
  const more = repeated([text], [found])?.[0];
  return more === undefined ? found : merged(found, more);
}

/** Merges two sorted lists of detections that do not overlap. */
export function merged(found: readonly Detection[], more: readonly Detection[]): Detection[] {
  return [...found, ...more].sort((a, b) => a.start - b.start);
}

/** The index of the only text with detections; undefined for several. */
function onlySource(found: FoundInTexts): number | undefined {
  let only: number | undefined;
  for (let i = 0; i < found.length; i++) {
    if (found[i] === undefined) continue;
    if (only !== undefined) return undefined;
    only = i;
  }
  return only;
}

function phrasesOf(found: FoundInTexts, mayStand: (phrase: string) => boolean = () => true): Phrase[] {
  const byText = new Map<string, Phrase>();
  for (const [source, detections] of found.entries()) {
    for (const { type, value, recognizer, score } of detections ?? []) {
      if (byText.size >= valuesMax) return [...byText.values()];
      // Dictionary terms are already searched everywhere, in exactly the given spelling.
      if (momentary.has(type) || recognizer === 'dictionary') continue;
      const lower = value.toLowerCase();
      const add = (text: string, isPart = false) => {
        if (!mayStand(text)) return;
        const known = byText.get(text);
        if (known === undefined) byText.set(text, { text, type, recognizer, isPart, score, source });
        else {
          known.score = Math.max(known.score, score);
          if (known.source !== source) known.source = -1;
        }
      };
      if (type === 'NAME') addName(value, add);
      else if (lower.length >= lengthMin && lower.length === value.length) {
        // Other spellings begin alike, but for a first group of one or two characters.
        if (mayStand(lower) || hasEarlyJoint(lower)) addSpellings(lower, add);
      }
    }
  }
  return [...byText.values()];
}

type Add = (text: string, isPart?: boolean) => void;

function addName(value: string, add: Add): void {
  const parts = value.split(/[\s,・]+/).filter((part) => part.length > 0);
  // A single word is a name only in context, which the tagger checks everywhere.
  if (value.length < nameLengthMin || parts.length < 2 || parts.length > 4) return;
  add(value.toLowerCase());
  if (isWide(value)) {
    // `佐伯 恵` may also be written `佐伯恵`; one-character surnames are part of too many words.
    add(parts.join(''));
    for (const part of parts) if (part.length > 1) add(part, true);
    return;
  }
  for (const part of parts)
    if (part.length >= partLengthMin && !part.endsWith('.') && !isFunctionWord(part)) add(part.toLowerCase(), true);
}

/** The value, and for numbers a pattern with other separators. */
function addSpellings(value: string, add: Add): void {
  add(value);
  const groups = value.split(/[ ./-]/);
  if (groups.length < 2 || !/^[0-9a-z+() ./-]+$/.test(value) || !/[0-9]{2}/.test(value)) return;
  if (groups.join('').length < lengthMin + 2) return;
  for (const joint of ['', '-', ' ', '.']) add(groups.join(joint));
}

const isJoint = codesOf('- ./');

function hasEarlyJoint(value: string): boolean {
  return isJoint(value.charCodeAt(0)) || isJoint(value.charCodeAt(1)) || isJoint(value.charCodeAt(2));
}

type Known = {
  readonly search: RarePhrases;
  readonly phrases: readonly Phrase[];
  readonly found: readonly Detection[];
};

function repeatsIn(text: string, lower: string, { search, phrases, found }: Known): Detection[] {
  const more: Detection[] = [];
  const weak = new Map<Phrase, Detection[]>();
  let next = 0;
  search.find(lower, (start, end, phrase) => {
    while (next < found.length && (found[next] as Detection).end <= start) next++;
    const other = found[next];
    const known = phrases[phrase] as Phrase;
    const { type, recognizer, isPart } = known;
    if (other !== undefined && other.start < end) return false;
    if (!isApart(text, start, end) || (isPart && !isNameLike(text, start, end))) return false;
    const repeat = { type, value: text.slice(start, end), start, end, score: 0.7, recognizer, context: 'found before' };
    more.push(repeat);
    if (type === 'PASSWORD' && known.score < weakScoreMax) {
      const repeats = weak.get(known) ?? [];
      repeats.push(repeat);
      weak.set(known, repeats);
    }
    return true;
  });
  const words = new Set([...weak.values()].filter(({ length }) => length > weakRepeatsMax).flat());
  return words.size === 0 ? more : more.filter((repeat) => !words.has(repeat));
}

/** True when no letter or digit touches a value that starts or ends with one. */
function isApart(text: string, start: number, end: number): boolean {
  const touches = (a: number, b: number) => isAlnum(text.charCodeAt(a)) && isAlnum(text.charCodeAt(b));
  return !touches(start - 1, start) && !touches(end - 1, end);
}

/** True for part of a name that is capitalized, or in kanji without another one after it. */
function isNameLike(text: string, start: number, end: number): boolean {
  const first = text.slice(start, start + 1);
  if (isWide(first)) return !/[\u3400-\u9fff\u3005]/.test(text[end] ?? '') || /[様殿氏君]/.test(text[end] ?? '');
  return first !== first.toLowerCase();
}

const isAlnum = codesOf('0-9A-Za-zÀ-\u058f');

/** Kanji, kana or hangul. */
function isWide(text: string): boolean {
  return /[\u3040-\u9fff\uac00-\ud7a3]/.test(text);
}
