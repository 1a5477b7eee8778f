/** Connections of the API fast path: other requests on them, clients that leave, limits, and shutdown. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FastPath, type FastPathOptions } from '../../gateway/api/fast-path.ts';
import { Turns } from '../../gateway/api/turns.ts';
import { Client, callOf, started } from './fast-path-client.ts';

describe('on one connection', () => {
  const good = callOf({ text: 'Write to ana@example.com' });

  test('calls one after another, then all at once, then another request, then a call again', async () => {
    const { client, behind } = await started();
    const one = client();
    for (let i = 0; i < 3; i++) expect((await one.send(good).answer()).status).toBe(200);
    const texts = ['a', 'b', 'c', 'd'];
    one.send(`${texts.map((text) => callOf({ text })).join('')}GET /health HTTP/1.1\r\nHost: a\r\n\r\n${good}`);
    for (const text of texts) expect(JSON.parse((await one.answer()).body).masked).toBe(text);
    expect(JSON.parse((await one.answer()).body).status).toBe('ok');
    expect(JSON.parse((await one.answer()).body).masked).toBe('Write to [EMAIL-1]');
    expect((await one.send(good).answer()).status).toBe(200);
    expect(behind.requests).toBe(3);
  });

  test('calls that come alone, one after another over two connections, then several at once', async () => {
    const { client, behind } = await started();
    const [one, other] = [client(), client()];
    for (let i = 0; i < 40; i++) {
      const text = `${i} for ana@example.com`;
      const answer = await (i % 2 ? one : other).send(callOf({ text })).answer();
      expect(JSON.parse(answer.body).masked).toBe(`${i} for [EMAIL-1]`);
    }
    for (let i = 0; i < 20; i++) for (const client of [one, other]) client.send(callOf({ text: `text ${i}` }));
    for (let i = 0; i < 20; i++)
      for (const client of [one, other]) expect(JSON.parse((await client.answer()).body).masked).toBe(`text ${i}`);
    expect(behind.requests).toBe(0);
  });

  test('a call in two pieces, and byte by byte', async () => {
    const { client, behind } = await started();
    const one = client();
    const cut = good.indexOf('\r\n\r\n') + 4;
    one.send(good.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await one.send(good.slice(cut)).answer()).status).toBe(200);
    expect(behind.requests).toBe(0);
    for (const byte of good) {
      one.send(byte);
      await new Promise(setImmediate);
    }
    expect((await one.answer()).status).toBe(200);
  });

  test('a slow body is handed to the full server, which continues with it', async () => {
    const { client, behind } = await started();
    const one = client().send(good.slice(0, -5));
    while (behind.requests === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await one.send(good.slice(-5)).answer()).status).toBe(200);
  });

  test.each<[name: string, bytes: string, status: number]>([
    ['a wrong key', callOf({ text: 'x' }, { key: 'pvt_live_wrong' }), 401],
    ['HEAD', 'HEAD /health HTTP/1.1\r\nHost: a\r\n\r\n', 200],
    ['another method', 'GET /mask HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    [
      'a preflight request',
      'OPTIONS /mask HTTP/1.1\r\nHost: a\r\nOrigin: http://localhost:5173\r\nAccess-Control-Request-Method: POST\r\n\r\n',
      204,
    ],
    ['a page', callOf({ text: 'x' }, { fields: ['Origin: http://localhost:5173'] }), 200],
    ['another gateway of ours in front', callOf({ text: 'x' }, { fields: ['Via: 1.1 privet-0123456789ab'] }), 403],
    ['another type', callOf('x').replace('application/json', 'text/plain'), 415],
    ['a longer body', callOf({ text: 'x'.repeat(40_000) }), 200],
    [
      'chunks',
      `${callOf('').replace('Content-Length: 0', 'Transfer-Encoding: chunked')}c\r\n{"text":"x"}\r\n0\r\n\r\n`,
      200,
    ],
  ])('%s is left to the full server', async (_name, bytes, status) => {
    const { client } = await started();
    for (const one of [client(), client().send(good)]) {
      if (one.socket.bytesWritten > 0 || one.socket.writableLength > 0) await one.answer();
      expect((await one.send(bytes).answer(bytes.startsWith('HEAD'))).status).toBe(status);
      expect((await one.send(good).answer()).status).toBe(200);
    }
  });

  test.each<[name: string, bytes: string, status: number]>([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['two lengths', good.replace('Content-Length', 'Content-Length: 3\r\nContent-Length'), 400],
    ['both a length and chunks', good.replace('Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length'), 400],
    ['no Host', good.replace('Host: localhost\r\n', ''), 400],
    ['a closing', good.replace('Host', 'Connection: close\r\nHost'), 200],
    ['an upgrade', good.replace('Host', 'Connection: upgrade\r\nUpgrade: websocket\r\nHost'), 200],
    ['HTTP/1.0', good.replace('HTTP/1.1', 'HTTP/1.0'), 200],
  ])('%s ends it, or is answered as usual', async (_name, bytes, status) => {
    const { client } = await started();
    const one = client();
    expect((await one.send(good).answer()).status).toBe(200);
    expect((await one.send(bytes).answer()).status).toBe(status);
    if (!bytes.includes('upgrade')) await one.ended();
  });

  test('a client that expects 100-continue, and one that sends too much', async () => {
    const { client } = await started();
    const one = client();
    const call = callOf({ text: 'x' }, { fields: ['Expect: 100-continue'] });
    const cut = call.indexOf('\r\n\r\n') + 4;
    expect((await one.send(call.slice(0, cut)).answer(true)).status).toBe(100);
    expect((await one.send(call.slice(cut)).answer()).status).toBe(200);
    const much = callOf({ text: 'x'.repeat(11 * 1024 * 1024) });
    expect((await client().send(much).answer()).status).toBe(413);
  });

  test('a key that is revoked ends within a second', async () => {
    const { client, accounts } = await started();
    const { id, key } = await accounts.createKey({ name: 'Ann', plan: 'business' });
    const one = client();
    expect((await one.send(callOf({ text: 'x' }, { key })).answer()).status).toBe(200);
    await accounts.revokeKey(id);
    let status = 200;
    // With time between, so that the calls stay below the limit of their plan.
    for (; status === 200; await new Promise((resolve) => setTimeout(resolve, 20)))
      status = (await one.send(callOf({ text: 'x' }, { key })).answer()).status;
    expect(status).toBe(401);
  });

  test('a half-closed client gets its response', async () => {
    const { client } = await started();
    const one = client();
    one.send(good).socket.end();
    expect((await one.answer()).status).toBe(200);
    await one.ended();
  });

  test('one that sent several calls first gets all responses', async () => {
    const { client, stores } = await started();
    const run = stores.calls.run.bind(stores.calls);
    stores.calls.run = async (call) => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      return run(call);
    };
    for (const [more, count] of [['', 5] as const, ['GET /health HTTP/1.1\r\nHost: a\r\n\r\n', 5] as const]) {
      const one = client();
      one.send(good.repeat(count), more).socket.end();
      for (let i = 1; i <= count; i++) {
        const { status, fields } = await one.answer();
        const isLast = i === count && more === '';
        expect([i, status, fields.connection]).toEqual([i, 200, isLast ? 'close' : 'keep-alive']);
      }
      if (more !== '') expect((await one.answer()).status).toBe(200);
      await one.ended();
    }
  });

  test('a client that half-closes during the key look-up', async () => {
    const { client, accounts } = await started();
    const authenticate = accounts.authenticate.bind(accounts);
    accounts.authenticate = async (key) => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      return authenticate(key);
    };
    const one = client();
    one.send(good).socket.end();
    expect((await one.answer()).status).toBe(200);
    await one.ended();
    for (const path of ['/mask', '/mask?']) {
      const other = client();
      other.send(callOf({ text: 'x' }, { path, key: 'wrong' })).socket.end();
      expect((await other.answer()).status).toBe(401);
      await other.ended();
    }
  });

  test('one that disconnects does not affect others', async () => {
    const { client, behind } = await started();
    const left = client().send(good, good, good);
    left.socket.resetAndDestroy();
    expect((await client().send(good).answer()).status).toBe(200);
    expect(behind.requests).toBe(0);
  });
});

test('shutdown: idle clients are closed, active ones get their response', async () => {
  const { client, api, stores } = await started();
  const run = stores.calls.run.bind(stores.calls);
  const [goOn, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  stores.calls.run = async (call) => {
    asked.resolve();
    await goOn.promise;
    return run(call);
  };
  const idle = client();
  await once(idle.socket, 'connect');
  const busy = client().send(callOf({ text: 'x' }));
  await asked.promise;
  const closing = api.close(5_000);
  await idle.ended();
  goOn.resolve();
  const answer = await busy.answer();
  expect([answer.status, answer.fields.connection]).toEqual([200, 'close']);
  await busy.ended();
  await closing;
});

describe('limits', () => {
  /** A separate server with limits in milliseconds, whose calls answer their body once `work` has resolved. */
  async function serve(times: { keepAliveTimeout?: number; headersTimeout?: number }, work?: () => Promise<void>) {
    const server: Server = createServer({ ...times, requestTimeout: 0 }, (_request, response) =>
      response.end('behind'),
    );
    server.on('clientError', (error: { code?: string }, socket) => socket.end(`HTTP/1.1 408 ${error.code}\r\n\r\n`));
    const caller = { keyId: 'k', name: 'k', tenant: 'k', role: 'user', plan: {} };
    const options = {
      paths: new Map([['/echo', (body: unknown) => (work === undefined ? body : work().then(() => body))]]),
      callers: { last: () => caller },
      turns: new Turns(),
      parseJson: JSON.parse,
      refuse: () => ({ status: 500, fields: {}, body: {} }),
      fields: {},
    } as unknown as FastPathOptions;
    const calls = new FastPath(server, options);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      calls.close();
      server.closeAllConnections();
      server.close();
    });
    return Object.assign(new Client((server.address() as AddressInfo).port), { server });
  }

  test('a silent connection gets an error and is closed', async () => {
    const one = await serve({ headersTimeout: 1_000 });
    const [socket] = (await once(one.server, 'connection')) as [Socket];
    const closed = once(socket, 'close');
    expect((await one.answer()).status).toBe(408);
    await one.ended();
    // The client has not closed its side.
    await closed;
  });

  test('a reset in response is harmless', async () => {
    const one = await serve({ headersTimeout: 1_000 });
    const [socket] = (await once(one.server, 'connection')) as [Socket];
    await new Promise((resolve) => socket.once('finish', resolve));
    // No other listener is left: without one here, the error would end the process.
    expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
  });

  test('one that is idle between calls is closed', async () => {
    const one = await serve({ keepAliveTimeout: 1_000 });
    const answer = await one.send(callOf({ a: 1 }, { path: '/echo' })).answer();
    expect([answer.status, answer.fields['keep-alive']]).toEqual([200, 'timeout=1']);
    await one.ended();
  });

  test('reading pauses for a client that sends ahead or does not read', async () => {
    const goOn = Promise.withResolvers<void>();
    const one = await serve({}, () => goOn.promise);
    const count = 400;
    const call = callOf({ a: 'x'.repeat(15_000) }, { path: '/echo' });
    one.socket.pause();
    for (let i = 0; i < count; i++) one.send(call);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(one.socket.writableLength).toBeGreaterThan(0);
    goOn.resolve();
    await new Promise((resolve) => setTimeout(resolve, 100));
    one.socket.resume();
    for (let i = 0; i < count; i++) expect((await one.answer()).status).toBe(200);
  });
});
