/** Bulk changes of services, previews of a change, accounts, replicas. */
import { describe, expect, test } from 'vitest';
import { EventRecorder } from '../../gateway/observe/event-recorder.ts';
import { Replicas } from '../../gateway/observe/replicas.ts';
import { openMemoryStores } from '../../gateway/stores/memory.ts';
import { RegistryFile } from '../../gateway/stores/registry-file.ts';
import { serviceId } from '../../policy/service.ts';
import { startApi } from './api-under-test.ts';
import { silentLog } from './stores/silent-log.ts';

const [chatGpt, openAi, deepSeek, notion] = ['chatgpt', 'openai-api', 'deepseek', 'notion-ai'].map(serviceId);

describe('bulk changes', () => {
  test('are changed, and reverted with the response', async () => {
    const { post, registry } = await startApi();
    const before = registry.list();
    const ids = [chatGpt, openAi, 1];
    const { status, body } = await post('/admin/services/bulk', { ids, change: { category: 'blocked', vendor: 'V' } });
    expect(status).toBe(200);
    expect(body.changed).toEqual([
      { id: chatGpt, before: { category: 'approved', vendor: null } },
      { id: openAi, before: { category: 'monitoring', vendor: 'OpenAI' } },
    ]);
    expect(body.failed).toEqual([{ id: 1, error: { code: 'not_found', message: expect.any(String) } }]);
    expect(registry.get('chatgpt')).toMatchObject({ category: 'blocked', is_blocked: false, vendor: 'V' });
    const items = body.changed.map(({ id, before }: { id: number; before: unknown }) => ({ id, change: before }));
    expect((await post('/admin/services/bulk', { items })).body.failed).toEqual([]);
    const plain = (all: typeof before) => all.map(({ updated_at: _, ...service }) => service);
    expect(plain(registry.list())).toEqual(plain(before));
  });

  test('are removed; each wrong change is reported and does not stop the others', async () => {
    const { post, registry } = await startApi();
    const items = [
      { id: deepSeek, change: null },
      { id: chatGpt, change: { domain: 'openai.com' } },
      { id: openAi, change: { colour: 'red' } },
    ];
    const { body } = await post('/admin/services/bulk', { items });
    expect(body.changed).toEqual([{ id: deepSeek, before: expect.objectContaining({ domain: 'deepseek.com' }) }]);
    expect(body.failed.map(({ id, error }: { id: number; error: { code: string } }) => [id, error.code])).toEqual([
      [chatGpt, 'conflict'],
      [openAi, 'invalid_input'],
    ]);
    expect(registry.get('deepseek')).toBeUndefined();
  });

  test('a removed one is restored under its id, and removed again with the response', async () => {
    const { post, registry } = await startApi();
    type Changed = { id: number; before: unknown };
    const before = registry.get('notion-ai');
    const undo = (changed: Changed[]) => ({ items: changed.map(({ id, before }) => ({ id, change: before })) });
    const gone = await post('/admin/services/bulk', { ids: [notion], change: null });
    const back = await post('/admin/services/bulk', undo(gone.body.changed));
    expect(back.body).toEqual({ changed: [{ id: notion, before: null }], failed: [] });
    expect(registry.get('notion-ai')).toEqual({ ...before, updated_at: expect.any(String) });
    expect((await post('/admin/services/bulk', undo(back.body.changed))).body.failed).toEqual([]);
    expect(registry.get('notion-ai')).toBeUndefined();
  });

  test('a restored one survives a restart', async () => {
    const { post, registry, dataDir } = await startApi();
    const shipped = registry.list();
    const { body } = await post('/admin/services/bulk', { ids: [deepSeek], change: null });
    const items = [{ id: deepSeek, change: body.changed[0].before }];
    expect((await post('/admin/services/bulk', { items })).body.failed).toEqual([]);
    const again = RegistryFile.open(dataDir).registryOver(shipped).registry;
    expect(again.match('chat.deepseek.com')?.service.key).toBe('deepseek');
  });

  test.each([
    { ids: [chatGpt, deepSeek, chatGpt], change: { vendor: 'V' } },
    { items: ['V', null, 'W'].map((vendor) => ({ id: chatGpt, change: { vendor } })) },
  ])('a duplicate id is refused, and nothing is changed: %j', async (json) => {
    const { post, registry } = await startApi();
    const before = registry.list();
    const { status, body } = await post('/admin/services/bulk', json);
    expect(status).toBe(422);
    expect(body.error.message).toMatch(/(?:ids\[2\]|items\[1\]\.id): is in the list twice/);
    expect(registry.list()).toEqual(before);
  });

  test.each([
    {},
    { ids: [1] },
    { ids: [1], change: {}, items: [{ id: 1, change: {} }] },
    { ids: [], change: {} },
    { ids: ['chatgpt'], change: {} },
  ])('refuses %j', async (json) => {
    const { post } = await startApi();
    expect((await post('/admin/services/bulk', json)).status).toBe(422);
  });
});

describe('the impact of a change', () => {
  async function start() {
    const stores = openMemoryStores({ ttlMs: 60_000 });
    const recorder = new EventRecorder({ events: stores.events, log: silentLog });
    const add = (host: string, subject: string, times: number) => {
      for (let i = 0; i < times; i++) {
        recorder.take({ host, port: 443, subject, clientAddress: '10.0.0.7', method: 'POST', action: 'allow' });
      }
    };
    add('chatgpt.com', 'ann', 3);
    add('api.chatgpt.com', 'bob', 2);
    add('openai.com', 'ann', 4);
    add('tool.example', 'cat', 5);
    await recorder.flush();
    return startApi({ stores });
  }

  test('of a category: users and requests, before and after, without changing anything', async () => {
    const { post, registry } = await start();
    const { body } = await post('/admin/services/impact', { ids: [chatGpt], change: { category: 'blocked' } });
    expect(body).toEqual({
      days: 7,
      requests: 5,
      subjects: 2,
      changed: { requests: 5, subjects: 2 },
      by_action: { before: { allow: 5, warn: 0, block: 0 }, after: { allow: 0, warn: 0, block: 5 } },
      examples: [
        { host: 'chatgpt.com', subject: 'ann', requests: 3, before: 'allow (mask)', after: 'block' },
        { host: 'api.chatgpt.com', subject: 'bob', requests: 2, before: 'allow (mask)', after: 'block' },
      ],
      sampled: false,
    });
    expect(registry.get('chatgpt')?.category).toBe('approved');
  });

  test('of an added and a removed service', async () => {
    const { post } = await start();
    const added = await post('/admin/services/impact', { domain: 'tool.example', change: { category: 'blocked' } });
    expect(added.body).toMatchObject({ requests: 5, subjects: 1, by_action: { after: { block: 5 } } });
    const gone = await post('/admin/services/impact', { ids: [openAi], change: null });
    expect(gone.body.examples).toEqual([
      { host: 'openai.com', subject: 'ann', requests: 4, before: 'warn (audit)', after: 'allow (tunnel)' },
    ]);
    const name = await post('/admin/services/impact', { ids: [openAi], change: { vendor: 'Other' } });
    expect(name.body).toMatchObject({ requests: 4, changed: { requests: 0, subjects: 0 } });
  });

  test('of an impossible change: the reason', async () => {
    const { post } = await start();
    expect((await post('/admin/services/impact', { ids: [1], change: {} })).status).toBe(404);
    expect((await post('/admin/services/impact', { domain: 'com', change: {} })).status).toBe(422);
    expect((await post('/admin/services/impact', { domain: 'deepseek.com', change: {} })).status).toBe(409);
  });
});

test('null removes an optional field, but not a required one', async () => {
  const { call, registry } = await startApi();
  const patch = (json: unknown) => call(`/shadow-ai/services/${openAi}`, { method: 'PATCH', json });
  expect((await patch({ vendor: null, kind: null })).body.vendor).toBeUndefined();
  expect(Object.keys(registry.get('openai-api') ?? {})).not.toContain('kind');
  expect((await patch({ domain: null })).status).toBe(422);
});

test('accounts with their members and use; an account moves to another plan', async () => {
  const { post, call } = await startApi();
  const { body: ann } = await post('/admin/keys', { name: 'Ann', plan: 'business' });
  const { body: bob } = await post('/admin/keys', { name: '<b>Bob</b>', tenant: ann.tenant });
  await post('/mask', { text: 'x' }, ann.key);
  await call(`/admin/keys/${bob.id}`, { method: 'DELETE' });
  const { body } = await call('/admin/tenants');
  expect(body).toMatchObject({
    total: 1,
    tenants: [
      {
        tenant: ann.tenant,
        plan: 'business',
        keys: 1,
        seats: 50,
        members: [{ id: ann.id, name: 'Ann', role: 'user' }],
        usage: { credits_used: 1, credits_limit: 300_000 },
      },
    ],
  });
  const moved = await call(`/admin/tenants/${ann.tenant}`, { method: 'PATCH', json: { plan: 'enterprise' } });
  expect(moved.body).toEqual({ tenant: ann.tenant, plan: 'enterprise' });
  expect((await call('/admin/tenants')).body.tenants[0].usage.credits_limit).toBeNull();
  expect((await call('/admin/tenants/tnt_none', { method: 'PATCH', json: { plan: 'free' } })).status).toBe(404);
});

test('the license with its customer, for administrators only', async () => {
  const { call } = await startApi();
  expect((await call('/admin/license')).body).toMatchObject({ status: 'valid', customer: 'evaluation' });
  expect((await call('/admin/license', { key: null })).status).toBe(401);
});

describe('replicas', () => {
  test('see each other in the store, become silent, and disappear', async () => {
    const { call } = await startApi();
    const { body } = await call('/admin/replicas');
    expect(body.replicas).toEqual([
      expect.objectContaining({ version: '1.2.3', state: 'live', is_self: true, store_ready: true }),
    ]);

    let now = Date.parse('2026-03-02T08:00:00Z');
    const stores = openMemoryStores({ ttlMs: 0 });
    const [one, two] = [1, 2].map(() => new Replicas({ stores, version: '1', log: silentLog, now: () => now })) as [
      Replicas,
      Replicas,
    ];
    await one.beat();
    now += 1_000;
    await two.beat();
    const states = async () => (await two.list()).map(({ id, state, is_self: isSelf }) => [id, state, isSelf]);
    expect(await states()).toEqual(
      [
        [one.id, 'live', false],
        [two.id, 'live', true],
      ].sort(),
    );
    now += 60_000;
    expect((await states()).map(([, state]) => state).sort()).toEqual(['live', 'silent']);
    now += 3_600_000;
    await two.beat();
    expect((await states()).map(([id]) => id)).toEqual([two.id]);
  });

  test('without the store, the answering process still reports itself', async () => {
    const stores = openMemoryStores({ ttlMs: 0 });
    const records = { ...stores.records, list: () => Promise.reject(new Error('away')) };
    const replicas = new Replicas({ stores: { ...stores, records }, version: '1', log: silentLog });
    expect(await replicas.list()).toEqual([expect.objectContaining({ is_self: true, store_ready: false })]);
  });
});
