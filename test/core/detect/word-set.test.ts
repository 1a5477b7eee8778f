import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WordSet } from '../../../core/detect/word-set.ts';

const words = ['st', 'née', 'rúa', 'van', 'on-call', 'goldman sachs', 'ş', 'a', 'ğ', "o'neil", 'x'.repeat(40)];
const set = new WordSet(words);
const plain = new Set(words);

test.each([
  ['VAN', true],
  ['Née', true],
  ['RÚA', true],
  ['Ş', true],
  ['Ğ', true],
  ['Goldman Sachs', true],
  ['X'.repeat(40), true],
  ['', false],
  ['v', false],
  ['vans', false],
  ['vun', false],
  ['x'.repeat(8), false],
  ['\u212a', false],
])('the set of words knows %j: %j', (word, isKnown) => {
  expect(set.has(word)).toBe(isKnown);
  expect(set.hasIn(`(${word})`, 1, word.length + 1)).toBe(isKnown);
});

test('it answers as a set of the same words in small letters', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'vanstrúSTNÉEé -ŞşĞğ\u212aİı\u017f'), maxLength: 4 });
  fc.assert(
    fc.property(fc.oneof(letters, fc.constantFrom(...words)), (word) => {
      expect(set.has(word)).toBe(plain.has(word.toLowerCase()));
    }),
    { numRuns: 500 },
  );
});
