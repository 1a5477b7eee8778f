import { expect, test } from 'vitest';
import { probeDelayMs } from '../../../gateway/proxy/keep-alive-probes.ts';

test('whole seconds, 20 to 40, all of them', () => {
  const drawn = new Set(Array.from({ length: 5_000 }, probeDelayMs));
  expect([...drawn].sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => 20_000 + 1_000 * i));
});
