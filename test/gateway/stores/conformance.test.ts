/** The behaviour required of every store, on the real servers. Shared stores are opened twice, as by two processes. */
import { beforeAll, describe, expect, test } from 'vitest';
import { proxySessionKey, sessionKey, splitSessionKey } from '../../../core/vault.ts';
import type { Charge } from '../../../gateway/stores/calls.ts';
import type { Change } from '../../../gateway/stores/changes.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { mail, newId, sleep, storeUnderTest } from './stores-under-test.ts';
import { addVaultTests } from './vault-suite.ts';

describe.each(['memory', 'sqlite', 'redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);
  let stores: Stores;
  /** The store as opened by another process; the same one if it belongs to one process. */
  let others: Stores;
  beforeAll(async () => {
    stores = await under.open();
    others = kind === 'memory' ? stores : await under.open();
  });

  addVaultTests(kind, () => ({ stores, others }));

  test('a value the store rejects is a request error, not an outage', async () => {
    const odd = ['none', 'a\0b', '0-x', '99999999999999999999999', '\u{1f600}'];
    for (const value of odd) {
      const asked: (() => unknown)[] = [
        () => stores.vault.sessions({ tenant: value, limit: 2 }),
        () => stores.vault.sessions({ after: value, limit: 2 }),
        () => stores.vault.tokens(sessionKey(value, value)),
        () => stores.vault.drop(sessionKey(value, value)),
        () => stores.records.get('account', [value]),
        () => stores.events.query({ after: value, limit: 2 }),
        () => stores.events.query({ subject: value, limit: 2 }),
      ];
      for (const [i, ask] of asked.entries()) {
        const code = await Promise.resolve()
          .then(ask)
          .then(
            () => 'answered',
            (error) => error.code,
          );
        expect([value, i, code]).toEqual([value, i, expect.stringMatching(/^(?:answered|invalid_input)$/)]);
      }
    }
    expect(stores.isReady()).toBe(true);
  });

  describe('calls', () => {
    const chargeOf = (fields: Partial<Charge> = {}): Charge => ({
      tenant: `t${newId()}`,
      keyId: `k${newId()}`,
      month: '2026-11',
      credits: 1,
      creditsMax: null,
      ...fields,
    });

    test('200 parallel calls on 100 credits give exactly 100 successes, over two processes', async () => {
      const charge = chargeOf({ creditsMax: 300 });
      for (let i = 0; i < 200; i++) await stores.calls.run({ charge });
      const session = sessionKey(charge.tenant, newId());
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          (i % 2 === 0 ? stores : others).calls.run({ charge, reserve: { session, entries: [mail(`user${i}`)] } }),
        ),
      );
      const allowed = results.filter((result) => result.charge?.refused === undefined);
      const refused = results.filter((result) => result.charge?.refused === 'credits');
      expect([allowed.length, refused.length]).toEqual([100, 100]);
      expect(refused.every((result) => result.tokens === undefined && result.charge?.used === 300)).toBe(true);
      expect(allowed.map((result) => result.charge?.used).sort((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, i) => 201 + i),
      );
      expect((await others.vault.tokens(session))?.size).toBe(100);
      expect(await others.meter.used(charge.tenant, '2026-11')).toBe(300);
      expect((await others.meter.usedByKey([charge.keyId, 'nobody'], '2026-11')).get(charge.keyId)).toBe(300);
      expect(await stores.meter.used(charge.tenant, '2026-12')).toBe(0);
      expect(await stores.meter.usedByAll('2026-11')).toBeGreaterThanOrEqual(300);
    });

    test('a call with an unknown session is not charged', async () => {
      for (const creditsMax of [1, 0]) {
        const charge = chargeOf({ creditsMax });
        const run = (call: Parameters<Stores['calls']['run']>[0]) => async () => stores.calls.run(call);
        await expect(run({ charge, read: newId() })).rejects.toMatchObject({ code: 'session_not_found' });
        const reserve = { session: newId(), entries: [mail('a')], options: { create: false } };
        await expect(run({ charge, reserve })).rejects.toMatchObject({ code: 'session_not_found' });
        expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(0);
      }
    });

    test('a charge can be refunded, but never more than was used', async () => {
      const charge = chargeOf();
      await stores.calls.run({ charge });
      await stores.calls.run({ charge });
      await others.calls.refund(charge);
      expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(1);
      expect(Object.fromEntries(await others.meter.usedByKey([charge.keyId], '2026-11'))).toEqual({
        [charge.keyId]: 1,
      });
      await stores.calls.refund(charge);
      await stores.calls.refund(charge);
      await stores.calls.refund(chargeOf());
      expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(0);
      expect((await stores.calls.run({ charge: { ...charge, creditsMax: 1 } })).charge).toEqual({ used: 1 });
    });

    test('a call with more values than a session can hold is refused and not charged', async () => {
      const charge = chargeOf();
      const session = sessionKey(charge.tenant, newId());
      const entries = Array.from({ length: 100_001 }, (_, i) => mail(`u${i}`));
      await expect(async () => stores.calls.run({ charge, reserve: { session, entries } })).rejects.toMatchObject({
        code: 'body_too_large',
        message: expect.stringMatching(/more than 100000 values/),
      });
      expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(0);
      expect((await stores.meter.usedByKey([charge.keyId], '2026-11')).get(charge.keyId) ?? 0).toBe(0);
      expect(await others.vault.tokens(session)).toBeUndefined();
    });

    test.each([
      ['of a tenant', () => sessionKey(`t${newId()}`, newId())],
      ['of the proxy', () => proxySessionKey('ann', newId(), 'key')],
    ])('a full session %s continues, and its values are restored', async (_what, idOf) => {
      const small = await under.open({ tokensPerSessionMax: 1_500 });
      const session = idOf();
      const values = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => mail(`u${from + i}`));
      const tokens: string[] = [];
      for (const from of [0, 1_400, 2_800]) {
        const part = values(from, from + 1_400);
        const issued = await small.vault.reserve(session, [
          ...part,
          { type: 'PROJECT', value: `p${from}`, label: true },
        ]);
        expect(await small.vault.reserve(session, part.slice(-5))).toEqual(issued.slice(-6, -1));
        tokens.push(...issued.filter((token) => token.startsWith('[EMAIL-')));
        const map = await small.vault.tokens(session);
        expect(issued.slice(0, -1).map((token) => map?.get(token))).toEqual(part.map(({ value }) => value));
        expect(map?.get(issued.at(-1) ?? '')).toBe(`p${from}`);
      }
      expect(new Set(tokens).size).toBe(4_200);
      const map = await small.vault.tokens(session);
      // The values before that are unknown, and their tokens never stand for others.
      for (const [i, token] of tokens.entries()) expect([`u${i}`, undefined]).toContain(map?.get(token));
      expect(map?.get('[EMAIL-2000]')).toBe('u1999');
      expect(map?.size).toBeLessThanOrEqual(3_000);
      const { tenant, id } = splitSessionKey(session);
      const { sessions } = await small.vault.sessions({ tenant, limit: 1_000 });
      expect(sessions.filter((one) => one.id.startsWith(id)).length).toBe(1);
      if (tenant !== '')
        expect((await small.vault.resolve(tenant, ['[EMAIL-2000]'])).get('[EMAIL-2000]')).toBe('u1999');
      expect(await small.vault.drop(session)).toBe(true);
      expect(await small.vault.tokens(session)).toBeUndefined();
      if (tenant !== '') expect((await small.vault.resolve(tenant, ['[EMAIL-2000]'])).size).toBe(0);
    });

    test('a refused call creates no session', async () => {
      const session = newId();
      const result = await stores.calls.run({
        charge: chargeOf({ creditsMax: 0 }),
        reserve: { session, entries: [mail('a')] },
      });
      expect(result).toEqual({ charge: { refused: 'credits', used: 0 } });
      expect(await stores.vault.tokens(session)).toBeUndefined();
    });

    test('free calls take no credits and work without any', async () => {
      const charge = chargeOf({ credits: 0, creditsMax: 0 });
      expect(await stores.calls.run({ charge })).toEqual({ charge: { used: 0 } });
    });

    test('a session is read in the same call that is charged', async () => {
      const charge = chargeOf();
      const session = sessionKey(charge.tenant, newId());
      await stores.calls.run({ charge, reserve: { session, entries: [mail('a')] } });
      const { charge: charged, map } = await others.calls.run({ charge, read: session });
      expect([charged?.used, map?.get('[EMAIL-1]')]).toEqual([2, 'a']);
    });

    test('the rate limit counts across processes and says when to retry', async () => {
      const rate = { limit: 10, windowMs: 60_000 };
      const charge = chargeOf({ rate });
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? stores : others).calls.run({ charge })),
      );
      expect(results.filter((result) => result.charge?.refused === undefined)).toHaveLength(10);
      const refused = results
        .filter((result) => result.charge?.refused === 'rate')
        .map((result) => result.charge?.rate);
      expect(refused).toHaveLength(10);
      for (const state of refused) {
        expect(state).toMatchObject({ allowed: false, limit: 10, remaining: 0 });
        expect(state?.retryMs).toBeGreaterThan(0);
        expect(state?.retryMs).toBeLessThanOrEqual(60_000);
      }
      expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(10);
    });

    test('a separate rate limit', async () => {
      const id = `127.0.0.1 \u0000 ${newId()}`;
      const take = async (from: Stores) => (await from.meter.takeRate(id, { limit: 2, windowMs: 60_000 })).allowed;
      expect([await take(stores), await take(others), await take(stores)]).toEqual([true, true, false]);
      const quick = { limit: 1, windowMs: 50 };
      await stores.meter.takeRate(`${id} quick`, quick);
      await sleep(80);
      expect((await others.meter.takeRate(`${id} quick`, quick)).allowed).toBe(true);
    });

    test('a window from before the clock was set back is replaced', async () => {
      const id = newId();
      await stores.meter.takeRate(id, { limit: 1, windowMs: 3_600_000 });
      const state = await others.meter.takeRate(id, { limit: 1, windowMs: 60_000 });
      expect(state).toMatchObject({ allowed: true, remaining: 0 });
      expect(state.resetMs).toBeLessThanOrEqual(60_000);
    });
  });

  describe('records', () => {
    test('are written all or nothing, based on the state that was read', async () => {
      const id = newId();
      const value = { b: 1, a: ['日本', null, { c: 'x' }] };
      const first = await stores.records.write(
        'service',
        new Map<string, unknown>([
          [id, value],
          [`${id}-2`, 'two'],
        ]),
      );
      const read = await others.records.get('service', [id, 'nobody']);
      expect(read.revision).toBe(first);
      expect(JSON.stringify([...read.records])).toBe(JSON.stringify([[id, value]]));
      await expect(
        others.records.write('service', new Map([[id, null]]), { ifRevision: first - 1 }),
      ).rejects.toMatchObject({ code: 'conflict' });
      expect(await others.records.write('service', new Map([[id, null]]), { ifRevision: first })).toBe(first + 1);
      const listed = await stores.records.list('service');
      expect([listed.records.has(id), listed.records.get(`${id}-2`), listed.revision]).toEqual([
        false,
        'two',
        first + 1,
      ]);
    });

    test('every process is notified of a change', async () => {
      const id = newId();
      const heard = new Promise<Change>((resolve) => {
        const stop = others.changes.onChange((change) => {
          if (change.kind !== 'document') return;
          stop();
          resolve(change);
        });
      });
      // A connection for notifications may still be connecting.
      await expect.poll(() => others.changes.isLive).toBe(true);
      await stores.records.write('document', new Map([[id, { text: 'x' }]]));
      expect(await heard).toMatchObject({ kind: 'document' });
    });
  });
});
