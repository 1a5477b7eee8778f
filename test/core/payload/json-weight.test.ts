import { expect, test } from 'vitest';
import {
  jsonDepthMax,
  jsonWeightMax,
  shortJsonWeightMax,
  weighJson,
  weighJsonTexts,
} from '../../../core/payload/json-weight.ts';

const listOf = (element: string, count: number) => `[${new Array(count).fill(element).join(',')}]`;
const objectOf = (count: number, value = '1') =>
  `{${Array.from({ length: count }, (_, i) => `"a ${i.toString(36)}":${value}`).join(',')}}`;

test.each<[name: string, json: string, short: string, long: string]>([
  ['a long text', `["${'a,:{['.repeat(1_000_000)}"]`, 'light', 'light'],
  ['a text of quotes', `["${'\\",\\"'.repeat(1_000_000)}"]`, 'light', 'light'],
  ['a conversation of 20,000 turns', listOf('{"role":"user","content":"Who is there?"}', 20_000), 'light', 'light'],
  ['250,000 numbers', listOf('12345', 250_000), 'light', 'light'],
  ['half a million rows', listOf('{"id":1,"name":"row"}', 500_000), 'heavy', 'light'],
  ['75,000 names', objectOf(75_000), 'light', 'light'],
  ['a million names', objectOf(900_000), 'heavy', 'light'],
  ['short names, 23 MB', objectOf(2_000_000), 'heavy', 'heavy'],
  ['short names and texts', objectOf(800_000, '"a"'), 'heavy', 'heavy'],
  ['400,000 names with texts', objectOf(400_000, '"a"'), 'heavy', 'light'],
  ['450,000 names with texts', objectOf(450_000, '"a"'), 'heavy', 'heavy'],
  ['millions of numbers', listOf('1', 4_000_000), 'heavy', 'heavy'],
  ['millions of texts', listOf('"a"', 2_000_000), 'heavy', 'heavy'],
  ['millions of objects', listOf('{}', 2_000_000), 'heavy', 'heavy'],
  ['lists in lists', '['.repeat(500_000) + ']'.repeat(500_000), 'deep', 'deep'],
  ['an unclosed text', `["${'a'.repeat(300_000)}`, 'light', 'light'],
  ['a line after an unclosed text', `{"\n${listOf('1', 4_000_000)}`, 'heavy', 'heavy'],
  ['a line with few texts after one', `{"\n{"a":${listOf('1', 4_000_000)},"b":1}`, 'heavy', 'heavy'],
  ['a line after colons', `${`{${':'.repeat(900)}}`.repeat(5_000)}\n${listOf('1', 4_000_000)}`, 'heavy', 'heavy'],
  ['a deep line after brackets', `{${']'.repeat(1_000)}\n${'['.repeat(500)}"${'a'.repeat(300_000)}`, 'deep', 'deep'],
  ['lines of escaped quotes', '\\"\n'.repeat(500_000), 'heavy', 'light'],
])('%s', (_name, json, short, long) => {
  expect([weighJson(json, shortJsonWeightMax), weighJson(json)]).toEqual([short, long]);
});

test('names count per object: those of small objects cost nothing, at any position', () => {
  const rows = (names: number, count: number) => listOf(objectOf(names), count);
  expect(weighJson(rows(900, 300), 6 * 300 + 2 * 900 * 300)).toBe('light');
  expect(weighJson(rows(2_000, 300), 6 * 300 + 2 * 2_000 * 300)).toBe('heavy');
});

test('a text below the minimum length is light, and one of the maximum depth is not too deep', () => {
  expect(weighJson('['.repeat(262_143))).toBe('light');
  const nested = (depth: number) => `${'['.repeat(depth)}"${'a'.repeat(300_000)}"${']'.repeat(depth)}`;
  expect([weighJson(nested(jsonDepthMax)), weighJson(nested(jsonDepthMax + 1))]).toEqual(['light', 'deep']);
  expect(jsonWeightMax).toBeGreaterThan(shortJsonWeightMax);
});

test('several texts count together, and an unclosed quote does not hide the next text', () => {
  const rows = listOf('[]', 30_000);
  expect(weighJsonTexts(new Array(3).fill(rows), shortJsonWeightMax)).toBe('light');
  expect(weighJsonTexts(new Array(4).fill(rows), shortJsonWeightMax)).toBe('heavy');
  expect(weighJsonTexts(['{"', ...new Array(4).fill(rows)], shortJsonWeightMax)).toBe('heavy');
});
