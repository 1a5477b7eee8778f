import type { Events } from './events.ts';
import { cellOf, joinHash, type LinearModel, windowNorm } from './hashed-ngrams.ts';
import { hashSeed, hashStep } from './lexicon.ts';
import { type Units, unitFlag } from './units.ts';

/**
 * Receives the features of the prompt model: words, stems and letters, the signs between words (forged turns, end
 * marks), and sequences of word classes ("drop", "told", "earlier"), which are the same in every language.
 */
export type FeatureSink = { add(unit: number, hash: number): void };

/** Positions in half a window, as a power of 2. A word counts 2, a character of a script without spaces 1. */
const halfWindowBits = 7;

/** Positions in a window; windows advance by half of it. */
export const promptWindow = 2 << halfWindowBits;

const stemLetters = 5;
const lettersMax = 15;

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Passes the features of words, and of the signs between them, to `sink`. */
export function wordFeatures(text: string, units: Units, sink: FeatureSink): void {
  const { hash, flags, start, end, count } = units;
  for (let i = 0; i < count; i++) {
    const here = hash[i] ?? 0;
    const flag = flags[i] ?? 0;
    const east = (flag & unitFlag.east) !== 0;
    sink.add(i, here);
    let row = here;
    const most = east ? 4 : 2;
    for (let length = 2; length <= most && i - length + 1 >= -1; length++) {
      row = joinHash(row, i - length + 1 < 0 ? 1 : (hash[i - length + 1] ?? 0));
      sink.add(i, row + length);
    }
    const from = i === 0 ? 0 : (end[i - 1] ?? 0);
    const to = start[i] ?? 0;
    if (to - from > 1 || (to > from && text.charCodeAt(from) !== 0x20)) signFeatures(text, units, i, sink);
    if (east) continue;
    if ((flag & unitFlag.sentence) !== 0) sink.add(i, joinHash(here, 0x71));
    if (i >= 2) sink.add(i, joinHash(here ^ 0x55555555, hash[i - 2] ?? 0));
    letterFeatures(text, units, i, sink);
  }
}

/** The stem of a word, and its letter 4-grams for inflected endings. */
function letterFeatures(text: string, units: Units, i: number, sink: FeatureSink): void {
  const from = units.start[i] ?? 0;
  const to = units.end[i] ?? 0;
  if (to - from < 4) return;
  if (to - from > stemLetters) {
    let stem = hashSeed ^ 0x3333;
    for (let at = from; at < from + stemLetters; at++) stem = hashStep(stem, lower(text.charCodeAt(at)));
    sink.add(i, stem);
  }
  // Four letters of 8 bits; older ones are shifted out.
  let row = 0;
  const last = Math.min(to, from + lettersMax);
  for (let at = from; at < last; at++) {
    row = (row << 8) ^ lower(text.charCodeAt(at));
    if (at >= from + 3) sink.add(i, row);
  }
}

/** The signs between two words; a run of one sign counts once, and only the first six different signs are used. */
function signFeatures(text: string, units: Units, i: number, sink: FeatureSink): void {
  const from = i === 0 ? 0 : (units.end[i - 1] ?? 0);
  const to = Math.min(units.start[i] ?? 0, from + 64);
  let signs = hashSeed ^ 0x1234;
  let seen = 0;
  let last = 0;
  for (let at = from; at < to && seen < 6; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09 || code === 0x0d || code === last) continue;
    last = code;
    seen++;
    signs = hashStep(signs, code);
  }
  if (seen === 0) return;
  const here = units.hash[i] ?? 0;
  sink.add(i, signs);
  sink.add(i, joinHash(signs, here));
  if (i === 0) return;
  const left = joinHash(units.hash[i - 1] ?? 0, signs);
  sink.add(i, left);
  sink.add(i, joinHash(left, here));
}

/** Maximum distance between two classes, and what counts as near. */
const apartMax = 24;
const nearMax = 6;
const pairsMax = 10;

/** Passes the classes of a sentence, and their ordered pairs, to `sink`. */
export function classFeatures({ position }: Units, events: Events, sink: FeatureSink): void {
  for (let a = 0; a < events.count; a++) {
    const first = (events.class[a] ?? 0) + 1;
    const from = events.from[a] ?? 0;
    const to = events.to[a] ?? 0;
    const end = position[to - 1] ?? 0;
    sink.add(from, Math.imul(first, 0x1f3d5b79));
    const row = Math.imul(first, 0x2545f491);
    let pairs = 0;
    for (let b = a + 1; b < events.count && pairs < pairsMax; b++) {
      const next = events.from[b] ?? 0;
      if (next < to) continue;
      const apart = (position[next] ?? 0) - end;
      if (apart > apartMax) break;
      pairs++;
      const pair = joinHash(row, events.class[b] ?? 0);
      sink.add(from, pair);
      if (apart <= nearMax) sink.add(from, pair ^ 0x5bd1e995);
    }
  }
}

export function halfWindowOf(units: Units, unit: number): number {
  return (units.position[unit] ?? 0) >> halfWindowBits;
}

/** The score of the highest window, and the sentence in it that contributes most. */
export type LearnedScore = { readonly score: number; readonly from: number; readonly to: number };

/** Sums weights by unit as features arrive. */
export class LearnedScorer implements FeatureSink {
  private readonly model: LinearModel;
  private readonly gain: Float64Array;
  private readonly known: Uint16Array;

  constructor(model: LinearModel, units: number) {
    this.model = model;
    this.gain = new Float64Array(units);
    this.known = new Uint16Array(units);
  }

  add(unit: number, hash: number): void {
    const { model, gain, known } = this;
    const weight = model.weights[cellOf(hash, model.bits)] ?? 0;
    // Unknown features carry no information and must not dilute the window.
    if (weight === 0) return;
    gain[unit] = (gain[unit] ?? 0) + weight;
    known[unit] = (known[unit] ?? 0) + 1;
  }

  /** The result once every feature has been added. */
  result(units: Units): LearnedScore {
    const { scale, bias } = this.model;
    let best = Number.NEGATIVE_INFINITY;
    let bestStart = 0;
    let bestEnd = 0;
    let beforeStart = 0;
    let before = 0;
    let beforeCount = 0;
    let at = 0;
    while (at < units.count) {
      const half = halfWindowOf(units, at);
      const start = at;
      let sum = 0;
      let count = 0;
      for (; at < units.count && halfWindowOf(units, at) === half; at++) {
        sum += this.gain[at] ?? 0;
        count += this.known[at] ?? 0;
      }
      const score = (before + sum) / windowNorm(beforeCount + count);
      if (score > best) {
        best = score;
        bestStart = beforeStart;
        bestEnd = at;
      }
      beforeStart = start;
      before = sum;
      beforeCount = count;
    }
    if (best === Number.NEGATIVE_INFINITY) return { score: bias, from: 0, to: 0 };
    return { score: best * scale + bias, ...this.strongestSentence(units, bestStart, bestEnd) };
  }

  private strongestSentence(units: Units, start: number, end: number): { from: number; to: number } {
    let best = Number.NEGATIVE_INFINITY;
    let found = { from: start, to: end };
    for (let from = start; from < end; ) {
      let sum = this.gain[from] ?? 0;
      let to = from + 1;
      for (; to < end && ((units.flags[to] ?? 0) & unitFlag.sentence) === 0; to++) sum += this.gain[to] ?? 0;
      if (sum > best) {
        best = sum;
        found = { from, to };
      }
      from = to;
    }
    return found;
  }
}
