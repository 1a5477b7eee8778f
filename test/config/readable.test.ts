/** Durations and sizes with their units, and that they read back to the same values. */
import { expect, test } from 'vitest';
import { parsePolicy } from '../../config/policy-document.ts';
import { durationText, readable } from '../../config/readable.ts';

test.each([
  [250, '250ms'],
  [90_000, '90s'],
  [28_800_000, '8h'],
  [86_400_000, '24h'],
  [172_800_000, '2d'],
  [0, '0ms'],
])('%i ms is %s', (ms, text) => void expect(durationText(ms)).toBe(text));

test('a policy with units reads back to the same policy', () => {
  const rule = { name: 'r', when: { upload_over: '5MiB' }, then: { action: 'warn', coach: true, coach_ttl: '90m' } };
  const text = JSON.stringify({
    coach_ttl: '8h',
    bypass_learning: { mode: 'propose', failures: 5, subjects: 1, window: '24h', ttl: '7d' },
    rules: [rule],
  });
  const { policy } = parsePolicy(text, 'a');
  const shown = readable(policy) as typeof policy;
  expect(shown).toMatchObject({
    coach_ttl: '8h',
    bypass_learning: { window: '24h', ttl: '7d' },
    rules: [{ when: { upload_over: '5MiB' }, then: { coach_ttl: '90m' } }],
  });
  expect(parsePolicy(JSON.stringify(shown), 'b').policy).toEqual(policy);
});
