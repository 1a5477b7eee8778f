import { expect, test } from 'vitest';
import { isFlat, type Point, trendOf } from '../../../bench/soak/verdict.ts';

const points = (values: readonly number[]): Point[] => values.map((value, i) => [i * 10, value]);
const noise = [3, -2, 1, -3, 2, 0, -1, 3, -3, 1, 2, -2, 0, 1, -1, 2, -3, 3, 0, -2];

/** Low, high, low, high: a fitted line rises. */
const swings = Array.from(
  { length: 60 },
  (_, i) => 100 - 8 * Math.sin((i / 60) * 4 * Math.PI) + (noise[i % 20] ?? 0) / 3,
);

test.each<[name: string, values: readonly number[], growth: number]>([
  ['a line', [1, 2, 3, 4], 3],
  ['a constant', [5, 5, 5, 5], 0],
  ['a falling line', [9, 6, 3], -6],
])('the trend of %s', (_name, values, growth) => {
  const trend = trendOf(points(values));
  expect(trend.growth).toBeCloseTo(growth);
  expect(trend.error).toBeCloseTo(0);
  expect(trend.mean).toBeCloseTo(values.reduce((a, b) => a + b) / values.length);
});

test.each<[name: string, values: readonly number[], flat: boolean]>([
  ['noise', noise.map((one) => 100 + one), true],
  ['a leak that stands out from its noise', noise.map((one, i) => 100 + one + i), false],
  ['growth that the allowance covers', noise.map((one, i) => 100 + one / 10 + i / 20), true],
  ['a sawtooth', noise.map((_one, i) => 100 + (i % 4) * 10), true],
  ['falling values', noise.map((one, i) => 100 + one - i), true],
  ['swings of minutes that end high', swings, true],
  ['a leak under swings of minutes', swings.map((one, i) => one + i), false],
  ['a step in the middle', noise.map((one, i) => (i < 10 ? 100 : 120) + one), false],
])('%s', (_name, values, flat) => {
  expect(isFlat(trendOf(points(values)), { share: 0.02, floor: 1 })).toBe(flat);
});
