/** What holds for every call: access, health, the shape of answers, browser pages. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ApiDeps } from '../../gateway/api/parts.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { CidrSet } from '../../policy/address.ts';
import { adminKey, newService, startApi } from './api-under-test.ts';

describe('access', () => {
  const routes: [method: string, path: string][] = [
    ['GET', '/shadow-ai/services'],
    ['POST', '/shadow-ai/services'],
    ['GET', '/shadow-ai/services/1'],
    ['PATCH', '/shadow-ai/services/1'],
    ['DELETE', '/shadow-ai/services/1'],
    ['POST', '/shadow-ai/check'],
  ];
  const keys: [name: string, authorization: string | undefined, status: number, code: string][] = [
    ['no key', undefined, 401, 'unauthorized'],
    ['another scheme', `Basic ${adminKey}`, 401, 'unauthorized'],
    ['an empty key', 'Bearer ', 401, 'unauthorized'],
    ['an unknown admin key', `Bearer ${adminKey}x`, 401, 'unauthorized'],
    ['an unknown user key', 'Bearer pvt_live_0123456789abcdefghijklmnopqrstuv', 401, 'unauthorized'],
    ['a user key', 'user', 403, 'forbidden'],
    ['a test key', 'test', 403, 'forbidden'],
  ];
  test.each(keys)('%s is refused everywhere, before the body is parsed', async (_name, authorization, status, code) => {
    const { call, registry, accounts } = await startApi();
    const before = registry.version;
    const made = authorization === 'user' || authorization === 'test';
    const { key: live } = await accounts.createKey({ name: 'Ann', test: authorization === 'test' });
    const field = made ? `Bearer ${live}` : authorization;
    for (const [method, path] of routes) {
      const headers = { ...(field && { authorization: field }), 'content-type': 'application/json' };
      const body = method === 'GET' ? undefined : '{broken';
      const answer = await call(path, { method, headers, body, key: null });
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect(answer.body.error.code).toBe(code);
      expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer realm="Privet"' : null);
    }
    expect(registry.version).toBe(before);
  });

  test('health, readiness and metrics need no key', async () => {
    const { call } = await startApi();
    for (const path of ['/health', '/ready', '/metrics']) expect((await call(path, { key: null })).status).toBe(200);
  });
});

describe('health', () => {
  test('live', async () => {
    const { call } = await startApi();
    const { body } = await call('/health');
    expect(body).toMatchObject({ status: 'ok', version: '1.2.3', uptime: expect.any(Number) });
  });

  describe('ready', () => {
    const opened = new Promise<void>(() => {});
    const rows: [query: string, checks: Record<string, boolean>, hasOpened: boolean, status: number][] = [
      ['', { accepting: true, store: true }, true, 200],
      ['', { accepting: false, store: true }, true, 503],
      ['', { accepting: true, store: false }, true, 503],
      ['?store=required', { accepting: true, store: false }, true, 503],
      ['?store=optional', { accepting: true, store: false }, true, 200],
      ['?store=optional', { accepting: true, store: false }, false, 503],
      ['?store=optional', { accepting: false, store: true }, true, 503],
      ['?store=optional', { accepting: false, store: false }, true, 503],
      ['?store=never', { accepting: true, store: true }, true, 422],
    ];
    test.each(rows)('/ready%s with %o, store reached once: %s → %i', async (query, checks, hasOpened, status) => {
      const stores = openMemoryStores({ ttlMs: 60_000 });
      const { call } = await startApi({ stores: hasOpened ? stores : { ...stores, opened }, checks: () => checks });
      const answer = await call(`/ready${query}`, { key: null });
      expect(answer.status).toBe(status);
      if (status === 422) return;
      expect(answer.body).toEqual({ status: status === 200 ? 'ready' : 'unavailable', checks });
      expect(answer.headers.get('retry-after')).toBe(status === 200 ? null : '5');
    });
  });

  test('metrics only for the listed networks and the admin key', async () => {
    const { call } = await startApi({ metricsAllow: () => new CidrSet(['192.0.2.0/24']) });
    expect((await call('/metrics', { key: null })).status).toBe(403);
    const answer = await call('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('privet_requests_total');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  test.each<[name: string, trusted: string[], field: string, status: number]>([
    ['no proxy is trusted by default', [], '192.0.2.1', 403],
    ['a trusted proxy', ['loopback'], '192.0.2.1', 200],
    ['entries before the address that it saw', ['loopback'], '192.0.2.1, 198.51.100.7', 403],
    ['a trusted proxy in front of a trusted one', ['loopback', '203.0.113.0/24'], '192.0.2.1, 203.0.113.9', 200],
    ['an address with its port', ['loopback'], '192.0.2.1:49152', 200],
    ['an IPv6 address with its port', ['loopback'], '[2001:db8::1]:49152', 200],
    ['a trusted proxy with its port', ['loopback', '203.0.113.0/24'], '198.51.100.7:1, 203.0.113.9:2', 403],
    ['an invalid address', ['loopback'], 'unknown', 403],
    ['nothing', ['loopback'], '', 403],
  ])('X-Forwarded-For: %s', async (_name, trusted, field, status) => {
    const { call } = await startApi({
      metricsAllow: () => new CidrSet(['192.0.2.0/24', '2001:db8::/32']),
      trustedProxies: () => new CidrSet(trusted),
    });
    expect((await call('/metrics', { key: null, headers: { 'x-forwarded-for': field } })).status).toBe(status);
  });
});

describe('answers', () => {
  test.each<[name: string, path: string, init: RequestInit, status: number, code: string]>([
    ['unknown address', '/none', {}, 404, 'not_found'],
    ['other method', '/health', { method: 'POST' }, 405, 'method_not_allowed'],
    ['other method with an id', '/shadow-ai/services/1', { method: 'PUT' }, 405, 'method_not_allowed'],
    ['bad percent-encoding', '/shadow-ai/services/%ff', {}, 400, 'bad_request'],
    [
      'not JSON',
      '/shadow-ai/check',
      { method: 'POST', body: '{"a":', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_json',
    ],
    [
      'empty',
      '/shadow-ai/check',
      { method: 'POST', body: '', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_json',
    ],
    [
      'prototype',
      '/shadow-ai/check',
      { method: 'POST', body: '{"__proto__":{"a":1}}', headers: { 'content-type': 'application/json' } },
      400,
      'invalid_json',
    ],
    ...['/mask', '/shadow-ai/check'].map((path): [string, string, RequestInit, number, string] => [
      `invalid UTF-8 at ${path}`,
      path,
      {
        method: 'POST',
        body: Buffer.from('{"text":"\xff"}', 'latin1'),
        headers: { 'content-type': 'application/json' },
      },
      400,
      'invalid_json',
    ]),
    [
      'compressed',
      '/mask',
      {
        method: 'POST',
        body: gzipSync('{"text":"a"}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
      415,
      'unsupported_media_type',
    ],
    [
      'text',
      '/shadow-ai/check',
      { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    [
      'too large',
      '/shadow-ai/check',
      { method: 'POST', body: `"${'x'.repeat(10 * 2 ** 20)}"`, headers: { 'content-type': 'application/json' } },
      413,
      'body_too_large',
    ],
  ])('%s → error shape with the request id', async (_name, path, init, status, code) => {
    const { call } = await startApi();
    const answer = await call(path, init);
    expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
    const { error } = answer.body;
    expect(error).toMatchObject({ message: expect.any(String), hint: expect.any(String) });
    expect(error.requestId).toBe(answer.headers.get('x-request-id'));
  });

  test('the replacement character is an ordinary character', async () => {
    const { call } = await startApi();
    expect((await call('/mask', { method: 'POST', json: { text: 'a\ufffdb' } })).body.masked).toBe('a\ufffdb');
  });

  test('every answer has its own request id; one sent by the client is not used', async () => {
    const { call } = await startApi();
    const ids = new Set<string | null>();
    for (const path of ['/health', '/ready', '/metrics', '/none', '/shadow-ai/services']) {
      ids.add(
        (await call(path, { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })).headers.get('x-request-id'),
      );
    }
    expect(ids.size).toBe(5);
    expect(ids.has('mine')).toBe(false);
    expect(ids.has(null)).toBe(false);
  });

  test.each<[name: string, bytes: string, status: string]>([
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['unknown expectation', 'GET /none HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n', '404'],
    ['header too large', `GET /health HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
    [
      'two lengths',
      'POST /shadow-ai/check HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
    ],
  ])('%s on the wire is answered in the same shape', async (_name, bytes, status) => {
    const { port } = await startApi();
    const socket = connect(port, '127.0.0.1');
    socket.end(bytes);
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const requestId = /^x-request-id: (.+)\r$/m.exec(text)?.[1];
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error.requestId).toBe(requestId);
  });

  test('internal errors are logged with the request id and not revealed', async () => {
    const { call, lines } = await startApi({
      registryWriter: {
        add: () => Promise.reject(new Error('alice@example.com')),
      } as unknown as ApiDeps['registryWriter'],
    });
    const answer = await call('/shadow-ai/services', { method: 'POST', json: newService });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal']);
    expect(answer.text).not.toContain('alice');
    const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event !== 'api_request');
    expect(events).toMatchObject([{ event: 'api_error', requestId: answer.body.error.requestId }]);
    expect(lines.join('')).not.toContain('alice');
  });

  test('keys do not appear in any log line', async () => {
    const { call, lines } = await startApi();
    await call('/shadow-ai/services', { method: 'POST', json: newService });
    await call('/shadow-ai/services', { key: 'pvt_admin_wrong' });
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(['registry_change', 'api_request', 'api_request']);
    expect(lines.join('')).not.toContain('pvt_admin_');
  });
});

describe('browser pages', () => {
  test.each<[origin: string, allowed: boolean]>([
    ['http://localhost:5173', true],
    ['http://localhost:5174', false],
    ['https://localhost:5173', false],
    ['http://evil.example', false],
    ['null', false],
  ])('of %s', async (origin, allowed) => {
    const { call } = await startApi();
    const read = await call('/shadow-ai/services', { headers: { origin } });
    expect(read.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
    const headers = {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'authorization',
    };
    const preflight = await call('/shadow-ai/services/1', { method: 'OPTIONS', key: null, headers });
    expect(preflight.status).toBe(allowed ? 204 : 405);
    expect(preflight.headers.get('access-control-allow-methods')?.includes('PATCH') ?? false).toBe(allowed);
  });
});
