/**
 * The HTTP/1.1 client on real sockets: which connections are reused, which never are, and how broken ones are reported.
 */
import { PassThrough, Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, abortable, ask, ok, start } from './pool-under-test.ts';

test('a connection is reused, for one request at a time', async () => {
  const { pools, connections } = await start((socket) => socket.write(ok));
  for (let i = 0; i < 3; i++) expect(await ask(pools)).toMatchObject({ status: 200, body: 'ok' });
  expect(connections()).toBe(1);
  await Promise.all(Array.from({ length: 20 }, () => ask(pools)));
  expect(connections()).toBe(4);
});

test.each([
  ['says close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'],
  ['is HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ['is followed by a second one', `${ok}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`],
  ['is followed by bytes that are not an answer', `${ok}\r\n`],
  ['has a body where none is allowed', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nevil'],
  ['keeps its connection only briefly', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\nok'],
])('an answer that %s is the last one of its connection', async (_what, first) => {
  const { pools, connections } = await start((socket, _text, connection) =>
    socket.write(connection === 1 ? first : ok),
  );
  await ask(pools);
  expect(await ask(pools)).toMatchObject({ status: 200, body: 'ok' });
  expect(connections()).toBe(2);
});

test('unsolicited data ends a free connection', async () => {
  const { pools, connections, sockets } = await start((socket) => {
    socket.write(ok);
    setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil'), 20);
  });
  await ask(pools);
  await expect.poll(() => sockets.size).toBe(0);
  expect(await ask(pools)).toMatchObject({ body: 'ok' });
  expect(connections()).toBe(2);
});

test.each<[answer: string, expected: Partial<Answer>]>([
  ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n', { interim: [103, 100], body: 'ok' }],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n3\r\ncde\r\n0\r\n\r\n', { body: 'abcde' }],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\nX-T: 2\r\n\r\n',
    { body: '', trailers: { 'x-t': ['1', '2'] } },
  ],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n00000000000000000002;a;b="c;\\"d"\r\nab\r\n0\r\n\r\n',
    { body: 'ab' },
  ],
  ['HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '' }],
  ['HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n', { status: 404, body: '' }],
])('%j, cut anywhere', async (bytes, expected) => {
  const answer = bytes.includes('103') ? bytes + ok : bytes;
  let cut = 0;
  const { pools, connections } = await start((socket) => {
    socket.write(answer.slice(0, cut), 'latin1');
    setTimeout(() => socket.write(answer.slice(cut), 'latin1'), 2);
  });
  for (cut = 0; cut <= answer.length; cut += 3) expect(await ask(pools), String(cut)).toMatchObject(expected);
  expect(connections()).toBe(1);
});

test('an answer without a length ends with its connection', async () => {
  const { pools } = await start((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  expect(await ask(pools)).toMatchObject({ body: 'all of it' });
});

test.each([
  ['HTTP1_MALFORMED', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
  ['HTTP1_MALFORMED', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n'],
  ['HTTP1_MALFORMED', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['HTTP1_MALFORMED', 'hello\r\n\r\n'],
  ['HTTP1_MALFORMED', 'hello\n'],
  ['HTTP1_HEAD_TOO_LARGE', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
])('%s: %j', async (code, bytes) => {
  const { pools, sockets } = await start((socket) => socket.write(bytes));
  await expect(ask(pools)).rejects.toMatchObject({ code });
  await expect.poll(() => sockets.size).toBe(0);
});

test('an origin that disconnects at any byte never yields a complete response', async () => {
  const whole = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-T: 1\r\n\r\n';
  let cut = 0;
  const { pools } = await start((socket) => socket.end(whole.slice(0, cut)));
  for (cut = 0; cut < whole.length; cut++) {
    await expect(ask(pools), String(cut)).rejects.toMatchObject({ code: 'HTTP1_CLOSED' });
  }
});

test('a silent origin times out: before its response, and within it', async () => {
  const { pools } = await start((socket, text) => text.includes('/b') && socket.write(ok.slice(0, -1)), {
    firstByteMs: 300,
    bodyIdleMs: 300,
  });
  await expect(ask(pools)).rejects.toMatchObject({ code: 'HTTP1_HEAD_TIMEOUT' });
  await expect(ask(pools, { path: '/b' })).rejects.toMatchObject({ code: 'HTTP1_BODY_TIMEOUT' });
});

test('requests waiting for a connection time out, and later ones are served', async () => {
  const { pools } = await start((socket, text) => socket.write(text.includes('/held') ? `${ok.slice(0, -1)}` : ok), {
    firstByteMs: 300,
    connectionsMax: 1,
  });
  let giveUp = () => {};
  const held = new Promise((resolve) => {
    const request = { method: 'GET', path: '/held', fields: ['Host', 'a'], body: null };
    pools.dispatch('http://origin.test', request, {
      onResponseStart: () => {},
      onResponseData: (controller) => {
        controller.pause();
        giveUp = () => controller.abort(new Error('the client left'));
      },
      onResponseError: resolve,
    });
  });
  const waiting = await Promise.allSettled([ask(pools), ask(pools)]);
  expect(waiting.map((one) => (one as PromiseRejectedResult).reason.code)).toEqual(['HTTP1_BUSY', 'HTTP1_BUSY']);
  const next = ask(pools);
  giveUp();
  await held;
  expect(await next).toMatchObject({ status: 200, body: 'ok' });
});

test('no connection: each waiting request fails once', async () => {
  const { pools } = await start(() => {}, {
    connect: (_origin, callback) => setImmediate(callback, new Error('away')),
  });
  const asked = await Promise.allSettled(Array.from({ length: 10 }, () => ask(pools)));
  expect(asked.map((one) => (one as PromiseRejectedResult).reason.message)).toEqual(new Array(10).fill('away'));
});

test('bodies: with a length, chunked, and from a stream that breaks off', async () => {
  let got = '';
  const { pools, sockets } = await start((socket, text) => {
    got += text;
    if (/\r\n\r\nabcde$|0\r\n\r\n$/.test(got)) socket.write(ok);
  });
  const post = { method: 'POST', fields: ['Host', 'a', 'content-LENGTH', '99', 'X', 'y'] };
  await ask(pools, { ...post, body: Buffer.from('abcde') });
  expect(got).toBe('POST / HTTP/1.1\r\nHost: a\r\ncontent-LENGTH: 5\r\nX: y\r\n\r\nabcde');
  got = '';
  await ask(pools, {
    method: 'POST',
    fields: ['Host', 'a'],
    body: Readable.from([Buffer.from('ab'), Buffer.from('cde')]),
  });
  expect(got).toBe('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n');
  got = '';
  const body = new PassThrough();
  const broken = ask(pools, { method: 'POST', fields: ['Host', 'a'], body });
  body.write('ab');
  setTimeout(() => body.destroy(), 20);
  await expect(broken).rejects.toThrow();
  expect(got).not.toContain('0\r\n\r\n');
  await expect.poll(() => sockets.size).toBe(0);
});

test('a response before the end of the body ends the connection', async () => {
  const { pools, connections } = await start((socket, _text, connection) => {
    socket.write(connection === 1 ? 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n' : ok);
  });
  const body = new PassThrough();
  body.write('ab');
  expect(await ask(pools, { method: 'POST', fields: ['Host', 'a'], body })).toMatchObject({ status: 413 });
  expect(await ask(pools)).toMatchObject({ status: 200 });
  expect(connections()).toBe(2);
});

test('a value with a line end is not sent', async () => {
  let got = '';
  const { pools } = await start((_socket, text) => {
    got += text;
  });
  await expect(ask(pools, { fields: ['Host', 'a\r\nX: y'] })).rejects.toMatchObject({ code: 'HTTP1_MALFORMED' });
  expect(got).toBe('');
});

test('closing waits for running requests, and leaves nothing', async () => {
  let answer: (() => void) | undefined;
  const { pools, sockets } = await start((socket) => {
    answer = () => socket.write(ok);
  });
  const running = ask(pools);
  await expect.poll(() => answer !== undefined).toBe(true);
  const closed = pools.close();
  answer?.();
  expect(await running).toMatchObject({ body: 'ok' });
  await closed;
  await expect.poll(() => sockets.size).toBe(0);
});

test('a free connection ends after its timeout', async () => {
  const { pools, sockets } = await start((socket) => socket.write(ok), { keepAliveMs: 50, bodyIdleMs: 80 });
  await ask(pools);
  await expect.poll(() => sockets.size).toBe(0);
});

test('random answers in random pieces', async () => {
  let pieces: string[] = [];
  const { pools } = await start((socket) => {
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece, 'latin1');
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
  });
  const piece = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0', '\xff'), maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), async (chunks, size) => {
      const parts = chunks.filter((chunk) => chunk !== '');
      const coded = parts.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
      const bytes = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${coded}0\r\n\r\n`;
      pieces = bytes.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect((await ask(pools)).body).toBe(parts.join(''));
    }),
    { numRuns: 100 },
  );
});

test('requests aborted while waiting are never sent, and affect no connection', async () => {
  const paths: string[] = [];
  let answer: (() => void) | undefined;
  const { pools, connections } = await start(
    (socket, text) => {
      paths.push(...[...text.matchAll(/GET (\S+)/g)].map(([, path]) => path as string));
      if (text.includes('/first')) answer = () => socket.write(ok);
      else socket.write(ok);
    },
    { connectionsMax: 1 },
  );
  const first = ask(pools, { path: '/first' });
  await expect.poll(() => answer !== undefined).toBe(true);
  const waiting = Array.from({ length: 5_000 }, () => abortable(pools, { path: '/left' }));
  const stays = ask(pools, { path: '/stays' });
  for (const one of waiting) one.abort();
  for (const one of waiting) one.abort();
  const atOnce = abortable(pools, { path: '/left' }, (give) => give());
  answer?.();
  await Promise.all([first, stays]);
  expect(paths).toEqual(['/first', '/stays']);
  expect(connections()).toBe(1);
  expect([...waiting, atOnce].every(({ ends }) => ends.join() === 'left')).toBe(true);
});

test.each(['before its connection', 'before the answer', 'within the answer', 'after it'])(
  'a request aborted %s ends exactly once, and other connections continue',
  async (when) => {
    const seen: string[] = [];
    let answerOther: (() => void) | undefined;
    const { pools, sockets } = await start((socket, text) => {
      seen.push(text);
      if (text.includes('/other')) answerOther = () => socket.write(ok);
      else if (when !== 'before the answer') socket.write(when === 'within the answer' ? ok.slice(0, -1) : ok);
    });
    const one = abortable(pools);
    const other = ask(pools, { path: '/other' });
    if (when === 'before its connection') one.abort();
    else await expect.poll(() => seen.some((text) => !text.includes('/other'))).toBe(true);
    if (when === 'after it') await expect.poll(() => one.ends.length).toBe(1);
    else await new Promise((resolve) => setTimeout(resolve, 30));
    one.abort();
    one.abort();
    await expect.poll(() => answerOther !== undefined).toBe(true);
    answerOther?.();
    expect(await other).toMatchObject({ body: 'ok' });
    expect(one.ends).toEqual([when === 'after it' ? 'end' : 'left']);
    await expect.poll(() => sockets.size).toBeLessThanOrEqual(2);
  },
);

test('closing while requests wait: they are served, and nothing remains', async () => {
  const { pools, sockets } = await start((socket) => setTimeout(() => socket.write(ok), 5), { connectionsMax: 1 });
  const asked = Array.from({ length: 5 }, () => ask(pools));
  const closed = pools.close();
  expect((await Promise.all(asked)).map(({ body }) => body)).toEqual(new Array(5).fill('ok'));
  await closed;
  await expect.poll(() => sockets.size).toBe(0);
});

test('an origin that stops reading an upload times out, one with a slow client does not', async () => {
  const { pools } = await start(
    (socket, text) => {
      if (text.includes('/stuck')) socket.pause();
      else if (text.endsWith('0\r\n\r\n')) socket.write(ok);
    },
    { firstByteMs: 500 },
  );
  const endless = new Readable({ read: (size) => void endless.push(Buffer.alloc(size)) });
  const stuck = ask(pools, { method: 'POST', path: '/stuck', body: endless });
  await expect(stuck).rejects.toMatchObject({ code: 'HTTP1_HEAD_TIMEOUT' });
  const slow = new PassThrough();
  slow.write('a');
  setTimeout(() => slow.end('b'), 1_000);
  expect(await ask(pools, { method: 'POST', body: slow })).toMatchObject({ body: 'ok' });
});

test('an interim response with an invalid length is rejected', async () => {
  const { pools } = await start((socket) => socket.write(`HTTP/1.1 103 x\r\nContent-Length: 1 1\r\n\r\n${ok}`));
  await expect(ask(pools)).rejects.toMatchObject({ code: 'HTTP1_MALFORMED' });
});

test('endless interim responses are rejected', async () => {
  const { pools } = await start((socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(200)));
  await expect(ask(pools)).rejects.toMatchObject({ code: 'HTTP1_MALFORMED' });
});

test('many requests on one connection leave no listeners behind', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error) => void warnings.push(name);
  process.on('warning', onWarning);
  let got = '';
  const { pools, sockets } = await start((socket, text) => {
    got += text;
    if (!got.endsWith('0\r\n\r\n')) return;
    got = '';
    socket.write(ok);
  });
  for (let i = 0; i < 30; i++) await ask(pools, { method: 'POST', body: Readable.from([Buffer.from('x')]) });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(sockets.size).toBe(1);
});

describe('clients that keep all connections waiting', () => {
  const options = { connectionsMax: 2, stalledMs: 50, firstByteMs: 4_000, bodyIdleMs: 800 };
  const long = `HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n${'x'.repeat(4_000_000)}`;

  test('with uploads lose them when others need them', async () => {
    const { pools } = await start((socket, text) => void (text.startsWith('GET') && socket.write(ok)), options);
    const uploads = [0, 1].map(() => {
      const body = new PassThrough();
      body.write('abc');
      return expect(ask(pools, { method: 'POST', body })).rejects.toMatchObject({ code: 'HTTP1_STALLED' });
    });
    const others = [ask(pools), ask(pools)];
    for (const other of others) expect(await other).toMatchObject({ body: 'ok' });
    await Promise.all(uploads);
  });

  test('with unread responses lose them as well', async () => {
    const { pools } = await start((socket, text) => socket.write(text.includes('/long') ? long : ok), options);
    const answers = [0, 1].map(() => abortable(pools, { path: '/long' }, undefined, true));
    expect(await ask(pools)).toMatchObject({ body: 'ok' });
    expect(answers.filter(({ ends }) => ends.length > 0)).toHaveLength(1);
  });

  test('keep them while no other client needs them', async () => {
    const { pools } = await start((socket, text) => void (text.endsWith('0\r\n\r\n') && socket.write(ok)), options);
    const body = new PassThrough();
    body.write('abc');
    setTimeout(() => body.end(), 1_500);
    expect(await ask(pools, { method: 'POST', body })).toMatchObject({ body: 'ok' });
  });
});
