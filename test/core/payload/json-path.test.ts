/** Paths without positions: equal paths are the same object, and their number is limited. */
import { describe, expect, test } from 'vitest';
import { JsonPath, rootPath } from '../../../core/payload/json-path.ts';
import { scanJson } from '../../../core/payload/json-strings.ts';

const pathOf = (json: string) => scanJson(json).find(({ value }) => value === 'x')?.path;

describe('a place', () => {
  test.each<[json: string, path: string]>([
    ['"x"', ''],
    ['["x"]', '[]'],
    ['[["x"]]', '[][]'],
    ['{"a":"x"}', 'a'],
    ['{"a":["x"]}', 'a[]'],
    ['[{"a":"x"}]', '[].a'],
    ['{"messages":[{"content":[{"text":"x"}]}]}', 'messages[].content[].text'],
  ])('of the text in %s', (json, path) => expect(pathOf(json)).toBe(path));

  test('is one object for repeated requests', () => {
    const place = new JsonPath('');
    expect(place.member('a').element.member('b')).toBe(place.member('a').element.member('b'));
    expect(place.member('a')).not.toBe(place.member('b'));
    expect(place.element).not.toBe(place.member('[]'));
  });
});

describe('a place that is too deep', () => {
  const deepest = new Array(9).fill('k'.repeat(100)).join('.');
  const at = (length: number) => `${deepest}.${'k'.repeat(length - deepest.length - 1)}`;

  test.each<[what: string, length: number, member: string, element: string]>([
    ['is below a thousand characters', 1001, `${at(1001)}.…`, `${at(1001)}.…`],
    ['is not at a thousand', 1000, `${at(1000)}.a`, `${at(1000)}[]`],
  ])('%s', (_what, length, member, element) => {
    expect(new JsonPath(at(length)).member('a').text).toBe(member);
    expect(new JsonPath(at(length)).element.text).toBe(element);
  });

  test('has no places below it, and shares one with its siblings', () => {
    const place = new JsonPath(at(1001));
    const below = place.member('a');
    expect(place.element).toBe(below);
    expect(place.member('b')).toBe(below);
    expect(below.member('a')).toBe(below);
    expect(below.element).toBe(below);
  });

  test.each(['["x"]', '[["x"]]', '[{"a":"x"}]', '{"a":["x"]}'])('ends with its sign: %s', (json) => {
    const depth = 150;
    const nested = `${'{"signature":'.repeat(depth)}${json}${'}'.repeat(depth)}`;
    expect(pathOf(nested)).toMatch(/^(?:signature\.){101,}…$/);
  });
});

test('the cache is bounded, and places stay right after eviction', () => {
  const read = (from: number, count: number) => {
    for (let at = from; at < from + count; at++) expect(pathOf(`{"n${at}":["x"]}`)).toBe(`n${at}[]`);
  };
  const old = rootPath();
  let next = 0;
  while (rootPath() === old && next < 10_000) read(next++, 1);
  const first = rootPath();
  expect(first).not.toBe(old);
  for (let round = 0; round < 10; round++) read(0, 1_000);
  expect(rootPath()).toBe(first);
  read(1_000, 4_500);
  expect(rootPath()).not.toBe(first);
});
