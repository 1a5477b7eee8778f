/** Duties of a proxy that few clients rely on: Expect, Via, Date and Host. */

import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { exchangeRaw, isCompleteAnswer } from '../support/recorder.ts';

let got = '';
let answers: { head?: string; body?: string } = {};

/** A scripted origin: what it has received so far, and its answers to a head and to the end of a body. */
const server = createServer((socket) => {
  let isHead = true;
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    got += bytes.toString('latin1');
    if (isHead && got.includes('\r\n\r\n')) {
      isHead = false;
      if (answers.head !== undefined) socket.write(answers.head);
    }
    if (got.endsWith('the end') && answers.body !== undefined) socket.write(answers.body);
  });
});
const address = `127.0.0.1:${await listening(server)}`;
const gateway = await startGateway();
afterAll(async () => {
  server?.close();
});
beforeEach(() => {
  got = '';
  answers = {};
});

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

describe('Expect: 100-continue to a host without inspection', () => {
  const head = () =>
    `POST http://${address}/ HTTP/1.1\r\nHost: ${address}\r\nExpect: 100-continue\r\nContent-Length: 7\r\nConnection: close\r\n\r\n`;

  /** What the client receives while it waits, and afterwards. */
  async function ask(): Promise<{ socket: Socket; text: () => string }> {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
    });
    socket.on('error', () => undefined);
    socket.write(head());
    return { socket, text: () => text };
  }

  test('the origin requests the body', async () => {
    answers = { body: ok };
    const { socket, text } = await ask();
    await expect.poll(() => got).toMatch(/\r\nExpect: 100-continue\r\n/);
    expect(text()).toBe('');
    socket.write('the end');
    await expect.poll(text).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('the client gets its 100 once', async () => {
    answers = { head: 'HTTP/1.1 100 Continue\r\n\r\n', body: ok };
    const { socket, text } = await ask();
    await expect.poll(text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('the end');
    await expect.poll(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    socket.destroy();
  });

  test('its refusal arrives without the body being sent', async () => {
    answers = { head: 'HTTP/1.1 417 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n' };
    const { socket, text } = await ask();
    await expect.poll(text).toMatch(/^HTTP\/1\.1 417 /);
    expect(got).toMatch(/\r\n\r\n$/);
    socket.destroy();
  });
});

const talk = (bytes: string): Promise<string> => exchangeRaw(gateway.proxyPort, bytes, { until: isCompleteAnswer });

test.each(['1.0', '1.1'])('Via names the version in which a request was received: %s', async (version) => {
  answers = { head: ok };
  await talk(`GET http://${address}/ HTTP/${version}\r\nHost: ${address}\r\n\r\n`);
  expect(got).toMatch(new RegExp(`\r\nVia: ${version.replace('.', '\\.')} privet-`));
});

test.each(['1.0', '1.1'])('Via names the version in which an answer was received: %s', async (version) => {
  answers = { head: ok.replace('1.1', version) };
  const answer = await talk(`GET http://${address}/ HTTP/1.1\r\nHost: ${address}\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*\r\nVia: ${version.replace('.', '\\.')} privet-`));
});

test.each(['a b', 'a/b', 'x@127.0.0.1', '127.0.0.1:port', '[::1', ''])('an invalid Host is 400: "%s"', async (host) => {
  expect(await talk(`GET /ca.pem HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  ['a page', () => 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  ['a refusal', () => 'GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: other\r\n\r\n'],
  ['a refused tunnel', () => 'CONNECT nonsense HTTP/1.1\r\nHost: nonsense\r\n\r\n'],
  ['bytes that are not HTTP', () => 'GET\r\n\r\n'],
])('our own responses have a date: %s', async (_name, bytes) => {
  const date = /\r\nDate: (.*)\r\n/.exec(await talk(bytes()))?.[1] ?? '';
  expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(60_000);
});
