/** Trains the log-linear scorer: logistic regression by AdaGrad, with weights per type and shared weights. */
import { isShared, type Model, type StoredWeights, scale } from '../../core/context/scorer.ts';
import { wordPlaces } from '../../core/context/word-weights.ts';
import { randomFrom } from '../../eval/random.ts';
import type { Example, TextExamples } from './examples.ts';

/** Training parameters. */
export const settings = {
  epochs: 14,
  rate: 0.15,
  /** Regularisation; stronger for weights per type than for shared ones. */
  decayOwn: 6e-4,
  decayShared: 5e-5,
  /** Subtracted from each weight after a round, so that weights of little use become zero. */
  shrink: 0.03,
  /** Minimum number of candidates with a feature. */
  countMin: 3,
  weightMin: 0.075,
  /** Weight of a generated text relative to a human-written one. */
  madeWeight: 0.2,
};

type Row = { readonly ids: Int32Array; readonly isValue: boolean; readonly weight: number };

/** Learns weights from examples, deterministically. */
export function learn(texts: readonly TextExamples[]): StoredWeights {
  const ids = new Map<string, number>();
  const counts: number[] = [];
  const rows: Row[] = [];
  const idOf = (key: string) => {
    let id = ids.get(key);
    if (id === undefined) {
      id = ids.size;
      ids.set(key, id);
      counts.push(0);
    }
    counts[id] = (counts[id] as number) + 1;
    return id;
  };
  for (const { type, family, groups } of texts) {
    const weight = family.startsWith('made') ? settings.madeWeight : 1;
    for (const group of groups) for (const example of group) rows.push({ ...rowOf(example, type.name, idOf), weight });
  }
  const weights = new Float64Array(ids.size);
  const sums = new Float64Array(ids.size).fill(1e-2);
  const isOfAll = new Uint8Array(ids.size);
  for (const [key, id] of ids) isOfAll[id] = key.startsWith('shared\n') ? 1 : 0;
  const random = randomFrom(7);
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const k = Math.floor(random() * (i + 1));
      const held = order[i] as number;
      order[i] = order[k] as number;
      order[k] = held;
    }
    for (const at of order) step(rows[at] as Row, weights, sums, counts, isOfAll);
    for (let id = 0; id < weights.length; id++) {
      const held = weights[id] as number;
      if (isOfAll[id] === 0) weights[id] = Math.sign(held) * Math.max(0, Math.abs(held) - settings.shrink);
    }
  }
  return stored(ids, weights, counts);
}

function rowOf({ features, isValue }: Example, name: string, idOf: (key: string) => number): Omit<Row, 'weight'> {
  const all: number[] = [];
  for (const feature of new Set(features)) {
    all.push(idOf(`${name}\n${feature}`));
    if (isShared(feature)) all.push(idOf(`shared\n${feature}`));
  }
  return { ids: Int32Array.from(all), isValue };
}

function step(
  { ids, isValue, weight }: Row,
  weights: Float64Array,
  sums: Float64Array,
  counts: readonly number[],
  isOfAll: Uint8Array,
): void {
  let sum = 0;
  for (const id of ids) if ((counts[id] as number) >= settings.countMin) sum += weights[id] as number;
  const error = ((isValue ? 1 : 0) - 1 / (1 + Math.exp(-sum))) * weight;
  for (const id of ids) {
    if ((counts[id] as number) < settings.countMin) continue;
    const held = weights[id] as number;
    const gradient = error - (isOfAll[id] === 1 ? settings.decayShared : settings.decayOwn) * held;
    sums[id] = (sums[id] as number) + gradient * gradient;
    weights[id] = held + (settings.rate * gradient) / Math.sqrt(sums[id] as number);
  }
}

function stored(ids: ReadonlyMap<string, number>, weights: Float64Array, counts: readonly number[]): StoredWeights {
  const kept = new Map<string, [feature: string, weight: number][]>();
  for (const key of [...ids.keys()].sort()) {
    const id = ids.get(key) as number;
    const weight = weights[id] as number;
    if ((counts[id] as number) < settings.countMin || Math.abs(weight) < settings.weightMin) continue;
    const end = key.indexOf('\n');
    const name = key.slice(0, end);
    const all = kept.get(name) ?? [];
    all.push([key.slice(end + 1), Math.max(-128, Math.min(127, Math.round(weight * scale)))]);
    kept.set(name, all);
  }
  const numbers = new Map<string, number>();
  const types = Object.fromEntries([...kept].map(([name, all]) => [name, storedType(all, numbers)]));
  return { words: [...numbers.keys()].join('\n'), types };
}

/** @param numbers the numbers of words, added when they are new */
function storedType(all: readonly [feature: string, weight: number][], numbers: Map<string, number>) {
  const plain: typeof all = all.filter(([feature]) => placesOf(feature).length === 0);
  const places: Record<string, number> = {};
  const weights = plain.map(([, weight]) => weight);
  const words: number[] = [];
  for (const place of wordPlaces)
    for (const size of [1, 2]) {
      const those = all.filter(([feature]) => placesOf(feature).includes(place) && feature.split(' ').length === size);
      if (those.length > 0) places[place + ' '.repeat(size - 1)] = those.length;
      for (const [feature, weight] of those) {
        weights.push(weight);
        for (const word of feature.slice(place.length).split(' ')) {
          if (!numbers.has(word)) numbers.set(word, numbers.size);
          words.push(numbers.get(word) as number);
        }
      }
    }
  return {
    features: plain.map(([feature]) => feature).join('\n'),
    places,
    numbers: Buffer.from(Uint16Array.from(words).buffer).toString('base64'),
    weights: Buffer.from(Int8Array.from(weights).buffer).toString('base64'),
  };
}

/** The places of words that a feature is of; `a1:nword` is `word` on the line below as well. A number sign alone is no word. */
function placesOf(feature: string): readonly string[] {
  return wordPlaces.filter((place) => feature.startsWith(place) && feature.slice(place.length) !== '#');
}

/** Counts of right, wrong and missed values. */
export type Tally = { tp: number; fp: number; fn: number; clean: number };

/** Evaluates a model by type. */
export function tally(
  model: Model,
  texts: readonly TextExamples[],
  into = new Map<string, Tally>(),
): Map<string, Tally> {
  for (const { type, groups, missed, isClean } of texts) {
    const counts = into.get(type.type) ?? { tp: 0, fp: 0, fn: 0, clean: 0 };
    into.set(type.type, counts);
    counts.fn += missed;
    for (const group of groups) {
      const chosen = chosenOf(model, type.name, group);
      const right = chosen.filter(({ isValue }) => isValue).length;
      // A candidate other than the best one may still cover most of the value.
      const values = group.filter(({ isValue }) => isValue);
      const near = chosen.filter((one) => !one.isValue && values.some((value) => covers(one, value)));
      counts.tp += Math.min(values.length, right + near.length);
      counts.fn += Math.max(0, values.length - right - near.length);
      const wrong = chosen.length - right - near.length;
      if (isClean) counts.clean += wrong;
      else counts.fp += wrong;
    }
  }
  return into;
}

function covers(one: Example, value: Example): boolean {
  const shared = Math.min(one.end, value.end) - Math.max(one.start, value.start);
  return shared * 2 >= value.end - value.start && one.end - one.start <= 2 * (value.end - value.start) + 24;
}

function chosenOf(model: Model, name: string, group: readonly Example[]): Example[] {
  const scored = group.map((one) => ({ one, score: scoreOf(model, name, one.features) }));
  const kept: Example[] = [];
  for (const { one, score } of scored.sort((a, b) => b.score - a.score))
    if (score > 0 && kept.every((other) => other.end <= one.start || other.start >= one.end)) kept.push(one);
  return kept;
}

/** The score in log odds. */
export function scoreOf({ shared, own }: Model, name: string, features: readonly string[]): number {
  const mine = own.get(name);
  let sum = 0;
  for (const feature of features) {
    sum += mine?.get(feature) ?? 0;
    if (isShared(feature)) sum += shared.get(feature) ?? 0;
  }
  return sum;
}
