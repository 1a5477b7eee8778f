import { expect, test } from 'vitest';
import { type LinearModel, packModel, unpackModel } from '../../../core/injection/hashed-ngrams.ts';

const bits = 10;
const model = (weights: Readonly<Record<number, number>>): LinearModel => {
  const all = new Int8Array(1 << bits);
  for (const [at, weight] of Object.entries(weights)) all[Number(at)] = weight;
  return { bits, weights: all, scale: 0.5, bias: -1.25 };
};

test.each<[name: string, weights: Readonly<Record<number, number>>, bytesMax: number]>([
  ['nothing but zeros', {}, 10],
  ['one weight at the start', { 0: 5 }, 11],
  ['one weight at the end', { 1023: -5 }, 11],
  ['a single zero between weights', { 0: 1, 2: 1 }, 13],
  ['two zeros between weights', { 0: 1, 3: 1 }, 14],
  ['runs of 254, 255 and 256 zeros', { 0: 1, 255: 2, 511: 3, 768: 4 }, 20],
  ['the largest and the smallest', { 1: 127, 2: -127, 3: -1 }, 20],
])('%s: packing is lossless, and zeros take little space', (_name, weights, bytesMax) => {
  const packed = packModel(model(weights));
  expect(unpackModel(packed)).toEqual(model(weights));
  expect(atob(packed.data).length).toBeLessThanOrEqual(bytesMax);
});
