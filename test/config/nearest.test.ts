import { expect, test } from 'vitest';
import { nearestName } from '../../config/nearest.ts';

const names = ['unknown', 'inspect', 'bypass', 'rules', 'registry', 'to'];

test.each([
  ['unknwon', 'unknown'],
  ['inspekt', 'inspect'],
  ['bypas', 'bypass'],
  ['ruels', 'rules'],
  ['REGISTRY', 'registry'],
  ['rule', 'rules'],
  ['zzzzzz', undefined],
  ['x', undefined],
  ['', undefined],
  ['r'.repeat(100_000), undefined],
])('%.20s → %s', (name, expected) => {
  expect(nearestName(name, names)).toBe(expected);
});
