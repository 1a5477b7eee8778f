/**
 * A connection that has sent a key before notices immediately that the key was revoked, or that its account moved to
 * another plan.
 */
import { Agent, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { adminKey, startApi } from './api-under-test.ts';

type Send = (key: string, method: string, path: string, json?: unknown) => Promise<number | undefined>;

/** Makes calls over one connection; returns the status of each. */
function oneConnection({ host, port }: { readonly host: string; readonly port: number }): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return (key, method, path, json) =>
    new Promise((resolve, reject) => {
      const body = json === undefined ? '' : JSON.stringify(json);
      const type = json === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length };
      const headers = { authorization: `Bearer ${key}`, ...type };
      const sent = request({ host, port, agent, method, path, headers }, (answer) =>
        answer.resume().once('end', () => resolve(answer.statusCode)),
      );
      sent.once('error', reject).end(body);
    });
}

test.each<[name: string, role: 'user' | 'admin', call: readonly [method: string, path: string, json?: unknown]]>([
  ['an administrator', 'admin', ['GET', '/admin/keys']],
  ['a user', 'user', ['GET', '/credits']],
  ['a user who sends short calls', 'user', ['POST', '/mask', { text: 'x' }]],
])('%s whose key was revoked', async (_name, role, call) => {
  const api = await startApi();
  const { key, id } = await api.accounts.createKey({ name: 'Ann', role });
  const [send, administer] = [oneConnection(api), oneConnection(api)];
  expect([await send(key, ...call), await send(key, ...call)]).toEqual([200, 200]);
  expect(await administer(adminKey, 'DELETE', `/admin/keys/${id}`)).toBe(204);
  expect(await send(key, ...call)).toBe(401);
});

test('an account moved to another plan', async () => {
  const api = await startApi();
  const { key, tenant } = await api.accounts.createKey({ name: 'Ann' });
  const [send, administer] = [oneConnection(api), oneConnection(api)];
  const ingest = () => send(key, 'POST', '/rag/ingest', { text: 'x' });
  const move = (plan: string) => administer(adminKey, 'PATCH', `/admin/tenants/${tenant}`, { plan });
  const statuses: unknown[] = [];
  for (const step of [ingest, () => move('starter'), ingest, () => move('free'), ingest]) statuses.push(await step());
  expect(statuses).toEqual([403, 200, 200, 200, 403]);
});

test('a key revoked during its look-up is not cached', async () => {
  const api = await startApi();
  const { key, id } = await api.accounts.createKey({ name: 'Ann' });
  const send = oneConnection(api);
  const { get } = api.stores.records;
  let revoking: Promise<void> | undefined;
  api.stores.records.get = async (kind, ids) => {
    const found = await get.call(api.stores.records, kind, ids);
    if (revoking === undefined && ids.includes(`key:${id}`)) {
      revoking = Promise.resolve();
      revoking = api.accounts.revokeKey(id);
      await revoking;
    }
    return found;
  };
  await send(key, 'GET', '/credits');
  expect(await send(key, 'GET', '/credits')).toBe(401);
});
