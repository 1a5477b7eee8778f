import { describe, expect, test } from 'vitest';
import { MemoryVault, SessionTokens } from '../../core/vault.ts';

const mail = (value: string) => ({ type: 'EMAIL', value });

describe('reserve', () => {
  test('equal values share a token, others never do', () => {
    const vault = new MemoryVault();
    expect(vault.reserve('s', [mail('a'), mail('b'), mail('a'), { type: 'PHONE', value: 'a' }])).toEqual([
      '[EMAIL-1]',
      '[EMAIL-2]',
      '[EMAIL-1]',
      '[PHONE-1]',
    ]);
    expect(vault.reserve('s', [mail('c'), mail('b')])).toEqual(['[EMAIL-3]', '[EMAIL-2]']);
    expect(vault.reserve('t', [mail('b')])).toEqual(['[EMAIL-1]']);
  });
  test('a label has its own form', () => {
    expect(new MemoryVault().reserve('s', [{ type: 'PROJECT', value: 'x', label: true }])).toEqual(['[PROJECT_1]']);
  });
  test('taken tokens are skipped for new values only', () => {
    const vault = new MemoryVault();
    const taken = new Set(['[EMAIL-1]', '[EMAIL-2]']);
    expect(vault.reserve('s', [mail('a')], { taken })).toEqual(['[EMAIL-3]']);
    expect(vault.reserve('s', [mail('a')], { taken: new Set(['[EMAIL-3]']) })).toEqual(['[EMAIL-3]']);
  });
  test('a full session is refused', () => {
    const vault = new MemoryVault({ tokensPerSessionMax: 1 });
    vault.reserve('s', [mail('a')]);
    expect(() => vault.reserve('s', [mail('b')])).toThrowError(/too many/);
  });
});

describe('lifetime', () => {
  test('counts from the last use', () => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 100, now: () => now });
    vault.reserve('s', [mail('a')]);
    now = 90;
    expect(vault.tokens('s')?.get('[EMAIL-1]')).toBe('a');
    now = 189;
    expect(vault.tokens('s')?.size).toBe(1);
    now = 289;
    expect(vault.tokens('s')).toBeUndefined();
    expect(vault.tokens('other')).toBeUndefined();
  });
  test('0 is for ever, and a session may have its own', () => {
    let now = 0;
    const vault = new MemoryVault({ ttlMs: 0, now: () => now });
    vault.reserve('s', [mail('a')]);
    vault.reserve('t', [mail('a')], { ttlMs: 10 });
    now = 1e12;
    expect(vault.tokens('s')?.size).toBe(1);
    expect(vault.tokens('t')).toBeUndefined();
  });
  test('the session that was used longest ago goes first', () => {
    const vault = new MemoryVault({ sessionsMax: 2 });
    vault.reserve('a', [mail('x')]);
    vault.reserve('b', [mail('x')]);
    vault.tokens('a');
    vault.reserve('c', [mail('x')]);
    expect([vault.tokens('a')?.size, vault.tokens('b'), vault.tokens('c')?.size]).toEqual([1, undefined, 1]);
    expect(vault.size).toBe(2);
  });
  test('drop and close forget', () => {
    const vault = new MemoryVault();
    vault.reserve('a', [mail('x')]);
    vault.drop('a');
    expect(vault.tokens('a')).toBeUndefined();
    vault.reserve('a', [mail('x')]);
    vault.close();
    expect(vault.size).toBe(0);
  });
});

describe('hasPrefix', () => {
  const tokens = new SessionTokens();
  tokens.add('[CREDIT_CARD-12]', { type: 'CREDIT_CARD', value: 'a' });
  tokens.add('[PHASE2_3]', { type: 'PHASE2', value: 'b', label: true });
  tokens.add('[SECURED:type=EMAIL,id=aB]', mail('c'));
  test.each([
    ['[', true],
    ['[CRED', true],
    ['[CREDITC', true],
    ['[CREDIT_CARD-1', true],
    ['[CREDIT_CARD-12', true],
    ['[CREDIT_CARD-13', false],
    ['[PHASE2', true],
    ['[PHASE2_3', true],
    ['[PHASE2_4', false],
    ['[EMAIL', false],
    ['[SEC', true],
    ['[SECURED:type=EM', true],
    ['[SECURED:type=PH', false],
  ])('%s: %s', (partial, expected) => {
    expect(tokens.hasPrefix(partial)).toBe(expected);
  });
  test('nothing issued, nothing held', () => {
    expect(new SessionTokens().hasPrefix('[')).toBe(false);
  });
});
