/** Large bodies share memory: a client that leaves releases its share, whenever it leaves. */
import http from 'node:http';
import { expect, test } from 'vitest';
import { openMemoryStores } from '../../../gateway/stores/memory.ts';
import { CidrSet } from '../../../policy/address.ts';
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

test('behind a trusted proxy, turns are taken per client and not per proxy', async () => {
  const { host, port, keyOn, api } = await startApi({ trustedProxies: () => new CidrSet(['loopback']) });
  const key = await keyOn('business');
  const arrived = { count: 0 };
  api.app.server.on('request', () => arrived.count++);
  const order: string[] = [];
  const open = (client: string, length: number) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': length };
    const forwarded = { ...headers, 'x-forwarded-for': client };
    return http.request({ host, port, path: '/detect', method: 'POST', headers: forwarded }).on('error', () => {});
  };
  const body = JSON.stringify({ unknown: 'a'.repeat(9 * 2 ** 20) });
  const send = async (client: string) => {
    const call = open(client, body.length);
    const answered = new Promise<void>((resolve) => {
      call.once('response', (response) => {
        order.push(client);
        response.resume().once('end', resolve);
      });
    });
    call.end(body);
    const next = arrived.count + 1;
    await expect.poll(() => arrived.count).toBe(next);
    return { answered };
  };
  const inside = Array.from({ length: 3 }, () => open('192.0.2.1', 10 * 2 ** 20));
  for (const call of inside) call.write('{');
  await expect.poll(() => arrived.count).toBe(3);
  const waiting = [await send('192.0.2.1'), await send('192.0.2.1'), await send('192.0.2.2')];
  inside[0]?.destroy();
  await Promise.all(waiting.map(({ answered }) => answered));
  expect(order).toEqual(['192.0.2.2', '192.0.2.1', '192.0.2.1']);
  for (const call of inside) call.destroy();
}, 60_000);
