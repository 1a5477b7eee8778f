/**
 * Response splitting: an origin that sends more, less or something other than one response to a request. The next
 * client never gets the remaining bytes, and a malformed response is never treated as complete.
 */
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { startRecorder } from '../support/recorder.ts';
import { readAnswers, readRequests } from '../support/strict-http.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();
const good = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const poison = 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const withFields = (...lines: string[]): string => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;

/** A complete response followed by more data, which belongs to no request. The parts are sent one after another. */
const more: readonly (readonly [name: string, ...parts: string[]])[] = [
  ['a second answer', good + poison],
  ['a second answer, later', good, poison],
  ['three more', good + poison + poison + poison],
  ['a second answer after chunks', `${chunked}5\r\nhello\r\n0\r\n\r\n${poison}`],
  ['a second answer after chunks, later', `${chunked}5\r\nhello\r\n0\r\n\r\n`, poison],
  ['a line end and a second answer', `${good}\r\n${poison}`],
  ['text', `${good}poison`],
  ['text, later', good, 'poison'],
  ['half an answer', `${good}HTTP/1.1 200 OK\r\nX-Poison: poison`],
  ['an interim answer', `${good}HTTP/1.1 100 Continue\r\n\r\n${poison}`],
  ['the body of a 204', `HTTP/1.1 204 No Content\r\n\r\n${poison}`],
  ['the body of a 204 with a length', `HTTP/1.1 204 No Content\r\nContent-Length: ${poison.length}\r\n\r\n${poison}`],
  ['the body of a 304 with a length', `HTTP/1.1 304 Not Modified\r\nContent-Length: ${poison.length}\r\n\r\n${poison}`],
  ['interim answers, and a second answer', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${good}${poison}`],
  ['an unsolicited 100, and a second answer', `HTTP/1.1 100 Continue\r\n\r\n${good}${poison}`],
];

/** No complete response can be parsed from these. */
const broken: readonly (readonly [name: string, ...parts: string[]])[] = [
  ['Content-Length and chunks', `${withFields('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${poison}`],
  ['chunks and Content-Length', `${withFields('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${poison}`],
  ['two lengths', `${withFields('Content-Length: 5', 'Content-Length: 50')}hello${poison}`],
  ['a list of lengths', `${withFields('Content-Length: 5, 50')}hello${poison}`],
  ['a length with a sign', `${withFields('Content-Length: +5')}hello${poison}`],
  ['a negative length', `${withFields('Content-Length: -5')}hello${poison}`],
  ['a hexadecimal length', `${withFields('Content-Length: 0x5')}hello${poison}`],
  ['a length beyond 2^64', `${withFields('Content-Length: 18446744073709551621')}hello${poison}`],
  ['an empty length', `${withFields('Content-Length:')}hello${poison}`],
  ['an invalid size', `${chunked}x\r\nhello\r\n0\r\n\r\n${poison}`],
  ['a size with a sign', `${chunked}+5\r\nhello\r\n0\r\n\r\n${poison}`],
  ['a size with a prefix', `${chunked}0x5\r\nhello\r\n0\r\n\r\n${poison}`],
  ['a size beyond 2^64', `${chunked}10000000000000005\r\nhello\r\n0\r\n\r\n${poison}`],
  ['no line end after a chunk', `${chunked}5\r\nhello0\r\n\r\n${poison}`],
  ['more data than the size', `${chunked}5\r\nhello, poison\r\n0\r\n\r\n${poison}`],
  ['LF after a size', `${chunked}5\nhello\r\n0\r\n\r\n${poison}`],
  ['LF in an extension', `${chunked}5;a\n\r\nhello\r\n0\r\n\r\n${poison}`],
  ['an invalid trailer', `${chunked}5\r\nhello\r\n0\r\nX : x\r\n\r\n${poison}`],
  ['LF in a trailer', `${chunked}5\r\nhello\r\n0\r\nX: x\nY: y\r\n\r\n${poison}`],
  ['a line end of LF', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello'],
  ['LF after a field', `${withFields('X: x\nContent-Length: 5')}hello`],
  ['CR in a value', `${withFields('Content-Length: 5', 'X: a\rContent-Length: 50')}hello${poison}`],
  ['NUL in a value', `${withFields('Content-Length: 5', 'X: a\0b')}hello`],
  ['a folded line', `${withFields('Content-Length: 5', 'X: a\r\n Content-Length: 50')}hello${poison}`],
  ['a space before a colon', `${withFields('Content-Length: 5', 'Content-Length : 50')}hello${poison}`],
  ['a field without a name', `${withFields('Content-Length: 5', ': 50')}hello`],
  ['a line without a colon', `${withFields('Content-Length: 5', 'X')}hello`],
  ['a line that begins with a space', `${withFields(' X: x', 'Content-Length: 5')}hello`],
  ['a status of four digits', good.replace('200', '2000')],
  ['a status of two digits', good.replace('200', '20')],
  ['a status below 100', good.replace('200', '099')],
  ['HTTP/1.2', good.replace('1.1', '1.2')],
  ['ICY', good.replace('HTTP/1.1', 'ICY')],
  ['text', 'poison, and no HTTP\r\n\r\n'],
  [
    'an unsolicited 101',
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${poison}`,
  ],
  ['an upgrade in 200', `${withFields('Connection: Upgrade', 'Upgrade: x', 'Content-Length: 5')}hel`, '\0'],
  ['a field of 80 KiB', `${withFields('Content-Length: 5', `X: ${'x'.repeat(80_000)}`)}hello`],
  [
    '100,000 fields',
    `${withFields('Content-Length: 5', ...Array.from({ length: 100_000 }, (_, i) => `X-${i}: x`))}hello`,
  ],
];

const plain = await startRecorder(answerByTable());
const secure = await startRecorder(answerByTable(), authority.issue({ names: [host] }));
const gateway = await startGateway({
  authority,
  hosts: { [host]: secure.address },
  config: { upstream: { timeouts: { first_byte: '1s', body_idle: '1s' } } },
});

/** `/more/3` is answered with that row, everything else with `probe`. */
function answerByTable(): (socket: Socket, sofar: Buffer) => void {
  const answered = new WeakMap<Socket, number>();
  return (socket, sofar) => {
    const { messages } = readRequests(sofar);
    for (const { start } of messages.slice(answered.get(socket) ?? 0)) {
      const [, table, row] = /\/(more|broken)\/(\d+)/.exec(start) ?? [];
      const parts = table === undefined ? [] : ((table === 'more' ? more : broken)[Number(row)] ?? []).slice(1);
      if (parts.length === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nprobe');
      else {
        socket.write(parts[0] as string, 'latin1');
        if (parts[1] !== undefined) setTimeout(() => sendLater(socket, parts[1] as string), 20);
      }
    }
    answered.set(socket, messages.length);
  };
}

/** Resolves when a connection with late data has closed; one that is open after half a second counts as kept. */
let lateDone: Promise<void> = Promise.resolve();
let lateSent: () => void = () => undefined;

function sendLater(socket: Socket, text: string): void {
  lateDone = new Promise((resolve) => {
    const timer = setTimeout(resolve, 500);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  if (!socket.destroyed) socket.write(text, 'latin1');
  lateSent();
}

type Answer = { readonly status: number; readonly body: string };
/** The final response if it is complete; undefined if it broke off. Throws if it cannot be parsed strictly. */
type Ask = (path: string) => Promise<Answer | undefined>;

const places: Record<string, { readonly open: () => Promise<{ ask: Ask; close: () => void }> }> = {
  'over plain http': {
    open: async () => asking(connect(gateway.proxyPort, '127.0.0.1'), `http://${plain.address}`, plain.address),
  },
  'inside a tunnel': { open: async () => asking(await openTls(gateway, `${host}:443`), '', host) },
  'inside a tunnel, over HTTP/2': {
    open: async () => {
      const session = await openHttp2(gateway, `${host}:443`);
      const ask: Ask = (path) =>
        new Promise((resolve) => {
          const stream = session.request({ ':path': path, ':authority': host });
          let status = 0;
          let body = '';
          stream.on('response', (fields) => {
            status = Number(fields[':status']);
          });
          stream.on('data', (chunk: Buffer) => {
            body += chunk.toString('latin1');
          });
          stream.on('error', () => undefined);
          stream.on('close', () => resolve(stream.rstCode === 0 ? { status, body } : undefined));
        });
      return { ask, close: () => session.destroy() };
    },
  },
};

function asking(socket: Socket, origin: string, authorityOf: string): { ask: Ask; close: () => void } {
  socket.on('error', () => undefined);
  const ask: Ask = (path) =>
    new Promise((resolve, reject) => {
      let bytes = Buffer.alloc(0);
      const read = (ended: boolean): void => {
        const { messages, rest, reason } = readAnswers(bytes, ['GET']);
        const final = messages.find(({ start }) => !start.startsWith('HTTP/1.1 1'));
        if (rest === 'malformed') reject(new Error(`${path}: ${reason}`));
        else if (final !== undefined)
          resolve({ status: Number(final.start.slice(9, 12)), body: final.body.toString('latin1') });
        else if (ended) resolve(undefined);
        else return;
        socket.off('data', onData);
        socket.off('close', onClose);
      };
      const onData = (chunk: Buffer): void => {
        bytes = Buffer.concat([bytes, chunk]);
        read(false);
      };
      const onClose = (): void => read(true);
      socket.on('data', onData);
      socket.on('close', onClose);
      socket.write(`GET ${origin}${path} HTTP/1.1\r\nHost: ${authorityOf}\r\n\r\n`);
    });
  return { ask, close: () => socket.destroy() };
}

describe.each(Object.keys(places))('%s', (name) => {
  const { open } = places[name] as (typeof places)[string];

  /** Requests each row on a separate connection, and after each one sends a request as another client. */
  async function each(table: 'more' | 'broken', rows: typeof more) {
    const other = await open();
    const outcomes: (readonly [name: string, answer: Answer | undefined | string])[] = [];
    const strange: string[] = [];
    for (const [index, [row, , late]] of rows.entries()) {
      const client = await open();
      const sent = late === undefined ? undefined : new Promise<void>((resolve) => (lateSent = resolve));
      outcomes.push([row, await client.ask(`/${table}/${index}`).catch((error: Error) => error.message)]);
      client.close();
      // Once the next request is on its way, a late answer cannot be attributed.
      await sent;
      await lateDone;
      for (const path of ['/probe/1', '/probe/2']) {
        const probe = await other.ask(path);
        if (probe?.status !== 200 || probe.body !== 'probe') strange.push(`${row}: ${JSON.stringify(probe)}`);
      }
    }
    other.close();
    return { outcomes, strange };
  }

  test('data after a complete response is never the response to the next request', async () => {
    const { outcomes, strange } = await each('more', more);
    expect(strange).toEqual([]);
    const spoilt = outcomes.filter(
      ([, answer]) => JSON.stringify(answer ?? '').includes('poison') || typeof answer === 'string',
    );
    expect(spoilt).toEqual([]);
    expect(
      outcomes.filter(([, answer]) => typeof answer === 'object' && answer.body === 'hello').length,
    ).toBeGreaterThan(3);
  });

  test('a malformed response is never forwarded as complete, nor left to the next request', async () => {
    const { outcomes, strange } = await each('broken', broken);
    expect(strange).toEqual([]);
    const whole = outcomes.filter(
      ([, answer]) => typeof answer === 'string' || (answer !== undefined && answer.status < 500),
    );
    expect(whole).toEqual([]);
  });
});
