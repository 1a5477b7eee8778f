/** What people have typed may stand in addresses: in queries, and in the address of the page before. */
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, startOrigin } from '../support/origin.ts';

const host = 'api.openai.com';
const email = 'hanako.yamada@example.co.jp';
const authority = new TestAuthority();
let origin: Origin;
let gateway: Gateway;
let dispatcher: ReturnType<typeof proxiedFetch>['dispatcher'];

beforeAll(async () => {
  origin = await startOrigin({ authority, names: [host], handler: (_request, response) => void response.end('ok') });
  gateway = await startGateway({
    authority,
    hosts: { [host]: origin },
    config: { masking: { uninspectable: { binary: 'allow' } } },
  });
  ({ dispatcher } = proxiedFetch(gateway));
});
afterAll(async () => {
  await dispatcher?.close();
  await gateway?.stop();
  await origin?.close();
});
beforeEach(() => {
  origin.requests.length = 0;
});

const query = `?q=mail+${encodeURIComponent(email)}`;

test.each<[what: string, path: string, options: { method?: 'POST'; headers?: Record<string, string>; body?: Buffer }]>([
  ['the query', `/${query}`, {}],
  ['the page before', '/backend', { headers: { referer: `https://${host}/${query}` } }],
  ['the query of a gRPC request without a body', `/${query}`, { headers: { 'content-type': 'application/grpc' } }],
  [
    'the query and the page before of one with a body',
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
