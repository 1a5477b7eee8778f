/** Feeds faults to the checks of what a gateway process sends upstream, and to the fuzzing loop itself. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loop } from '../../../bench/fuzz/loop.ts';
import { mustBeSettled } from '../../../bench/fuzz/target.ts';
import { mustAgree, nameForServer } from '../../../bench/fuzz/targets/client-hello.ts';
import { recordHello } from '../../../bench/fuzz/targets/hello.ts';
import { mustBeHttp, mustBeItsOwn } from '../../../bench/fuzz/targets/wire/answer.ts';
import { alarmIn } from '../../../bench/fuzz/targets/wire/fixture.ts';
import { smuggled } from '../../../bench/fuzz/targets/wire/http1.ts';
import { faultOf } from '../../../bench/fuzz/targets/wire/http2-judge.ts';
import { Origins, ok } from '../../../bench/fuzz/targets/wire/origins.ts';
import { readOpening } from '../../../gateway/proxy/listen/client-hello.ts';
import { connectionWith, type RawRequest } from '../../support/raw-http2.ts';
import { readRequests } from '../../support/strict-http.ts';

describe('an HTTP/2 request as the origin receives it', () => {
  const fields: RawRequest['fields'] = [[':method', 'POST']];
  const post = { fields, data: ['abc'] };
  const head = 'POST /a HTTP/1.1\r\nhost: chatgpt.com\r\n';
  const arrived = `${head}Content-Length: 3\r\n\r\nabc`;
  const chunks = '\r\n3\r\nabc\r\n0\r\n';
  const socket = 'GET /a HTTP/1.1\r\nhost: chatgpt.com\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const trailing: RawRequest = { ...post, trailers: [['x', 'y']] };

  test.each<[what: string, sent: RawRequest, arrived: string, fault: RegExp | undefined]>([
    ['the same', post, arrived, undefined],
    ['chunks', post, `${head}transfer-encoding: chunked\r\n${chunks}\r\n`, undefined],
    ['trailers', trailing, `${head}transfer-encoding: chunked\r\n${chunks}x: y\r\n\r\n`, undefined],
    ['a body that was masked', post, `${head}Content-Length: 9\r\n\r\n[EMAIL-1]`, undefined],
    ['a WebSocket', { fields, data: [] }, socket, undefined],
    ['te: trailers', post, arrived.replace('Content', 'te: trailers\r\nContent'), undefined],
    ['two requests out of one', post, arrived + arrived, /^2 requests out of 1 streams/],
    [
      'a field of the connection',
      post,
      arrived.replace('Content', 'connection: close\r\nContent'),
      /connection: close/,
    ],
    ['another te', post, arrived.replace('Content', 'te: gzip\r\nContent'), /te: gzip/],
    ['another upgrade', post, socket.replace('websocket', 'h2c'), /may not have (?:Connection|Upgrade): /],
    [
      'an upgrade with a body',
      post,
      socket.replace('host', 'content-length: 3\r\nhost'),
      /may not have content-length: 3/,
    ],
    ['another host', post, arrived.replace('chatgpt.com', 'other.example'), /goes to other\.example/],
    [
      'chunks without a body',
      { fields },
      `${head}transfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      /more chunked requests/,
    ],
    ['another body', post, arrived.replace('abc', 'abd'), /a body that no stream ended with: "abd"/],
    ['a shorter body', post, `${head}Content-Length: 2\r\n\r\nab`, /a body that no stream ended with/],
    ['a framing trailer', post, `${head}transfer-encoding: chunked\r\n${chunks}host: x\r\n\r\n`, /the trailer host/],
  ])('%s', (_what, sent, bytes, fault) => {
    const told = faultOf(connectionWith(sent), readRequests(Buffer.from(bytes)));
    if (fault === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(fault);
  });

  test('a body that is still incomplete', () => {
    const whole = connectionWith(post);
    const open = Buffer.from(whole);
    // The flags of the last frame.
    open[open.length - 3 - 5] = 0;
    expect(faultOf(open, readRequests(Buffer.from(arrived)))).toMatch(/no stream ended with/);
    expect(faultOf(whole.subarray(1), readRequests(Buffer.from(arrived)))).toMatch(/^1 requests out of 0 streams/);
  });
});

test.each([
  ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 1, undefined],
  ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 2, /2 requests out of 1/],
  ['GET / HTTP/1.1\r\n\r\n', 1, /1 requests out of 0/],
])('HTTP/1 %j as %i requests', (sent, count, fault) => {
  const told = smuggled(
    Buffer.from(sent),
    Array.from({ length: count }, () => ({ start: 'GET / HTTP/1.1', fields: [] })),
  );
  if (fault === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(fault);
});

describe('HTTP/1.1 answers', () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc';

  test.each<[got: string, rest: string]>([
    [whole, 'none'],
    [`HTTP/1.1 103 Early Hints\r\n\r\n${whole}`, 'none'],
    [whole.slice(0, -1), 'incomplete'],
    ['', 'none'],
  ])('%j is a complete answer', (got, rest) => {
    expect(mustBeHttp(Buffer.from(got)).rest).toBe(rest);
  });

  test.each([
    [`${whole}d`, /more than its answer/],
    [`${whole}d\r\n`, /invalid HTTP \(status line/],
    [whole + whole, /an unsolicited answer/],
    [whole.replace('3\r\n', '3\r\nContent-Length: 4\r\n'), /invalid HTTP/],
    [whole.replace('3\r\n', '3\r\nTransfer-Encoding: chunked\r\n'), /invalid HTTP/],
    [whole.replace('OK\r\n', 'OK\r\nX: y\nZ: z\r\n'), /invalid HTTP/],
    [whole.replace('200', '20'), /invalid HTTP \(status line/],
  ])('%j is not an answer', (got, fault) => {
    expect(() => mustBeHttp(Buffer.from(got))).toThrow(fault);
  });

  test.each([
    [ok, undefined],
    ['', /the next request was answered/],
    ['HTTP/1.1 502 Bad Gateway\r\n\r\nok', /the next request was answered/],
    [whole, /another answer/],
    [`${ok}${whole}`, /another answer/],
  ])('to the next request: %j', (answer, fault) => {
    if (fault === undefined) expect(() => mustBeItsOwn(answer)).not.toThrow();
    else expect(() => mustBeItsOwn(answer)).toThrow(fault);
  });
});

test.each(['GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n'])(
  'an origin reports %j',
  async (bytes) => {
    const origins = new Origins();
    onTestFinished(() => origins.close());
    const socket = connect(Number((await origins.listen()).split(':')[1]), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(bytes);
    await expect.poll(() => origins.fault).toMatch(/invalid HTTP/);
    socket.destroy();
  },
);

test.each([
  ['{"level":"info","msg":"request decided"}', undefined],
  ['{"a":1}\nTypeError: x is not a function\n', 'TypeError: x is not a function'],
  ['[UnhandledPromiseRejection: …]', '[UnhandledPromiseRejection: …]'],
])('a log with %j is reported', (log, line) => {
  expect(alarmIn(log)).toBe(line);
});

describe('the server name of a ClientHello', () => {
  test('is the one that a TLS server parses', async () => {
    const hello = await recordHello('b.example');
    expect(await nameForServer(hello)).toBe('b.example');
    expect(await nameForServer(hello.subarray(0, 60))).toBeUndefined();
    expect(() => mustAgree(readOpening(hello), 'b.example')).not.toThrow();
  });

  test.each([
    [
      { kind: 'tls', serverName: 'a.example', ecdsa: true, early: false, end: 9 },
      /the server name: a\.example instead of b\.example/,
    ],
    [{ kind: 'tls', serverName: undefined, ecdsa: true, early: false, end: 9 }, /the server name: undefined/],
    [{ kind: 'opaque' }, /finds "b\.example" in what is opaque/],
    [{ kind: 'incomplete' }, /finds "b\.example" in what is incomplete/],
  ] as const)('%j although a TLS server parses another', (opening, fault) => {
    expect(() => mustAgree(opening, 'b.example')).toThrow(fault);
  });
});

test('an answer that changes when more bytes arrive', () => {
  const read = (bytes: Buffer) => (bytes.length < 3 ? 'open' : bytes.length);
  const input = Buffer.from('seventeen bytes..');
  expect(() => mustBeSettled(input, read, (answer) => answer === 'open')).toThrow(/settled at \d+ bytes/);
  expect(() =>
    mustBeSettled(
      input,
      () => 'tls',
      () => false,
    ),
  ).not.toThrow();
});

describe('the loop', () => {
  const tried = (run: (input: Buffer) => undefined) =>
    loop(
      { seeds: () => ['abcdefghij'], words: ['!'], msMax: 100, run },
      {
        name: 'x',
        seconds: 20,
        executionsMax: 2_000,
        seed: 1,
        failuresMax: 1,
        instrumented: { counts: new Uint32Array(1), branches: () => 0, words: () => [] },
        onTry: () => {},
      },
    );

  test('reports the error and the shortest input', async () => {
    const { failures } = await tried((input) => {
      if (input.includes('!')) throw new Error('found');
      return undefined;
    });
    expect(failures.map(({ input, message }) => [Buffer.from(input).toString(), message.split('\n')[0]])).toEqual([
      ['!', 'Error: found'],
    ]);
  });

  test('reports a try that takes too long', async () => {
    const { failures } = await tried((input) => {
      const until = process.threadCpuUsage().user + 120_000;
      while (input.length > 14 && process.threadCpuUsage().user < until);
      return undefined;
    });
    expect(failures[0]?.message).toMatch(/took over 100 ms/);
  });

  test('reports nothing for correct code', async () => {
    expect((await tried(() => undefined)).failures).toEqual([]);
  });
});
