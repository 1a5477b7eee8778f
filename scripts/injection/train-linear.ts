import { type LinearModel, windowNorm } from '../../core/injection/hashed-ngrams.ts';
import { randomFrom } from '../../eval/random.ts';

/** A text as cells: one list per window, as in the detector. */
export type TrainingText = { readonly windows: readonly Uint32Array[]; readonly label: 0 | 1; readonly weight: number };

export type TrainingSettings = {
  readonly bits: number;
  readonly passes: number;
  readonly rate: number;
  /** Regularisation at each step in which a weight takes part. */
  readonly decay: number;
  readonly seed: number;
  /** Cells in fewer texts are excluded, to avoid overfitting. */
  readonly textsMin: number;
};

/** Windows with at least this confidence are skipped. */
const gradientMin = 0.002;

/**
 * Logistic regression with Adagrad over hashed features. A text is represented by its currently highest-scoring window,
 * as in the detector; in the first two passes, a harmless text by all windows. Deterministic.
 */
export function trainLinear(all: readonly TrainingText[], settings: TrainingSettings): LinearModel {
  const { bits, passes, rate, decay, seed, textsMin } = settings;
  const texts = withCommonCells(all, 1 << bits, textsMin);
  const weights = new Float64Array(1 << bits);
  const squares = new Float64Array(1 << bits);
  let bias = -1;
  let biasSquare = 0;
  const random = randomFrom(seed);
  const order = texts.map((_, i) => i);

  const scoreOf = (cells: Uint32Array): number => {
    let sum = 0;
    for (let i = 0; i < cells.length; i++) sum += weights[cells[i] ?? 0] ?? 0;
    return sum / windowNorm(cells.length) + bias;
  };
  const step = (cells: Uint32Array, label: number, weight: number): void => {
    const gradient = (1 / (1 + Math.exp(-scoreOf(cells))) - label) * weight;
    if (Math.abs(gradient) < gradientMin) return;
    const value = gradient / windowNorm(cells.length);
    for (let i = 0; i < cells.length; i++) {
      const cell = cells[i] ?? 0;
      const g = value + decay * (weights[cell] ?? 0);
      const square = (squares[cell] ?? 0) + g * g;
      squares[cell] = square;
      weights[cell] = (weights[cell] ?? 0) - (rate * g) / Math.sqrt(square + 1e-8);
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
  return quantised(weights, squares, { bits, bias });
}

/** The texts without rare cells. */
function withCommonCells(texts: readonly TrainingText[], cells: number, least: number): TrainingText[] {
  const counts = new Uint16Array(cells);
  const last = new Int32Array(cells).fill(-1);
  texts.forEach(({ windows }, i) => {
    for (const window of windows) {
      for (const cell of window) {
        if (last[cell] === i) continue;
        last[cell] = i;
        counts[cell] = Math.min(65_535, (counts[cell] ?? 0) + 1);
      }
    }
  });
  return texts.map((text) => ({
    ...text,
    windows: text.windows.map((window) => window.filter((cell) => (counts[cell] ?? 0) >= least)),
  }));
}

/** One signed byte per cell. 0 means "never trained" to the detector, so trained cells avoid it. */
function quantised(
  weights: Float64Array,
  squares: Float64Array,
  { bits, bias }: { bits: number; bias: number },
): LinearModel {
  const sorted = Float64Array.from(weights, Math.abs).sort();
  // Clip the few largest, so that the many small ones keep their precision.
  const largest = sorted[Math.floor(sorted.length - 1 - sorted.length / 4096)] ?? 1;
  const scale = largest / 127 || 1;
  const bytes = new Int8Array(weights.length);
  for (let i = 0; i < weights.length; i++) {
    if ((squares[i] ?? 0) === 0) continue;
    const value = Math.max(-127, Math.min(127, Math.round((weights[i] ?? 0) / scale)));
    bytes[i] = value === 0 ? Math.sign(weights[i] ?? 0) || 1 : value;
  }
  return { bits, weights: bytes, scale, bias };
}
