/** Word tests for Latin-script addresses; the lists are in `core/lexicon/street-words.json`. */
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
