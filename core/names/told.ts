/** Names that their neighbours tell: behind a title, or in a list with other names. For words that the tagger does not know. */
import words from '../lexicon/forms-of-address.json' with { type: 'json' };
import { isKnownWord, isListedName, isNoNameWord, isPlaceWord } from './word-kinds.ts';

/** A range of a text. */
export type Range = { readonly start: number; readonly end: number };

/** Titles before which nothing but a name stands. */
export const titles: readonly string[] = words.titles.map((title) => title.toLowerCase());

const word = String.raw`\p{Lu}[\p{L}\p{M}'’]*\p{Ll}`;
const particle = `(${words.particles.join('|')})(?: |(?<='))`;
const titled = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${words.titles.join('|')})\.?(?: (?:${words.degrees.join('|')})\.){0,3}[ \u00a0]` +
    String.raw`((?:\p{Lu}\. ?){0,3}(?:${particle})?(${word}(?:-${word})?)(?<!['’]s))(?=['’]s|(?![\p{L}\p{N}'’-]))`,
  'yu',
);
const joints = words.joints.join('|');
const joint = `(?:, (?:(?:${joints}) )?| (?:${joints}) )`;
const next = new RegExp(String.raw`${joint}(${word})(?![\p{L}\p{N}'’-]| \p{Lu})`, 'yu');
const previous = new RegExp(String.raw`(?<![\p{L}\p{N}'’.-]|\p{Lu}\p{Ll}* )(${word})${joint}$`, 'u');
const reach = 40;

/** The name behind the title that starts here. */
export function nameBehindTitle(text: string, at: number): Range | undefined {
  titled.lastIndex = at;
  const [, name = '', particle, last = ''] = titled.exec(text) ?? [];
  const lower = last.toLowerCase();
  if (particle === undefined && !last.includes('-') && isKnownWord(lower) && !isListedName(lower)) return undefined;
  return name === '' ? undefined : { start: titled.lastIndex - name.length, end: titled.lastIndex };
}

/** The given name next to another in a list, `Fiona, Callum and Grace`: behind it or, at its start, before it. */
export function nameBeside(text: string, at: number, isBehind: boolean): Range | undefined {
  const c = text.charCodeAt(isBehind ? at : at - 1);
  if (c !== 0x20 && (c !== 0x2c || !isBehind)) return undefined;
  if (!isBehind && !isListedName(wordBefore(text, at).toLowerCase())) return undefined;
  next.lastIndex = at;
  const found = isBehind ? next.exec(text) : previous.exec(text.slice(Math.max(0, at - reach), at));
  const [whole = '', name = ''] = found ?? [];
  const lower = name.toLowerCase();
  if (name === '' || !isListedName(lower) || isPlaceWord(lower) || isNoNameWord(lower)) return undefined;
  const start = isBehind ? at + whole.length - name.length : at - whole.length;
  return { start, end: start + name.length };
}

/** The word before a place, and before the word that joins the two. */
function wordBefore(text: string, at: number): string {
  let end = at - 1;
  let start = text.lastIndexOf(' ', end - 1);
  if (words.joints.includes(text.slice(start + 1, end))) {
    end = start;
    start = text.lastIndexOf(' ', end - 1);
  }
  return text.slice(Math.max(start + 1, end - reach), text.charCodeAt(end - 1) === 0x2c ? end - 1 : end);
}
