/** Lead-ins before an address (`located at | 12 …`) and before a street name (`the station is on | Pod Floriánem 1677`). */
import words from '../lexicon/street-words.json' with { type: 'json' };
import { wordBefore } from './address-tokens.ts';

type LeadIns = { readonly phrases: ReadonlySet<string>; readonly ends: ReadonlySet<string> };

const leadInsOf = (phrases: readonly string[]): LeadIns => ({
  phrases: new Set(phrases),
  ends: new Set(phrases.map((phrase) => phrase.slice(phrase.lastIndexOf(' ') + 1))),
});
const beforeNumber = leadInsOf(words.cues);
const beforeStreet = leadInsOf(words.spoken);
const wordsMax = 3;
const signsMax = 8;

/** The lead-in that ends directly before a number, in lower case. */
export function leadInBeforeNumber(text: string, start: number): string | undefined {
  return leadInBefore(text, start, beforeNumber);
}

/** The lead-in before a street name. */
export function leadInBeforeStreet(text: string, start: number): string | undefined {
  return leadInBefore(text, start, beforeStreet);
}

function leadInBefore(text: string, start: number, leadIns: LeadIns): string | undefined {
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
