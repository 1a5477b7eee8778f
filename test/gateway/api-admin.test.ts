import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PrivetError } from '../../core/errors.ts';
import { EventRecorder } from '../../gateway/observe/event-recorder.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { adminKey, startApi } from './api-under-test.ts';
import { silentLog } from './stores/silent-log.ts';

describe('keys', () => {
  test('created, shown once, used, counted, revoked', async () => {
    const { post, call, lines } = await startApi();
    const made = await post('/admin/keys', { name: 'Ann', plan: 'starter' });
    expect(made.status).toBe(201);
    const { id, key, tenant } = made.body;
    expect(made.body).toMatchObject({ name: 'Ann', plan: 'starter', role: 'user', created_at: expect.any(String) });
    expect(key).toMatch(/^pvt_live_/);
    expect((await post('/mask', { text: 'x' }, key)).status).toBe(200);
    const { body, text } = await call('/admin/keys');
    expect(body).toMatchObject({ total: 1, keys: [{ id, tenant, revoked_at: null, usage: { calls: 1 } }] });
    expect(text).not.toContain(key);
    expect((await call(`/admin/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(async () => (await post('/mask', { text: 'x' }, key)).status).toBe(401);
    expect((await call(`/admin/keys?tenant=${tenant}`)).body.keys[0].revoked_at).toMatch(/Z$/);
    expect(lines.join('')).not.toContain(key);
    expect(lines.join('')).toContain(id);
  });

  test('for a tenant, with other roles, and invalid ones', async () => {
    const { post, call } = await startApi();
    const { body } = await post('/admin/keys', { name: 'Ann', plan: 'business' });
    const { tenant } = body;
    expect((await post('/admin/keys', { name: 'Bob', tenant })).body).toMatchObject({ tenant, plan: 'business' });
    expect((await post('/admin/keys', { name: 'Bob', tenant, test: true })).body.key).toMatch(/^pvt_test_/);
    const admin = (await post('/admin/keys', { name: 'Ops', tenant, role: 'admin' })).body.key;
    expect(admin).toMatch(/^pvt_admin_/);
    expect((await call('/admin/keys', { key: admin })).status).toBe(200);
    expect((await call('/admin/keys', { key: body.key })).status).toBe(403);
    expect((await post('/admin/keys', { name: 'x', tenant: 'tnt_none' })).status).toBe(404);
    expect((await call('/admin/keys/key_none', { method: 'DELETE' })).status).toBe(404);
    const free = await post('/admin/keys', { name: 'Ann' });
    const second = await post('/admin/keys', { name: 'Bob', tenant: free.body.tenant });
    expect([second.status, second.body.error.details.requiredPlan]).toEqual([403, 'business']);
  });
});

test('sessions are listed in pages without content, and can be ended', async () => {
  const { post, call } = await startApi();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await post('/mask', { text: 'ana@example.com' })).body.sessionId);
  const seen: string[] = [];
  let next: string | undefined;
  do {
    const cursor: string = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
    const { body, text } = await call(`/admin/sessions?tenant=admin&limit=2${cursor}`);
    expect(text).not.toContain('ana@');
    expect(body.sessions[0]).toMatchObject({ tenant: 'admin', tokens: 1, expires_at: expect.stringMatching(/Z$/) });
    seen.push(...body.sessions.map(({ id }: { id: string }) => id));
    next = body.next;
  } while (next !== undefined);
  expect(seen.sort()).toEqual(ids.sort());
  const path = `/admin/sessions/${ids[0]}?tenant=admin`;
  expect((await call(path, { method: 'DELETE' })).status).toBe(204);
  const again = await call(path, { method: 'DELETE' });
  expect([again.status, again.body.error]).toMatchObject([
    404,
    { code: 'session_not_found', hint: expect.stringMatching(/^It has already ended/) },
  ]);
  expect((await call(`/admin/sessions/${ids[1]}?tenant=other`, { method: 'DELETE' })).status).toBe(404);
  expect((await post('/restore', { text: '[EMAIL-1]', sessionId: ids[0] })).status).toBe(404);
  expect((await post('/restore', { text: '[EMAIL-1]', sessionId: ids[1] })).status).toBe(200);
  expect((await call(`/admin/sessions/${ids[1]}`, { method: 'DELETE' })).status).toBe(204);
  expect((await post('/restore', { text: '[EMAIL-1]', sessionId: ids[1] })).status).toBe(404);
});

test('explain lists every evaluated rule', async () => {
  const { call } = await startApi();
  const { body } = await call(
    '/admin/explain?url=https://chat.deepseek.com/x&user=ann&groups=legal,%20ops&from=10.0.0.7',
  );
  expect(body.decision).toMatchObject({ action: 'block', matchedHost: 'deepseek.com', reason: expect.any(String) });
  expect(body.tried[0]).toEqual({ rule: 'bypass', matched: false, why: expect.any(String) });
  expect(body.service.domain).toBe('deepseek.com');
  expect((await call('/admin/explain?url=bank.example')).body).toMatchObject({
    decision: { rule: 'bank.example' },
    service: null,
  });
});

test.each(['10.0.0.0/8', 'private', '::1/128', '10.0.0', 'localhost', ''])(
  'explain: "%s" is not a client address',
  async (from) => {
    const { call } = await startApi();
    const { status, body } = await call(`/admin/explain?url=chatgpt.com&from=${encodeURIComponent(from)}`);
    expect([status, body.error?.details]).toEqual([422, [{ field: 'from', message: 'is not an IP address' }]]);
  },
);

test('reload returns the errors, or nothing on success', async () => {
  let problems: string[] = [];
  const { call } = await startApi({ reload: () => problems });
  const reload = () => call('/admin/reload', { method: 'POST' });
  expect((await reload()).body).toEqual({ reloaded: true });
  problems = ['privet.yaml:3:1: "polcy" is not known; did you mean "policy"?'];
  const { status, body } = await reload();
  expect([status, body.error.details]).toEqual([422, problems]);
});

test('the license, in /health without the customer', async () => {
  const { call, post } = await startApi();
  for (const path of ['/mask', '/detect']) await post(path, { text: 'x' });
  const { body } = await call('/health', { key: null });
  expect(body).toMatchObject({ status: 'ok', plan: 'enterprise', api_calls_this_month: 2 });
  expect(body).toMatchObject({ store: 'memory', license: { status: 'valid', mode: 'evaluation', evaluation: true } });
  expect(body.license.customer).toBeUndefined();
  const fresh = await call('/license/refresh', { method: 'POST' });
  expect(fresh.body).toMatchObject({ status: 'valid', customer: 'evaluation', reported: false });
  expect((await call('/license/refresh', { method: 'POST', key: null })).status).toBe(401);
});

describe('events', () => {
  const fields = (i: number) => ({
    event: 'decision',
    requestId: `r${i}`,
    subject: i % 2 ? 'ann' : '=cmd()',
    host: 'api.openai.com',
    service: 'openai-api',
    action: i % 3 ? 'allow' : 'block',
    method: 'POST',
    status: 200,
    reason: 'said "no", twice',
    piiTypes: { EMAIL: 2 },
    masked: 2,
    restored: 1,
  });
  async function start() {
    const stores = openMemoryStores({ ttlMs: 60_000 });
    const recorder = new EventRecorder({ events: stores.events, log: silentLog });
    for (let i = 0; i < 25; i++) recorder.take(fields(i));
    await recorder.flush();
    return startApi({ stores });
  }

  test('in pages, newest first, with filters', async () => {
    const { call } = await start();
    const seen: string[] = [];
    let next: string | undefined;
    do {
      const { body } = await call(`/admin/events?limit=10${next === undefined ? '' : `&cursor=${next}`}`);
      seen.push(...body.events.map(({ requestId }: { requestId: string }) => requestId));
      next = body.next;
    } while (next !== undefined);
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `r${24 - i}`));
    const { body } = await call('/admin/events?subject=ann&action=block');
    expect(body.events).toHaveLength(4);
    expect(body.events[0]).toMatchObject({
      subject: 'ann',
      action: 'block',
      service: 'openai-api',
      host: 'api.openai.com',
    });
    expect((await call('/admin/events?to=2000-01-01T00:00:00Z')).body.events).toEqual([]);
  });

  test('as CSV without spreadsheet formulas', async () => {
    const { call } = await start();
    const answer = await call('/admin/events?format=csv&limit=2');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('x-next-cursor')).toMatch(/./);
    const [head, first, second] = answer.text.split('\r\n');
    expect(head).toMatch(/^ts,requestId,subject/);
    expect(first).toContain(",'=cmd(),");
    expect(second).toContain('"said ""no"", twice"');
    expect(second).toContain('"{""EMAIL"":2}"');
  });

  test('found by host and type of data', async () => {
    const { call } = await start();
    const found = async (query: string) => (await call(`/admin/events?${query}`)).body.events.length;
    expect(await found('host=api.openai.com&type=EMAIL')).toBe(25);
    expect(await found('host=openai.com')).toBe(0);
    expect(await found('type=EMAI')).toBe(0);
    expect((await call('/admin/events?type=email')).status).toBe(422);
  });

  test('as a complete file in three formats', async () => {
    const { call } = await start();
    const csv = await call('/admin/events/export?format=csv&subject=ann');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(13);
    const json = await call('/admin/events/export');
    expect(JSON.parse(json.text).map(({ requestId }: { requestId: string }) => requestId)).toEqual(
      Array.from({ length: 25 }, (_, i) => `r${24 - i}`),
    );
    const lines = (await call('/admin/events/export?format=ndjson')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).requestId)).toHaveLength(25);
    expect(JSON.parse((await call('/admin/events/export?host=none.example')).text)).toEqual([]);
  });

  test('without the store: an error status instead of a truncated file', async () => {
    const stores = openMemoryStores({ ttlMs: 60_000 });
    const events: typeof stores.events = Object.create(stores.events, {
      query: {
        value: async () => {
          throw new PrivetError('unavailable', 'The store is away.');
        },
      },
    });
    const { call } = await startApi({ stores: { ...stores, events } });
    const answer = await call('/admin/events/export');
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test('live, and resumed where it ended', async () => {
    const { stores, host, port } = await start();
    const recorder = new EventRecorder({ events: stores.events, log: silentLog });
    const open = async (headers: Record<string, string> = {}) => {
      const leave = new AbortController();
      const answer = await fetch(`http://${host}:${port}/admin/events/tail?subject=ann`, {
        headers: { authorization: `Bearer ${adminKey}`, ...headers },
        signal: leave.signal,
      });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      let text = '';
      const until = async (what: RegExp) => {
        while (!what.test(text)) text += new TextDecoder().decode((await reader.read()).value);
        return text;
      };
      return { until, leave: () => leave.abort() };
    };
    const first = await open();
    const [, before = ''] = /id: (\S+)\n\n/.exec(await first.until(/id: \S+\n\n/)) ?? [];
    for (let i = 25; i < 29; i++) recorder.take(fields(i));
    await recorder.flush();
    const seen = await first.until(/r27[^\n]*\n\n/);
    expect(seen.match(/"requestId":"r\d+"/g)).toEqual(['"requestId":"r25"', '"requestId":"r27"']);
    const [, after = ''] = /\nid: (\S+)\ndata: /.exec(seen) ?? [];
    expect(after).not.toBe(before);
    first.leave();
    const second = await open({ 'last-event-id': before });
    expect((await second.until(/r27[^\n]*\n\n/)).match(/"requestId"/g)).toHaveLength(2);
    second.leave();
    for (let i = 29; i < 32; i++) recorder.take(fields(i));
    await recorder.flush();
    const third = await open({ 'last-event-id': after });
    expect((await third.until(/r31[^\n]*\n\n/)).match(/"requestId":"r\d+"/g)).toEqual([
      '"requestId":"r29"',
      '"requestId":"r31"',
    ]);
    third.leave();
  });

  test('a live view does not prevent the listener from closing', async () => {
    const { api, host, port } = await start();
    const answer = await fetch(`http://${host}:${port}/admin/events/tail`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const text = answer.text();
    await api.close(60_000);
    expect(await text).toContain('retry: 2000');
  });

  test('live views whose readers left during the key look-up do not count', async () => {
    const { accounts, stores, host, port } = await startApi();
    const { key } = await accounts.createKey({ name: 'ann', role: 'admin' });
    const ask = stores.records.get.bind(stores.records);
    let asked = 0;
    let answer: () => void = () => {};
    const waits = new Promise<void>((resolve) => {
      answer = resolve;
    });
    stores.records.get = async (...args) => {
      asked++;
      await waits;
      return ask(...args);
    };
    const request = `GET /admin/events/tail HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    const sockets = Array.from({ length: 20 }, () => connect(port, host));
    for (const socket of sockets) socket.write(request);
    await expect.poll(() => asked).toBeGreaterThan(0);
    const closed = sockets.map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer();
    await accounts.authenticate(key);
    const leave = new AbortController();
    const view = await fetch(`http://${host}:${port}/admin/events/tail`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leave.signal,
    });
    expect(view.status).toBe(200);
    leave.abort();
  });

  test('counted', async () => {
    const { call } = await start();
    const { body } = await call('/admin/stats?bucket=hour');
    expect(body).toMatchObject({
      bucket: 'hour',
      requests: 25,
      unregistered: 0,
      actions: { allow: 16, warn: 0, block: 9, none: 0 },
      services: [{ service: 'openai-api', requests: 25 }],
      subjects: [
        { subject: '=cmd()', requests: 13 },
        { subject: 'ann', requests: 12 },
      ],
      types: [{ type: 'EMAIL', count: 50 }],
      types_seen: [],
      others: { services: 0, subjects: 0, types: 0, types_seen: 0 },
      masked: 50,
      restored: 25,
    });
    expect(body.series.length).toBeGreaterThanOrEqual(24);
    expect(body.series.reduce((sum: number, point: { block: number }) => sum + point.block, 0)).toBe(9);
    expect((await call('/admin/stats?top=1')).body).toMatchObject({
      subjects: [{ subject: '=cmd()', requests: 13 }],
      others: { subjects: 12 },
    });
    expect((await call('/admin/stats?from=2026-01-01T00:00:00Z&to=2025-01-01T00:00:00Z')).status).toBe(422);
    expect((await call('/admin/stats?from=2020-01-01T00:00:00Z&bucket=hour')).status).toBe(422);
    expect((await call('/admin/stats?from=2020-01-01T00:00:00Z')).body.bucket).toBe('day');
  });

  test('the overview shows the state', async () => {
    const { call } = await startApi();
    expect((await call('/admin/overview')).body).toEqual({
      uptime_s: expect.any(Number),
      version: '1.2.3',
      store: { kind: 'memory', ready: true },
      ca: { not_after: '2036-01-01T00:00:00.000Z', fingerprint256: 'AB:CD' },
      license: expect.objectContaining({ status: 'valid' }),
      replicas: 1,
      discovery: { proposed: 0 },
      pins: { proposed: 0 },
      feeds: { pending: 0 },
      exceptions: { open: 0 },
      config: { loaded_at: '2026-11-20T00:00:00.000Z', warnings: ['doubtful'], problems: [] },
    });
    expect((await call('/admin/overview', { key: null })).status).toBe(401);
  });

  test('wait for an unavailable store; beyond a limit the oldest are dropped', async () => {
    const written: number[] = [];
    let away = true;
    let dropped = 0;
    const events = {
      append: async (batch: readonly unknown[]) => {
        if (away) throw new Error('away');
        written.push(batch.length);
      },
    };
    const recorder = new EventRecorder({ events, log: silentLog, onDropped: (count) => (dropped += count) });
    for (let i = 0; i < 21_500; i++) recorder.take(fields(i));
    await recorder.flush();
    expect(written).toEqual([]);
    away = false;
    await recorder.close();
    expect(written.reduce((a, b) => a + b, 0) + dropped).toBe(21_500);
    expect(dropped).toBe(2_000);
  });
});

describe('the description', () => {
  test('is OpenAPI 3.1, has every endpoint, and every reference in it resolves', async () => {
    const { call } = await startApi();
    const { body } = await call('/openapi.json', { key: null });
    expect(body.openapi).toBe('3.1.0');
    const paths = [
      '/detect /detect-pii /mask /restore /restore-all /detect-injection /detect-all-injections /detect-sql-injection',
      '/credits /rag/ingest /rag/resolve /shadow-ai/services /shadow-ai/services/{id} /shadow-ai/check /chat /chat-multi',
      '/upload /demo/detect /demo/mask /demo/restore /demo/detect-all-injections /demo/chat /demo/upload /demo/shadow-ai/check /health /ready /license/refresh /metrics',
      '/admin/keys /admin/keys/{id} /admin/sessions /admin/sessions/{id} /admin/explain /admin/reload /admin/events',
      '/admin/stats /admin/overview /admin/events/export /admin/events/tail /openapi.json',
    ].flatMap((line) => line.split(' '));
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(paths));
    const ids: string[] = [];
    for (const methods of Object.values(body.paths) as Record<string, { operationId: string; security?: unknown }>[]) {
      for (const operation of Object.values(methods)) ids.push(operation.operationId);
    }
    expect(new Set(ids).size).toBe(ids.length);
    const mask = body.paths['/mask'].post;
    const schema = mask.requestBody.content['application/json'].schema;
    expect(schema).toMatchObject({ type: 'object', required: ['text'], additionalProperties: false });
    expect(mask.security).toEqual([{ key: [] }]);
    expect(Object.keys(mask.responses)).toEqual(expect.arrayContaining(['200', '401', '402', '403', '422', '429']));
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBe(JSON.stringify(body).split('"$ref"').length - 1);
    expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining(references.map(([, name]) => name)));
  });
});
