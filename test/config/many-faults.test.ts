/**
 * Files with very many errors, such as a file of another kind or a hostile policy: reported in time linear in their
 * length.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../config/load.ts';
import { type Problem, readTextFile } from '../../config/problem.ts';
import { expectLinear } from '../support/linear-time.ts';
import { tempFolder } from '../support/temp.ts';

const keys = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

test.each<[what: string, text: (count: number) => string]>([
  ['unknown keys', (count) => keys(count, (i) => `key${i}: 1`)],
  ['wrong values', (count) => `masking:\n  types:\n${keys(count, (i) => `    KEY${i}: blok`)}`],
  ['aliases', (count) => `${keys(count, (i) => `a${i}: &a${i} 1`)}\n${keys(count, (i) => `b${i}: *a${i}`)}`],
  ['wrong keys', (count) => `auth:\n  networks:\n${keys(count, (i) => `    bad${i}: x`)}`],
])('%s', (_what, text) => {
  expectLinear((count) => {
    const file = text(count);
    return () => expect(parseConfig(file, 'a.yaml').problems).not.toEqual([]);
  }, 300);
});

test('at most a hundred unknown keys per section are listed', () => {
  const { problems } = parseConfig(
    keys(250, (i) => `key${i}: 1`),
    'a.yaml',
  );
  expect(problems).toHaveLength(101);
  expect(problems.at(-1)).toMatchObject({ line: 101, key: 'key100', message: 'unknown key, and 149 more here' });
});

test('a thousand errors are reported in order, with a note that there are more', () => {
  const types = (count: number) => `masking:\n  types:\n${keys(count, (i) => `    KEY${i}: blok`)}`;
  expect(parseConfig(types(1_000), 'a.yaml').problems).toHaveLength(1_000);
  const { problems } = parseConfig(types(1_500), 'a.yaml');
  expect(problems).toHaveLength(1_001);
  const message = 'there are more than 1000 errors';
  expect(problems.at(-1)).toEqual({ file: 'a.yaml', line: 1_002, column: 13, key: '', message });
  expect(problems.at(-2)).toMatchObject({ line: 1_002, key: 'masking.types.KEY999' });
});

test('wrong values of a list that has a non-list alternative', () => {
  const hosts = keys(1_500, () => '        - "bad host"');
  const { problems } = parseConfig(`policy:\n  rules:\n    - when:\n        hosts:\n${hosts}`, 'a.yaml');
  expect(problems).toHaveLength(1_001);
});

test('a thousand aliases are read', () => {
  const text = (count: number) => `policy: { bypass: &a [a.example] }\n${keys(count, (i) => `k${i}: &a${i} 1`)}`;
  const used = (count: number) => `${text(count)}\n${keys(count, (i) => `l${i}: *a${i}`)}`;
  expect(parseConfig(used(1_000), 'a.yaml').problems[0]).toMatchObject({ line: 2, key: 'k0' });
  expect(parseConfig(used(1_001), 'a.yaml').problems).toEqual([
    { file: 'a.yaml', line: 2_003, column: 8, key: '', message: 'more than 1000 aliases' },
  ]);
});

test('a duplicate key', () => {
  const { problems } = parseConfig('log:\n  level: info\n  level: warn\n"log": {}\n', 'a.yaml');
  const said = problems.map(({ line, column, message }) => [line, column, message]);
  expect(said).toEqual([
    [4, 1, 'Map keys must be unique'],
    [3, 3, 'Map keys must be unique'],
  ]);
});

test.each<[bytes: Buffer, line: number, column: number]>([
  [Buffer.from([0xff]), 1, 1],
  [Buffer.from('a: b\nc\xff', 'latin1'), 2, 2],
  [Buffer.concat([Buffer.from('# \ufffd fine\nd: \ufffd'), Buffer.from([0xff])]), 2, 5],
  [Buffer.concat([Buffer.from('🙂 '), Buffer.from([0xe3, 0x81])]), 1, 4],
])('bytes that are not UTF-8: %s', (bytes, line, column) => {
  const file = join(tempFolder('not-utf8'), 'a.yaml');
  writeFileSync(file, bytes);
  expect(readTextFile(file) as Problem).toMatchObject({ line, column });
});
