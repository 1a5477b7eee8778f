/** The weights of one type as arrays: words have numbers, so that adding the weight of a word builds no string. */
import { keptIn } from '../kept.ts';
import type { ContextWords } from './context-words.ts';
import { type Model, scale } from './scorer.ts';
import { pairsOf, Vocabulary } from './vocabulary.ts';

/** Takes the features of a candidate one by one; places of words are those of {@link wordPlaces}. */
export type FeatureSink = {
  /** True when the words around the candidate and its heading can no longer make it a value. */
  readonly isHopeless: boolean;
  add(feature: string): void;
  /** A feature alone, and combined with another: `feature|second`. */
  addBoth(feature: string, second: string): void;
  /** Only combined. */
  addWith(feature: string, second: string): void;
  /** The word with this number among the words of the text. */
  addWord(place: number, words: ContextWords, at: number): void;
  /** Two words in a row. */
  addPair(place: number, words: ContextWords, first: number, second: number): void;
  /** All pairs of characters in a word. */
  addCharacters(place: number, words: ContextWords, at: number): void;
};

/** Prefixes of features with a word, by the number of its place. */
export const wordPlaces = ['b1:', 'b2:', 'b3:', 'b:', 'p:', 'bb:', 'a1:', 'a1:n', 'a:', 'n:', 'w:'] as const;
export const place = {
  b1: 0,
  b2: 1,
  b3: 2,
  before: 3,
  above: 4,
  bb: 5,
  a1: 6,
  a1Below: 7,
  behind: 8,
  below: 9,
  beyond: 10,
} as const;

/** The weights of one word are adjacent, because most places of a word are read together. */
const placesMax = 16;

/** The features as texts, for training and explanations. */
export class FeatureList implements FeatureSink {
  readonly features: string[] = [];
  readonly isHopeless = false;

  add(feature: string): void {
    this.features.push(feature);
  }

  addBoth(feature: string, second: string): void {
    this.features.push(feature, `${feature}|${second}`);
  }

  addWith(feature: string, second: string): void {
    this.features.push(`${feature}|${second}`);
  }

  addWord(place: number, words: ContextWords, at: number): void {
    this.features.push(`${wordPlaces[place]}${words.wordAt(at)}`);
  }

  addPair(place: number, words: ContextWords, first: number, second: number): void {
    this.features.push(`${wordPlaces[place]}${words.wordAt(first)} ${words.wordAt(second)}`);
  }

  addCharacters(place: number, words: ContextWords, at: number): void {
    for (const pair of pairsOf(words.wordAt(at))) this.features.push(`${wordPlaces[place]}${pair}`);
  }
}

/**
 * A lower sum of the form, labels and topics. Of 136,000 candidates in texts, none below -5 became a value by the words around
 * it and its heading.
 */
const hopeless = -6 * scale;

/** Adds up the weights of the features of candidates, one candidate after another. */
export class FeatureSum implements FeatureSink {
  sum = 0;
  readonly #whole: ReadonlyMap<string, Weight>;
  readonly #words: Int8Array;
  readonly #pairs: ReadonlyMap<number, number>;
  readonly #size: number;

  constructor({ whole, words, pairs, size }: TypeWeights) {
    this.#whole = whole;
    this.#words = words;
    this.#pairs = pairs;
    this.#size = size;
  }

  /** The score in log odds. */
  get score(): number {
    return this.sum / scale;
  }

  get isHopeless(): boolean {
    return this.sum < hopeless;
  }

  add(feature: string): void {
    this.sum += this.#whole.get(feature)?.alone ?? 0;
  }

  addBoth(feature: string, second: string): void {
    const weight = this.#whole.get(feature);
    if (weight !== undefined) this.sum += weight.alone + (weight.together?.get(second) ?? 0);
  }

  addWith(feature: string, second: string): void {
    this.sum += this.#whole.get(feature)?.together?.get(second) ?? 0;
  }

  addWord(place: number, words: ContextWords, at: number): void {
    this.sum += this.#words[(words.ids[at] as number) * placesMax + place] as number;
  }

  addPair(place: number, words: ContextWords, first: number, second: number): void {
    const a = words.ids[first] as number;
    const b = words.ids[second] as number;
    if (a !== 0 && b !== 0) this.sum += this.#pairs.get(pairKey(place, a, b, this.#size)) ?? 0;
  }

  addCharacters(place: number, words: ContextWords, at: number): void {
    for (const id of words.pairIdsAt(at)) this.sum += this.#words[id * placesMax + place] as number;
  }
}

/** The weight of a feature alone, and those of its combinations. */
type Weight = { alone: number; together: Map<string, number> | undefined };

/** Weights as whole numbers, see {@link scale}. */
export type TypeWeights = {
  readonly whole: ReadonlyMap<string, Weight>;
  /** By number of the word and place; those of no word are 0. */
  readonly words: Int8Array;
  readonly pairs: ReadonlyMap<number, number>;
  readonly size: number;
};

function pairKey(place: number, first: number, second: number, size: number): number {
  return ((place === 1 ? 0 : 1) * size + first) * size + second;
}

/** `ids`: the numbers in the vocabulary of the words of the model. */
type Laid = {
  readonly vocabulary: Vocabulary;
  readonly ids: Uint16Array;
  readonly byType: Map<string, TypeWeights>;
};
const laidOut = new WeakMap<Model, Laid>();

function laidOf(model: Model): Laid {
  return keptIn(laidOut, model, () => {
    const vocabulary = new Vocabulary(model.words);
    return { vocabulary, ids: Uint16Array.from(model.words, (word) => vocabulary.idOf(word)), byType: new Map() };
  });
}

/** The words that have weights in a model. */
export function vocabularyOf(model: Model): Vocabulary {
  return laidOf(model).vocabulary;
}

/** The weights of a type in a model. */
export function weightsOf(model: Model, type: string): TypeWeights {
  return keptIn(laidOf(model).byType, type, () => layOut(model, type));
}

function layOut(model: Model, type: string): TypeWeights {
  const { vocabulary, ids } = laidOf(model);
  const { size } = vocabulary;
  const whole = new Map<string, Weight>();
  const weightOf = (feature: string) => keptIn(whole, feature, () => ({ alone: 0, together: undefined }));
  const words = new Int8Array(placesMax * size);
  const pairs = new Map<number, number>();
  const add = (feature: string, value: number) => {
    weightOf(feature).alone += value;
    const bar = feature.lastIndexOf('|');
    if (bar < 0) return;
    const first = weightOf(feature.slice(0, bar));
    first.together ??= new Map();
    first.together.set(feature.slice(bar + 1), value);
  };
  for (const weights of [model.shared, model.own.get(type)])
    weights?.read((value, start, first, second) => {
      if (first === undefined) return add(start, value);
      const place = (wordPlaces as readonly string[]).indexOf(start);
      const id = ids[first] as number;
      if (second === undefined) words[id * placesMax + place] = value;
      else pairs.set(pairKey(place, id, ids[second] as number, size), value);
    });
  words.fill(0, 0, placesMax);
  return { whole, words, pairs, size };
}
