/** Feeds from a signed server: nothing applies before it is approved, and unsigned lists are not read. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { runPrivet } from '../support/command.ts';
import { startGateway } from '../support/gateway.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { tempFolder } from '../support/temp.ts';
import { openTunnel } from '../support/tunnel.ts';

const host = 'lists.example';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const folder = tempFolder('feeds');
const keyFile = join(folder, 'feed.pem');
const listFile = join(folder, 'own.csv');
const csv = (...rows: string[]) => ['domain,category,service_name', ...rows, ''].join('\n');
const signed = (content: string) => sign(null, Buffer.from(content), privateKey);

/** The server's answers by path. */
let files = new Map<string, string | Buffer | OriginHandler>();
const put = (path: string, content: string) => files.set(path, content).set(`${path}.sig`, signed(content));

const feed = (name: string, path: string, more: Record<string, unknown> = {}) => ({
  name,
  url: `https://${host}${path}`,
  public_key: keyFile,
  ...more,
});

writeFileSync(keyFile, publicKey.export({ type: 'spki', format: 'pem' }));
writeFileSync(listFile, csv('own.example,blocked,Own'));
const origin = await startOrigin({
  names: [host],
  protocols: ['http/1.1'],
  handler: (request, response) => {
    const found = files.get(request.url);
    if (typeof found === 'function') return found(request, response);
    response.writeHead(found === undefined ? 404 : 200).end(found);
  },
});
const gateway = await startGateway({
  hosts: { [host]: origin, 'private.example': '127.0.0.1:1' },
  config: {
    egress: { allow: [], ports: [443] },
    feeds: [
      feed('corp', '/corp.csv', { max_size: 2000, timeout: '4s' }),
      feed('auto', '/auto', { format: 'v2fly', approve: 'auto', category: 'blocked' }),
      feed('jws', '/list.jws', { signature: 'jws' }),
      { name: 'inside', url: 'https://127.0.0.1/x.csv', public_key: keyFile },
      { name: 'own', file: listFile },
    ],
  },
});
beforeEach(() => {
  files = new Map();
});

// biome-ignore lint/suspicious/noExplicitAny: every test knows the shape of its own answer.
type View = any;
const ask = async (path: string, method = 'POST'): Promise<View> => {
  const answer = await gateway.api(`/admin/feeds${path}`, { method });
  return { status: answer.status, ...((await answer.json()) as object) };
};
const actionOf = async (url: string) => {
  const answer = await gateway.api('/shadow-ai/check', { method: 'POST', body: JSON.stringify({ url }) });
  return ((await answer.json()) as { action: string }).action;
};

test('a list waits, shows its changes, and applies once approved', async () => {
  put('/corp.csv', csv('chatgpt.com,blocked,', 'one.example,blocked,One', 'two.example,approved,Two', 'com,blocked,'));
  expect(await ask('/corp/fetch')).toMatchObject({
    state: 'pending',
    error: null,
    entries: 0,
    diff: { added: 3, changed: 0, removed: 0 },
    warnings: [expect.stringContaining('line 5')],
  });
  const counts = async (): Promise<number[]> => {
    const { pending } = ((await (await gateway.api('/admin/overview')).json()) as View).feeds;
    return [pending, (await ask('', 'GET')).feeds.filter(({ state }: View) => state === 'pending').length];
  };
  // Other feeds are fetched meanwhile.
  await expect.poll(async () => new Set(await counts()).size).toBe(1);
  expect((await counts())[0]).toBeGreaterThan(0);
  expect(await actionOf('https://one.example/')).toBe('allow');
  expect((await ask('/corp/diff', 'GET')).added.map(({ domain }: View) => domain)).toEqual([
    'chatgpt.com',
    'one.example',
    'two.example',
  ]);
  expect(await ask('/corp/approve')).toMatchObject({ state: 'current', entries: 3 });
  expect(await actionOf('https://one.example/')).toBe('block');
  expect(await actionOf('https://chatgpt.com/')).toBe('block');
  expect(await actionOf('https://chat.openai.com/')).toBe('block');
  const { status, socket } = await openTunnel(gateway, 'one.example:443');
  socket.destroy();
  expect(status).toBe(403);

  put('/corp.csv', csv('chatgpt.com,approved,', 'two.example,approved,Two', 'three.example,blocked,'));
  expect(await ask('/corp/fetch')).toMatchObject({ state: 'pending', diff: { added: 1, changed: 1, removed: 1 } });
  expect(await ask('/corp/reject')).toMatchObject({ state: 'rejected', entries: 3 });
  expect(await ask('/corp/fetch')).toMatchObject({ state: 'rejected' });
  expect((await ask('/corp/approve')).status).toBe(409);
  expect(await actionOf('https://one.example/')).toBe('block');
});

test('with approve: auto it applies at once, with the lists it includes', async () => {
  put('/auto', 'include:more\nfirst.example\nkeyword:ai\n');
  put('/more', 'second.example\n');
  expect(await ask('/auto/fetch')).toMatchObject({ state: 'current', entries: 2, warnings: [expect.any(String)] });
  expect([await actionOf('https://first.example/'), await actionOf('https://a.second.example/')]).toEqual([
    'block',
    'block',
  ]);
  files.set('/more.sig', signed('other'));
  expect(await ask('/auto/fetch')).toMatchObject({ state: 'failed', error: expect.stringContaining('does not match') });
  expect(await actionOf('https://first.example/')).toBe('block');
});

test('an old list with its old signature is not applied again automatically', async () => {
  put('/auto', 'good.example\nbad.example\n');
  await ask('/auto/fetch');
  put('/auto', 'good.example\nbad.example\nworse.example\n');
  expect(await ask('/auto/fetch')).toMatchObject({ state: 'current', entries: 3 });
  put('/auto', 'good.example\nbad.example\n');
  expect(await ask('/auto/fetch')).toMatchObject({
    state: 'pending',
    entries: 3,
    diff: { removed: 1 },
    warnings: [expect.stringContaining('was superseded')],
  });
  expect(await actionOf('https://worse.example/')).toBe('block');
  expect(await ask('/auto/approve')).toMatchObject({ state: 'current', entries: 2 });
});

test('a list inside its signature, and one in a file', async () => {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const message = `${part('{"alg":"EdDSA"}')}.${part(csv('jws.example,blocked,'))}`;
  files.set('/list.jws', `${message}.${sign(null, Buffer.from(message), privateKey).toString('base64url')}`);
  expect(await ask('/jws/fetch')).toMatchObject({ state: 'pending', diff: { added: 1 } });
  expect(await ask('/own/fetch')).toMatchObject({ state: 'pending', source: { file: listFile } });
  expect(await ask('/own/approve')).toMatchObject({ state: 'current' });
  expect(await actionOf('https://own.example/')).toBe('block');
});

describe('nothing is imported from', () => {
  const list = csv('evil.example,approved,');
  test.each<[name: string, prepare: () => void, says: RegExp]>([
    ['a list without a signature', () => files.set('/corp.csv', list), /status 404/],
    [
      'one with the signature of another list',
      () => files.set('/corp.csv', list).set('/corp.csv.sig', signed('x')),
      /does not match/,
    ],
    [
      'a redirect',
      () => {
        put('/elsewhere.csv', list);
        files.set(
          '/corp.csv',
          (_request, response) => void response.writeHead(302, { location: '/elsewhere.csv' }).end(),
        );
      },
      /Redirects are not followed/,
    ],
    ['a list that is too large', () => put('/corp.csv', `${list}${'#'.repeat(3_000)}`), /larger than 2000 bytes/],
    ['a slow server', () => files.set('/corp.csv', () => {}), /took too long/],
    [
      'an answer that breaks off',
      () =>
        files.set('/corp.csv', (_request, response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write(list);
          setTimeout(() => response.destroy(), 20);
        }),
      /broke off|cannot be fetched/,
    ],
    [
      'an answer that never ends',
      () =>
        files.set('/corp.csv', (_request, response) => {
          const timer = setInterval(() => response.write('#'), 20);
          response.once('close', () => clearInterval(timer));
        }),
      /took too long/,
    ],
    [
      'a compressed answer',
      () =>
        files.set('/corp.csv', (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(list));
        }),
      /compressed body/,
    ],
    ['an empty list', () => put('/corp.csv', csv()), /contains no usable entry/],
  ])('%s', async (_name, prepare, says) => {
    prepare();
    expect(await ask('/corp/fetch')).toMatchObject({ state: 'failed', error: expect.stringMatching(says) });
    expect(await actionOf('https://evil.example/')).toBe('allow');
  });

  test('an address inside', async () => {
    expect(await ask('/inside/fetch')).toMatchObject({ state: 'failed', error: expect.stringMatching(/loopback/) });
  });
});

test('an approved list applies to the commands and after a restart', async () => {
  put('/corp.csv', csv('kept.example,blocked,Kept'));
  await ask('/corp/fetch');
  await ask('/corp/approve');
  const env = { PROXY_DATA_DIR: gateway.dataDir, PROXY_CONFIG: join(gateway.dataDir, '../privet-test.yaml') };
  const { code, out } = await runPrivet(['check', 'https://kept.example/'], env);
  expect([code, out]).toEqual([0, expect.stringMatching(/decision +block\n/)]);
});

test('a missing list', async () => {
  expect((await ask('/none/fetch')).status).toBe(404);
  expect((await ask('/none/diff', 'GET')).status).toBe(404);
  expect((await ask('', 'GET')).feeds.map(({ name }: View) => name)).toEqual(['corp', 'auto', 'jws', 'inside', 'own']);
});
