import { expect, test } from 'vitest';
import { PhraseMatcher, RarePhrases } from '../../../core/dictionary/phrases.ts';

type Search = Pick<PhraseMatcher, 'find'>;

function matchesOf(search: Search, text: string, isTaken: (start: number) => boolean): [number, number, number][] {
  const found: [number, number, number][] = [];
  search.find(text, (start, end, phrase) => {
    found.push([start, end, phrase]);
    return isTaken(start);
  });
  return found;
}

/** Words of one length over two letters: many overlap, and many share their first two letters. */
function words(count: number, seed: number): string[] {
  const letters = (i: number) => ((i * 2_654_435_761) >>> 7).toString(2).slice(0, 2 + (i % 7));
  return [...new Set(Array.from({ length: count }, (_, i) => letters(i + seed)))].filter((word) => word.length > 1);
}

test.each([1, 2, 3, 4, 5])('both searches agree: %i', (seed) => {
  const phrases = words(4 * seed, seed);
  const text = words(400, 100 * seed).join(seed % 2 === 0 ? '' : ' ');
  for (const isTaken of [() => true, () => false, (start: number) => start % 3 === 0]) {
    const found = matchesOf(new RarePhrases(phrases), text, isTaken);
    expect(found).toEqual(matchesOf(new PhraseMatcher(phrases), text, isTaken));
    expect(found.length).toBeGreaterThan(10);
  }
});

test('a text in which a phrase may start anywhere', () => {
  const phrases = Array.from({ length: 500 }, (_, i) => `aa${'a'.repeat(i % 20)}${i}`);
  const text = `${'a'.repeat(20_000)}7 aaaaaaa5`;
  const found = matchesOf(new RarePhrases(phrases), text, () => true);
  expect(found).toEqual(matchesOf(new PhraseMatcher(phrases), text, () => true));
  expect(found.map(([start, end]) => text.slice(start, end))).toEqual(['aaaaaaaaa7', 'aaaaaaa5']);
});
