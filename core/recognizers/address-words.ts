/** The words of postal addresses in Latin letters; the lists are in `core/lexicon/street-words.json`. */
import { WordSet } from '../detect/word-set.ts';
import words from '../lexicon/street-words.json' with { type: 'json' };

function wordTest(list: readonly string[]): (word: string) => boolean {
  const set = new WordSet(list);
  return (word) => set.has(word);
}

/** Street words that are little else when they stand behind a number and a name. */
export const isPlainSuffix = wordTest(words.suffixes);
/** Street words that are ordinary words, too: only where the address goes on or the line ends. */
export const isLooseSuffix = wordTest(words.looseSuffixes);
/** Words that open the name of a street in other languages; also before a number. */
export const isStreetPrefix = wordTest(words.prefixes);
/** Compass directions before and behind the name of a street. */
export const isDirection = wordTest(words.directions);
/** A part of a building that a number follows. */
export const isUnitWord = wordTest(words.units);
/** Two-letter codes of the states, districts and territories of the United States, and of Canada. */
export const isState = wordTest(words.states);
/** Small words inside the names of streets and towns. */
export const isLinkWord = wordTest(words.links);

/** True for a word such as `Ziegelgasse` or `Vesterskovvej`. */
export const hasStreetEnding = endingTest(words.endings);
/** An ending that leaves no doubt; `ring`, `hof` or `markt` end ordinary words, too. */
export const hasStrongEnding = endingTest(words.strongEndings);

function endingTest(list: readonly string[]): (word: string) => boolean {
  const endings = new WordSet(list);
  const lengths = [...new Set(list.map((ending) => ending.length))];
  // The last two letters rule out most words.
  const lastPairs = new WordSet(list.map((ending) => ending.slice(-2)));
  return (word) =>
    word.length > 2 &&
    lastPairs.hasIn(word, word.length - 2, word.length) &&
    lengths.some((length) => length <= word.length && endings.hasIn(word, word.length - length, word.length));
}
