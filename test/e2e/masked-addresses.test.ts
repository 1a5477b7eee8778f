/**
 * What users typed, and their identity, outside the body: in paths, queries and the Referer, and in the fields in which
 * chat front ends and AI gateways describe their user.
 */
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2 } from '../support/tunnel.ts';

const host = 'api.openai.com';
const email = 'hanako.yamada@example.co.jp';
const signed =
  'AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260922/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0';
let dispatcher: ReturnType<typeof proxiedFetch>['dispatcher'];

const origin = await startOrigin({
  names: [host],
  handler: ({ url, headers }, response) => {
    if (!headers['x-echo']) return void response.end('ok');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ text: `see https://${host}${url} of ${decodeURIComponent(url.slice(7))}` }));
  },
});
const gateway = await startGateway({
  hosts: { [host]: origin },
  config: {
    policy: { rules: [{ when: { hosts: [host], paths: [`/private/${email}`] }, then: { action: 'block' } }] },
    masking: { uninspectable: { binary: 'allow' } },
  },
});
({ dispatcher } = proxiedFetch(gateway));
afterAll(async () => {
  await dispatcher?.close();
});
beforeEach(() => {
  origin.requests.length = 0;
});

const query = `?q=mail+${encodeURIComponent(email)}`;

test.each<[what: string, path: string, options: { method?: 'POST'; headers?: Record<string, string>; body?: Buffer }]>([
  ['the query', `/${query}`, {}],
  ['the Referer', '/backend', { headers: { referer: `https://${host}/${query}` } }],
  ['the query of a gRPC request without a body', `/${query}`, { headers: { 'content-type': 'application/grpc' } }],
  [
    'the query and the Referer of one with a body',
    `/${query}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/grpc', referer: `https://${host}/${query}` },
      body: Buffer.from([0, 0, 0, 0, 1, 8]),
    },
  ],
])('%s', async (_what, path, options) => {
  const answer = await request(`https://${host}${path}`, { dispatcher, ...options });
  expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'ok']);
  const [seen] = origin.requests;
  const all = [seen?.url, ...(seen?.rawHeaders ?? [])].join('\n');
  expect(decodeURIComponent(all)).toContain('mail+[EMAIL-1]');
  expect(decodeURIComponent(all)).not.toContain('hanako');
});

test.each([
  ['as it is', {}, Buffer.from(`mail ${email}`)],
  ['with a content coding', { 'content-encoding': 'gzip' }, gzipSync(`mail ${email}`)],
])('a piece of a text file %s is refused', async (_what, fields, body) => {
  const answer = await request(`https://${host}/v1/uploads/u/parts`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', ...fields },
    body,
  });
  const text = await answer.body.text();
  expect([answer.statusCode, text]).toEqual([expect.any(Number), expect.stringContaining('uninspectable')]);
  expect(origin.requests).toEqual([]);
});

const fields = {
  'X-OpenWebUI-User-Email': email,
  'X-OpenWebUI-User-Name': 'Hanako%20Yamada',
  'X-OpenWebUI-User-Role': 'user',
  'cf-aig-metadata': `{"user":"${email}","name":"Hanako Yamada","n":1}`,
  'x-user-id': email,
  baggage: `userId=${email},k=v`,
  'Helicone-User-Id': email,
  'Helicone-Property-Name': 'Hanako Yamada',
  'x-portkey-metadata': `{"_user":"${email}"}`,
  'User-Agent': 'a/1',
  Authorization: 'Bearer sk-test',
};
const sent = {
  'x-openwebui-user-email': '[EMAIL-1]',
  'x-openwebui-user-name': '%5BNAME-1%5D',
  'x-openwebui-user-role': 'user',
  'cf-aig-metadata': '{"user":"[EMAIL-1]","name":"[NAME-1]","n":1}',
  'x-user-id': '[EMAIL-1]',
  baggage: 'userId=%5BEMAIL-1%5D,k=v',
  'helicone-user-id': '[EMAIL-1]',
  'helicone-property-name': '[NAME-1]',
  'x-portkey-metadata': '{"_user":"[EMAIL-1]"}',
  'user-agent': 'a/1',
  authorization: 'Bearer sk-test',
};
const path = `/v1/f%2fg/${email}/hanako.yamada%40example.co.jp/4111111111111111/thread_4111111111111111?n=%2f`;
const maskedPath = '/v1/f%2fg/%5BEMAIL-1%5D/%5BEMAIL-1%5D/%5BCREDIT_CARD-1%5D/thread_4111111111111111?n=%2f';

test('the path, and fields about the user', async () => {
  const before = gateway.events().length;
  const body = '{"messages":[{"role":"user","content":"hi"}]}';
  const headers = { ...fields, 'content-type': 'application/json' };
  const answer = await request(`https://${host}${path}`, { dispatcher, method: 'POST', headers, body });
  expect([answer.statusCode, await answer.body.text()]).toEqual([200, 'ok']);
  const [seen] = origin.requests;
  // Numbers continue over the sessions of a client at a service.
  const asFirst = (value: unknown) => String(value).replaceAll(/-\d+(?=\]|%5D)/g, '-1');
  expect(asFirst(seen?.url)).toBe(maskedPath);
  const got = Object.entries(seen?.headers ?? {}).map(([name, value]) => [name, asFirst(value)]);
  expect(Object.fromEntries(got)).toMatchObject(sent);
  expect(seen?.body.toString()).toBe(body);
  const event = await gateway.event((line) => line.status === 200 && gateway.events().indexOf(line) >= before);
  expect(event).toMatchObject({ piiTypes: { EMAIL: 8, NAME: 3, CREDIT_CARD: 1 }, masked: 12 });
});

test('the same over HTTP/2', async () => {
  const session = await openHttp2(gateway, `${host}:443`);
  try {
    const lower = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));
    const stream = session.request({ ':path': path, ...lower });
    for await (const _ of stream.end());
  } finally {
    session.destroy();
  }
  const [seen] = origin.requests;
  expect(seen?.url.replaceAll(/-\d+%5D/g, '-1%5D')).toBe(maskedPath);
  const got = Object.fromEntries(
    Object.entries(seen?.headers ?? {}).map(([name, value]) => [
      name,
      String(value).replaceAll(/-\d+(?=\]|%5D)/g, '-1'),
    ]),
  );
  expect(got).toMatchObject(sent);
});

test('a rule with a path sees the original path', async () => {
  const answer = await request(`https://${host}/private/${email}/x`, { dispatcher });
  expect([answer.statusCode, await answer.body.text()]).toEqual([403, expect.stringContaining('blocked_by_policy')]);
  expect(origin.requests).toEqual([]);
});

test('the response is restored, including masked URLs in it', async () => {
  const answer = await request(`https://${host}/files/${email}`, { dispatcher, headers: { 'x-echo': '1' } });
  const { text } = (await answer.body.json()) as { text: string };
  expect(origin.requests[0]?.url).toMatch(/^\/files\/%5BEMAIL-\d+%5D$/);
  // Unless a host is configured as your own, a token in a URL stays a token.
  expect(text).toBe(`see https://${host}${origin.requests[0]?.url} of ${email}`);
});

test.each([
  ['AWS Signature Version 4', `/bucket/${email}.txt`, { authorization: signed }],
  ['presigned URL', `/bucket/${email}.txt?X-Amz-Signature=0123456789abcdef`, {}],
])('a signed URL with a finding is refused: %s', async (what, target, headers) => {
  const answer = await request(`https://${host}${target}`, { dispatcher, headers });
  const text = await answer.body.text();
  expect([answer.statusCode, text]).toEqual([403, expect.stringContaining(`is signed (${what})`)]);
  expect(text).toContain('uninspectable');
  expect(origin.requests).toEqual([]);
});
