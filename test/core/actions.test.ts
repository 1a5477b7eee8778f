/** The replacements of values that get no token. */
import { describe, expect, test } from 'vitest';
import { checkActions, type MaskAction, type MaskActions, Replacements, replacementsOf } from '../../core/actions.ts';
import type { Detection } from '../../core/recognizer.ts';
import { restoreText } from '../../core/restore.ts';

const key = new TextEncoder().encode('a key that is long enough');
const found = (type: string, value: string): Detection => {
  return { type, value, start: 0, end: value.length, score: 1, recognizer: 'test' };
};

describe('each action', () => {
  test.each<[action: MaskAction, type: string, value: string, becomes: string | RegExp | undefined]>([
    ['token', 'EMAIL', 'ana@example.com', undefined],
    ['redact', 'EMAIL', 'ana@example.com', '[EMAIL]'],
    ['mask', 'CREDIT_CARD', '4111 1111 1111 1234', '****1234'],
    ['mask', 'PHONE', '03-1234-5678', '****5678'],
    ['mask', 'NAME', '山田', '****'],
    ['mask', 'OTP_CODE', '1234567', '****'],
    ['hash', 'EMAIL', 'ana@example.com', /^\[EMAIL#[0-9a-f]{16}\]$/],
    [{ replace: 'Jane Doe' }, 'NAME', 'Ana Lopez', 'Jane Doe'],
    [{ replace: '' }, 'NAME', 'Ana Lopez', ''],
  ])('%j of %s %s', (action, type, value, becomes) => {
    const text = new Replacements({ [type]: action }, key).of(found(type, value));
    if (becomes instanceof RegExp) expect(text).toMatch(becomes);
    else expect(text).toBe(becomes);
  });

  test('block throws an error with the type and without the value', () => {
    expect(() => new Replacements({ SSN: 'block' }).of(found('SSN', '078-05-1120'))).toThrow(/^The text contains SSN/);
  });

  test('a group covers all of its types, and a single type takes precedence', () => {
    const actions = new Replacements({ SECRETS: 'redact', JWT: 'token' });
    expect(actions.of(found('API_KEY', 'x'))).toBe('[API_KEY]');
    expect(actions.of(found('JWT', 'x'))).toBeUndefined();
  });
});

test('hashes are equal for equal values under one key, and differ under another', () => {
  const other = new TextEncoder().encode('another key of this length');
  const [a, b, c] = [
    new Replacements({ EMAIL: 'hash' }, key),
    new Replacements({ EMAIL: 'hash' }, () => key),
    new Replacements({ EMAIL: 'hash' }, other),
  ];
  const value = found('EMAIL', 'ana@example.com');
  expect(a.of(value)).toBe(b.of(value));
  expect(c.of(value)).not.toBe(a.of(value));
});

test('replacements are not tokens: restoring leaves them', () => {
  for (const action of ['redact', 'mask', 'hash'] as const) {
    const text = `Mail ${new Replacements({ EMAIL: action }, key).of(found('EMAIL', 'ana@example.com'))} now`;
    expect(restoreText(text, new Map([['[EMAIL-1]', 'other']]))).toMatchObject({ restored: text, restoredCount: 0 });
  }
});

test('tokens and replacements are in order', () => {
  const actions = new Replacements({ EMAIL: 'redact' });
  const texts = [
    [found('EMAIL', 'a@b.co'), found('PHONE', '1')],
    undefined,
    [found('PHONE', '2'), found('EMAIL', 'c@d.co')],
  ];
  expect(actions.tokensOnly(texts).flatMap((one) => one?.map(({ value }) => value) ?? [])).toEqual(['1', '2']);
  expect(actions.filled(texts, ['[PHONE-1]', '[PHONE-2]'])).toEqual(['[EMAIL]', '[PHONE-1]', '[PHONE-2]', '[EMAIL]']);
});

test('settings with only tokens need no replacements', () => {
  expect(replacementsOf({})).toBeUndefined();
  expect(replacementsOf({ EMAIL: 'on', NAME: 'off', PHONE: 'token' })).toBeUndefined();
});

test.each<[actions: unknown, message: RegExp]>([
  [{ EMAIL: 3 }, /^actions\.EMAIL is not a valid action/],
  [{ 'e-mail': 'redact' }, /^actions: "e-mail" is not a known type/],
  [{ PROJECT: 'redact' }, /^actions: "PROJECT" is not a known type/],
  [{ EMAIL: 'hide' }, /^actions\.EMAIL is not a valid action/],
  [{ EMAIL: { replace: 'x'.repeat(201) } }, /is not a valid action/],
  [{ EMAIL: { replace: 'x', more: 1 } }, /is not a valid action/],
  ['redact', /expected an object of actions by type/],
])('%j is refused', (actions, message) => {
  expect(() => checkActions(actions)).toThrow(message);
});

test('a label of the dictionary is a type', () => {
  expect(checkActions({ PROJECT: 'redact' }, ['PROJECT'])).toEqual({ PROJECT: 'redact' });
});

test('hash needs a key', () => {
  const actions: MaskActions = { EMAIL: 'hash' };
  expect(() => replacementsOf(actions)).toThrow(/needs a key of at least 16 bytes/);
  expect(() => replacementsOf(actions, new Uint8Array(15))).toThrow(/needs a key/);
});
