/** Two gateways on one Redis: what one of them knows, the other one knows too, also after both were started anew. */
import { afterAll, describe, expect, test } from 'vitest';
import { serviceId } from '../../policy/service.ts';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { redisServer } from '../support/store-servers.ts';

const host = 'api.openai.com';
let gateways: Gateway[] = [];

async function startBoth(): Promise<void> {
  const env = { PROXY_STORE: 'redis', PROXY_STORE_URL: redis.url, PROXY_STORE_KEY: 'a key for two gateways' };
  const start = () => startGateway({ hosts: { [host]: origin }, env });
  gateways = [await start(), await start()];
  const isReady = async (gateway: Gateway) => (await fetch(`${gateway.apiUrl}/ready`)).status === 200;
  for (const gateway of gateways) {
    while (!(await isReady(gateway))) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const redis = await redisServer();
await redis.start();
const origin = await startOrigin({ names: [host] });
await startBoth();
afterAll(async () => {
  await Promise.all(gateways.map((gateway) => gateway.stop()));
});

/** What the service gets of a text that is sent through a gateway. */
async function sent(gateway: Gateway | undefined, text: string): Promise<string> {
  const { fetch, dispatcher } = proxiedFetch(gateway as Gateway);
  origin.reset();
  await fetch(`https://${host}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: text }] }),
  });
  await dispatcher.close();
  const body = JSON.parse(origin.requests.at(-1)?.body.toString() ?? '{}') as { messages: { content: string }[] };
  return body.messages[0]?.content ?? '';
}

describe('two replicas', () => {
  test('a value has one token on both, also after a restart', async () => {
    expect(await sent(gateways[0], 'Write to ana@mail.example')).toBe('Write to [EMAIL-1]');
    expect(await sent(gateways[1], 'ben@mail.example and ana@mail.example')).toBe('[EMAIL-2] and [EMAIL-1]');
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await startBoth();
    expect(await sent(gateways[1], 'eve@mail.example, ben@mail.example')).toBe('[EMAIL-3], [EMAIL-2]');
  });

  test('a service that is added to one is blocked by the other within a second', async () => {
    const [first, second] = gateways as [Gateway, Gateway];
    const service = { service_name: 'Added', domain: 'added.example', category: 'blocked', is_blocked: true };
    const added = await first.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
    expect(added.status).toBe(201);
    const action = async () => {
      const body = JSON.stringify({ hostname: 'www.added.example' });
      const answer = await second.api('/shadow-ai/check', { method: 'POST', body });
      return ((await answer.json()) as { action: string }).action;
    };
    await expect.poll(action).toBe('block');
    const taken = await second.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
    expect(taken.status).toBe(409);
    const removed = await second.api(`/shadow-ai/services/${serviceId('added')}`, { method: 'DELETE' });
    expect(removed.status).toBe(204);
    await expect.poll(async () => (await first.api(`/shadow-ai/services/${serviceId('added')}`)).status).toBe(404);
  });

  test('without the store, masking is refused and nothing is sent; it works again when the store is back', async () => {
    await redis.kill();
    const [first] = gateways as [Gateway];
    await expect.poll(async () => (await fetch(`${first.apiUrl}/ready`)).status).toBe(503);
    const { fetch: through, dispatcher } = proxiedFetch(first);
    origin.reset();
    const answer = await through(`https://${host}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'ana@mail.example' }] }),
    });
    expect(answer.status).toBe(503);
    expect(origin.requests).toEqual([]);
    await dispatcher.close();
    await redis.start();
    await expect.poll(async () => (await fetch(`${first.apiUrl}/ready`)).status).toBe(200);
    expect(await sent(first, 'ana@mail.example')).toBe('[EMAIL-1]');
  });
});
