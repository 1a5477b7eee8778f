/** Without personal data, the origin receives exactly what the client sent: body bytes, fields, order and case. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { personal } from '../support/personal.ts';
import { openHttp2, openTls, sendRaw, sendTls } from '../support/tunnel.ts';

const host = 'api.openai.com';

const answerFields = [
  'X-Zeta',
  '1',
  'Set-Cookie',
  'a=1',
  'X-alpha',
  '2',
  'SET-COOKIE',
  'b=2',
  'X-Content-Type-Options',
  'nosniff',
  'x-content-type-options',
  'nosniff',
  'content-TYPE',
  'text/plain',
];
const handler: OriginHandler = (_request, response) => {
  response.sendDate = false;
  response.writeHead(200, [...answerFields, 'Content-Length', '4'] as never).end('done');
};

const secure = await startOrigin({ names: [host], protocols: ['http/1.1'], handler });
const plain = await startOrigin({ handler });
const gateway = await startGateway({ hosts: { [host]: secure } });
beforeEach(() => {
  secure.reset();
  plain.reset();
});

/** Fields in unusual case and order, some repeated; none is hop-by-hop. */
const fields = [
  ['X-Last-First', 'yes'],
  ['aUTHORIZATION', 'Bearer test-key'],
  ['user-agent', 'tests/1.0 (x; y)'],
  ['Accept', '*/*'],
  ['X-Repeated', 'one'],
  ['ACCEPT-LANGUAGE', 'ja,en;q=0.5'],
  ['x-repeated', 'two'],
  ['Cookie', 'a=b; c="d"'],
  ['x-stainless-Lang', 'js'],
  ['X-Empty', ''],
] as const;

/** The end-to-end fields of raw headers; framing and Host are the gateway's own and are checked separately. */
function endToEnd(rawHeaders: readonly string[]): [string, string][] {
  const own = new Set([
    'host',
    'connection',
    'content-length',
    'transfer-encoding',
    'via',
    'content-type',
    'content-encoding',
  ]);
  const pairs: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!own.has(name.toLowerCase())) pairs.push([name, rawHeaders[index + 1] ?? '']);
  }
  return pairs;
}

const oddJson = `{ "model":"gpt-test" ,\r\n\t"big": 123456789012345678901234567890, "e": 1E+2, "zero": -0.0,
  "messages":[ {"content":"caf\\u00e9 \\/ \\ud83d\\ude42 [x] {y} array[0] [NOTE-1]", "role":"user"} ], "dup":1, "dup":2 }\n`;
const bodies: [name: string, contentType: string, body: Buffer, encoding?: string][] = [
  ['unusual JSON', 'application/json', Buffer.from(oddJson)],
  ['gzipped JSON', 'application/json', gzipSync(oddJson), 'gzip'],
  ['form', 'application/x-www-form-urlencoded', Buffer.from('a=1&b=%7e%7E+x&&c')],
  ['NDJSON', 'application/x-ndjson', Buffer.from('{"a":1}\n\n{"b" : "c"}')],
  ['text with a BOM', 'text/plain; charset=utf-8', Buffer.from('\ufeffhello\r\nworld')],
  ['empty', 'application/json', Buffer.alloc(0)],
];

const requestBytes = (target: string, hostField: string, type: string, body: Buffer, encoding?: string): Buffer => {
  const lines = [
    `POST ${target} HTTP/1.1`,
    `Host: ${hostField}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${type}`,
    ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]),
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]);
};

describe.each(bodies)('%s', (_name, type, body, encoding) => {
  test('through interception', async () => {
    const answer = await sendTls(gateway, `${host}:443`, requestBytes('/v1/x?q="1"%2f//', host, type, body, encoding));
    expect(answer.status).toBe(200);
    const [request] = secure.requests;
    expect(request?.url).toBe('/v1/x?q="1"%2f//');
    expect(request?.body.equals(body)).toBe(true);
    expect(endToEnd(request?.rawHeaders ?? [])).toEqual(fields);
    expect(request?.headers.host).toBe(host);
    expect(request?.headers['content-type']).toBe(type);
    expect(request?.headers['content-encoding']).toBe(encoding);
  });

  test('over plain http', async () => {
    const socket = connect(gateway.proxyPort, '127.0.0.1');
    const target = `http://${plain.address}/v1/x?q="1"%2f//`;
    const answer = await sendRaw(socket, requestBytes(target, plain.address, type, body, encoding));
    socket.destroy();
    expect(answer.status).toBe(200);
    const [request] = plain.requests;
    expect(request?.body.equals(body)).toBe(true);
    expect(endToEnd(request?.rawHeaders ?? [])).toEqual(fields);
    expect(request?.headers.host).toBe(plain.address);
  });
});

test('the response keeps its fields in order and case, and repeated ones separate', async () => {
  const answer = await sendTls(gateway, `${host}:443`, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  const expected = answerFields.slice(0, -2);
  const pairs = endToEnd(answer.rawHeaders).flat();
  expect(pairs.slice(0, expected.length)).toEqual(expected);
  expect(answer.body.toString()).toBe('done');
});

test('the same over h2, also for a single-valued field that many servers send twice', async () => {
  const session = await openHttp2(gateway, `${host}:443`);
  const stream = session.request({ ':path': '/' }).resume();
  const [, , fields] = (await once(stream, 'response')) as [unknown, unknown, string[]];
  session.destroy();
  const expected = endToEnd(answerFields).map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  expect(endToEnd(fields).map(([name, value]) => `${name}: ${value}`)).toEqual(expect.arrayContaining(expected));
  expect(fields.filter((name) => name === 'x-content-type-options').length).toBe(2);
});

test('with personal data, only the string containing it differs', async () => {
  const body = oddJson.replace('caf\\u00e9', `caf\\u00e9 ${personal.EMAIL}`);
  const socket = await openTls(gateway, `${host}:443`);
  await sendRaw(socket, requestBytes('/v1/x', host, 'application/json', Buffer.from(body)));
  socket.destroy();
  const received = secure.requests[0]?.body.toString() ?? '';
  const start = body.indexOf('"caf');
  const end = body.indexOf('", "role"');
  expect(received.startsWith(body.slice(0, start))).toBe(true);
  expect(received.endsWith(body.slice(end))).toBe(true);
  expect(JSON.parse(received).messages[0].content).toBe('café [EMAIL-1] / 🙂 [x] {y} array[0] [NOTE-1]');
  expect(secure.requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(received)));
});

test('over h2 the body is the same bytes', async () => {
  const session = await openHttp2(gateway, `${host}:443`);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/v1/x',
    'content-type': 'application/json',
    'x-b': '1',
    'x-a': '2',
  });
  stream.end(oddJson);
  const status = await new Promise((resolve) => stream.on('response', (head) => resolve(head[':status'])));
  stream.resume();
  await new Promise((resolve) => stream.once('close', resolve));
  session.destroy();
  expect(status).toBe(200);
  expect(secure.requests[0]?.body.toString()).toBe(oddJson);
  const names = endToEnd(secure.requests[0]?.rawHeaders ?? []).map(([name]) => name.toLowerCase());
  expect(names.filter((name) => name.startsWith('x-'))).toEqual(['x-b', 'x-a']);
});
