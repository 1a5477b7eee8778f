/** Targets and fields with special rules in the request line or for some methods. */
import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2, openTls, type RawAnswer, sendRaw } from '../support/tunnel.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();

const secure = await startOrigin({ authority, names: [host], protocols: ['http/1.1'] });
const plain = await startOrigin();
const gateway = await startGateway({ authority, hosts: { [host]: secure } });
beforeEach(() => {
  secure.reset();
  plain.reset();
});

/** Sends one head; `TARGET` stands for the address of the plain origin. */
async function send(head: readonly string[], place: 'plain' | 'tunnel'): Promise<RawAnswer> {
  const socket = place === 'plain' ? connect(gateway.proxyPort, '127.0.0.1') : await openTls(gateway, `${host}:443`);
  const answer = await sendRaw(socket, `${head.join('\r\n').replaceAll('TARGET', plain.address)}\r\n\r\n`);
  socket.destroy();
  return answer;
}

test.each<[head: string[], place: 'plain' | 'tunnel', url: string]>([
  [['GET http://TARGET?q HTTP/1.1', 'Host: TARGET'], 'plain', '/?q'],
  [['OPTIONS http://TARGET HTTP/1.1', 'Host: TARGET'], 'plain', '*'],
  [['OPTIONS http://TARGET/ HTTP/1.1', 'Host: TARGET'], 'plain', '/'],
  [['GET http://TARGET HTTP/1.1', 'Host: TARGET'], 'plain', '/'],
  [['OPTIONS * HTTP/1.1', `Host: ${host}`], 'tunnel', '*'],
  [[`GET https://${host}?q HTTP/1.1`, `Host: ${host}`], 'tunnel', '/?q'],
  [[`GET https://${host} HTTP/1.1`, `Host: ${host}`], 'tunnel', '/'],
  [['GET //other.test/a HTTP/1.1', `Host: ${host}`], 'tunnel', '//other.test/a'],
])('%j in the %s reaches the origin as %s', async (head, place, url) => {
  expect((await send(head, place)).status).toBe(200);
  expect((place === 'plain' ? plain : secure).requests.map((request) => request.url)).toEqual([url]);
});

test('GET * is refused', async () => {
  expect((await send(['GET * HTTP/1.1', `Host: ${host}`], 'tunnel')).status).toBe(400);
  expect(secure.requests).toEqual([]);
});

test('OPTIONS decrements Max-Forwards and is answered here at 0', async () => {
  const ask = (left: number) =>
    send(['OPTIONS http://TARGET/ HTTP/1.1', 'Host: TARGET', `Max-Forwards: ${left}`], 'plain');
  expect((await ask(3)).status).toBe(200);
  expect(plain.requests.map((request) => request.headers['max-forwards'])).toEqual(['2']);
  plain.reset();
  expect((await ask(0)).status).toBe(200);
  expect(plain.requests).toEqual([]);
  // The request that ends here is recorded with the status that the client got.
  const own = await gateway.event((one) => one.event === 'decision' && one.method === 'OPTIONS' && one.bytesOut === 0);
  expect(own.status).toBe(200);
});

test.each(['DELETE', 'GET', 'OPTIONS'])('%s keeps a Content-Length of zero in position', async (method) => {
  await send([`${method} /v1/x HTTP/1.1`, `Host: ${host}`, 'X-A: 1', 'content-LENGTH: 0', 'X-B: 2'], 'tunnel');
  expect(secure.requests[0]?.rawHeaders).toEqual(['Host', host, 'X-A', '1', 'content-LENGTH', '0', 'X-B', '2']);
});

test('messages over plain http have Via in both directions, tunnelled ones do not', async () => {
  const via = (fields: readonly string[]) => fields[fields.findIndex((name) => name.toLowerCase() === 'via') + 1];
  const over = await send(['GET http://TARGET/ HTTP/1.1', 'Host: TARGET'], 'plain');
  expect(via(over.rawHeaders)).toMatch(/^1\.1 privet-/);
  expect(plain.requests[0]?.headers.via).toBe(via(over.rawHeaders));
  const inside = await send(['GET / HTTP/1.1', `Host: ${host}`], 'tunnel');
  expect(inside.rawHeaders.map((name) => name.toLowerCase())).not.toContain('via');
  expect(secure.requests[0]?.headers.via).toBeUndefined();
});

describe('over HTTP/2', () => {
  test('300 cookies, each in its own field, reach the origin in one', async () => {
    const cookies = Array.from({ length: 300 }, (_, i) => `c${i}=${'v'.repeat(40)}`);
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':path': '/', ':authority': host, cookie: cookies });
    const status = await new Promise((resolve, reject) => {
      stream.on('response', (fields) => resolve(fields[':status']));
      stream.on('error', reject);
    });
    session.destroy();
    expect(status).toBe(200);
    expect(secure.requests[0]?.headers.cookie).toBe(cookies.join('; '));
  });
});
