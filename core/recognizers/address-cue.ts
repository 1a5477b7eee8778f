/** What is said before an address whose street begins with its number: `located at 12 …`. */
import { WordSet } from '../detect/word-set.ts';
import { wordBefore } from './address-reading.ts';

const addressCue =
  /\b(address(?:es)?(?: is| to| at|:| with)?|lives? (?:at|on|in)|living at|located (?:at|on)|resid(?:es?|ing|ence) (?:at|of)|return to|deliver(?:ed|y)? to|ship(?:ped|ping)? to|send (?:it )?to|mail(?:ed)? to|meet (?:you|me|us) at|bill(?:ed|ing)? to|home at|office at|moved to|visit us at|street)[:\s"'>]{0,8}(?:is |it is |it's in |the corner of )?$/i;

const cueEnds = new WordSet('address addresses is to at with on in of street'.split(' '));
/** What stands before the last word of a cue. */
const cueStems = new WordSet(
  "address addresses live lives living located reside resides residing residence return deliver delivered delivery ship shipped shipping send it mail mailed you me us bill billed billing home office moved it's it’s corner is to at with on in of street".split(
    ' ',
  ),
);

/** False when the words directly before a number cannot be the end of a cue. */
function mayBeCue(text: string, start: number): boolean {
  let end = start;
  while (end > 0 && start - end < 9 && isCueSign(text.charCodeAt(end - 1))) end--;
  const last = wordBefore(text, end, 0);
  if (last === undefined || !isLastPartIn(cueEnds, last.text)) return false;
  // An address and a street are a cue by themselves.
  if (last.text.length > 4 || text.charCodeAt(last.start - 1) !== 0x20) return true;
  const stem = wordBefore(text, last.start - 1, 0);
  return stem === undefined || cueStems.has(stem.text) || isLastPartIn(cueStems, stem.text);
}

/** White space, `:`, `"`, `'` and `>`. */
function isCueSign(c: number): boolean {
  return c === 0x20 || c === 0x3a || c === 0x22 || c === 0x27 || c === 0x3e || (c >= 0x09 && c <= 0x0d) || c === 0xa0;
}

/** True when the part behind the last hyphen or apostrophe is one of the words. */
function isLastPartIn(words: WordSet, word: string): boolean {
  let start = word.length;
  while (start > 0 && !isJoint(word.charCodeAt(start - 1))) start--;
  return words.hasIn(word, start, word.length);
}

function isJoint(c: number): boolean {
  return c === 0x2d || c === 0x27 || c === 0x2019;
}

/** The cue that ends directly before a number, in lower case; undefined where none does. */
export function cueBeforeNumber(text: string, start: number): string | undefined {
  return mayBeCue(text, start)
    ? addressCue.exec(text.slice(Math.max(0, start - 40), start))?.[1]?.toLowerCase()
    : undefined;
}
