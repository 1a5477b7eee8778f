/**
 * What can be said about a candidate: its form, its labels and rivals, the words and signs around it, its column, and what
 * became of the candidate before. Each feature is a short text; the weights of a type say what it is worth.
 */

import type { KeywordHit } from '../detect/keywords.ts';
import { countBefore } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import labelWords from '../lexicon/label-words.json' with { type: 'json' };
import { CellHeadings } from '../records/cell-headings.ts';
import type { ContextType, Span } from './context-type.ts';
import { ContextWords, tokenKind } from './context-words.ts';

const rivals: ReadonlySet<string> = new Set(labelWords.rivals);
const wordsBefore = 14;
const wordsAbove = 16;
const wordsBehind = 8;
const topicReach = 500;
const topicsMax = 12;
const ownReach = 260;

/** A candidate of one type. */
export type Candidate = Span & {
  readonly form: number;
  /** The label of its type that is nearest, if one is near. */
  label?: string;
};

/** Reads the features of candidates, which have to come in order of their starts. */
export class FeatureReader {
  readonly #text: ScanText;
  readonly #words: ContextWords;
  #headings: CellHeadings;
  #lastHeadingAt = 0;

  constructor(text: ScanText) {
    this.#text = text;
    this.#words = new ContextWords(text.shadow);
    this.#headings = new CellHeadings(text.shadow);
  }

  /**
   * The features of a candidate. Those that begin with `g` say the same of every type.
   * @param before the candidate before of the same type, and whether it is a value
   */
  read(type: ContextType, one: Candidate, before?: Span & { isValue: boolean }): string[] {
    const { shadow } = this.#text;
    const out: string[] = ['1'];
    this.#addForm(type, one, out);
    const own = this.#addLabels(type, one, out);
    this.#addAround(one, own, out);
    this.#addHeading(type, one, out);
    this.#addTopics(type, one, out);
    if (before !== undefined && one.start - before.end < 48 && one.start >= before.end) {
      const gap = shadow.slice(before.end, one.start);
      const kind = gap.includes('\n')
        ? 'n'
        : /^[\s"']*[,、・;/|&][\s"']*$/.test(gap)
          ? ','
          : gap.length < 6
            ? 's'
            : 'l';
      const isAlike = before.end - before.start === one.end - one.start;
      out.push(`g:q${before.isValue ? 1 : 0}${kind}${isAlike ? '=' : ''}`);
    }
    return out;
  }

  #addForm({ check, describe }: ContextType, { start, end, form }: Candidate, out: string[]): void {
    const { shadow } = this.#text;
    const value = shadow.slice(start, end);
    const shape = shapeOf(value);
    const bare = bareOf(value);
    if (describe !== undefined) {
      out.push(`f${form}`);
      for (const feature of describe(value)) out.push(feature, `${feature}|f${form}`);
      return;
    }
    const passes = check?.(bare);
    const digits = bare.replace(/[^0-9]/g, '');
    out.push(`f${form}`, `s:${shape}`, `n${bare.length}`, `z:${bare.slice(0, 2)}`);
    if (passes !== undefined) out.push(passes ? 'g:check' : 'g:wrong', `c${passes ? 1 : 0}f${form}`);
    if (/^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/.test(digits)) out.push('date');
    if (/^(?:19|20)\d\d$/.test(value)) out.push('g:year');
    if (/^(\d)\1+$|^12345678(?:90?)?$/.test(digits)) out.push('even');
    if (/^(?:0[1-9]0?|1?[2-9]\d{2}[2-9]\d{2}\d{4}$)/.test(digits) && digits.length > 9) out.push('phone');
    if (/[a-z]/.test(value)) out.push('small');
  }

  /** Own labels before and behind, and what stands between. @returns how near the own label is, as a short text */
  #addLabels(type: ContextType, one: Candidate, out: string[]): string {
    const { shadow, keywords } = this.#text;
    const { start, end } = one;
    const labels = keywords.labels(type.name);
    const count = countBefore(labels, start);
    const own = labels[count - 1];
    const behind = labels[count];
    let near = 'none';
    if (own !== undefined && start - own.end < ownReach) {
      const gap = shadow.slice(own.end, start);
      near = distanceOf(gap);
      const label = shadow.slice(own.start, own.end).toLowerCase();
      one.label = label;
      out.push(`g:o${near}`, `l:${label}`, `l:${label}|${near}`, `o${near}|f${one.form}`);
      const numbers = gap.match(/\d[\d .-]*/g)?.length ?? 0;
      if (numbers > 0) out.push(`g:d${Math.min(3, numbers)}`);
      const lines = gap.split('\n').length - 1;
      if (lines > 0) out.push(`g:L${Math.min(3, lines)}`);
      if (/[.。!?！？;] ?\S/.test(gap)) out.push('g:stop');
      if (gap.includes('|') || gap.includes('\t') || gap.includes(',')) out.push('g:comma');
    } else out.push('g:onone', `onone|f${one.form}`);
    const all = keywords.ordered;
    const rival = lastOther(all, countBefore(all, start), type.name);
    if (rival !== undefined && start - rival.end < ownReach) {
      const isNearer = own === undefined || rival.start > own.start;
      const distance = distanceOf(shadow.slice(rival.end, start));
      if (isNearer) out.push(`g:x${distance}`, `x:${rival.owner}`, `x:${rival.owner}|${distance}`);
    }
    if (behind !== undefined && behind.start >= end && behind.start - end < 60) {
      const distance = distanceOf(shadow.slice(end, behind.start));
      out.push(`g:O${distance}`, `O${distance}|f${one.form}`);
      one.label ??= shadow.slice(behind.start, behind.end).toLowerCase();
    }
    return near;
  }

  /** Words and signs on the line, above it, behind. */
  #addAround({ start, end, form }: Candidate, own: string, out: string[]): void {
    const { shadow } = this.#text;
    const tokens = this.#words;
    tokens.prepare(start, end + 100);
    const { starts, kinds, words } = tokens;
    const at = tokens.indexAt(start);
    let count = 0;
    let signs = '';
    let isOpen = true;
    let isAbove = false;
    let last = '';
    let rivalAt = -1;
    for (let i = at - 1; i >= 0 && count < wordsBefore + wordsAbove; i--) {
      if (start - (starts[i] as number) > 400) break;
      const kind = kinds[i] as number;
      const word = words[i] as string;
      if (kind === tokenKind.newline) {
        if (isOpen) signs = `n${signs}`;
        else if (isAbove) count += 3;
        isAbove = true;
        continue;
      }
      if (kind === tokenKind.sign) {
        if (isOpen && signs.length < 4) signs = word + signs;
        continue;
      }
      isOpen = false;
      count++;
      if (!isAbove && count > wordsBefore) continue;
      const where = isAbove ? 'p:' : 'b:';
      if (count <= 3) out.push(`b${count}:${word}`);
      if (count <= 2 && last !== '') out.push(`b2:${word} ${last}`);
      else if (count <= 6 && last !== '') out.push(`bb:${word} ${last}`);
      if (kind === tokenKind.digits) {
        if (count < 4) out.push(`${where}#`);
      } else {
        out.push(where + word);
        if (kind === tokenKind.kanji && word.length > 2) addPairs(where, word, out);
        if (rivalAt < 0 && rivals.has(word)) {
          rivalAt = count;
          out.push(`g:r${count < 3 ? count : count < 6 ? 5 : 9}`, `r${count < 3 ? count : 9}|${own}`);
        }
      }
      last = word;
    }
    const before = shadow.charCodeAt(start - 1);
    const isTight = start > 0 && before !== 0x20 && before !== 0x0a && before !== 0x09;
    const joint = (signs.length === 0 && count === 0 ? '^' : signs) + (isTight ? '!' : '');
    out.push(`g:j${joint}`, `j${joint}|${own}`, `j${joint}|f${form}`);
    this.#addBehind(end, out);
  }

  #addBehind(end: number, out: string[]): void {
    const { shadow } = this.#text;
    const { kinds, words, ...tokens } = this.#words;
    let i = this.#words.indexAt(end);
    let count = 0;
    let isBelow = false;
    const next = shadow
      .slice(end, end + 2)
      .replace(/[0-9]/g, '9')
      .replace(/[A-Za-z]/g, 'a')
      .replace(/\n/g, 'n');
    out.push(`k:${next}`, `g:k${next.charAt(0)}`);
    for (; i < tokens.starts.length && count < wordsBehind; i++) {
      const kind = kinds[i] as number;
      const word = words[i] as string;
      if (kind === tokenKind.newline) {
        if (isBelow) break;
        isBelow = true;
        continue;
      }
      if (kind === tokenKind.sign) continue;
      count++;
      const where = isBelow ? 'n:' : 'a:';
      if (count === 1) out.push(`a1:${isBelow ? 'n' : ''}${word}`);
      out.push(where + word);
      if (kind === tokenKind.kanji && word.length > 2) addPairs(where, word, out);
    }
  }

  #addHeading(type: ContextType, one: Candidate, out: string[]): void {
    if (one.start < this.#lastHeadingAt) {
      this.#headings = new CellHeadings(this.#text.shadow);
    }
    this.#lastHeadingAt = one.start;
    const heading = this.#headings.over(one.start, one.end);
    if (heading === undefined) return;
    out.push('g:h', `h:${heading}`);
    for (const word of heading.match(/[a-z]+|[\u3400-\u9fff]+|[\u30a1-\u30fc]+/g) ?? []) {
      out.push(`h:${word}`);
      if (rivals.has(word)) out.push('g:hr');
      if (word.charCodeAt(0) > 0x3000 && word.length > 2) addPairs('h:', word, out);
    }
    const label = labelIn(type, heading);
    out.push(label === undefined ? 'g:hother' : 'g:hown');
    if (label !== undefined) one.label = label;
  }

  /** Words of the field near by, and the fields of other types. */
  #addTopics(type: ContextType, { start, end }: Candidate, out: string[]): void {
    const { shadow, keywords } = this.#text;
    const topics = keywords.anchors(type.name);
    const seen = new Set<string>();
    for (let i = countBefore(topics, start - topicReach); i < topics.length && seen.size < topicsMax; i++) {
      const hit = topics[i] as KeywordHit;
      if (hit.start > end + topicReach / 2) break;
      seen.add(shadow.slice(hit.start, hit.end).toLowerCase());
    }
    for (const topic of seen) out.push(`t:${topic}`);
    out.push(seen.size === 0 ? 'g:t0' : seen.size < 3 ? 'g:t1' : 'g:t3');
    const labels = keywords.labels(type.name);
    const first = countBefore(labels, start - topicReach);
    let count = 0;
    for (let i = first; i < labels.length && (labels[i] as KeywordHit).start < end + topicReach / 2; i++) count++;
    out.push(`g:T${Math.min(3, count)}`);
  }
}

function lastOther(all: readonly KeywordHit[], count: number, owner: string): KeywordHit | undefined {
  for (let i = count - 1; i >= 0 && i > count - 4; i--) {
    const hit = all[i] as KeywordHit;
    if (hit.owner !== owner && hit.start !== all[i - 1]?.start && hit.start !== all[i + 1]?.start) return hit;
  }
  return undefined;
}

function addPairs(where: string, word: string, out: string[]): void {
  for (let i = 0; i + 1 < word.length && i < 8; i++) out.push(where + word.slice(i, i + 2));
}

/** How far a label is, by what stands between: nothing but signs, a few words, more. */
function distanceOf(gap: string): string {
  const words = gap.match(/[A-Za-z\u00c0-\u024f]+|[\u3040-\u9fff]{1,3}|[0-9]+/g)?.length ?? 0;
  if (words === 0) return gap.includes('\n') ? '0n' : '0';
  return words < 2 ? '1' : words < 4 ? '3' : words < 7 ? '6' : words < 14 ? '13' : 'far';
}

/** Letters and digits of a value, in capitals. */
export function bareOf(value: string): string {
  return value.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
}

function shapeOf(value: string): string {
  const shape = value
    .replace(/[0-9]/g, '9')
    .replace(/[A-Z\u00c0-\u00de]/g, 'A')
    .replace(/[a-z]/g, 'a');
  return shape.replace(/[\u3040-\u30ff]+/g, 'k').replace(/[\u3400-\u9fff]+/g, 'K');
}

const labelsOf = new WeakMap<ContextType, readonly string[]>();

/** A label of the type that a heading holds. */
function labelIn(type: ContextType, heading: string): string | undefined {
  let labels = labelsOf.get(type);
  if (labels === undefined) {
    labels = type.words.labels
      .flatMap(expanded)
      .map(squeezed)
      .filter((label) => label.length > 1);
    labelsOf.set(type, labels);
  }
  const bare = squeezed(heading);
  return labels.find((label) => bare === label || (label.length > 2 && bare.includes(label)));
}

const squeezed = (text: string) => text.toLowerCase().replace(/[\s_./'#-]/g, '');

function expanded(text: string): string[] {
  const choice = /\(([^()]*)\)/.exec(text);
  if (choice === null) return [text];
  const head = text.slice(0, choice.index);
  const tail = text.slice(choice.index + choice[0].length);
  return (choice[1] ?? '').split('|').flatMap((part) => expanded(head + part + tail));
}
