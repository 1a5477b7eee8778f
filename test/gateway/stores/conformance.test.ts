/** What every store has to do, on the real servers. Stores that processes share are opened twice, as two processes would. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionKey } from '../../../core/vault.ts';
import type { Charge } from '../../../gateway/stores/calls.ts';
import type { Change } from '../../../gateway/stores/changes.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { storeUnderTest } from './stores-under-test.ts';

const mail = (value: string) => ({ type: 'EMAIL', value });
const newId = () => randomBytes(8).toString('hex');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each(['memory', 'sqlite', 'redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);
  let stores: Stores;
  /** What another process has opened; the same one where a store belongs to one process. */
  let others: Stores;
  beforeAll(async () => {
    stores = await under.open();
    others = kind === 'memory' ? stores : await under.open();
  });
  afterAll(() => undefined);

  describe('vault', () => {
    test('equal values share a token, over calls and processes', async () => {
      const session = sessionKey('t', newId());
      expect(
        await stores.vault.reserve(session, [mail('a'), mail('b'), mail('a'), { type: 'PHONE', value: 'a' }]),
      ).toEqual(['[EMAIL-1]', '[EMAIL-2]', '[EMAIL-1]', '[PHONE-1]']);
      expect(await others.vault.reserve(session, [mail('c'), mail('b')])).toEqual(['[EMAIL-3]', '[EMAIL-2]']);
      const map = await stores.vault.tokens(session);
      expect(map?.size).toBe(4);
      expect([...(map?.entries() ?? [])].sort()).toEqual([
        ['[EMAIL-1]', 'a'],
        ['[EMAIL-2]', 'b'],
        ['[EMAIL-3]', 'c'],
        ['[PHONE-1]', 'a'],
      ]);
      expect([map?.hasPrefix?.('[EMAIL-3'), map?.hasPrefix?.('[EMAIL-4')]).toEqual([true, false]);
    });

    test('labels, random ids, brackets and any text', async () => {
      const session = newId();
      const values = ['日本 太郎', 'x'.repeat(20_000), '\ud800 lone', '', "'); DROP TABLE tokens; --", '\u0000\n"\\'];
      const label = { type: 'PROJECT_2', label: true };
      const tokens = await stores.vault.reserve(
        session,
        values.map((value) => ({ ...label, value })),
      );
      expect(tokens).toEqual(values.map((_, i) => `[PROJECT_2_${i + 1}]`));
      const [secured = '', again] = await others.vault.reserve(session, [mail('a'), mail('a')], { format: 'secured' });
      expect(secured).toMatch(/^\[SECURED:type=EMAIL,id=[a-z2-9]{16}\]$/);
      expect(again).toBe(secured);
      const [srag = ''] = await stores.vault.reserve(session, [mail('a')], { format: 'srag' });
      await stores.vault.reserve(session, [{ ...mail('b'), bracketed: true }, mail('c')]);
      await others.vault.reserve(session, [{ ...mail('c'), bracketed: true }]);
      const map = await others.vault.tokens(session);
      expect(tokens.map((token) => map?.get(token))).toEqual(values);
      expect([map?.get(secured), map?.get(srag)]).toEqual(['a', 'a']);
      expect([map?.get('[[EMAIL-1]]'), map?.get('[[EMAIL-2]]'), map?.get('[[EMAIL-3]]')]).toEqual([
        '[b]',
        '[c]',
        undefined,
      ]);
    });

    test('thousands of values at once', async () => {
      const session = sessionKey('t', newId());
      const values = Array.from({ length: 5_000 }, (_, i) => mail(`user${i}`));
      const tokens = await stores.vault.reserve(session, [...values, ...values]);
      expect(tokens.slice(0, 5_000)).toEqual(values.map((_, i) => `[EMAIL-${i + 1}]`));
      expect(tokens.slice(5_000)).toEqual(tokens.slice(0, 5_000));
      const map = await others.vault.tokens(session);
      expect([map?.size, map?.get('[EMAIL-4321]'), map?.hasPrefix?.('[EMAIL-5001')]).toEqual([
        5_000,
        'user4320',
        false,
      ]);
    });

    test('taken tokens are skipped for new values only', async () => {
      const session = newId();
      const taken = new Set(['[EMAIL-1]', '[EMAIL-2]', '[PHONE-1]']);
      expect(await stores.vault.reserve(session, [mail('a')], { taken })).toEqual(['[EMAIL-3]']);
      expect(await stores.vault.reserve(session, [mail('a')], { taken: new Set(['[EMAIL-3]']) })).toEqual([
        '[EMAIL-3]',
      ]);
    });

    test('many taken tokens, of which too many are refused', async () => {
      const taken = (count: number) => new Set(Array.from({ length: count }, (_, i) => `[EMAIL-${i + 1}]`));
      const entry = [{ type: 'EMAIL', value: 'far@example.com' }];
      expect(await stores.vault.reserve(newId(), entry, { taken: taken(20_000) })).toEqual(['[EMAIL-20001]']);
      if (kind === 'memory') return;
      await expect(async () => stores.vault.reserve(newId(), entry, { taken: taken(20_001) })).rejects.toMatchObject({
        code: 'body_too_large',
      });
    });

    test('two processes at once never give one token twice', async () => {
      const session = sessionKey('t', newId());
      const reserve = (vault: Stores['vault'], i: number) =>
        vault.reserve(session, [mail(`user${i % 40}`), mail(`other${i}`)]);
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, i) => reserve(i % 2 === 0 ? stores.vault : others.vault, i)),
      );
      const map = await stores.vault.tokens(session);
      expect(map?.size).toBe(120);
      for (const [i, [first = '', second = '']] of answers.entries()) {
        expect([map?.get(first), map?.get(second)]).toEqual([`user${i % 40}`, `other${i}`]);
      }
    });

    test('an unknown session is not opened where it has to be there', async () => {
      const session = newId();
      await expect(async () => stores.vault.reserve(session, [mail('a')], { create: false })).rejects.toMatchObject({
        code: 'session_not_found',
      });
      expect(await stores.vault.tokens(session)).toBeUndefined();
      await stores.vault.reserve(session, []);
      expect((await others.vault.tokens(session))?.size).toBe(0);
      expect(await others.vault.reserve(session, [mail('a')], { create: false })).toEqual(['[EMAIL-1]']);
    });

    const expiresAt = async (session: string) => {
      const { sessions } = await others.vault.sessions({ tenant: '', limit: 1000 });
      return sessions.find(({ id }) => id === session)?.expiresAt;
    };

    test('a session ends when it was not used for its lifetime', async () => {
      const [short, kept] = [newId(), newId()];
      await stores.vault.reserve(short, [mail('a')], { ttlMs: 50 });
      await stores.vault.reserve(kept, [mail('a')], { ttlMs: 60_000 });
      const first = (await expiresAt(kept)) ?? 0;
      expect(first).toBeGreaterThan(Date.now());
      await sleep(100);
      expect(await stores.vault.tokens(short)).toBeUndefined();
      expect(await expiresAt(short)).toBeUndefined();
      await others.vault.tokens(kept);
      const second = (await expiresAt(kept)) ?? 0;
      expect(second).toBeGreaterThanOrEqual(first + 90);
      await sleep(20);
      await others.vault.reserve(kept, [mail('b')]);
      expect(await expiresAt(kept)).toBeGreaterThanOrEqual(second + 10);
      expect(await stores.vault.reserve(short, [mail('b')])).toEqual(['[EMAIL-1]']);
      expect((await stores.vault.tokens(short))?.get('[EMAIL-1]')).toBe('b');
    });

    test('lifetime 0 is no end', async () => {
      const session = newId();
      await stores.vault.reserve(session, [mail('a')], { ttlMs: 0 });
      expect(await expiresAt(session)).toBeNull();
    });

    test('drop forgets, and says whether there was one', async () => {
      const session = sessionKey('t', newId());
      await stores.vault.reserve(session, [mail('a')]);
      expect(await others.vault.drop(session)).toBe(true);
      expect(await others.vault.drop(session)).toBe(false);
      expect(await stores.vault.tokens(session)).toBeUndefined();
      expect(await stores.vault.reserve(session, [mail('b')])).toEqual(['[EMAIL-1]']);
      expect((await others.vault.tokens(session))?.get('[EMAIL-1]')).toBe('b');
    });

    test('a token is resolved when one live session of the tenant holds it', async () => {
      const [a, b] = [`ta${newId()}`, `tb${newId()}`];
      await stores.vault.reserve(sessionKey(a, '1'), [mail('one'), mail('two')]);
      await stores.vault.reserve(sessionKey(a, '2'), [mail('three')]);
      await stores.vault.reserve(sessionKey(a, 'gone'), [mail('x'), mail('y'), mail('z')], { ttlMs: 50 });
      await stores.vault.reserve(sessionKey(b, '1'), [mail('x'), mail('y'), mail('z')]);
      const [secured = ''] = await others.vault.reserve(sessionKey(a, '3'), [mail('four')], { format: 'secured' });
      const wanted = ['[EMAIL-1]', '[EMAIL-2]', '[EMAIL-3]', secured];
      await sleep(100);
      expect(Object.fromEntries(await others.vault.resolve(a, wanted))).toEqual({
        '[EMAIL-2]': 'two',
        [secured]: 'four',
      });
      expect(Object.fromEntries(await others.vault.resolve(b, [secured, '[EMAIL-3]', "']"]))).toEqual({
        '[EMAIL-3]': 'z',
      });
      await stores.vault.drop(sessionKey(a, '2'));
      expect((await stores.vault.resolve(a, wanted)).get('[EMAIL-1]')).toBe('one');
      await stores.vault.drop(sessionKey(a, '1'));
      expect(Object.fromEntries(await stores.vault.resolve(a, wanted))).toEqual({ [secured]: 'four' });
    });

    test('sessions are listed in pages', async () => {
      const tenant = `tp${newId()}`;
      for (let i = 0; i < 5; i++) await stores.vault.reserve(sessionKey(tenant, `s${i}`), [mail('a'), mail('b')]);
      const found = new Map<string, number>();
      let after: string | undefined;
      do {
        const page = await others.vault.sessions({ tenant, limit: 2, ...(after === undefined ? {} : { after }) });
        for (const session of page.sessions) {
          expect(session.tenant).toBe(tenant);
          expect(session.expiresAt).toBeGreaterThan(Date.now());
          found.set(session.id, session.tokens);
        }
        after = page.next;
      } while (after !== undefined);
      expect([...found].sort()).toEqual([0, 1, 2, 3, 4].map((i) => [`s${i}`, 2]));
    });
  });

  test('a value that the store cannot take is a mistake of the request, not an outage', async () => {
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

    test('a call that finds no session is not charged, whatever its credits', async () => {
      for (const creditsMax of [1, 0]) {
        const charge = chargeOf({ creditsMax });
        const run = (call: Parameters<Stores['calls']['run']>[0]) => async () => stores.calls.run(call);
        await expect(run({ charge, read: newId() })).rejects.toMatchObject({ code: 'session_not_found' });
        const reserve = { session: newId(), entries: [mail('a')], options: { create: false } };
        await expect(run({ charge, reserve })).rejects.toMatchObject({ code: 'session_not_found' });
        expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(0);
      }
    });

    test('what a call was charged can be taken back, and never more than there is', async () => {
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

    test('a call of thousands of values whose session is full after some of them is not charged', async () => {
      const charge = chargeOf();
      const session = sessionKey(charge.tenant, newId());
      const values = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => mail(`u${from + i}`));
      await stores.vault.reserve(session, values(0, 97_000), { protection: 'process' });
      const run = async () => stores.calls.run({ charge, reserve: { session, entries: values(97_000, 101_000) } });
      await expect(run()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/too many/) });
      expect(await stores.meter.used(charge.tenant, '2026-11')).toBe(0);
      expect((await stores.meter.usedByKey([charge.keyId], '2026-11')).get(charge.keyId) ?? 0).toBe(0);
      expect(await others.vault.drop(session)).toBe(true);
    }, 60_000);

    test('a refused call opens no session', async () => {
      const session = newId();
      const result = await stores.calls.run({
        charge: chargeOf({ creditsMax: 0 }),
        reserve: { session, entries: [mail('a')] },
      });
      expect(result).toEqual({ charge: { refused: 'credits', used: 0 } });
      expect(await stores.vault.tokens(session)).toBeUndefined();
    });

    test('what is free takes no credits and passes without any', async () => {
      const charge = chargeOf({ credits: 0, creditsMax: 0 });
      expect(await stores.calls.run({ charge })).toEqual({ charge: { used: 0 } });
    });

    test('a session is read in the call that pays for it', async () => {
      const charge = chargeOf();
      const session = sessionKey(charge.tenant, newId());
      await stores.calls.run({ charge, reserve: { session, entries: [mail('a')] } });
      const { charge: charged, map } = await others.calls.run({ charge, read: session });
      expect([charged?.used, map?.get('[EMAIL-1]')]).toEqual([2, 'a']);
    });

    test('the rate limit counts over processes and says when to come back', async () => {
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

    test('a rate limit of its own', async () => {
      const id = `127.0.0.1 \u0000 ${newId()}`;
      const take = async (from: Stores) => (await from.meter.takeRate(id, { limit: 2, windowMs: 60_000 })).allowed;
      expect([await take(stores), await take(others), await take(stores)]).toEqual([true, true, false]);
      const quick = { limit: 1, windowMs: 50 };
      await stores.meter.takeRate(`${id} quick`, quick);
      await sleep(80);
      expect((await others.meter.takeRate(`${id} quick`, quick)).allowed).toBe(true);
    });

    test('a window that ends later than any that begins now is of a clock that was put back', async () => {
      const id = newId();
      await stores.meter.takeRate(id, { limit: 1, windowMs: 3_600_000 });
      const state = await others.meter.takeRate(id, { limit: 1, windowMs: 60_000 });
      expect(state).toMatchObject({ allowed: true, remaining: 0 });
      expect(state.resetMs).toBeLessThanOrEqual(60_000);
    });
  });

  describe('records', () => {
    test('are written all or nothing, on the state that was read', async () => {
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

    test('every process hears of a change within a second', async () => {
      const id = newId();
      const heard = new Promise<Change>((resolve) => {
        const stop = others.changes.onChange((change) => {
          if (change.kind !== 'document') return;
          stop();
          resolve(change);
        });
      });
      // A listening connection may still be on its way.
      for (let i = 0; i < 100 && !others.changes.isLive; i++) await sleep(20);
      await stores.records.write('document', new Map([[id, { text: 'x' }]]));
      const change = await Promise.race([heard, sleep(1_000)]);
      expect(change).toMatchObject({ kind: 'document' });
    });
  });
});
