/**
 * The features of a candidate: its form, its labels and rivals, the words and signs around it, its column, and whether the
 * previous candidate was a value. Each feature is a short text with a weight per type.
 */

import { isAsciiLetter, isDigit } from '../characters.ts';
import type { KeywordHit } from '../detect/keywords.ts';
import { countBefore } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { CellHeadings } from '../records/cell-headings.ts';
import type { ContextType, Span } from './context-type.ts';
import { ContextWords, tokenKind } from './context-words.ts';
import { type Distance, distances, Gap } from './gap.ts';
import { labelIn } from './heading-labels.ts';
import { formOf } from './value-form.ts';
import { pairsOf, rivalsOnly, type Vocabulary } from './vocabulary.ts';
import { FeatureList, type FeatureSink, place } from './word-weights.ts';

const wordsBefore = 14;
const wordsAbove = 16;
const wordsBehind = 8;
const topicReach = 500;
const topicsMax = 12;
const ownReach = 260;

const named = (start: string) =>
  Object.fromEntries(distances.map((distance) => [distance, start + distance])) as Record<Distance, string>;
/** Features of distances: those that all types share, and those together with others. */
const shared = { o: named('g:o'), x: named('g:x'), O: named('g:O') };
const ownAt = named('o');
const behindAt = named('O');
const formNames = Array.from({ length: 32 }, (_, form) => `f${form}`);
const formName = (form: number) => formNames[form] ?? `f${form}`;

/** A time of day: a date before it is that of a message or an event. */
const timeAhead = /^[, ]{1,2}\d{1,2}:\d\d/;

/** A candidate of one type. */
export type Candidate = Span & {
  readonly form: number;
  /** The nearest label of its type, if any is near. */
  label?: string;
};

const wordsByText = new WeakMap<object, { readonly vocabulary: Vocabulary; readonly words: ContextWords }>();

/** The words of a text, shared by the readers of all types. */
function sharedWords(text: ScanText, vocabulary: Vocabulary): ContextWords {
  const known = wordsByText.get(text.shared);
  if (known?.vocabulary === vocabulary) return known.words;
  const words = new ContextWords(text, vocabulary);
  wordsByText.set(text.shared, { vocabulary, words });
  return words;
}

/** Reads the features of the candidates of one type, in order of their starts. */
export class FeatureReader {
  readonly #text: ScanText;
  readonly #vocabulary: Vocabulary;
  readonly #words: ContextWords;
  readonly #gaps: { readonly own: Gap; readonly rival: Gap; readonly behind: Gap };
  #headings: CellHeadings;
  #lastHeadingAt = 0;
  /** The feature of each topic word. */
  readonly #topicNames: string[] = [];
  /** The nearest label of the previous candidate. */
  #label: { readonly hit: KeywordHit; readonly text: string; readonly feature: string } | undefined;

  constructor(text: ScanText, vocabulary: Vocabulary = rivalsOnly()) {
    this.#text = text;
    this.#vocabulary = vocabulary;
    this.#words = sharedWords(text, vocabulary);
    this.#gaps = { own: new Gap(text.shadow), rival: new Gap(text.shadow), behind: new Gap(text.shadow) };
    this.#headings = new CellHeadings(text.shadow);
  }

  /** The features of {@link read} as texts. */
  list(type: ContextType, one: Candidate, before?: Span & { isValue: boolean }): string[] {
    const { features } = this.read(type, one, before, new FeatureList());
    return features;
  }

  /**
   * Passes on the features of a candidate. Those that begin with `g` mean the same for every type.
   * @param before the previous candidate of the same type, and whether it is a value
   */
  read<T extends FeatureSink>(
    type: ContextType,
    one: Candidate,
    before: (Span & { isValue: boolean }) | undefined,
    out: T,
  ): T {
    out.add('1');
    this.#addForm(type, one, out);
    const { near, labelStart } = this.#addLabels(type, one, out);
    this.#addTopics(type, one, out);
    if (before !== undefined && one.start - before.end < 48 && one.start >= before.end) {
      const gap = this.#text.shadow.slice(before.end, one.start);
      const isListed = /^[\s"']*[,、・;/|&][\s"']*$/.test(gap);
      const kind = gap.includes('\n') ? 'n' : isListed ? ',' : gap.length < 6 ? 's' : 'l';
      const isAlike = before.end - before.start === one.end - one.start;
      out.add(`g:q${before.isValue ? 1 : 0}${kind}${isAlike ? '=' : ''}`);
    }
    // Reading the words around a candidate takes longer than all the rest.
    if (out.isHopeless) return out;
    this.#addHeading(type, one, out);
    this.#addAround(one, near, labelStart, out);
    return out;
  }

  #addForm({ check, describe }: ContextType, { start, end, form }: Candidate, out: FeatureSink): void {
    const value = this.#text.shadow.slice(start, end);
    const ownForm = formName(form);
    out.add(ownForm);
    if (describe !== undefined) {
      for (const feature of describe(value)) out.addBoth(feature, ownForm);
      return;
    }
    const { shape, bare, digits, hasSmall } = formOf(value);
    const passes = check?.(bare);
    out.add(`s:${shape}`);
    out.add(`n${bare.length}`);
    out.add(`z:${bare.slice(0, 2)}`);
    if (passes !== undefined) {
      out.add(passes ? 'g:check' : 'g:wrong');
      out.add((passes ? 'c1' : 'c0') + ownForm);
    }
    if (digits.length === 8 && /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(digits)) out.add('date');
    if (value.length === 4 && /^(?:19|20)\d\d$/.test(value)) out.add('g:year');
    if (/^(\d)\1+$|^12345678(?:90?)?$/.test(digits)) out.add('even');
    if (digits.length > 9 && /^(?:0[1-9]0?|1?[2-9]\d{2}[2-9]\d{2}\d{4}$)/.test(digits)) out.add('phone');
    if (hasSmall) out.add('small');
  }

  /**
   * Labels of the type before and after, and the gaps.
   * @returns how near the label is, and where it starts if it directly precedes
   */
  #addLabels(type: ContextType, one: Candidate, out: FeatureSink): { near: Distance; labelStart: number } {
    const { shadow, keywords } = this.#text;
    const { start, end } = one;
    const labels = keywords.labels(type.name);
    const count = countBefore(labels, start);
    const own = labels[count - 1];
    const behind = labels[count];
    const form = formName(one.form);
    let near: Distance = 'none';
    let labelStart = 0;
    if (own !== undefined && start - own.end < ownReach) {
      const gap = this.#gaps.own;
      near = gap.read(own.end, start);
      if (near === '0') labelStart = own.start;
      if (this.#label?.hit !== own) {
        const text = shadow.slice(own.start, own.end).toLowerCase();
        this.#label = { hit: own, text, feature: `l:${text}` };
      }
      one.label = this.#label.text;
      out.add(shared.o[near]);
      out.addBoth(this.#label.feature, near);
      out.addWith(ownAt[near], form);
      if (gap.numbers > 0) out.add(`g:d${Math.min(3, gap.numbers)}`);
      if (gap.lines > 0) out.add(`g:L${Math.min(3, gap.lines)}`);
      if (gap.hasStop) out.add('g:stop');
      if (gap.hasComma) out.add('g:comma');
    } else {
      out.add(shared.o.none);
      out.addWith(ownAt.none, form);
    }
    const all = keywords.ordered;
    const rival = lastOther(all, countBefore(all, start), type.name);
    if (rival !== undefined && start - rival.end < ownReach && (own === undefined || rival.start > own.start)) {
      const distance = this.#gaps.rival.read(rival.end, start);
      out.add(shared.x[distance]);
      out.addBoth(`x:${rival.owner}`, distance);
    }
    if (behind !== undefined && behind.start >= end && behind.start - end < 60) {
      const distance = this.#gaps.behind.read(end, behind.start);
      out.add(shared.O[distance]);
      out.addWith(behindAt[distance], form);
      one.label ??= shadow.slice(behind.start, behind.end).toLowerCase();
    }
    return { near, labelStart };
  }

  /** Words and signs on the line, above it and after it. */
  #addAround({ start, end, form }: Candidate, own: Distance, labelStart: number, out: FeatureSink): void {
    const { shadow } = this.#text;
    const words = this.#words;
    words.prepare(start, end + 100);
    const { starts, kinds } = words;
    let count = 0;
    let signs = '';
    let isOpen = true;
    let isAbove = false;
    let last = -1;
    let isRivalNear = false;
    for (let i = words.indexAt(start) - 1; i >= 0 && count < wordsBefore + wordsAbove; i--) {
      const from = starts[i] as number;
      if (start - from > 400) break;
      const kind = kinds[i] as number;
      if (kind === tokenKind.newline) {
        if (isOpen) signs = `n${signs}`;
        else if (isAbove) count += 3;
        isAbove = true;
        continue;
      }
      if (kind === tokenKind.sign) {
        if (isOpen && signs.length < 4) signs = shadow.charAt(from).toLowerCase() + signs;
        continue;
      }
      isOpen = false;
      count++;
      if (!isAbove && count > wordsBefore) continue;
      // Words before the value's own label belong to another number and its label.
      if (from < labelStart) {
        if (kind !== tokenKind.digits) out.addWord(place.beyond, words, i);
        continue;
      }
      if (count <= 3) out.addWord(count - 1, words, i);
      if (count <= 2 && last >= 0) out.addPair(place.b2, words, i, last);
      else if (count <= 6 && last >= 0) out.addPair(place.bb, words, i, last);
      if (kind === tokenKind.digits) {
        if (count < 4) out.add(isAbove ? 'p:#' : 'b:#');
      } else {
        const where = isAbove ? place.above : place.before;
        out.addWord(where, words, i);
        if (kind === tokenKind.kanji && words.lengthAt(i) > 2) out.addCharacters(where, words, i);
        if (!isRivalNear && words.isRivalAt(i)) {
          isRivalNear = true;
          out.add(`g:r${count < 3 ? count : count < 6 ? 5 : 9}`);
          out.addWith(count === 1 ? 'r1' : count === 2 ? 'r2' : 'r9', own);
        }
      }
      last = i;
    }
    const before = shadow.charCodeAt(start - 1);
    const isTight = start > 0 && before !== 0x20 && before !== 0x0a && before !== 0x09;
    const joint = (signs.length === 0 && count === 0 ? '^' : signs) + (isTight ? '!' : '');
    out.add(`g:j${joint}`);
    out.addWith(`j${joint}`, own);
    out.addWith(`j${joint}`, formName(form));
    this.#addBehind(end, out);
  }

  #addBehind(end: number, out: FeatureSink): void {
    const { shadow } = this.#text;
    const words = this.#words;
    const { kinds } = words;
    let count = 0;
    let isBelow = false;
    const next = signOf(shadow, end);
    out.add(`k:${next}${signOf(shadow, end + 1)}`);
    out.add(`g:k${next}`);
    if (timeAhead.test(shadow.slice(end, end + 8))) out.add('g:time');
    for (let i = words.indexAt(end); i < words.count && count < wordsBehind; i++) {
      const kind = kinds[i] as number;
      if (kind === tokenKind.newline) {
        if (isBelow) break;
        isBelow = true;
        continue;
      }
      if (kind === tokenKind.sign) continue;
      count++;
      if (count === 1) out.addWord(isBelow ? place.a1Below : place.a1, words, i);
      const where = isBelow ? place.below : place.behind;
      out.addWord(where, words, i);
      if (kind === tokenKind.kanji && words.lengthAt(i) > 2) out.addCharacters(where, words, i);
    }
  }

  #addHeading(type: ContextType, one: Candidate, out: FeatureSink): void {
    if (one.start < this.#lastHeadingAt) {
      this.#headings = new CellHeadings(this.#text.shadow);
    }
    this.#lastHeadingAt = one.start;
    const heading = this.#headings.over(one.start, one.end);
    if (heading === undefined) return;
    out.add('g:h');
    out.add(`h:${heading}`);
    for (const word of heading.match(/[a-z]+|[\u3400-\u9fff]+|[\u30a1-\u30fc]+/g) ?? []) {
      out.add(`h:${word}`);
      if (this.#vocabulary.isRival(this.#vocabulary.idOf(word))) out.add('g:hr');
      if (word.charCodeAt(0) > 0x3000 && word.length > 2) for (const pair of pairsOf(word)) out.add(`h:${pair}`);
    }
    const label = labelIn(type, heading);
    out.add(label === undefined ? 'g:hother' : 'g:hown');
    if (label !== undefined) one.label = label;
  }

  /** Nearby words of the field. */
  #addTopics(type: ContextType, { start, end }: Candidate, out: FeatureSink): void {
    const { shadow, keywords } = this.#text;
    const topics = keywords.anchors(type.name);
    const names = this.#topicNames;
    const seen: string[] = [];
    for (let i = countBefore(topics, start - topicReach); i < topics.length && seen.length < topicsMax; i++) {
      const hit = topics[i] as KeywordHit;
      if (hit.start > end + topicReach / 2) break;
      names[i] ??= `t:${shadow.slice(hit.start, hit.end).toLowerCase()}`;
      const name = names[i] as string;
      if (!seen.includes(name)) seen.push(name);
    }
    for (const topic of seen) out.add(topic);
    out.add(seen.length === 0 ? 'g:t0' : seen.length < 3 ? 'g:t1' : 'g:t3');
    const labels = keywords.labels(type.name);
    const first = countBefore(labels, start - topicReach);
    let count = 0;
    for (let i = first; count < 3 && i < labels.length && (labels[i] as KeywordHit).start < end + topicReach / 2; i++)
      count++;
    out.add(`g:T${count}`);
  }
}

function lastOther(all: readonly KeywordHit[], count: number, owner: string): KeywordHit | undefined {
  for (let i = count - 1; i >= 0 && i > count - 4; i--) {
    const hit = all[i] as KeywordHit;
    if (hit.owner !== owner && hit.start !== all[i - 1]?.start && hit.start !== all[i + 1]?.start) return hit;
  }
  return undefined;
}

/** A character after a value: `9` for a digit, `a` for a letter, `n` for the end of a line. */
function signOf(text: string, at: number): string {
  const c = text.charCodeAt(at);
  return isDigit(c) ? '9' : isAsciiLetter(c) ? 'a' : c === 0x0a ? 'n' : text.charAt(at);
}
