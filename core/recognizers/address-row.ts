/**
 * A stretch of text as a row of words and numbers with their kinds, so that the forms of addresses are patterns over kinds:
 * `12 Main Street, Reno` becomes `/⟨hi⟩ ⟨wc⟩ ⟨wcSK⟩,⟨wcp⟩/`. `address-forms.json` defines the letters and signs.
 */

import words from '../lexicon/street-words.json' with { type: 'json' };
import { isPlaceWord } from '../names/word-kinds.ts';
import { patternsOf } from '../pattern-data.ts';
import { remembering } from '../remembered.ts';
import forms from './address-forms.json' with { type: 'json' };

const { token } = patternsOf('address-row');
const shapes = Object.entries(forms.shapes).map(([kind, shape]) => ({ kind, shape: new RegExp(shape, 'u') }));
const gaps = Object.entries(forms.gaps).map(([sign, gap]) => ({ sign, gap: new RegExp(gap) }));
const ending = new RegExp(`(?:${words.endings.join('|')})$`, 'i');
const strongEnding = new RegExp(`(?:${words.strongEndings.join('|').replaceAll('.', '\\.')})$`, 'i');

const listed = new Map<string, string>();
const list = (kind: string, all: readonly string[]) => {
  for (const word of all) listed.set(word, (listed.get(word) ?? '') + kind);
};
for (const [kind, names] of Object.entries(forms.words))
  for (const name of [names].flat()) list(kind, words[name as keyof typeof words]);
list('f', [...new Set(words.cues.map((cue) => cue.slice(cue.lastIndexOf(' ') + 1)))]);

/** Texts repeat tokens and gaps. */
const recent = { max: 8_192, unitsMax: 12 };

/** The kinds of a word or number, in `⟨⟩`. */
export const kindsOf = remembering((written) => {
  const bare = written.replace(/\.$/, '');
  let kinds = '';
  for (const { kind, shape } of shapes) if (shape.test(bare)) kinds += kind;
  if (!kinds.startsWith('w')) return `⟨${kinds}⟩`;
  // A small word has room for the `c` of `asCapitals`.
  if (!kinds.startsWith('wc')) kinds = `w_${kinds.slice(1)}`;
  const lower = written.toLowerCase();
  kinds += listed.get(lower) ?? '';
  if (bare !== written) kinds += listed.get(bare.toLowerCase())?.replace('v', '') ?? '';
  if (isPlaceWord(bare)) kinds += 'p';
  if (bare.length > 2 && ending.test(bare)) kinds += strongEnding.test(written) ? 'ET' : 'E';
  return `⟨${kinds}⟩`;
}, recent);

/** Kinds in which words in lower case count as capitalized. */
export function asCapitals(kinds: string): string {
  return kinds.replaceAll('⟨w_', '⟨wc');
}

const signOf = remembering(
  (gap) => gaps.find((one) => one.gap.test(gap))?.sign ?? /[!-~]/.exec(gap)?.[0] ?? '!',
  recent,
);

/** Street words, units and directions may be short for something, and so is a single letter. */
const abbreviated = /[SLPEurdb#zlNCM89]/;
/** A longer gap separates. */
const gapMax = 16;
/** How far a row extends before and after a number. */
const reach = { before: 110, behind: 160 };

/** The row around one number or more. */
export class AddressRow {
  /** A sign, a token, a sign, … */
  kinds = '';
  hasWord = false;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** The offset of each token in `kinds`. */
  readonly ats: number[] = [];
  readonly #text: string;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the text around a place, unless already read, and returns the index of the token there; -1 for none. */
  prepare(at: number): number {
    if (at + reach.behind / 2 > this.#end) this.#read(Math.max(0, at - reach.before), at + reach.behind);
    const i = lastUpTo(this.starts, at);
    return i >= 0 && at < (this.ends[i] as number) ? i : -1;
  }

  #read(from: number, to: number): void {
    const text = this.#text;
    this.starts.length = 0;
    this.ends.length = 0;
    this.ats.length = 0;
    // A word that is cut at the edge does not count.
    let last = from;
    while (last > 0 && last < from + 32 && text.charCodeAt(last - 1) > 0x20) last++;
    let kinds = from > 0 ? '!' : '/';
    token.lastIndex = last;
    for (let found = token.exec(text); ; found = token.exec(text)) {
      const start = found === null ? text.length : found.index;
      const gap = text.slice(last, Math.min(start, last + gapMax));
      if (this.starts.length > 0) kinds += found === null && /^\.?\s*$/.test(gap) ? '/' : signOf(gap);
      if (found === null || start >= to) break;
      last = token.lastIndex;
      // The full stop of a sentence, not of an abbreviation.
      if (text[last - 1] === '.' && !abbreviated.test(kindsOf(found[0]))) last--;
      this.starts.push(start);
      this.ends.push(last);
      this.ats.push(kinds.length);
      kinds += kindsOf(text.slice(start, last));
    }
    this.kinds = kinds;
    this.hasWord = kinds.includes('⟨w');
    this.#end = to >= text.length ? Number.POSITIVE_INFINITY : to;
  }

  /** The start of the first pattern that matches up to a place in `kinds`; -1 for none. */
  placeBefore(patterns: readonly RegExp[], place: number, floor = 0): number {
    let first = lastUpTo(this.ats, place - 1);
    while (first > 0 && (this.starts[first - 1] as number) >= floor) first--;
    const from = this.ats[first];
    if (from === undefined || (this.starts[first] as number) < floor) return -1;
    const before = this.kinds.slice(from, place);
    for (const pattern of patterns) {
      pattern.lastIndex = before.length;
      const length = pattern.exec(before)?.[1]?.length;
      if (length !== undefined) return place - length;
    }
    return -1;
  }

  /** The end of a token in `kinds`. */
  placeBehind(i: number): number {
    return this.kinds.indexOf('⟩', this.ats[i]) + 1;
  }

  /** The start in the text of the token at a place in `kinds`. */
  startOf(place: number): number {
    return this.starts[lastUpTo(this.ats, place)] as number;
  }

  /** The end in the text of the token before a place in `kinds`. */
  endOf(place: number): number {
    return this.ends[lastUpTo(this.ats, place - 1)] as number;
  }
}

function lastUpTo(sorted: readonly number[], at: number): number {
  let i = sorted.length - 1;
  while (i >= 0 && (sorted[i] as number) > at) i--;
  return i;
}

/**
 * A pattern over kinds. `{cl}` matches a token of one of the kinds, `{c+S}` one of kind S that is also c, `{c-d}` a c that is
 * not d; `<name>` inserts a part.
 */
export function kindPattern(written: string, parts: Readonly<Record<string, string>>, flags: string): RegExp {
  const expand = (text: string): string =>
    text.replace(/<(\w+)>/g, (_, part: string) => `(?:${expand(parts[part] as string)})`);
  const tokens = expand(written).replace(/\{([\w#]+)((?:[+-][\w#]+)*)\}/g, (_, any: string, others: string) => {
    const also = others.replace(
      /([+-])([\w#]+)/g,
      (_, sign, kinds) => `(?${sign === '+' ? '=' : '!'}[^⟩${kinds}]*[${kinds}])`,
    );
    return `⟨${also}[^⟩${any}]*[${any}][^⟩]*⟩`;
  });
  return new RegExp(tokens, flags);
}
