/** Large bodies share memory: a client that leaves gives its part back, whenever that is. */
import http from 'node:http';
import { expect, test } from 'vitest';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import { startApi } from '../api-under-test.ts';

test('clients that leave while their key is looked up keep no memory', async () => {
  const stores = openMemoryStores({ ttlMs: 60_000 });
  let isSlow = false;
  const waiting: (() => void)[] = [];
  const { get } = stores.records;
  stores.records.get = async (...args: Parameters<typeof get>) => {
    if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
    return get.apply(stores.records, args);
  };
  const { host, port, post, keyOn, api } = await startApi({ stores });
  const keys = await Promise.all(Array.from({ length: 4 }, () => keyOn('business')));
  isSlow = true;
  const closed: Promise<unknown>[] = [];
  api.app.server.on('request', (_, response) => closed.push(new Promise((resolve) => response.once('close', resolve))));
  const length = 9 * 2 ** 20;
  const calls = keys.map((key) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': length };
    const request = http.request({ host, port, path: '/detect', method: 'POST', headers }).on('error', () => {});
    request.write('{');
    return request;
  });
  await expect.poll(() => waiting.length).toBe(4);
  for (const call of calls) call.destroy();
  await Promise.all(closed);
  isSlow = false;
  for (const go of waiting) go();
  const answer = await post('/detect', { text: 'a'.repeat(9 * 2 ** 20) });
  expect(answer.status).toBe(200);
}, 60_000);
