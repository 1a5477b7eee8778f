/** Interim answers (1xx) and trailers reach the client as the origin sent them. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import http2, { type IncomingHttpHeaders } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw, startRecorder } from '../support/recorder.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const authority = new TestAuthority();

const handler = (_request: unknown, response: ServerResponse): void => {
  response.writeInformation(103, { link: '</a.css>; rel=preload; as=style', 'x-hint': '1' });
  response.writeInformation(102, {});
  response.writeHead(200, { 'content-type': 'text/plain', trailer: 'x-sum' });
  response.write('body for [EMAIL-1]');
  response.addTrailers({ 'set-cookie': 'a=b', 'x-sum': '42', 'content-digest': 'md5=:AAAA:' });
  response.end();
};
const secure = await startOrigin({ authority, names: [approved], handler, protocols: ['http/1.1'] });
const plain = await startOrigin({ handler });
const gateway = await startGateway({ authority, hosts: { [approved]: secure } });

/** The answer of an HTTP/1.1 server on a TLS connection to each complete message. */
async function exchange(socket: TLSSocket, request: string): Promise<string> {
  socket.write(request);
  let sofar = '';
  while (!/\r\n0\r\n(?:.+\r\n)*\r\n$/.test(sofar)) sofar += String((await once(socket, 'data'))[0]);
  socket.destroy();
  return sofar;
}

test('to HTTP/1.1 inside an intercepted tunnel', async () => {
  const socket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['http/1.1'] });
  const answer = await exchange(socket, `GET / HTTP/1.1\r\nHost: ${approved}\r\nTE: trailers\r\n\r\n`);
  expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 103', 'HTTP/1.1 102', 'HTTP/1.1 200']);
  expect(answer).toContain('link: </a.css>; rel=preload; as=style\r\nx-hint: 1\r\n');
  expect(answer).toMatch(/\r\n0\r\nx-sum: 42\r\ncontent-digest: md5=:AAAA:\r\n\r\n$/i);
});

test('trailers of an answer that is restored', async () => {
  const body = JSON.stringify({ input: 'Mail ana@example.org' });
  const fields = `Host: ${approved}\r\nTE: trailers\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  const socket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['http/1.1'] });
  const answer = await exchange(socket, `POST / HTTP/1.1\r\n${fields}\r\n\r\n${body}`);
  expect(answer).toContain('ana@example.org');
  expect(answer).toMatch(/\r\n0\r\nx-sum: 42\r\n\r\n$/i);
});

test('a client that has not asked for trailers gets none', async () => {
  const socket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['http/1.1'] });
  expect(await exchange(socket, `GET / HTTP/1.1\r\nHost: ${approved}\r\n\r\n`)).toMatch(/\r\n0\r\n\r\n$/);
});

test('to HTTP/2', async () => {
  const socket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['h2'] });
  const session = http2.connect(`https://${approved}`, { createConnection: () => socket });
  const stream = session.request({ ':path': '/' });
  const interim: unknown[] = [];
  stream.on('headers', (headers: IncomingHttpHeaders) => interim.push([headers[':status'], headers.link]));
  const trailers = once(stream, 'trailers') as Promise<[IncomingHttpHeaders]>;
  stream.resume();
  expect((await trailers)[0]['x-sum']).toBe('42');
  expect(interim).toEqual([
    [103, '</a.css>; rel=preload; as=style'],
    [102, undefined],
  ]);
  session.destroy();
});

test('plain http: 1.1 gets them, 1.0 does not', async () => {
  const until = (sofar: string) => sofar.includes('body');
  const head = (version: string) => `GET http://${plain.address}/ HTTP/${version}\r\nHost: ${plain.address}\r\n\r\n`;
  expect(await exchangeRaw(gateway.proxyPort, head('1.1'), { until })).toMatch(/^HTTP\/1\.1 103 /);
  expect(await exchangeRaw(gateway.proxyPort, head('1.0'), { until })).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['100-continue', 100, 200],
  ['100-Continue', 100, 200],
  ['something-else', undefined, 417],
])('HTTP/2: Expect: %s is answered with %s, then %s', async (expectation, interim, final) => {
  const session = await openHttp2(gateway, `${approved}:443`);
  const stream = session.request({ ':method': 'POST', ':path': '/', expect: expectation }).resume();
  const informed: unknown[] = [];
  stream.on('headers', (head) => informed.push(head[':status']));
  stream.once('continue', () => stream.end('body'));
  const [head] = await once(stream, 'response');
  session.destroy();
  expect([informed[0], head[':status']]).toEqual([interim, final]);
});

describe('an unsolicited 100 is ignored (RFC 9110 §15.2)', () => {
  const answer = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone';
  const isComplete = (sofar: Buffer) =>
    sofar.includes('\r\n\r\n{"a":1}') || sofar.subarray(0, 3).equals(Buffer.from('GET'));

  test.each(['GET', 'POST'])('%s, over HTTP/2 and HTTP/1.1', async (method) => {
    const origin = await startRecorder(
      (socket, sofar) => isComplete(sofar) && socket.write(answer),
      authority.issue({ names: [approved] }),
    );
    onTestFinished(() => origin.close());
    await gateway.configure({ upstream: { resolve: { [approved]: origin.address } } });
    const body = method === 'POST' ? '{"a":1}' : '';
    const socket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['h2'] });
    const session = http2.connect(`https://${approved}`, { createConnection: () => socket });
    const stream = session.request({ ':method': method, ':path': '/', 'content-type': 'application/json' });
    if (body !== '') stream.end(body);
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect([headers[':status'], String((await stream.toArray())[0])]).toEqual([200, 'done']);
    session.destroy();
    const plainSocket = await openTls(gateway, `${approved}:443`, { ca: gateway.ca, protocols: ['http/1.1'] });
    const fields = `Host: ${approved}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    plainSocket.write(`${method} / HTTP/1.1\r\n${fields}\r\n\r\n${body}`);
    let sofar = '';
    while (!sofar.endsWith('done')) sofar += String((await once(plainSocket, 'data'))[0]);
    expect(sofar).toMatch(/^HTTP\/1\.1 200 /);
    plainSocket.destroy();
  });
});
