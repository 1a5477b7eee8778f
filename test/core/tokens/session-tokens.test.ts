import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ownCopy } from '../../../core/own-copy.ts';
import { formatOf, SessionTokens, spell, TokenNames } from '../../../core/tokens/session-tokens.ts';

/** Sizes on both sides of the threshold for look-up tables. */
const sizes = [1, 7, 8, 9, 20];

function filled(size: number): SessionTokens {
  const tokens = new SessionTokens();
  for (let i = 1; i <= size; i++) tokens.tokenFor({ type: 'EMAIL', value: `u${i}@x.example` }, undefined);
  return tokens;
}

describe.each(sizes)('a session of %i values', (size) => {
  test('numbers continue where they are, per type', () => {
    const tokens = filled(size);
    expect(tokens.size).toBe(size);
    expect([...tokens.entries()]).toEqual(
      Array.from({ length: size }, (_, i) => [`[EMAIL-${i + 1}]`, `u${i + 1}@x.example`]),
    );
    expect(tokens.tokenFor({ type: 'PHONE', value: 'u1@x.example' }, undefined)).toBe('[PHONE-1]');
    expect(tokens.tokenFor({ type: 'EMAIL', value: 'new' }, undefined)).toBe(`[EMAIL-${size + 1}]`);
    expect(tokens.tokenFor({ type: 'PHONE', value: 'other' }, undefined)).toBe('[PHONE-2]');
    expect(tokens.get('[PHONE-2]')).toBe('other');
  });

  test('a known value has a token in each format', () => {
    const tokens = filled(size);
    const entry = { type: 'EMAIL', value: 'u1@x.example' };
    expect(tokens.tokenFor(entry, undefined)).toBe('[EMAIL-1]');
    const secured = tokens.tokenFor(entry, undefined, 'secured');
    const srag = tokens.tokenFor({ ...entry, category: 'ID' }, undefined, 'srag');
    expect(secured).toMatch(/^\[SECURED:type=EMAIL,id=\w{16}\]$/);
    expect(srag).toMatch(/^\[SRAG:cat=ID,name=EMAIL,id=\w{16}\]$/);
    expect(tokens.tokenFor(entry, undefined, 'secured')).toBe(secured);
    expect(tokens.tokenFor(entry, undefined, 'srag')).toBe(srag);
    expect(tokens.tokenFor(entry, undefined)).toBe('[EMAIL-1]');
    expect(tokens.get(secured)).toBe('u1@x.example');
    expect(tokens.size).toBe(size + 2);
  });

  test('existing and added tokens are skipped', () => {
    const tokens = filled(size);
    const taken = new Set([`[EMAIL-${size + 1}]`, `[EMAIL-${size + 2}]`]);
    expect(tokens.tokenFor({ type: 'EMAIL', value: 'new' }, taken)).toBe(`[EMAIL-${size + 3}]`);
    tokens.add('[EMAIL-90]', { type: 'EMAIL', value: 'added' });
    expect(tokens.tokenFor({ type: 'EMAIL', value: 'newer' }, undefined)).toBe('[EMAIL-91]');
    expect(tokens.tokenFor({ type: 'EMAIL', value: 'added' }, undefined)).toBe('[EMAIL-90]');
  });

  test('doubled brackets appear only for brackets of the user', () => {
    const tokens = filled(size);
    expect(tokens.get('[[EMAIL-1]]')).toBeUndefined();
    expect(tokens.tokenFor({ type: 'EMAIL', value: 'u1@x.example', bracketed: true }, undefined)).toBe('[EMAIL-1]');
    expect(tokens.get('[[EMAIL-1]]')).toBe('[u1@x.example]');
    expect(tokens.get('[EMAIL-1]')).toBe('u1@x.example');
    expect(tokens.get('[[EMAIL-2]]')).toBeUndefined();
    const token = tokens.tokenFor({ type: 'EMAIL', value: 'b', bracketed: true }, undefined);
    expect(tokens.get(`[${token}]`)).toBe('[b]');
    expect(tokens.get('[EMAIL-99]')).toBeUndefined();
  });

  test('memory is counted for each pair', () => {
    const tokens = new SessionTokens();
    expect(tokens.bytes).toBe(0);
    tokens.add('[EMAIL-1]', { type: 'EMAIL', value: 'abc' });
    expect(tokens.bytes).toBe(64 + 9 + 6);
    tokens.add('[EMAIL-2]', { type: 'EMAIL', value: '' });
    expect(tokens.bytes).toBe(64 + 9 + 6 + 64 + 9);
  });

  test('only prefixes of issued tokens are known', () => {
    const tokens = filled(size);
    tokens.tokenFor({ type: 'PROJECT_X', value: 'p', label: true }, undefined);
    for (const begin of ['[', '[E', '[EMAIL', '[EMAIL-', '[EMAIL-1', '[EMAIL_1', '[P', '[PROJECT_X_', '[PROJECT_X_1'])
      expect({ begin, known: tokens.hasPrefix(begin) }).toEqual({ begin, known: true });
    for (const begin of [`[EMAIL-${size + 1}`, '[EMAILS', '[PHONE', '[EMAIL-1x', '[email', '[X', '[PROJECT_X_2', '[1'])
      expect({ begin, known: tokens.hasPrefix(begin) }).toEqual({ begin, known: false });
    const secured = tokens.tokenFor({ type: 'EMAIL', value: 'p' }, undefined, 'secured');
    for (let end = 1; end < secured.length; end++) expect(tokens.hasPrefix(secured.slice(0, end))).toBe(true);
    expect(tokens.hasPrefix('[SECURED:type=PHONE')).toBe(false);
    expect(tokens.hasPrefix('[SRAG:')).toBe(false);
  });
});

test('an empty session knows no prefix', () => {
  expect(new SessionTokens().hasPrefix('[')).toBe(false);
  expect(new TokenNames([]).hasPrefix('[EMAIL', [])).toBe(false);
});

test('any values: equal ones share a token, others differ, and all are restored', () => {
  const entry = fc.record({
    type: fc.constantFrom('EMAIL', 'PHONE', 'NAME'),
    value: fc.constantFrom(...'abcdefghijklmnop'),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
      const tokens = new SessionTokens();
      const model = new Map<string, string>();
      for (const one of entries) {
        const key = `${one.type} ${one.value}`;
        const token = tokens.tokenFor(one, undefined);
        expect(model.get(key) ?? token).toBe(token);
        model.set(key, token);
        expect(tokens.get(token)).toBe(one.value);
      }
      expect(new Set(model.values()).size).toBe(model.size);
      expect(tokens.size).toBe(model.size);
    }),
  );
});

test.each([
  [{ type: 'EMAIL', value: '' }, 3, '[EMAIL-3]'],
  [{ type: 'CASE', value: '', label: true }, 3, '[CASE_3]'],
  [{ type: 'EMAIL', value: '', label: true }, 3, '[EMAIL-3]'],
])('a counter token of %j', (entry, n, expected) => {
  expect(spell(entry, 'counter', n)).toBe(expected);
});

test('a chunk token without a category has the category PII', () => {
  expect(spell({ type: 'EMAIL', value: '' }, 'srag', 1)).toMatch(/^\[SRAG:cat=PII,name=EMAIL,id=/);
});

test.each([
  ['[SECURED:type=EMAIL,id=a]', 'secured'],
  ['[SRAG:cat=PII,name=EMAIL,id=a]', 'srag'],
  ['[EMAIL-1]', 'counter'],
  ['[SECURED_1]', 'counter'],
])('%s has the format %s', (token, format) => {
  expect(formatOf(token)).toBe(format);
});

test.each([
  '',
  'short',
  'exactly 13 ch',
  'longer than thirteen characters',
  'lone half \ud800 and "quotes" \\ \u2028 日本語',
])('a copy of %j is equal', (value) => {
  expect(ownCopy(value)).toBe(value);
});

test('packed sessions behave as before, for any values', () => {
  const entry = fc.record({
    type: fc.constantFrom('EMAIL', 'PHONE', 'NAME'),
    value: fc.string({
      unit: fc.constantFrom('a', '7', '"', '\\', '\u0000', '\ud83d', '\ude00', '山', '[', ']'),
      maxLength: 20,
    }),
    bracketed: fc.boolean(),
  });
  const format = fc.constantFrom('counter' as const, 'secured' as const);
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 12 }), format, entry, (entries, format, next) => {
      const packing = new SessionTokens({ isForPacking: true });
      const issued = entries.map((one) => packing.tokenFor(one, undefined, format));
      const tokens = SessionTokens.unpack(packing.pack());
      expect([...tokens.entries()]).toEqual([...packing.entries()]);
      expect([tokens.size, tokens.bytes]).toEqual([packing.size, packing.bytes]);
      for (const [i, one] of entries.entries()) {
        const token = issued[i] as string;
        expect(tokens.get(token)).toBe(one.value);
        expect(tokens.get(`[${token}]`)).toBe(packing.get(`[${token}]`));
        expect(tokens.tokenFor(one, undefined, format)).toBe(token);
      }
      // Random ids differ.
      if (format === 'counter') expect(tokens.tokenFor(next, undefined)).toBe(packing.tokenFor(next, undefined));
    }),
  );
});
