/** docs/configuration.md lists exactly the variables that the gateway reads. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test('variables of the environment', () => {
  const table = read('docs/configuration.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '')
    .join(' ');
  const named = [...table.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
  const sources = ['config/environment.ts', 'config/load.ts', 'gateway/chat-providers/providers.ts']
    .map(read)
    .join('\n');
  const inCode = /(?:env\.|env, '|own\(\s*'|^ {2}'?)([A-Z]{2,}(?:_[A-Z]+)*)\b(?!\w)/gm;
  const known = [...sources.matchAll(inCode)].map(([, name = '']) => name);
  expect(new Set(named)).toEqual(new Set(known));
});
