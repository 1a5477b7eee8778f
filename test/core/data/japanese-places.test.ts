import { expect, test } from 'vitest';
import { isMunicipality } from '../../../core/data/japanese-places.ts';

test.each<[name: string, isKnown: boolean]>([
  ['札幌市中央区', true],
  ['札幌市', true],
  ['渋谷区', true],
  ['余市町', true],
  ['架空市', false],
])('municipality %s: %s', (name, isKnown) => {
  expect(isMunicipality(name)).toBe(isKnown);
});
