/**
 * Finds the keywords of all recognizers in one pass: a table-driven Aho-Corasick automaton, so that more words cost nothing.
 * Aho, Corasick: Efficient string matching, Communications of the ACM 18(6), 1975.
 */
import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';
import {
  type Automaton,
  newAsciiSearch,
  newWideSearch,
  OtherSteps,
  outputBit,
  rowShift,
  type Search,
  straightened,
} from './keyword-search.ts';

/** A keyword in a text. */
export type KeywordHit = {
  /** Name of the recognizer. */
  readonly owner: string;
  readonly start: number;
  readonly end: number;
  /** Start of the next label of any recognizer, or the end of the text: a value after it belongs to that label. */
  readonly nextStart: number;
  /** End of the previous label, or 0. */
  readonly previousEnd: number;
};

/** The keywords of a recognizer, in lower case; `a(b|c)` stands for `ab` and `ac`. */
export type KeywordLists = {
  readonly name: string;
  /**
   * Words that name a nearby value, such as `passport`. English ones match as whole words, including `passport_no`,
   * `passportNo` and the plural; a space matches one of ` _-.` or nothing.
   */
  readonly labels?: readonly string[];
  /** Text that starts a value, such as `ghp_`, anywhere. */
  readonly anchors?: readonly string[];
  /** Words of the field: the starts of Latin words, or if short whole ones. `~wagen` also ends compounds. */
  readonly topics?: readonly string[];
};

/** The hits in one text. */
export class KeywordHits {
  readonly #labels: HitLists;
  readonly #anchors: HitLists;

  /** All labels in order, without overlaps; two recognizers may share one. */
  readonly ordered: readonly KeywordHit[];

  constructor(labels: HitLists, anchors: HitLists, ordered: readonly KeywordHit[] = []) {
    this.ordered = ordered;
    this.#labels = labels;
    this.#anchors = anchors;
  }

  /** The labels of one recognizer, in order. */
  labels(owner: string): readonly KeywordHit[] {
    return this.#labels.get(owner) ?? none;
  }

  /** The anchors of one recognizer, in order. */
  anchors(owner: string): readonly KeywordHit[] {
    return this.#anchors.get(owner) ?? none;
  }

  /** True when the recognizer has any hit. */
  has(owner: string): boolean {
    return this.#labels.has(owner) || this.#anchors.has(owner);
  }
}

/** The number of sorted hits that end at or before the offset. */
export function countBefore(hits: readonly { readonly end: number }[], at: number): number {
  let low = 0;
  for (let high = hits.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((hits[middle]?.end ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

type HitLists = ReadonlyMap<string, readonly KeywordHit[]>;

const none: readonly KeywordHit[] = [];
/** The hits of a text without any. */
export const noKeywords = new KeywordHits(new Map(), new Map());

type Word = {
  readonly owner: string;
  readonly length: number;
  readonly isAnchor: boolean;
  /** Not after, or not before, another letter or digit; see {@link startsWord} and {@link endsWord}. */
  readonly startsWord: boolean;
  readonly endsWord: boolean;
};
type Columns = [Uint16Array, Uint16Array, Uint16Array, Uint16Array];
type MutableHit = { -readonly [K in keyof KeywordHit]: KeywordHit[K] };

/** A longer topic may be the start of a word: `insur`, `deposit`. */
const topicWholeMax = 4;

const separatorClass = 1;
const classesMax = 1 << rowShift;
const statesMax = 1 << 15;

/** The automaton of keyword lists. Building takes milliseconds; a search is linear in the text. */
export class KeywordIndex {
  /** Class by ASCII character; 0 for those outside all words. */
  readonly #classes = new Uint8Array(0x80);
  readonly #asciiSearch: Search<Uint8Array>;
  readonly #wideSearch: Search<Uint16Array>;
  /** Words by end state, longest first. */
  readonly #outputs: (readonly Word[] | undefined)[] = [];

  constructor(lists: Iterable<KeywordLists>) {
    for (const separator of ' _-.') this.#classes[separator.charCodeAt(0)] = separatorClass;
    // Letters are adjacent, the rarest last, so that their part of an ASCII row is one cache line.
    for (const letter of 'etaoinshrdlcumwfgypbvkxjqz') this.#addClass(letter.charCodeAt(0));
    const words = new Map<string, Word[]>();
    for (const { name, labels = [], anchors = [], topics = [] } of lists) {
      const add = (text: string, isAnchor: boolean, starts: boolean, ends: boolean) => {
        const known = words.get(text) ?? [];
        if (known.some((word) => word.owner === name)) return;
        const { length } = text;
        const startsWord = starts && isLetterOrDigit(text.charCodeAt(0));
        const endsWord = ends && isLetterOrDigit(text.charCodeAt(length - 1));
        words.set(text, [...known, { owner: name, length, isAnchor, startsWord, endsWord }]);
      };
      for (const label of labels.flatMap(expanded)) {
        const isEnglish = /^[ -~]+$/.test(label);
        add(label, false, isEnglish, isEnglish);
        if (label.includes(' ')) add(label.replaceAll(' ', ''), false, isEnglish, isEnglish);
      }
      for (const anchor of anchors.flatMap(expanded)) add(anchor, true, false, false);
      for (const topic of topics.flatMap(expanded)) {
        const word = topic.replace('~', '');
        add(word, true, word === topic, word.length <= topicWholeMax);
      }
    }
    const automaton = this.#build(words);
    this.#asciiSearch = newAsciiSearch(automaton);
    this.#wideSearch = newWideSearch(automaton);
  }

  /** Gives an ASCII character a class, a letter in both cases. */
  #addClass(c: number): number {
    const next = ++this.#classesUsed;
    if (next >= classesMax) throw new RangeError('The keyword lists have too many ASCII characters.');
    this.#classes[c] = next;
    if (c >= 0x61 && c <= 0x7a) this.#classes[c - 0x20] = next;
    return next;
  }
  #classesUsed = separatorClass;

  #build(words: ReadonlyMap<string, readonly Word[]>): Automaton {
    // First the trie: class, next sibling and first child of each state.
    const [kinds, siblings, children, order] = Array.from({ length: 4 }, () => new Uint16Array(statesMax)) as Columns;
    const ends: (readonly Word[] | undefined)[] = [];
    const roots = new Uint16Array(0x10000);
    let states = 1;
    for (const [text, entries] of words) {
      let state = 0;
      for (let i = 0; i < text.length; i++) {
        const c = straightened(text.charCodeAt(i));
        // Other characters are their own classes.
        const kind = c > 0x7f ? c : this.#classes[c] || this.#addClass(c);
        let next = (state === 0 ? roots[kind] : children[state]) as number;
        while (next !== 0 && kinds[next] !== kind) next = siblings[next] as number;
        if (next === 0) {
          if (states === statesMax) throw new RangeError('The keyword lists have too many words.');
          next = states++;
          kinds[next] = kind;
          siblings[next] = children[state] as number;
          children[state] = next;
          if (state === 0) roots[kind] = next;
        }
        state = next;
      }
      const known = ends[state];
      ends[state] = known === undefined ? entries : [...known, ...entries];
    }
    // States are numbered by depth: most text stays in the first few hundred, whose rows share a few memory pages.
    const table = new Uint16Array(states << rowShift);
    const others = new OtherSteps(states);
    const wholeOnly = new Uint8Array(states);
    const outputs = this.#outputs;
    for (let state = 0, tail = 1; state < tail; state++) {
      const row = state << rowShift;
      const failed = others.failures[state] as number;
      if (state !== 0) table.copyWithin(row, failed << rowShift, (failed + 1) << rowShift);
      for (let child = children[order[state] as number] as number; child !== 0; child = siblings[child] as number) {
        const next = tail++;
        order[next] = child;
        const kind = kinds[child] as number;
        const fallback =
          state === 0 ? 0 : (kind < classesMax ? (table[row | kind] as number) : others.step(failed, kind)) >>> 1;
        const own = ends[child];
        const inherited = outputs[fallback];
        const all = own === undefined ? inherited : inherited === undefined ? own : [...own, ...inherited];
        outputs[next] = all;
        if (all?.every(({ endsWord }) => endsWord)) wholeOnly[next] = 1;
        const entry = (next << 1) | (all === undefined ? 0 : outputBit);
        if (kind < classesMax) table[row | kind] = entry;
        else others.add(state, kind, entry);
        others.failures[next] = fallback;
      }
    }
    return { classes: this.#classes, table, others, wholeOnly };
  }

  /** Hits in the first `length` elements. @param units ASCII codes, or the folded code units of the text. */
  search(units: Uint8Array | Uint16Array, length: number): KeywordHits {
    const ends = units instanceof Uint8Array ? this.#asciiSearch(units, length) : this.#wideSearch(units, length);
    return ends === undefined ? noKeywords : this.#collect(units, length, ends);
  }

  #collect(units: Uint8Array | Uint16Array, length: number, ends: readonly number[]): KeywordHits {
    const labelLists = new Map<string, MutableHit[]>();
    const anchorLists = new Map<string, MutableHit[]>();
    const labels: MutableHit[] = [];
    for (let n = 0; n < ends.length; n += 2) {
      const end = (ends[n] as number) + 1;
      for (const word of this.#outputs[ends[n + 1] as number] as readonly Word[]) {
        const start = end - word.length;
        if (word.startsWord && !startsWord(units, start)) continue;
        if (word.endsWord && !endsWord(units, start, end, length)) continue;
        const hit = { owner: word.owner, start, end, nextStart: length, previousEnd: 0 };
        if (word.isAnchor) append(anchorLists, hit);
        else addLabel(labels, hit);
      }
    }
    for (let i = 0; i < labels.length; i++) {
      const hit = labels[i] as MutableHit;
      const previous = labels[i - 1];
      if (previous !== undefined) {
        hit.previousEnd = previous.start === hit.start ? previous.previousEnd : previous.end;
        for (let k = i - 1; k >= 0; k--) {
          const before = labels[k] as MutableHit;
          if (before.nextStart !== length) break;
          if (before.start < hit.start) before.nextStart = Math.max(before.end, hit.start);
        }
      }
      append(labelLists, hit);
    }
    return new KeywordHits(labelLists, anchorLists, labels);
  }
}

function append(lists: Map<string, MutableHit[]>, hit: MutableHit): void {
  const list = lists.get(hit.owner);
  if (list === undefined) lists.set(hit.owner, [hit]);
  else list.push(hit);
}

/** Adds a label. A longer one replaces those inside it; of two that overlap the first wins, or both become one. */
function addLabel(labels: MutableHit[], hit: MutableHit): void {
  for (let last = labels.at(-1); last !== undefined && last.end > hit.start; last = labels.at(-1)) {
    if (last.start <= hit.start && last.end >= hit.end && (last.start < hit.start || last.end > hit.end)) return;
    if (last.start === hit.start && last.end === hit.end) break;
    if (last.start >= hit.start) {
      labels.pop();
      continue;
    }
    if (last.owner === hit.owner) last.end = hit.end;
    return;
  }
  labels.push(hit);
}

/** True at the start of a word, also of a camel-case one. */
function startsWord(units: Uint8Array | Uint16Array, start: number): boolean {
  const before = units[start - 1];
  return !isLetterOrDigit(before) || (isCapital(units[start]) && !isCapital(before));
}

/** True at the end of a word, of a camel-case one, or of a singular before its `s`. */
function endsWord(units: Uint8Array | Uint16Array, start: number, end: number, length: number): boolean {
  if (end >= length) return true;
  let after = units[end] as number;
  // `DL3CAB1234` is a plate, not a `DL`.
  if (end - start === 2 && isDigit(after)) return false;
  if (isCapital(after) && !isCapital(units[end - 1])) return true;
  if ((after | 0x20) === 0x73) {
    if (end + 1 >= length) return true;
    after = units[end + 1] as number;
    // `"tags":` is a key of most records and names no license plate.
    if (after === 0x22 && String.fromCharCode(...units.subarray(start, end)).toLowerCase() === 'tag') return false;
  }
  return !isAsciiLetter(after);
}

function isLetterOrDigit(c?: number): boolean {
  return isAsciiLetter(c) || isDigit(c);
}

/** `driver('s|s|) license` → `driver's license`, `drivers license`, `driver license`. */
export function expanded(text: string): string[] {
  const choice = /\(([^()]*)\)/.exec(text);
  if (choice === null) return [text];
  const before = text.slice(0, choice.index);
  const after = text.slice(choice.index + choice[0].length);
  return (choice[1] ?? '').split('|').flatMap((part) => expanded(before + part + after));
}
