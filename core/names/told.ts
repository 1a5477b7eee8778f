/** Names that their neighbours tell: behind a title, or in a list with other names. For words that the tagger does not know. */
import words from '../lexicon/forms-of-address.json' with { type: 'json' };
import { isKnownWord, isListedName, isNoNameWord, isPlaceWord } from './word-kinds.ts';

/** A range of a text. */
type Range = { readonly start: number; readonly end: number };

const word = String.raw`\p{Lu}[\p{L}\p{M}'’]*\p{Ll}`;
const anyOf = (list: readonly string[]) => list.join('|').replaceAll('.', '\\.');
const titled = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${anyOf(words.titles)})\.?[ \u00a0]` +
    String.raw`((?:\p{Lu}\. ?){0,3}(?:(${anyOf(words.particles)})(?: |(?<=')))?(${word}(?:-${word})?))(?![\p{L}\p{N}-])`,
  'gu',
);
const joint = String.raw`(?:, (?:(?:${anyOf(words.joints)}) )?| (?:${anyOf(words.joints)}) )`;
const next = new RegExp(String.raw`^${joint}(${word})(?![\p{L}\p{N}'’-]| \p{Lu})`, 'u');
const previous = new RegExp(String.raw`(?<![\p{L}\p{N}'’.-]|\p{Lu}\p{Ll}* )(${word})${joint}$`, 'u');
const reach = 40;

/** The names behind titles. */
export function titledNames(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: whole, 1: name = '', 2: particle, 3: last = '', index } of text.matchAll(titled)) {
    const lower = last.toLowerCase();
    if (particle === undefined && !last.includes('-') && isKnownWord(lower) && !isListedName(lower)) continue;
    found.push({ start: index + whole.length - name.length, end: index + whole.length });
  }
  return found;
}

/** The given names in lists with `name`, next to it: `Fiona, Callum and Grace`. */
export function listedWith(text: string, name: Range): Range[] {
  const found: Range[] = [];
  for (let { end } = name; ; ) {
    const { 0: whole = '', 1: one = '' } = next.exec(text.slice(end, end + reach)) ?? [];
    if (!isGiven(one)) break;
    end += whole.length;
    found.push({ start: end - one.length, end });
  }
  for (let { start } = name; ; ) {
    const { 0: whole = '', 1: one = '' } = previous.exec(text.slice(Math.max(0, start - reach), start)) ?? [];
    if (!isGiven(one)) break;
    start -= whole.length;
    found.push({ start, end: start + one.length });
  }
  return found;
}

function isGiven(one: string): boolean {
  const lower = one.toLowerCase();
  return one !== '' && isListedName(lower) && !isPlaceWord(lower) && !isNoNameWord(lower);
}
