/** Malformed or ambiguous input is refused, and nothing is dialled or sent. */
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { type Origin, startOrigin } from '../support/origin.ts';
import { prompt } from '../support/personal.ts';
import { exchangeRaw, startRecorder } from '../support/recorder.ts';
import { openHttp2, openTls, openTunnel, type RawAnswer, sendTls } from '../support/tunnel.ts';
import { get, malformed, post, request } from './malformed-requests.ts';

const host = 'api.openai.com';
const dayMs = 86_400_000;
const authority = new TestAuthority();
const badOrigins: Origin[] = [];

/** Certificate errors of an origin: host (approved services), certificate, expected class of reason. */
const certificates: [
  name: string,
  host: string,
  certificate: () => ReturnType<TestAuthority['issue']>,
  reason: RegExp,
][] = [
  ['expired', 'api.anthropic.com', () => issue('api.anthropic.com', -30, -2), /expired/i],
  ['not yet valid', 'claude.ai', () => issue('claude.ai', 2, 30), /not.?yet/i],
  ['for another name', 'chatgpt.com', () => issue('chatgpt.org', -1, 30), /name|host|mismatch/i],
  [
    'self-signed',
    'api.groq.com',
    () => authority.issue({ names: ['api.groq.com'], selfSigned: true }),
    /self.?signed|untrusted/i,
  ],
  [
    'of an unknown root',
    'gemini.google.com',
    () => new TestAuthority('Other').issue({ names: ['gemini.google.com'] }),
    /untrusted|unknown|issuer/i,
  ],
];

function issue(name: string, fromDays: number, toDays: number): ReturnType<TestAuthority['issue']> {
  const now = Date.now();
  return authority.issue({
    names: [name],
    notBefore: new Date(now + fromDays * dayMs),
    notAfter: new Date(now + toDays * dayMs),
  });
}

const recorder = await startRecorder();
const origin = await startOrigin({ authority, names: [host] });
const hosts: Record<string, Origin> = { [host]: origin };
for (const [, name, certificate] of certificates) {
  const bad = await startOrigin({ authority, certificate: certificate() });
  badOrigins.push(bad);
  hosts[name] = bad;
}
const gateway = await startGatewayProcess({
  authority,
  hosts,
  config: { masking: { max_body: '1MiB' } },
  // Node's own switch for all certificates, left over in the environment of many services.
  env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
});
afterAll(async () => {
  for (const bad of badOrigins) await bad.close();
});
beforeEach(() => origin.reset());

/** The bytes of a request, for the recorder. */
const forRecorder = (bytes: string): string => bytes.replaceAll('TARGET', recorder.address);

describe('malformed or ambiguous requests are 400 and nothing is dialled', () => {
  test.each(malformed)('%s', async (_name, bytes) => {
    const before = recorder.received.length;
    const answer = await exchangeRaw(gateway.proxyPort, forRecorder(bytes), {
      until: (text) => text.includes('\r\n\r\n'),
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(recorder.received.slice(before).map(String)).toEqual([]);
  });

  test('a bad chunk size after a valid head: the origin never sees a complete body', async () => {
    const own = await startRecorder();
    const head = `POST http://${own.address}/ HTTP/1.1\r\nHost: ${own.address}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await exchangeRaw(gateway.proxyPort, `${head}3\r\nabc\r\nxyz\r\n`);
    expect(answer).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(own.received.join('')).not.toMatch(/\r\n0\r\n\r\n$/);
    await own.close();
  });

  test.each([
    ['https:// over plain http', request('GET https://TARGET/ HTTP/1.1', ['Host: TARGET']), /^HTTP\/1\.1 (400|501) /],
    ['ftp://', request('GET ftp://TARGET/ HTTP/1.1', ['Host: TARGET']), /^HTTP\/1\.1 (400|501) /],
    ['HTTP/3.0 as the version', request('GET http://TARGET/ HTTP/3.0', ['Host: TARGET']), /^HTTP\/1\.1 (400|505) /],
    ['TRACE', request('TRACE http://TARGET/ HTTP/1.1', ['Host: TARGET']), /^HTTP\/1\.1 (400|405) /],
    [
      'a target of 20 KiB',
      request(`GET http://TARGET/${'a'.repeat(20_480)} HTTP/1.1`, ['Host: TARGET']),
      /^HTTP\/1\.1 414 /,
    ],
    [
      'a head of 100 KiB',
      request(get, ['Host: TARGET', ...Array.from({ length: 100 }, (_, i) => `X-${i}: ${'a'.repeat(1024)}`)]),
      /^HTTP\/1\.1 431 /,
    ],
    [
      'userinfo naming another host',
      request('GET http://good.test@169.254.169.254/ HTTP/1.1', ['Host: 169.254.169.254']),
      /^HTTP\/1\.1 40[03] /,
    ],
  ])('%s is refused', async (_name, bytes, status) => {
    const before = recorder.received.length;
    const answer = await exchangeRaw(gateway.proxyPort, forRecorder(bytes), {
      until: (text) => text.includes('\r\n\r\n'),
    });
    expect(answer).toMatch(status);
    expect(recorder.received.length).toBe(before);
  });

  test.each([
    ['bad request', post],
    ['bad request for the proxy itself', 'GET / HTTP/1.1'],
  ])('nothing after a %s is forwarded', async (_name, line) => {
    const before = recorder.received.length;
    const bad = request(line, ['Host: TARGET', 'Content-Length: 010'], 'a'.repeat(10));
    const answer = await exchangeRaw(gateway.proxyPort, forRecorder(bad + request(get, ['Host: TARGET'])));
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(recorder.received.length).toBe(before);
  });
});

describe('inside an intercepted tunnel', () => {
  const send = async (head: readonly string[], body: string | Buffer = ''): Promise<RawAnswer> => {
    const bytes = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
    const answer = await sendTls(gateway, `${host}:443`, bytes);
    return answer;
  };
  const postHead = (length: number, ...fields: string[]): string[] => [
    'POST /v1/chat/completions HTTP/1.1',
    `Host: ${host}`,
    `Content-Length: ${length}`,
    ...fields,
  ];

  test.each([
    ['Host of another service', ['GET / HTTP/1.1', 'Host: api.anthropic.com']],
    ['Host of an unknown name', ['GET / HTTP/1.1', 'Host: other.test']],
    ['Host with another port', ['GET / HTTP/1.1', `Host: ${host}:8443`]],
    ['a target of another scheme', [`GET http://${host}/ HTTP/1.1`, `Host: ${host}`]],
  ])('%s: 421', async (_name, head) => {
    expect((await send(head)).status).toBe(421);
    expect(origin.requests).toEqual([]);
  });

  test('another :authority: 421', async () => {
    const session = await openHttp2(gateway, `${host}:443`);
    const stream = session.request({ ':path': '/', ':authority': 'other.test' });
    const status = await new Promise((resolve) => stream.on('response', (fields) => resolve(fields[':status'])));
    expect(status).toBe(421);
    expect(origin.requests).toEqual([]);
    session.destroy();
  });

  test('a body too long for inspection is refused before 100 Continue', async () => {
    const socket = await openTls(gateway, `${host}:443`);
    socket.write(
      `${postHead(2_000_000, 'Content-Type: application/json', 'Expect: 100-continue').join('\r\n')}\r\n\r\n`,
    );
    const [first] = await once(socket, 'data');
    socket.destroy();
    expect(String(first)).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nConnection: close\r\n/);
  });

  test('nested CONNECT is refused', async () => {
    const answer = await send(['CONNECT other.test:443 HTTP/1.1', 'Host: other.test:443']);
    expect([400, 403, 405, 421]).toContain(answer.status);
    expect(origin.requests).toEqual([]);
  });

  test.each([
    ['Content-Length with a leading zero', ['POST / HTTP/1.1', `Host: ${host}`, 'Content-Length: 010'], 'a'.repeat(10)],
    ['Transfer-Encoding: ,chunked', ['POST / HTTP/1.1', `Host: ${host}`, 'Transfer-Encoding: ,chunked'], '0\r\n\r\n'],
    ['two Hosts', ['GET / HTTP/1.1', `Host: ${host}`, `Host: ${host}`], ''],
    ['no Host', ['GET / HTTP/1.1'], ''],
    ['HTTP/2.0 in a request line', ['GET / HTTP/2.0', `Host: ${host}`], ''],
    ['HTTP/0.9 in a request line', ['GET / HTTP/0.9', `Host: ${host}`], ''],
  ])('%s: 400', async (_name, head, body) => {
    expect((await send(head, body)).status).toBe(400);
    expect(origin.requests).toEqual([]);
  });

  const json = JSON.stringify({ messages: [{ role: 'user', content: prompt }] });
  const garbage = Buffer.from('this is not compressed');
  test.each<[name: string, head: string[], body: string | Buffer, status: number[], says: RegExp]>([
    [
      'a body that does not match its Content-Encoding',
      postHead(garbage.length, 'Content-Type: application/json', 'Content-Encoding: gzip'),
      garbage,
      [400],
      /decod|gzip|encod/i,
    ],
    [
      'a cut gzip body',
      postHead(40, 'Content-Type: application/json', 'Content-Encoding: gzip'),
      gzipSync(json).subarray(0, 40),
      [400],
      /decod|gzip|encod/i,
    ],
    [
      'an unknown Content-Encoding',
      postHead(json.length, 'Content-Type: application/json', 'Content-Encoding: x-secret'),
      json,
      [400, 403, 415],
      /encod/i,
    ],
    ['invalid JSON', postHead(json.length - 1, 'Content-Type: application/json'), json.slice(0, -1), [400], /json/i],
    [
      'a body that is not UTF-8',
      postHead(9, 'Content-Type: application/json'),
      Buffer.from('{"a":"\xff"}', 'latin1'),
      [400],
      /utf-8/i,
    ],
    [
      'endlessly nested JSON',
      postHead(20_000, 'Content-Type: application/json'),
      '['.repeat(20_000),
      [400],
      /nested|json/i,
    ],
    [
      'a form of parts without a boundary',
      postHead(5, 'Content-Type: multipart/form-data'),
      'hello',
      [400],
      /boundary/i,
    ],
    [
      'a body over the limit',
      postHead(2_000_000, 'Content-Type: application/json'),
      `"${'a'.repeat(1_999_998)}"`,
      [413],
      /large|limit|max/i,
    ],
    [
      'a compressed body over the limit',
      postHead(gzipSync('0'.repeat(50_000_000)).length, 'Content-Type: application/json', 'Content-Encoding: gzip'),
      gzipSync('0'.repeat(50_000_000)),
      [413],
      /large|limit|max/i,
    ],
  ])('%s is refused with the step that failed', async (_name, head, body, statuses, says) => {
    const answer = await send(head, body);
    expect(statuses).toContain(answer.status);
    const { error } = JSON.parse(answer.body.toString()) as { error: { code: string; message: string } };
    expect(`${error.code} ${error.message}`).toMatch(says);
    expect(error.message).toMatch(/^Step [a-z]+: /);
    expect(origin.requests).toEqual([]);
  });

  test.each(certificates)(
    'an origin certificate that is %s: 502 with the reason',
    async (_name, name, _make, reason) => {
      const answer = await sendTls(gateway, `${name}:443`, `GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
      expect(answer.status).toBe(502);
      expect(answer.body.toString()).toMatch(reason);
      expect(badOrigins.flatMap((bad) => bad.requests)).toEqual([]);
    },
  );
});

test('its own listeners, even if loopback is allowed', async () => {
  const own = [gateway.proxyPort, Number(new URL(gateway.apiUrl).port)];
  for (const port of own) {
    const tunnel = await openTunnel(gateway, `127.0.0.1:${port}`);
    expect(tunnel.status).toBeGreaterThanOrEqual(400);
    tunnel.socket.destroy();
  }
});

describe('addresses that requests may not reach', () => {
  beforeAll(() => gateway.configure({ egress: { allow: [], ports: 'any' } }));

  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '255.255.255.255',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[64:ff9b::7f00:1]',
    'localhost',
  ])('%s', async (name) => {
    const port = recorder.port;
    const before = recorder.received.length;
    const plain = `GET http://${name}:${port}/ HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`;
    const answer = await exchangeRaw(gateway.proxyPort, plain, { until: (text) => text.includes('\r\n\r\n') });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    const tunnel = await openTunnel(gateway, `${name}:${port}`);
    expect(tunnel.status).toBeGreaterThanOrEqual(400);
    expect(tunnel.status).toBeLessThan(500);
    tunnel.socket.destroy();
    expect(recorder.received.length).toBe(before);
  });
});
