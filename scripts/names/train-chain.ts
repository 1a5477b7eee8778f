import { Chain, tagCount } from '../../core/names/chain.ts';
import type { PackedModel } from '../../core/names/model.ts';
import type { Examples } from './examples.ts';
import { packBytes } from './pack.ts';

/** Training parameters. */
export type Recipe = {
  readonly bits: number;
  readonly epochs: number;
  readonly rate: number;
  /** Regularisation; keeps rare features small. */
  readonly decay: number;
  /** Rarer features are excluded. */
  readonly countMin: number;
  /** After this number of epochs, weights below a limit are set to zero for good; the others learn to do without them. */
  readonly prune: { readonly after: number; readonly below: number };
  /** Weights are stored as multiples of this many steps, twice as many for large ones; fewer values take less space. */
  readonly coarseness: number;
  /** Number of last epochs whose weights are averaged. */
  readonly averaged: number;
  /** The weight of each source by its number; 0 excludes it. */
  readonly sourceWeights: readonly number[];
};

/** Seeds the order of training. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state ^ (state >>> 15);
    mixed = Math.imul(mixed, 0x2c1b3c6d);
    mixed ^= mixed >>> 12;
    return (mixed >>> 0) / 4294967296;
  };
}

/** Trains a linear-chain CRF by stochastic gradient descent with AdaGrad, and packs its weights into bytes. */
export function trainChain(examples: Examples, recipe: Recipe): PackedModel {
  const { bits } = recipe;
  const mask = (1 << bits) - 1;
  const ids = examples.features.data;
  const counts = new Uint8Array(1 << 24);
  for (let at = 0; at < examples.features.length; at++) {
    const slot = ((ids[at] as number) ^ ((ids[at] as number) >>> 24)) & 0xffffff;
    if ((counts[slot] as number) < 255) counts[slot] = (counts[slot] as number) + 1;
  }
  const rows = new Int32Array(examples.features.length);
  for (let at = 0; at < rows.length; at++) {
    const slot = ((ids[at] as number) ^ ((ids[at] as number) >>> 24)) & 0xffffff;
    rows[at] = (counts[slot] as number) < recipe.countMin ? -1 : ((ids[at] as number) & mask) << 2;
  }

  const weights = new Float32Array(4 << bits);
  const squares = new Float32Array(4 << bits).fill(1e-2);
  const { averaged } = recipe;
  const average = new Float32Array(4 << bits);
  const transitions = new Float64Array(tagCount * tagCount);
  const transitionSquares = new Float64Array(tagCount * tagCount).fill(1);
  const chain = new Chain();
  let live = new Int32Array(1 << 14);
  let base = 0;
  let state = 1;
  const random = generator(20);
  const order = Int32Array.from({ length: examples.chainCount - 1 }, (_, at) => at).filter(
    (at) => (recipe.sourceWeights[examples.source.data[at] as number] ?? 1) > 0,
  );
  for (let epoch = 0; epoch < recipe.epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      const kept = order[at] as number;
      order[at] = order[other] as number;
      order[other] = kept;
    }
    const rate = recipe.rate * (1 - epoch / (recipe.epochs + 1));
    for (const at of order) step(at, rate);
    if (epoch + 1 === recipe.prune.after) prune(recipe.prune.below);
    if (epoch >= recipe.epochs - averaged)
      for (let at = 0; at < weights.length; at++)
        average[at] = (average[at] as number) + (weights[at] as number) / averaged;
  }
  if (averaged > 0) weights.set(average);
  return pack();

  /** Sets small weights to zero and stops their training: an infinite square makes every later step zero. */
  function prune(below: number): void {
    for (let at = 0; at < weights.length; at++) {
      if (Math.abs(weights[at] as number) >= below) continue;
      weights[at] = 0;
      squares[at] = Number.POSITIVE_INFINITY;
    }
  }

  /**
   * Copies the features of a chain with dropout: sometimes all features of the word, sometimes all of its position,
   * else one in six. The model then cannot rely on one kind, which helps with unseen words.
   */
  function dropSome(first: number, length: number): void {
    base = examples.units.data[first] as number;
    const size = (examples.units.data[first + length] as number) - base;
    if (size > live.length) live = new Int32Array(size * 2);
    for (let u = first; u < first + length; u++) {
      const from = examples.units.data[u] as number;
      const to = examples.units.data[u + 1] as number;
      const own = examples.wordFeatures.data[u] as number;
      const draw = random();
      const keepWord = draw >= 0.1 || own === 0;
      const keepPlace = draw < 0.1 || draw >= 0.15 || own === 0;
      for (let f = from; f < to; f++) {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        const keep = (f - from < own ? keepWord : keepPlace) && (state >>> 16) % 6 !== 0;
        live[f - base] = keep ? (rows[f] as number) : -1;
      }
    }
  }

  function step(at: number, rate: number): void {
    const first = examples.chains.data[at] as number;
    const length = (examples.chains.data[at + 1] as number) - first;
    const importance = recipe.sourceWeights[examples.source.data[at] as number] ?? 1;
    const { scores } = chain;
    chain.length = length;
    dropSome(first, length);
    for (let u = 0; u < length; u++) {
      const from = examples.units.data[first + u] as number;
      const to = examples.units.data[first + u + 1] as number;
      let single = 0;
      let begin = 0;
      let inside = 0;
      let end = 0;
      for (let f = from; f < to; f++) {
        const row = live[f - base] as number;
        if (row < 0) continue;
        single += weights[row] as number;
        begin += weights[row + 1] as number;
        inside += weights[row + 2] as number;
        end += weights[row + 3] as number;
      }
      const cell = u * tagCount;
      scores[cell] = 0;
      scores[cell + 1] = single;
      scores[cell + 2] = begin;
      scores[cell + 3] = inside;
      scores[cell + 4] = end;
    }
    chain.sum(transitions);
    for (let u = 0; u < length; u++) {
      const from = examples.units.data[first + u] as number;
      const to = examples.units.data[first + u + 1] as number;
      const gold = examples.tags.data[first + u] as number;
      for (let t = 1; t < tagCount; t++) {
        const slope = ((gold === t ? 1 : 0) - chain.marginal(u, t)) * importance;
        if (slope < 0.0005 && slope > -0.0005) continue;
        for (let f = from; f < to; f++) {
          const row = live[f - base] as number;
          if (row < 0) continue;
          const cell = row + t - 1;
          const weight = weights[cell] as number;
          const pull = slope - recipe.decay * weight;
          const square = (squares[cell] as number) + pull * pull;
          squares[cell] = square;
          weights[cell] = weight + (rate * pull) / Math.sqrt(square);
        }
      }
      if (u > 0) stepTransitions(u, examples.tags.data[first + u - 1] as number, gold, rate * importance);
    }
  }

  function stepTransitions(u: number, goldBefore: number, gold: number, rate: number): void {
    for (let p = 0; p < tagCount; p++) {
      for (let t = 0; t < tagCount; t++) {
        const cell = p * tagCount + t;
        const logOdds =
          (chain.forward[(u - 1) * tagCount + p] as number) +
          (transitions[cell] as number) +
          (chain.scores[u * tagCount + t] as number) +
          (chain.backward[u * tagCount + t] as number) -
          chain.logTotal;
        const allowed = t === 3 || t === 4 ? p === 2 || p === 3 : p !== 2 && p !== 3;
        if (!allowed) continue;
        const slope = (goldBefore === p && gold === t ? 1 : 0) - Math.exp(logOdds);
        const square = (transitionSquares[cell] as number) + slope * slope;
        transitionSquares[cell] = square;
        transitions[cell] = (transitions[cell] as number) + (rate * slope) / Math.sqrt(square);
      }
    }
  }

  function pack(): PackedModel {
    let top = 0;
    for (const weight of weights) top = Math.max(top, Math.abs(weight));
    // Clip the few largest weights, so that the many small ones keep their precision.
    const scale = Math.min(top, 2.5) / 127;
    const bytes = new Int8Array(weights.length);
    for (let at = 0; at < bytes.length; at++) {
      // All features are present at run time, so each weighs less than in training.
      const byte = Math.max(-127, Math.min(127, Math.round(((weights[at] as number) * 0.85) / scale)));
      const unit = Math.abs(byte) > 24 ? recipe.coarseness * 2 : recipe.coarseness;
      bytes[at] = Math.round(byte / unit) * unit;
    }
    return {
      bits,
      scale,
      transitions: [...transitions].map((value) => Math.round(value * 1e4) / 1e4),
      data: packBytes(new Uint8Array(bytes.buffer)),
    };
  }
}
