import { expect, test } from 'vitest';
import type { KnownLabels } from '../../../core/context/label-index.ts';
import { identifierLabels } from '../../../core/recognizers/identifiers/recognizer.ts';

const index = identifierLabels();
const record = (n: number) =>
  `{"order":"passport","no":${n},"id":${n + 1},"tax id":${n + 2},"note":"call 12.${n}, D.N.I. ${n}; ${n} or ${n}"},`;

test.each([
  ['records that repeat their keys', Array.from({ length: 20 }, (_, n) => record(1_000 + n)).join('')],
  [
    'members without a word that may be a label',
    '{"nif":{"no":1111},"a":{"no":2222},"tax id":{"the":1111},"a":{"the":2222}},'.repeat(3),
  ],
  ['the same member after different lines', 'SSN:\n{"a":1111,\nPassport\n{"a":1111,\n'.repeat(3)],
  ['scripts without spaces', '口座番号,番号:1111,暗証番号,番号:1111,'.repeat(3)],
  ['no label at all', 'a, 1111, b; 1111, '.repeat(5)],
])('%s: remembered labels are those that a search finds', (_name, text) => {
  const known: KnownLabels = new Map();
  let count = 0;
  for (const { index: at } of text.matchAll(/[0-9]+/g)) {
    expect(index.before(text, at, known), text.slice(at - 20, at)).toEqual(index.before(text, at));
    count++;
  }
  expect(count).toBeGreaterThan(5);
});

test('records that repeat their keys are searched once for each key', () => {
  const known: KnownLabels = new Map();
  const text = record(1_000).repeat(30);
  for (const { index: at } of text.matchAll(/[0-9]+/g)) index.before(text, at, known);
  expect(known.size).toBeGreaterThan(0);
  expect(known.size).toBeLessThan(12);
});
