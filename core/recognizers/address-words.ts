/** Words of Latin-script addresses: which they are, by `core/lexicon/street-words.json`, and how they are read. */
import { isLatinLetter } from '../characters.ts';
import { WordSet } from '../detect/word-set.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };

function wordTest(list: readonly string[]): (word: string) => boolean {
  const set = new WordSet(list);
  return (word) => set.has(word);
}

/** Street words that are unambiguous after a number and a name. */
export const isPlainSuffix = wordTest(words.suffixes);
/** Street words that are also ordinary words; they count only where the address continues or the line ends. */
export const isLooseSuffix = wordTest(words.looseSuffixes);
/** Words that start a street name in other languages. */
export const isStreetPrefix = wordTest(words.prefixes);
/** Compass directions before and after a street name. */
export const isDirection = wordTest(words.directions);
/** A part of a building that a number follows. */
export const isUnitWord = wordTest(words.units);
/** Two-letter codes of the states, districts and territories of the United States, and of Canada. */
export const isState = wordTest(words.states);
/** Words that own the number after them, in any case: `Bus 12 March Street stop`. */
export const isNumbered = wordTest(words.numbered);
/** Small words inside street and town names. */
export const isLinkWord = wordTest(words.links);

/** True for a word with a street ending: `Ziegelgasse`, `Vesterskovvej`. */
export const hasStreetEnding = endingTest(words.endings);
/** True for an unambiguous ending; `ring`, `hof` and `markt` also end ordinary words. */
export const hasStrongEnding = endingTest(words.strongEndings);

function endingTest(list: readonly string[]): (word: string) => boolean {
  const endings = new WordSet(list);
  const lengths = [...new Set(list.map((ending) => ending.length))];
  // The last two letters exclude most words.
  const lastPairs = new WordSet(list.map((ending) => ending.slice(-2)));
  return (word) =>
    word.length > 2 &&
    lastPairs.hasIn(word, word.length - 2, word.length) &&
    lengths.some((length) => length <= word.length && endings.hasIn(word, word.length - length, word.length));
}

/** A word and its offsets; `text` excludes a full stop after it. */
export type Word = { readonly start: number; readonly end: number; readonly text: string };

/** The word that ends at `end`, with an optional full stop. */
export function wordBefore(text: string, end: number, floor: number): Word | undefined {
  let last = end;
  if (text[last - 1] === '.') last--;
  let start = last;
  while (start > floor && last - start < 32 && isWordCharacter(text.charCodeAt(start - 1))) start--;
  return start === last ? undefined : { start, end, text: text.slice(start, last) };
}

/** True for a character of a street name: Latin, Greek or Cyrillic letters, apostrophes, hyphens. */
export function isWordCharacter(c: number): boolean {
  return isLatinLetter(c) || c === 0x27 || c === 0x2019 || c === 0x2d || (c >= 0x370 && c <= 0x52f);
}

/** The word that starts at `start`. */
export function wordAt(text: string, start: number): Word | undefined {
  let end = start;
  while (end < text.length && end - start < 32 && isWordCharacter(text.charCodeAt(end))) end++;
  return end === start || text[start] === '-' ? undefined : { start, end, text: text.slice(start, end) };
}

/** True for a capitalized word. */
export function isCapitalised(word: string): boolean {
  const first = word[0] as string;
  return first !== first.toLowerCase();
}

type LeadIns = { readonly phrases: ReadonlySet<string>; readonly ends: ReadonlySet<string> };

const leadInsOf = (phrases: readonly string[]): LeadIns => ({
  phrases: new Set(phrases),
  ends: new Set(phrases.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1))),
});
/** Lead-ins before an address: `located at | 12 …`. */
export const beforeNumber = leadInsOf(words.cues);
/** Lead-ins before a street name: `the station is on | Pod Floriánem 1677`. */
export const beforeStreet = leadInsOf(words.spoken);
const wordsMax = 3;
const signsMax = 8;

/** The lead-in that ends directly before a place, in lower case. */
export function leadInBefore(text: string, start: number, leadIns: LeadIns): string | undefined {
  let end = start;
  while (start - end < signsMax && /[\s:"'>]/.test(text[end - 1] ?? 'x')) end--;
  let phrase = '';
  let found: string | undefined;
  for (let count = 0; count < wordsMax; count++) {
    const word = wordBefore(text, end, 0);
    if (word === undefined) break;
    const lower = word.text.slice(word.text.lastIndexOf('-') + 1).toLowerCase();
    if (count === 0 && !leadIns.ends.has(lower)) return undefined;
    phrase = count === 0 ? lower : `${lower} ${phrase}`;
    if (leadIns.phrases.has(phrase)) found = phrase;
    if (text[word.start - 1] !== ' ') break;
    end = word.start - 1;
  }
  return found;
}
