/** What a plan includes: features, credits, rate limits, and calls without any key. */
import { describe, expect, test } from 'vitest';
import { PrivetError } from '../../core/errors.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import type { Stores } from '../../gateway/stores/stores.ts';
import type { PlanName } from '../../policy/plans.ts';
import { startApi } from './api-under-test.ts';

const mail = 'ana@example.com';

describe('plans', () => {
  const rows: [path: string, body: object, plan: PlanName, status: number][] = [
    ['/rag/ingest', { text: 'x' }, 'free', 403],
    ['/rag/ingest', { text: 'x' }, 'starter', 200],
    ['/rag/resolve', { text: 'x' }, 'free', 403],
    ['/mask', { text: 'x', dictionary: [{ label: 'A', pattern: 'x' }] }, 'free', 403],
    ['/mask', { text: 'x', dictionary: [] }, 'free', 200],
    ['/mask', { text: 'x', dictionary: [{ label: 'A', pattern: 'x' }] }, 'starter', 200],
    ['/detect', { text: 'x', dictionary: [{ label: 'A', pattern: 'x' }] }, 'free', 403],
  ];
  test.each(rows)('%s %j on %s: %d', async (path, body, plan, status) => {
    const { post, keyOn, call } = await startApi();
    const key = await keyOn(plan);
    const answer = await post(path, body, key);
    expect(answer.status).toBe(status);
    if (status !== 403) return;
    expect(answer.body.error.details).toMatchObject({ plan: 'free', requiredPlan: 'starter' });
    expect((await call('/credits', { key })).body.used).toBe(0);
  });

  test('credits: one per call, checks and refusals free, 402 when used up', async () => {
    let now = new Date('2026-11-30T23:59:00Z');
    const { post, keyOn, call } = await startApi({ now: () => now });
    const key = await keyOn('free');
    const answers = await Promise.all(Array.from({ length: 299 }, () => post('/detect', { text: '' }, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await post('/detect-all-injections', { text: 'x' }, key);
    await post('/detect', { txt: 'x' }, key);
    await post('/restore', { text: 'x', sessionId: 'nobody' }, key);
    expect((await call('/credits', { key })).body).toEqual({
      plan: 'free',
      creditsTotal: 300,
      creditsRemaining: 1,
      used: 299,
      unlimited: false,
      resetsAt: '2026-12-01T00:00:00.000Z',
    });
    const last = await Promise.all(Array.from({ length: 10 }, () => post('/mask', { text: mail }, key)));
    expect(last.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(402)]);
    const refused = last.find(({ status }) => status === 402);
    expect(refused?.body.error).toMatchObject({ code: 'credits_exhausted', details: { used: 300 } });
    expect(refused?.body.masked).toBeUndefined();
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post('/detect-injection', { text: 'x' }, key)).status).toBe(200);
    now = new Date('2026-12-01T00:00:00Z');
    expect((await post('/mask', { text: mail }, key)).status).toBe(200);
  });

  test('a call that fails after being charged is refunded', async () => {
    const stores = openMemoryStores({ ttlMs: 60_000 });
    let isAway = false;
    const vault: Stores['vault'] = Object.create(stores.vault, {
      reserve: { value: failing((...args: Parameters<typeof stores.vault.reserve>) => stores.vault.reserve(...args)) },
      resolve: { value: failing((...args: Parameters<typeof stores.vault.resolve>) => stores.vault.resolve(...args)) },
    });
    function failing<A extends unknown[], R>(work: (...args: A) => R) {
      return (...args: A): R => {
        if (isAway) throw new PrivetError('unavailable', 'The store is away.');
        return work(...args);
      };
    }
    const { post, keyOn, call } = await startApi({ stores: { ...stores, vault } });
    const key = await keyOn('starter');
    const huge = { text: '[EMAIL-1]'.repeat(600), tokenMap: { '[EMAIL-1]': 'x'.repeat(100_000) } };
    expect((await post('/restore-all', huge, key)).status).toBe(413);
    expect((await post('/rag/resolve', huge, key)).status).toBe(413);
    isAway = true;
    expect((await post('/restore-all', { text: '[EMAIL-1]' }, key)).status).toBe(503);
    expect((await post('/rag/resolve', { text: '[EMAIL-1]' }, key)).status).toBe(503);
    expect((await post('/rag/ingest', { text: mail }, key)).status).toBe(503);
    expect((await call('/credits', { key })).body.used).toBe(0);
    isAway = false;
    expect((await post('/rag/ingest', { text: mail }, key)).status).toBe(200);
    expect((await call('/credits', { key })).body.used).toBe(1);
  });

  test('a caller over a limit is refused before the work, until a plan change allows it', async () => {
    const { post, keyOn, accounts } = await startApi();
    const costly = { text: mail, dictionary: [{ label: 'A', pattern: '/(/' }] };
    const key = await keyOn('starter');
    const caller = await accounts.authenticate(key);
    if (caller === undefined) throw new Error('no caller');
    expect((await post('/mask', costly, key)).status).toBe(422);
    // Not all at once: that many connections would overflow the system's accept queue.
    for (let sent = 0; sent < 3_001; sent += 200)
      await Promise.all(Array.from({ length: 200 }, () => post('/detect-injection', { text: 'x' }, key)));
    for (const path of ['/mask', '/detect']) {
      const refused = await post(path, costly, key);
      expect([refused.status, refused.headers.get('ratelimit')]).toEqual([429, expect.stringMatching(/;r=0;t=\d+$/)]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    await accounts.setPlan(caller.tenant, 'business');
    await expect.poll(async () => (await post('/mask', costly, key)).status).toBe(422);
    const poor = await keyOn('free');
    const all = await Promise.all(Array.from({ length: 301 }, () => post('/detect', { text: '' }, poor)));
    expect(all.filter(({ status }) => status === 402)).toHaveLength(1);
    expect((await post('/mask', { text: mail }, poor)).status).toBe(402);
    expect((await post('/detect-injection', { text: 'x' }, poor)).status).toBe(200);
  });

  test('business continues and counts the overage', async () => {
    const { post, keyOn, call, stores, accounts } = await startApi();
    const key = await keyOn('business');
    const caller = await accounts.authenticate(key);
    if (caller === undefined) throw new Error('no caller');
    await stores.calls.run({ charge: { ...accounts.charge(caller, 1), credits: 301_000 } });
    expect((await post('/mask', { text: mail }, key)).status).toBe(200);
    expect((await call('/credits', { key })).body).toMatchObject({
      used: 301_001,
      creditsRemaining: 0,
      overage: { calls: 1_001, yenPerThousand: 0.2, yen: 0.2002 },
    });
  });

  test('rate limits: RateLimit fields on every answer, 429 with Retry-After', async () => {
    const { post, keyOn } = await startApi();
    const key = await keyOn('free');
    const first = await post('/detect', { text: 'x' }, key);
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60');
    expect(first.headers.get('ratelimit')).toBe('"default";r=599;t=60');
    const rest = await Promise.all(Array.from({ length: 605 }, () => post('/detect-injection', { text: 'x' }, key)));
    const refused = rest.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(6);
    expect(refused[0]?.body.error.code).toBe('too_many_requests');
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('ratelimit')).toMatch(/r=0/);
  });
});

describe('demo', () => {
  test('masks and restores short texts without a key, with a rate limit', async () => {
    const { post } = await startApi();
    const { body } = await post('/demo/mask', { text: mail }, null);
    expect(body).toMatchObject({ masked: '[EMAIL-1]', creditsUsed: 0 });
    const back = await post('/demo/restore', { text: '[EMAIL-1]', sessionId: body.sessionId }, null);
    expect(back.body.restored).toBe(mail);
    expect((await post('/demo/detect', { text: mail }, null)).body).toMatchObject({ detections: [{}], count: 1 });
    expect((await post('/demo/detect-all-injections', { text: 'x' }, null)).body.compositeRisk).toBe(false);
    const long = await post('/demo/mask', { text: 'x'.repeat(2_001) }, null);
    expect(long.body.error).toMatchObject({ code: 'invalid_input', details: [{ field: 'text' }] });
    expect((await post('/demo/mask', { text: 'x'.repeat(2_000) }, null)).status).toBe(200);
    const more = await Promise.all(Array.from({ length: 30 }, () => post('/demo/detect', { text: 'x' }, null)));
    const refused = more.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('can use secured tokens, and restore inside links', async () => {
    const { post } = await startApi();
    const { body } = await post('/demo/mask', { text: mail, tokenFormat: 'secured' }, null);
    expect(body.masked).toMatch(/^\[SECURED:type=EMAIL,id=\w+\]$/);
    const link = { text: `https://other.example/?q=${body.masked}`, sessionId: body.sessionId };
    const back = async (options: object) =>
      (await post('/demo/restore', { ...link, ...options }, null)).body.restoredCount;
    expect([await back({}), await back({ guardUrls: false })]).toEqual([0, 1]);
  });

  test('its sessions and those of key holders are separate', async () => {
    const { post } = await startApi();
    const { body: demo } = await post('/demo/mask', { text: mail }, null);
    const { body: own } = await post('/mask', { text: mail });
    expect((await post('/restore', { text: 'x', sessionId: demo.sessionId })).status).toBe(404);
    expect((await post('/demo/restore', { text: 'x', sessionId: own.sessionId }, null)).status).toBe(404);
  });

  test('can be disabled', async () => {
    const { post } = await startApi({ demo: () => ({ isOn: false }) });
    for (const path of ['/demo/detect', '/demo/mask']) expect((await post(path, { text: 'x' }, null)).status).toBe(404);
  });
});
