import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';

test('a long text of dots without an at sign before them is read once, and an address after them is found', () => {
  const text = `${' dot dot'.repeat(250_000)}. It is anna dot berg at mail dot example dot org`;
  const found = new Detector({ types: ['EMAIL'] }).detect(text);
  expect(found.map(({ value }) => value)).toEqual(['anna dot berg at mail dot example dot org']);
});
