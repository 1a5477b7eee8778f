/** Two gateways on one store: credits are counted once, and a store that goes away is told and waited for. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { postgresServer, redisServer, type StoreServer } from '../support/store-servers.ts';
import { tempFolder } from '../support/temp.ts';

describe.each(['sqlite', 'redis', 'postgres'])('on the store %s', (kind) => {
  let server: StoreServer | undefined;
  let gateways: Gateway[] = [];
  let key = '';

  const ready = async (gateway: Gateway) => (await fetch(`${gateway.apiUrl}/ready`)).status === 200;
  const untilReady = async (): Promise<void> => {
    for (const gateway of gateways) {
      while (!(await ready(gateway))) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /** A call through one of the two in turn. */
  const post = (i: number, path: string, body: object) =>
    fetch(`${gateways[i % 2]?.apiUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    if (kind === 'redis') server = await redisServer();
    if (kind === 'postgres') server = await postgresServer();
    await server?.start();
    const url = server?.url ?? join(tempFolder('shared'), 'privet.db');
    const env = { PROXY_STORE: kind, PROXY_STORE_URL: url, PROXY_STORE_KEY: 'a key for tests of 32 characters!' };
    gateways = [await startGateway({ env }), await startGateway({ env })];
    await untilReady();
    const [first] = gateways as [Gateway];
    const made = await first.api('/admin/keys', { method: 'POST', body: '{"name":"app"}' });
    key = ((await made.json()) as { key: string }).key;
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  });

  test('200 calls at once on 100 credits: exactly 100 are served', async () => {
    const use = Array.from({ length: 200 }, (_, i) => post(i, '/detect', { text: 'x' }));
    expect(new Set((await Promise.all(use)).map(({ status }) => status))).toEqual(new Set([200]));
    const calls = Array.from({ length: 200 }, (_, i) => post(i, '/mask', { text: 'ana@example.com' }));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 402)).toHaveLength(100);
  });

  test('without its store a call is 503 with Retry-After, and served again when it is back', async () => {
    if (server === undefined) return;
    await server.kill();
    const answer = await post(0, '/detect-injection', { text: 'x' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer.json()).toMatchObject({ error: { code: 'unavailable', hint: expect.any(String) } });
    const [first] = gateways as [Gateway];
    expect((await fetch(`${first.apiUrl}/ready`)).status).toBe(503);
    expect((await fetch(`${first.apiUrl}/health`)).status).toBe(200);
    await server.start();
    await untilReady();
    for (const i of [0, 1]) expect((await post(i, '/detect-injection', { text: 'x' })).status).toBe(200);
  });
});
