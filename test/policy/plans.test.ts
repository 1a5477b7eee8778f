import { describe, expect, test } from 'vitest';
import { isKey, keyHash, keyId, newKey, sameHash } from '../../policy/api-keys.ts';
import { creditsMax, creditsView, monthOf, resetsAt } from '../../policy/credits.ts';
import { planForSeats, planNames, plans, planWith, requireFeature } from '../../policy/plans.ts';

describe('plans', () => {
  test('all properties of all plans', () => {
    const table = planNames.map((name) => Object.values(plans[name]));
    expect(table).toEqual([
      ['free', 300, false, 1, 600, [], 'process'],
      ['starter', 10_000, false, 1, 3_000, ['dictionary', 'rag'], 'envelope'],
      ['business', 300_000, true, 50, 30_000, ['dictionary', 'rag'], 'envelope'],
      ['enterprise', null, false, null, null, ['dictionary', 'rag'], 'envelope'],
    ]);
  });
  test.each([
    ['dictionary', 'Custom dictionaries need the Starter plan; this account has the Free plan.'],
    ['rag', 'RAG needs the Starter plan; this account has the Free plan.'],
  ] as const)('a refusal of %s', (feature, message) => {
    expect(() => requireFeature(plans.free, feature)).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        message,
        hint: 'Move the account to the Starter plan or a larger one.',
        details: { feature, plan: 'free', requiredPlan: 'starter' },
      }),
    );
  });
  test('custom dictionaries and RAG need starter, and the error says so', () => {
    expect(planWith('rag').name).toBe('starter');
    for (const name of planNames.slice(1)) requireFeature(plans[name], 'rag');
    for (const feature of ['rag', 'dictionary'] as const) {
      expect(() => requireFeature(plans.free, feature)).toThrowError(/needs? the Starter plan/);
    }
  });
  test.each([
    [1, 'free'],
    [2, 'business'],
    [50, 'business'],
    [51, 'enterprise'],
  ])('%i people: %s', (seats, plan) => {
    expect(planForSeats(seats).name).toBe(plan);
  });
});

describe('credits', () => {
  test.each([
    ['2026-11-21T16:00:00Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2027-01-01T00:00:00+09:00', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('%s is of the month %s, which ends at %s', (text, month, reset) => {
    expect([monthOf(new Date(text)), resetsAt(new Date(text)).toISOString()]).toEqual([month, reset]);
  });
  const at = new Date('2026-11-21T16:00:00Z');
  test('the remaining credits, never below zero', () => {
    expect(creditsView(plans.free, 299, at)).toEqual({
      plan: 'free',
      creditsTotal: 300,
      creditsRemaining: 1,
      used: 299,
      unlimited: false,
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    expect(creditsView(plans.free, 400, at).creditsRemaining).toBe(0);
    expect(creditsView(plans.enterprise, 1e9, at)).toMatchObject({
      creditsTotal: 9_007_199_254_740_991,
      creditsRemaining: 9_007_199_254_740_991,
      unlimited: true,
    });
  });
  test.each([
    [300_000, 0, 0],
    [300_001, 1, 0.0002],
    [301_000, 1_000, 0.2],
    [303_000, 3_000, 0.6],
    [1_300_000, 1_000_000, 200],
  ])('%i calls on business: %i over the credits, %f yen', (used, calls, yen) => {
    expect(creditsView(plans.business, used, at).overage).toEqual({ calls, yenPerThousand: 0.2, yen });
  });
  test('plans that refuse calls without credits', () => {
    expect(planNames.map((name) => creditsMax(plans[name]))).toEqual([300, 10_000, null, null]);
  });
});

describe('keys', () => {
  test.each(['live', 'test', 'admin'] as const)('%s', (kind) => {
    const key = newKey(kind);
    expect(key).toMatch(new RegExp(`^pvt_${kind}_[0-9A-Za-z]{32}$`));
    expect(isKey(key)).toBe(true);
    expect(newKey(kind)).not.toBe(key);
  });
  test.each([
    '',
    'pvt_live_',
    `pvt_root_${'a'.repeat(32)}`,
    `pvt_live_${'a'.repeat(33)}`,
    `xpvt_live_${'a'.repeat(32)}`,
  ])('no key: %s', (text) => {
    expect(isKey(text)).toBe(false);
  });
  test('a record is found by the hash, and compared by all of it', () => {
    const hash = keyHash('a');
    expect(keyId(hash)).toMatch(/^key_[0-9a-f]{24}$/);
    expect([sameHash(hash, keyHash('a')), sameHash(hash, keyHash('b')), sameHash(hash, '')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
