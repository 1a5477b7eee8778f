import { type LinearModel, windowNorm } from '../../core/injection/hashed-ngrams.ts';
import { randomFrom } from '../../eval/random.ts';

/** A text as cells: one list a window, as the detector reads it. */
export type TrainingText = { readonly windows: readonly Uint32Array[]; readonly label: 0 | 1; readonly weight: number };

export type TrainingSettings = {
  readonly bits: number;
  readonly passes: number;
  readonly rate: number;
  /** Pull of every weight towards 0 at each step in which it takes part. */
  readonly decay: number;
  readonly seed: number;
  /** Weights smaller than this share of the largest become 0. */
  readonly prune: number;
};

/**
 * Logistic regression with Adagrad over hashed features. A text stands for its window with the highest score at that
 * moment, as in the detector; in the first two passes a harmless text stands for all its windows. Equal input gives
 * equal weights.
 */
export function trainLinear(texts: readonly TrainingText[], settings: TrainingSettings): LinearModel {
  const { bits, passes, rate, decay, seed } = settings;
  const weights = new Float64Array(1 << bits);
  const squares = new Float64Array(1 << bits);
  let bias = -1;
  let biasSquare = 0;
  const random = randomFrom(seed);
  const order = texts.map((_, i) => i);

  const scoreOf = (cells: Uint32Array): number => {
    let sum = 0;
    for (const cell of cells) sum += weights[cell] ?? 0;
    return sum / windowNorm(cells.length) + bias;
  };
  const step = (cells: Uint32Array, label: number, weight: number): void => {
    const gradient = (1 / (1 + Math.exp(-scoreOf(cells))) - label) * weight;
    const value = 1 / windowNorm(cells.length);
    for (const cell of cells) {
      const g = gradient * value + decay * (weights[cell] ?? 0);
      squares[cell] = (squares[cell] ?? 0) + g * g;
      weights[cell] = (weights[cell] ?? 0) - (rate * g) / Math.sqrt((squares[cell] ?? 0) + 1e-8);
    }
    biasSquare += gradient * gradient;
    bias -= (0.2 * rate * gradient) / Math.sqrt(biasSquare + 1e-8);
  };

  for (let pass = 0; pass < passes; pass++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    for (const index of order) {
      const text = texts[index];
      if (text === undefined || text.windows.length === 0) continue;
      if (text.label === 0 && pass < 2) {
        for (const cells of text.windows) step(cells, 0, text.weight / Math.sqrt(text.windows.length));
        continue;
      }
      let best = text.windows[0];
      let bestScore = Number.NEGATIVE_INFINITY;
      for (const cells of text.windows) {
        const score = scoreOf(cells);
        if (score > bestScore) {
          bestScore = score;
          best = cells;
        }
      }
      if (best !== undefined) step(best, text.label, text.weight);
    }
  }
  return quantised(weights, { bits, bias, prune: settings.prune });
}

function quantised(
  weights: Float64Array,
  { bits, bias, prune }: { bits: number; bias: number; prune: number },
): LinearModel {
  const sorted = Float64Array.from(weights, Math.abs).sort();
  // The few largest are cut, so that the many small ones keep their shape.
  const largest = sorted[Math.floor(sorted.length - 1 - sorted.length / 4096)] ?? 1;
  const scale = largest / 127 || 1;
  const bytes = new Int8Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    const value = weights[i] ?? 0;
    bytes[i] = Math.abs(value) < prune * largest ? 0 : Math.max(-127, Math.min(127, Math.round(value / scale)));
  }
  return { bits, weights: bytes, scale, bias };
}
