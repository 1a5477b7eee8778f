import { expect, test } from 'vitest';
import { codesOf } from '../../core/detect/code-set.ts';
import { lengthAt } from '../../core/detect/scan.ts';
import all from '../../core/lexicon/patterns.json' with { type: 'json' };
import { patternsOf } from '../../core/pattern-data.ts';

const owners = Object.keys(all) as (keyof typeof all)[];
const piecesOf = (owner: keyof typeof all): [string, string][] =>
  Object.values(all[owner] as Record<string, Record<string, string | string[]>>).flatMap((group) =>
    Object.entries(group).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );

test.each(owners)('the patterns of %s are short, and each of their parts is used', (owner) => {
  const pieces = piecesOf(owner);
  expect(pieces.filter(([, text]) => text.length > 100)).toEqual([]);
  const { parts = {} } = all[owner] as { parts?: object };
  expect(Object.keys(parts).filter((part) => !pieces.some(([, text]) => text.includes(`<${part}>`)))).toEqual([]);
});

test('a part matches its text or any of its alternatives, in other parts as well', () => {
  const { ipv4, wholeIpv4 } = patternsOf('ip-address');
  expect(wholeIpv4.test('203.0.113.9')).toBe(true);
  expect(wholeIpv4.test('203.0.113.256')).toBe(false);
  expect('at 203.0.113.9, 1.2.3'.match(ipv4)).toEqual(['203.0.113.9']);
});

test('words of a lexicon are parts, and an unknown part is an error', () => {
  const { placeholder } = patternsOf('api-key', { placeholders: ['your-key', 'x{4}'] });
  expect(placeholder.test('your-key-here')).toBe(true);
  expect(placeholder.test('xxx')).toBe(false);
  expect(() => patternsOf('api-key')).toThrow('unknown part placeholders of api-key');
});

test('a sticky pattern matches only at its position', () => {
  expect(lengthAt(/[0-9]+/y, 'ab123', 2)).toBe(3);
  expect(lengthAt(/[0-9]+/y, 'ab123', 0)).toBe(0);
});

test('a set of code units is written as ranges', () => {
  const isKey = codesOf('a-c_-');
  expect([...'abcd_-`'].map((c) => isKey(c.charCodeAt(0)))).toEqual([true, true, true, false, true, true, false]);
  expect(isKey(Number.NaN)).toBe(false);
});
