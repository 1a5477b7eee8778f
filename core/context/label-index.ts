/**
 * Finds the label before a candidate. Types bring their labels in every language, and the nearest label wins. Words that name
 * other numbers (order, invoice, part) are labels without a type.
 */

import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';
import { codesOf } from '../detect/code-set.ts';
import { lineStartWithin } from '../detect/scan.ts';
import words from '../lexicon/label-words.json' with { type: 'json' };

/** A label before a candidate. */
export type LabelHit = {
  /** Indexes of the types that the label names; empty for a word that names another number. */
  readonly owners: readonly number[];
  /** Words between the label and the candidate. */
  readonly gapWords: number;
  /** The label as normalised, for explanations. */
  readonly phrase: string;
};

type Entry = { readonly owners: number[]; needsNumberWord: boolean };

const numberWords: ReadonlySet<string> = new Set(words.number);
const stopWords: ReadonlySet<string> = new Set(words.stop);
const genericWords: ReadonlySet<string> = new Set(words.generic);

/** Words between a label and its value. */
const gapWordsMax = 8;
/** Words of a label. */
const phraseWordsMax = 5;
/** Characters looked at before a candidate. */
const reachMax = 96;
/** Characters of a label in a script without spaces, and how many particles may follow it. */
const unspacedMax = 20;
const particlesMax = 10;
/** The same when the label ends the line above: a sentence about birthdays is no label. */
const particlesAbove = 3;

/** A longer line is prose, not a label alone on its line. */
const labelLineMax = 40;

/** Finds labels. Immutable once built. */
export class LabelIndex {
  readonly #entries = new Map<string, Entry>();
  /** Last words of all labels; most words before a candidate are not among them. */
  readonly #lastWords = new Set<string>();
  /** Each word of a label in its usual spellings, with its folded form. */
  readonly #known = new Map<string, string>();
  readonly #unspaced = new Map<string, Entry>();

  /** @param labels the labels of each type, by its index */
  constructor(labels: readonly (readonly string[])[]) {
    for (const [owner, own] of labels.entries()) for (const label of own) this.#add(label, owner);
    for (const rival of words.rivals) this.#add(rival, -1);
    for (const word of [...words.number, ...words.stop]) this.#know(word);
  }

  #know(word: string): void {
    const upper = word.toUpperCase();
    for (const written of [word, upper, word.charAt(0).toUpperCase() + word.slice(1)]) this.#known.set(written, word);
  }

  #add(label: string, owner: number): void {
    if (isUnspaced(label.charCodeAt(label.length - 1))) {
      addOwner(this.#unspaced, label.replace(/[\s:：."'״׳]/g, ''), owner, false);
      return;
    }
    const all = wordsOf(label);
    const core = all.filter((word) => !numberWords.has(word));
    const hasNumberWord = core.length < all.length;
    if (core.length === 0) return;
    for (const word of core) this.#know(word);
    this.#lastWords.add(core.at(-1) as string);
    addOwner(this.#entries, core.join(' '), owner, hasNumberWord && isGeneric(core));
    const joined = core.join('');
    if (core.length > 1) {
      this.#lastWords.add(joined);
      this.#know(joined);
      addOwner(this.#entries, joined, owner, false);
    }
  }

  /**
   * The nearest label before a place of a text.
   * @param known results by what stands between the place and the sign that ends the reach of labels: records repeat their keys
   */
  before(text: string, at: number, known?: KnownLabels): LabelHit | undefined {
    const from = known === undefined ? -1 : memberStart(text, at);
    const member = from < 0 ? '' : text.slice(from, at);
    if (from >= 0 && known?.has(member)) return known.get(member);
    const { hit, readTo } = this.#search(text, at);
    if (from >= 0 && readTo > from) known?.set(member, hit);
    return hit;
  }

  /** The nearest label, and how far back the text was read. */
  #search(text: string, at: number): { hit: LabelHit | undefined; readTo: number } {
    const floor = Math.max(0, at - reachMax);
    const found: string[] = [];
    let numberWordAt = Number.NEGATIVE_INFINITY;
    let isPastWord = false;
    let i = at;
    while (i > floor) {
      const c = text.charCodeAt(i - 1);
      if (isUnspaced(c)) return { hit: this.#unspacedBefore(text, i, at, found.length), readTo: 0 };
      if (!isWordUnit(c)) {
        if (found.length > 0 && isStop(text, i - 1)) break;
        if (c === 0x0a && (isPastWord || !isLineEndOfLabel(text, i - 1, floor))) break;
        i--;
        continue;
      }
      const end = i;
      isPastWord = true;
      i = wordStart(text, i, floor);
      const written = text.slice(i, end);
      const joined =
        text.charCodeAt(i - 1) === 0x2d && !isDigit(text.charCodeAt(i - 2))
          ? this.#hyphened(text, i, end, floor)
          : undefined;
      if (joined !== undefined) i = joined.start;
      const word = joined?.word ?? this.#known.get(written) ?? this.#unusual(written);
      if (word !== '' && stopWords.has(word)) continue;
      if (word !== '' && numberWords.has(word)) {
        numberWordAt = found.length;
        continue;
      }
      found.push(word);
      if (found.length > gapWordsMax + phraseWordsMax) break;
    }
    for (let gapWords = 0; gapWords < found.length && gapWords <= gapWordsMax; gapWords++) {
      const word = found[gapWords] as string;
      if (!this.#lastWords.has(word)) continue;
      const hit = this.#phraseAt(found, gapWords, numberWordAt);
      if (hit === undefined) continue;
      // `order_id`: the id of an order.
      const isOfRival = hit.phrase === 'id' && this.#entries.get(found[gapWords + 1] ?? '')?.owners.length === 0;
      return { hit: isOfRival ? { ...hit, owners: [] } : hit, readTo: i };
    }
    return { hit: undefined, readTo: i };
  }

  /** A hyphenated word that labels write as one: `Steuer-Identifikationsnummer`. */
  #hyphened(text: string, from: number, end: number, floor: number): { word: string; start: number } | undefined {
    const start = wordStart(text, from - 1, floor);
    const word = start < from - 1 ? this.#known.get(fold(text.slice(start, end).replace('-', ''))) : undefined;
    return word === undefined ? undefined : { word, start };
  }

  /** A word with accents, in mixed case or of initials; empty if no label has it. */
  #unusual(written: string): string {
    for (let i = 1; i < written.length; i++) {
      const c = written.charCodeAt(i);
      if (c > 0x7f || isCapital(c) || c === 0x2e || c === 0x5f) return this.#known.get(fold(written)) ?? '';
    }
    return written.charCodeAt(0) > 0x7f ? (this.#known.get(fold(written)) ?? '') : '';
  }

  /** The label at the end of a heading or key. */
  in(heading: string): LabelHit | undefined {
    const hit = this.before(heading, heading.length);
    return hit === undefined || hit.gapWords > 0 ? undefined : hit;
  }

  #phraseAt(found: readonly string[], from: number, numberWordAt: number): LabelHit | undefined {
    let best: LabelHit | undefined;
    for (let length = 1; length <= phraseWordsMax && from + length <= found.length; length++) {
      const phrase = found.slice(from, from + length).reverse();
      const entry = this.#entries.get(phrase.join(' '));
      if (entry === undefined) continue;
      const hasNumberWord = numberWordAt >= from - 1 && numberWordAt <= from + length;
      if (entry.needsNumberWord && !hasNumberWord) continue;
      best = { owners: entry.owners, gapWords: from, phrase: phrase.join(' ') };
    }
    return best;
  }

  #unspacedBefore(text: string, end: number, at: number, gapWords: number): LabelHit | undefined {
    const floor = Math.max(0, at - reachMax);
    const tailMax = text.slice(end, at).includes('\n') ? particlesAbove : particlesMax;
    let run = '';
    for (let i = end; i > floor && run.length < unspacedMax + particlesMax; i--) {
      const c = text.charCodeAt(i - 1);
      if (isUnspaced(c)) run = (text[i - 1] as string) + run;
      else if (c !== 0x20 && c !== 0x2e && c !== 0x22 && c !== 0x27 && c !== 0x5f && c !== 0x5f3 && c !== 0x5f4) break;
    }
    for (let to = run.length; to > 1 && to > run.length - tailMax; to--) {
      for (let length = Math.min(unspacedMax, to); length > 1; length--) {
        const phrase = run.slice(to - length, to);
        const entry = this.#unspaced.get(phrase);
        if (entry !== undefined) return { owners: entry.owners, gapWords, phrase };
      }
    }
    return undefined;
  }
}

/** Results of {@link LabelIndex.before} in one text. */
export type KnownLabels = Map<string, LabelHit | undefined>;

/** Longer stretches rarely recur. */
const memberMax = 48;
const isMemberEnd = codesOf(',;{}?');

/** The nearest sign that ends the reach of labels and has a word behind it on the same line; -1 if there is none near. */
function memberStart(text: string, at: number): number {
  let hasWord = false;
  for (let i = at - 1; i >= at - memberMax; i--) {
    const c = text.charCodeAt(i);
    if (c === 0x0a || isUnspaced(c)) return -1;
    if (hasWord && isMemberEnd(c)) return i;
    hasWord ||= isWordUnit(c);
  }
  return -1;
}

function addOwner(entries: Map<string, Entry>, key: string, owner: number, needsNumberWord: boolean): void {
  const entry = entries.get(key);
  if (entry === undefined) {
    entries.set(key, { owners: owner < 0 ? [] : [owner], needsNumberWord });
    return;
  }
  if (owner >= 0 && !entry.owners.includes(owner)) entry.owners.push(owner);
  entry.needsNumberWord &&= needsNumberWord;
}

/** True for words and letters too common to name a number without an adjacent `number`, `no.` or the like. */
function isGeneric(core: readonly string[]): boolean {
  return genericWords.has(core.join(' ')) || core.join('').length === 1;
}

/** The words of a label in lower case, without accents, split at spaces, signs and camel-case humps. */
export function wordsOf(label: string): string[] {
  const found: string[] = [];
  for (let i = label.length; i > 0; ) {
    if (!isWordUnit(label.charCodeAt(i - 1))) {
      i--;
      continue;
    }
    const end = i;
    i = wordStart(label, i, 0);
    const word = fold(label.slice(i, end));
    if (!stopWords.has(word)) found.push(word);
  }
  return found.reverse();
}

function wordStart(text: string, end: number, floor: number): number {
  let i = end - 1;
  while (i > floor) {
    const c = text.charCodeAt(i - 1);
    if (!isWordUnit(c) || isUnspaced(c)) break;
    if (isCapital(text.charCodeAt(i)) && isAsciiLetter(c) && !isCapital(c)) break;
    i--;
  }
  // `D.N.I.`, `a_c_n`: initials are one word.
  while (i > floor + 1 && isInitial(text, i, floor)) i -= 2;
  return i;
}

/** A single letter at the place, with another one and a full stop or `_` before it. */
function isInitial(text: string, at: number, floor: number): boolean {
  const joint = text.charCodeAt(at - 1);
  if (joint !== 0x2e && joint !== 0x5f) return false;
  if (!isLetterUnit(text.charCodeAt(at)) || isLetterUnit(text.charCodeAt(at + 1))) return false;
  return isLetterUnit(text.charCodeAt(at - 2)) && (at - 3 < floor || !isLetterUnit(text.charCodeAt(at - 3)));
}

function isLetterUnit(c: number): boolean {
  return isWordUnit(c) && !isDigit(c);
}

const marks = /\p{M}+/gu;
const special: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', ı: 'i', đ: 'd', æ: 'ae', œ: 'oe' };

function fold(word: string): string {
  const lower = (word.length < 12 && /[._]/.test(word) ? word.replace(/[._]/g, '') : word).toLowerCase();
  for (let i = 0; i < lower.length; i++) {
    if (lower.charCodeAt(i) < 0x80) continue;
    return lower
      .normalize('NFD')
      .replace(marks, '')
      .replace(/[ßøłıđæœ]/g, (c) => special[c] as string);
  }
  return lower;
}

/** Letters and digits; of other scripts everything but signs and spaces. */
const isWordUnit = codesOf('A-Za-z0-9À-\u1fff\u2e80-\u2fff\u3040-\ufeff');

/** Scripts that write words without spaces, or attach prefixes and particles to them: Hebrew to Thai, kana, kanji, hangul. */
const isUnspaced = codesOf('\u0590-\u0e7f\u3040-\ud7a3');

/** True for a sign that ends the reach of a label: between members, cells and sentences. */
function isStop(text: string, at: number): boolean {
  const c = text.charCodeAt(at);
  if (c === 0x2c || c === 0x3b || c === 0x7b || c === 0x7d || c === 0x0a || c === 0x3f) return true;
  if (c !== 0x2e || text.charCodeAt(at + 1) !== 0x20) return false;
  // A full stop behind a longer word; behind a shorter one it may be an abbreviation.
  for (let i = at - 1; i > at - 6; i--) if (!isLetterUnit(text.charCodeAt(i))) return false;
  return true;
}

/** A value may be on the line below its label: after a colon, or below a short line. */
function isLineEndOfLabel(text: string, newline: number, floor: number): boolean {
  let i = newline - 1;
  while (i > floor && (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x0d)) i--;
  const c = text.charCodeAt(i);
  return (
    c === 0x3a || c === 0x3d || c === 0xff1a || newline - lineStartWithin(text, newline, labelLineMax) < labelLineMax
  );
}
