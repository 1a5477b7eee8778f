import { cellOf, joinHash, type LinearModel, windowNorm } from './hashed-ngrams.ts';
import { type Units, unitFlag } from './units.ts';

/** Units of one window; windows step by half of it. */
export const promptWindow = 64;

/** Hands each feature that ends at the unit `i` to `use`: rows of one to three words and one with a gap, or rows of one to four characters. */
export function promptFeatures(units: Units, i: number, use: (hash: number) => void): void {
  const { hash, flags } = units;
  const here = hash[i] ?? 0;
  const east = ((flags[i] ?? 0) & unitFlag.east) !== 0;
  const most = east ? 4 : 3;
  use(here);
  let row = here;
  for (let length = 2; length <= most && i - length + 1 >= -1; length++) {
    const before = i - length + 1 < 0 ? 1 : (hash[i - length + 1] ?? 0);
    row = joinHash(row, before);
    use(row + length);
  }
  if (!east && i >= 2) use(joinHash(here ^ 0x55555555, hash[i - 2] ?? 0));
}

/** The highest score of a window: the sum of its weights, over the root of their number. */
export function promptLinear(units: Units, model: LinearModel): number {
  const { weights, bits, scale, bias } = model;
  const half = promptWindow / 2;
  let before = 0;
  let beforeCount = 0;
  let current = 0;
  let count = 0;
  let best = Number.NEGATIVE_INFINITY;
  const use = (hash: number): void => {
    current += weights[cellOf(hash, bits)] ?? 0;
    count++;
  };
  for (let i = 0; i < units.count; i++) {
    promptFeatures(units, i, use);
    if ((i + 1) % half === 0 || i + 1 === units.count) {
      const sum = (before + current) / windowNorm(beforeCount + count);
      if (sum > best) best = sum;
      before = current;
      beforeCount = count;
      current = 0;
      count = 0;
    }
  }
  return best === Number.NEGATIVE_INFINITY ? bias : best * scale + bias;
}
