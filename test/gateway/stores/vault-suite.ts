/** The behaviour required of every vault; run by conformance.test.ts on each store. */
import { beforeAll, describe, expect, test } from 'vitest';
import { proxySessionKey, sessionKey } from '../../../core/vault.ts';
import type { StoreKind, Stores } from '../../../gateway/stores/stores.ts';
import { mail, newId, sleep } from './stores-under-test.ts';

/** `opened` returns the open stores: ours, and the one of another process. */
export function addVaultTests(
  kind: StoreKind,
  opened: () => { readonly stores: Stores; readonly others: Stores },
): void {
  describe('vault', () => {
    let stores: Stores;
    let others: Stores;
    beforeAll(() => {
      ({ stores, others } = opened());
    });

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

    test('two processes at once never assign one token twice', async () => {
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

    test('an unknown session is not created if it must exist', async () => {
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
      expect(await stores.vault.reserve(short, [mail('b')])).toEqual(['[EMAIL-2]']);
      const again = await stores.vault.tokens(short);
      expect([again?.get('[EMAIL-1]'), again?.get('[EMAIL-2]')]).toEqual([undefined, 'b']);
    });

    test('sessions of one line never assign a number twice, whatever happens to them', async () => {
      const line = newId();
      const idOf = (session: string, of = line) => proxySessionKey('ann', of, session);
      const reserve = async (vault: Stores['vault'], id: string, ...values: string[]) =>
        (
          await vault.reserve(id, [...values.map(mail), { type: 'PHONE', value: values.join() }], { ttlMs: 60_000 })
        ).join();
      expect(await reserve(stores.vault, idOf('AAA'), 'ann', 'bob')).toBe('[EMAIL-1],[EMAIL-2],[PHONE-1]');
      // A renewed credential in another process, while the other session is alive.
      expect(await reserve(others.vault, idOf('BBB'), 'ann', 'cid')).toBe('[EMAIL-3],[EMAIL-4],[PHONE-2]');
      expect(await reserve(stores.vault, idOf('AAA'), 'ann', 'dan')).toBe('[EMAIL-1],[EMAIL-5],[PHONE-3]');
      expect((await others.vault.tokens(idOf('AAA')))?.get('[EMAIL-3]')).toBeUndefined();
      // Another service, or another subject.
      expect(await reserve(stores.vault, idOf('AAA', newId()), 'eve')).toBe('[EMAIL-1],[PHONE-1]');
      await others.vault.drop(idOf('AAA'));
      expect(await reserve(stores.vault, idOf('AAA'), 'eve')).toBe('[EMAIL-6],[PHONE-4]');
      await stores.vault.reserve(idOf('BBB'), [], { ttlMs: 30 });
      await sleep(60);
      expect(await reserve(others.vault, idOf('BBB'), 'eve')).toBe('[EMAIL-7],[PHONE-5]');
      expect((await stores.vault.tokens(idOf('BBB')))?.get('[EMAIL-3]')).toBeUndefined();
      const at = await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          reserve(i % 2 === 0 ? stores.vault : others.vault, idOf(`S${i % 3}`), `u${i}`),
        ),
      );
      expect(new Set(at.map((tokens) => tokens.split(',')[0])).size).toBe(60);
    });

    test('lifetime 0 means no expiry', async () => {
      const session = newId();
      await stores.vault.reserve(session, [mail('a')], { ttlMs: 0 });
      expect(await expiresAt(session)).toBeNull();
    });

    test('drop deletes, and returns whether there was one', async () => {
      const session = sessionKey('t', newId());
      await stores.vault.reserve(session, [mail('a')]);
      expect(await others.vault.drop(session)).toBe(true);
      expect(await others.vault.drop(session)).toBe(false);
      expect(await stores.vault.tokens(session)).toBeUndefined();
      expect(await stores.vault.reserve(session, [mail('b')])).toEqual(['[EMAIL-1]']);
      expect((await others.vault.tokens(session))?.get('[EMAIL-1]')).toBe('b');
    });

    test('a token is resolved if one live session of the tenant has it', async () => {
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
}
