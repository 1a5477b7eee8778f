/** Approving or rejecting applies to the reviewed list: a list fetched in between is a different one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FeedSettings, Feeds } from '../../../gateway/feeds/feeds.ts';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import { tempFolder } from '../../support/temp.ts';
import { startApi } from '../api-under-test.ts';
import { silentLog } from '../stores/silent-log.ts';

/** An API with one feed from a file; `list` writes the hosts of the file and fetches it. */
async function startWithFeed() {
  const dataDir = tempFolder('approval');
  const file = join(dataDir, 'list.csv');
  const settings = { name: 'corp', file, format: 'csv', approve: 'manual', every: 60_000, max_size: 10_000 };
  const stores = openMemoryStores({ ttlMs: 60_000 });
  const feeds = new Feeds({
    settings: () => [settings as FeedSettings],
    stores,
    dataDir,
    log: silentLog,
    fetching: () => {
      throw new Error('a file needs no connection');
    },
    onChange: () => {},
  });
  const { call, post } = await startApi({ stores, feeds });
  const list = async (...hosts: string[]): Promise<string> => {
    writeFileSync(file, ['domain', ...hosts, ''].join('\n'));
    return (await call('/admin/feeds/corp/fetch', { method: 'POST' })).body.digest;
  };
  return { call, post, list };
}

test.each(['approve', 'reject'])('%s applies to the reviewed list', async (decision) => {
  const { call, post, list } = await startWithFeed();
  const first = await list('good.example');
  expect((await call('/admin/feeds/corp/diff')).body).toMatchObject({
    digest: first,
    added: [{ domain: 'good.example' }],
  });
  const second = await list('good.example', 'evil.example');
  expect(second).not.toBe(first);
  const late = await post(`/admin/feeds/corp/${decision}`, { digest: first });
  expect([late.status, late.body.error]).toEqual([
    409,
    expect.objectContaining({
      code: 'conflict',
      message: 'The list waiting for approval is not the one that was reviewed.',
      hint: 'Review GET /admin/feeds/:name/diff again and send its digest.',
    }),
  ]);
  const { feeds } = (await call('/admin/feeds')).body;
  expect(feeds).toMatchObject([{ state: 'pending', entries: 0, digest: second }]);
  const decided = await post(`/admin/feeds/corp/${decision}`, { digest: second });
  expect(decided).toMatchObject({
    status: 200,
    body: { state: decision === 'approve' ? 'current' : 'rejected', digest: null },
  });
  expect((await post(`/admin/feeds/corp/${decision}`, { digest: second })).status).toBe(409);
});

test.each<[name: string, init: RequestInit & { json?: unknown }, status: number]>([
  ['no body', {}, 200],
  ['a type and no body', { headers: { 'content-type': 'application/json' } }, 200],
  ['an empty object', { json: {} }, 200],
  ['another field', { json: { hash: 'x' } }, 422],
  ['no text', { json: { digest: 5 } }, 422],
])('the waiting list is approved without a digest: %s', async (_name, init, status) => {
  const { call, list } = await startWithFeed();
  await list('good.example');
  expect((await call('/admin/feeds/corp/approve', { method: 'POST', ...init })).status).toBe(status);
});

test('the reference says that the body is optional', async () => {
  const { paths } = (await (await startWithFeed()).call('/openapi.json')).body;
  const { requestBody, responses } = paths['/admin/feeds/{name}/approve'].post;
  expect(requestBody).toMatchObject({
    required: false,
    content: { 'application/json': { schema: { properties: { digest: { type: 'string' } } } } },
  });
  expect(Object.keys(responses)).toContain('409');
  expect(paths['/admin/feeds/{name}/fetch'].post.requestBody).toBeUndefined();
  expect(paths['/mask'].post.requestBody.required).toBe(true);
});
