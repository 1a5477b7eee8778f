/** The session of the admin console: what it permits, and everything that ends or rejects it. */

import { hostname } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { ConsoleSessions } from '../../gateway/api/sign-in.ts';
import { SignInGuard } from '../../gateway/api/sign-in-guard.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { type Answer, adminKey, startApi } from './api-under-test.ts';
import { silentLog } from './stores/silent-log.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

/** The cookie that a response sets, as a browser sends it back. */
const cookieOf = (answer: Answer): string => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

async function signIn({ post }: Pick<Api, 'post'>, key = adminKey) {
  const answer = await post('/admin/login', { key }, null);
  expect(answer.status).toBe(200);
  return { answer, cookie: cookieOf(answer), csrf: answer.body.csrf as string };
}

/** A request with a cookie and no key. */
const withCookie = (
  { call }: Pick<Api, 'call'>,
  path: string,
  { cookie, csrf, method = 'GET', json }: { cookie: string; csrf?: string; method?: string; json?: unknown },
) =>
  call(path, { method, json, key: null, headers: { cookie, ...(csrf === undefined ? {} : { 'x-csrf-token': csrf }) } });

test('the admin key becomes a cookie that scripts cannot read and other sites cannot send', async () => {
  const api = await startApi();
  const { answer, cookie, csrf } = await signIn(api);
  const set = answer.headers.get('set-cookie') ?? '';
  expect(set).toMatch(/^privet_admin=[\w-]+\.[\w-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/);
  expect(answer.body).toMatchObject({ name: 'admin', expires_at: expect.stringMatching(/Z$/) });
  expect(answer.text + set).not.toContain(adminKey);
  expect((await withCookie(api, '/admin/login', { cookie })).body.csrf).toBe(csrf);
  expect((await withCookie(api, '/admin/keys', { cookie })).status).toBe(200);
  expect(api.lines.join('')).not.toContain(adminKey);
});

test('asking for the session state is never an error', async () => {
  const api = await startApi();
  const none = { status: 200, body: { signed_in: false } };
  expect(await api.call('/admin/session', { key: null })).toMatchObject(none);
  expect((await api.call('/admin/login', { key: null })).status).toBe(401);
  const { cookie, csrf } = await signIn(api);
  const there = await withCookie(api, '/admin/session', { cookie });
  expect(there.body).toEqual({ signed_in: true, csrf, name: 'admin', expires_at: expect.stringMatching(/Z$/) });
  // Only of the cookie: a key is not a session.
  expect((await api.call('/admin/session')).body).toEqual(none.body);
  expect((await withCookie(api, '/admin/session', { cookie: `${cookie.slice(0, -2)}xx` })).body).toEqual(none.body);
  expect((await withCookie(api, '/admin/logout', { cookie, csrf, method: 'POST' })).status).toBe(204);
  expect((await withCookie(api, '/admin/session', { cookie })).body).toEqual(none.body);
});

test('a session with a revoked key is invalid', async () => {
  const api = await startApi();
  const { key, id } = await api.accounts.createKey({ name: 'ann', role: 'admin' });
  const { cookie } = await signIn(api, key);
  expect((await withCookie(api, '/admin/session', { cookie })).body).toMatchObject({ signed_in: true, name: 'ann' });
  await api.accounts.revokeKey(id);
  await expect
    .poll(async () => (await withCookie(api, '/admin/session', { cookie })).body)
    .toEqual({ signed_in: false });
});

test('over TLS the cookie is TLS-only', async () => {
  const { call } = await startApi();
  const headers = { 'x-forwarded-proto': 'https' };
  const answer = await call('/admin/login', { method: 'POST', json: { key: adminKey }, key: null, headers });
  expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
});

test.each<[name: string, change: (cookie: string) => string]>([
  ['none', () => ''],
  ['of another name', (cookie) => cookie.replace('privet_admin', 'privet_other')],
  ['without its seal', (cookie) => cookie.split('.')[0] ?? ''],
  ['with another seal', (cookie) => `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`],
  ['with other claims', (cookie) => cookie.replace('=', '=A')],
  ['sealed with other letters', (cookie) => `${cookie.slice(0, -1)}\u00e9`],
  ['too long', (cookie) => cookie + 'A'.repeat(5_000)],
  ['of another gateway', () => 'privet_admin=eyJpZCI6IngifQ.c2VhbA'],
])('a cookie that is %s is rejected', async (_name, change) => {
  const api = await startApi();
  const { cookie } = await signIn(api);
  expect((await withCookie(api, '/admin/keys', { cookie: change(cookie) })).status).toBe(401);
});

test('changes need the CSRF token of the same session', async () => {
  const api = await startApi();
  const { cookie, csrf } = await signIn(api);
  const other = await signIn(api);
  const make = (csrf?: string) =>
    withCookie(api, '/admin/keys', {
      cookie,
      method: 'POST',
      json: { name: 'Ann' },
      ...(csrf === undefined ? {} : { csrf }),
    });
  expect((await make()).status).toBe(403);
  expect((await make('x')).status).toBe(403);
  expect((await make(other.csrf)).status).toBe(403);
  expect((await make(`${csrf.slice(0, -1)}\u00e9`)).status).toBe(403);
  expect((await make(csrf)).status).toBe(201);
  expect(await withCookie(api, '/admin/logout', { cookie, method: 'POST' })).toMatchObject({
    status: 403,
    body: { error: { hint: 'Send the "csrf" of GET /admin/login as x-csrf-token.' } },
  });
});

test('signing out ends the session everywhere', async () => {
  const api = await startApi();
  const { cookie, csrf } = await signIn(api);
  const other = await signIn(api);
  const out = await withCookie(api, '/admin/logout', { cookie, csrf, method: 'POST' });
  expect(out.status).toBe(204);
  expect(out.headers.get('set-cookie')).toContain('privet_admin=; Path=/; Max-Age=0');
  expect((await withCookie(api, '/admin/keys', { cookie })).status).toBe(401);
  expect((await withCookie(api, '/admin/keys', { cookie: other.cookie })).status).toBe(200);
});

test('replicas that share a store know each other’s sessions and sign-outs', async () => {
  const stores = openMemoryStores({ ttlMs: 60_000 });
  const [one, two] = [await startApi({ stores }), await startApi({ stores })];
  const { cookie, csrf } = await signIn(one);
  expect((await withCookie(two, '/admin/keys', { cookie })).status).toBe(200);
  await withCookie(one, '/admin/logout', { cookie, csrf, method: 'POST' });
  await expect.poll(async () => (await withCookie(two, '/admin/keys', { cookie })).status).toBe(401);
});

test('a session ends with the key that it was opened with', async () => {
  const api = await startApi();
  const { body: key } = await api.post('/admin/keys', { name: 'Ops', role: 'admin' });
  const { cookie } = await signIn(api, key.key);
  expect((await withCookie(api, '/admin/keys', { cookie })).status).toBe(200);
  await api.call(`/admin/keys/${key.id}`, { method: 'DELETE' });
  expect((await withCookie(api, '/admin/keys', { cookie })).status).toBe(401);
});

describe('an open live view ends at once', () => {
  /** Opens the event stream; the result waits until the server has ended it. */
  async function watch({ host, port }: Api, headers: Record<string, string>): Promise<() => Promise<void>> {
    const answer = await fetch(`http://${host}:${port}/admin/events/tail`, { headers });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('retry:');
    return async () => {
      while (!(await reader.read()).done);
    };
  }

  test('when its session is signed out', async () => {
    const api = await startApi();
    const { cookie, csrf } = await signIn(api);
    const ended = await watch(api, { cookie });
    await withCookie(api, '/admin/logout', { cookie, csrf, method: 'POST' });
    await ended();
  });

  test('when its key is revoked', async () => {
    const api = await startApi();
    const { body: key } = await api.post('/admin/keys', { name: 'Ops', role: 'admin' });
    const ended = await watch(api, { authorization: `Bearer ${key.key}` });
    await api.call(`/admin/keys/${key.id}`, { method: 'DELETE' });
    await ended();
  });
});

test('a foreign cookie of the same name does not hide ours', async () => {
  const api = await startApi();
  const { cookie } = await signIn(api);
  expect((await withCookie(api, '/admin/keys', { cookie: `privet_admin=x.y; ${cookie}` })).status).toBe(200);
});

test('a key with the longest name signs in', async () => {
  const api = await startApi();
  const name = '管'.repeat(200);
  const { body } = await api.post('/admin/keys', { name, role: 'admin' });
  const { cookie } = await signIn(api, body.key);
  expect((await withCookie(api, '/admin/login', { cookie })).body.name).toBe(name);
});

test('the key of a member cannot sign in', async () => {
  const api = await startApi();
  const answer = await api.post('/admin/login', { key: await api.keyOn('business') }, null);
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
});

describe('lock-out', () => {
  test('after five failures, also for the right key, and shows the duration', async () => {
    const { post } = await startApi();
    const attempt = (key: string) => post('/admin/login', { key }, null);
    const left: (number | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      const answer = await attempt('pvt_admin_wrong');
      expect(answer.status).toBe(401);
      left.push(answer.body.error.details.remaining);
    }
    expect(left).toEqual([4, 3, 2, 1]);
    for (const key of ['pvt_admin_wrong', adminKey]) {
      const answer = await attempt(key);
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800);
      expect(answer.body.error.details.retryMs).toSatisfy(Number.isInteger);
    }
  });

  test('is shared by replicas, expires, and works without the store', async () => {
    let now = 0;
    const { meter } = openMemoryStores({ ttlMs: 0, now: () => now });
    const guards = [new SignInGuard(meter, () => now), new SignInGuard(meter, () => now)] as const;
    for (let i = 0; i < 4; i++) await guards[0].failed('192.0.2.1');
    expect(guards[1].enter('192.0.2.1')).toBe(0);
    expect((await guards[1].failed('192.0.2.1')).remaining).toBe(0);
    expect(guards[1].enter('192.0.2.1')).toBe(15 * 60_000);
    expect(guards[1].enter('192.0.2.2')).toBe(0);
    now += 15 * 60_000;
    expect(guards[1].enter('192.0.2.1')).toBe(0);
  });

  test('reordered store responses do not undo a lock', async () => {
    const answers = [4, 3, 2, 0, 1].map((remaining) => ({ remaining, resetMs: 60_000 }));
    const meter = { takeRate: async () => answers.shift() };
    const guard = new SignInGuard(meter as never, () => 0);
    for (let i = 0; i < 5; i++) await guard.failed('192.0.2.1');
    expect(guard.enter('192.0.2.1')).toBe(60_000);
  });

  test('no more attempts run concurrently than may fail', async () => {
    const { post } = await startApi();
    const attempt = (key: string) => post('/admin/login', { key }, null);
    const wrong = Array.from({ length: 20 }, () => attempt('pvt_admin_wrong'));
    const statuses = (await Promise.all([...wrong, attempt(adminKey)])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(5);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('a page under a foreign name cannot lock out its reader', async () => {
    const { api, call } = await startApi();
    const headers = { host: 'rebound.example', 'content-type': 'application/json' };
    const body = JSON.stringify({ key: 'pvt_admin_wrong' });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      statuses.push((await api.app.inject({ method: 'POST', url: '/admin/login', headers, body })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    const answer = await call('/admin/login', { method: 'POST', json: { key: adminKey }, key: null });
    expect(answer.status).toBe(200);
    const metrics = await api.app.inject({ url: '/metrics', headers: { host: 'rebound.example:3001' } });
    expect([metrics.statusCode, metrics.json().error.code]).toEqual([403, 'forbidden']);
    for (const host of ['127.0.0.1:3001', 'localhost.', '[::1]:3001', hostname()])
      expect((await api.app.inject({ url: '/metrics', headers: { host } })).statusCode).toBe(200);
  });
});

describe('time', () => {
  const minute = 60_000;
  /** A browser that stores its cookie, and the clock. */
  function browser() {
    let now = Date.parse('2026-03-02T08:00:00Z');
    const stores = openMemoryStores({ ttlMs: 0, now: () => now });
    const sessions = new ConsoleSessions({ stores, log: silentLog, now: () => now });
    let cookie = '';
    const request = (headers: Record<string, string> = {}) =>
      ({ headers: { cookie, ...headers }, protocol: 'http' }) as unknown as FastifyRequest;
    const reply = {
      header: (_name: string, value: string) => {
        cookie = value.split(';', 1)[0] ?? '';
      },
    } as unknown as FastifyReply;
    sessions.send(request(), reply, sessions.start({ key: 'admin', print: '', name: 'admin' }));
    return {
      /** Sends a request after this many minutes; returns whether the session was valid. */
      ask: (minutes: number, headers?: Record<string, string>): boolean => {
        now += minutes * minute;
        const claims = sessions.read(request(headers));
        if (claims !== undefined) sessions.renew(request(headers), reply, claims);
        return claims !== undefined;
      },
    };
  }

  test('an unused session ends after an hour', () => {
    const { ask } = browser();
    expect([ask(59), ask(59), ask(60)]).toEqual([true, true, false]);
  });

  test('background polling does not keep it alive', () => {
    const { ask } = browser();
    const background = { 'x-privet-background': '1' };
    expect([ask(40, background), ask(19, background), ask(1, background)]).toEqual([true, true, false]);
  });

  test('setting the clock back does not extend it', () => {
    const { ask } = browser();
    expect([ask(-4), ask(0), ask(-24 * 60)]).toEqual([true, true, false]);
  });

  test('it ends after twelve hours even if used', () => {
    const { ask } = browser();
    const hours = Array.from({ length: 15 }, () => ask(50));
    expect(hours.filter(Boolean)).toHaveLength(14);
  });
});
