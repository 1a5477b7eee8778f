/** HTTP/2 rapid reset: streams that are opened and reset immediately, over ever new connections. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { startOrigin } from '../support/origin.ts';
import { resetsWith } from '../support/raw-http2.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';

const host = 'api.openai.com';
const attacker = '127.0.0.66';

const origin = await startOrigin({
  names: [host],
  // Requests that end in /slow are never answered.
  handler: ({ url }, response) => void (url.endsWith('/slow') || response.end('ok')),
});
const gateway = await startGateway({ hosts: { [host]: origin } });

/** Opens and resets streams until the gateway closes the connection, or does not for two seconds. */
async function flood(): Promise<void> {
  const socket = await openTls(gateway, `${host}:443`, { protocols: ['h2'], from: attacker });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.resume();
  // Fewer than nghttp2 allows one connection.
  socket.write(resetsWith(host, 900));
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  socket.destroy();
}

/** Sends requests without reading their responses, repeatedly, like a client that disconnects each time. */
async function leave(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const session = await openHttp2(gateway, `${host}:443`, { from: attacker });
    const streams = Array.from({ length: 20 }, () => session.request({ ':path': '/v1/models/slow' }));
    for (const stream of streams) stream.on('error', () => undefined);
    const before = origin.requests.length;
    await expect.poll(() => origin.requests.length).toBeGreaterThanOrEqual(before + 20);
    session.destroy();
  }
}

async function ask(from: string): Promise<number> {
  const session = await openHttp2(gateway, `${host}:443`, { from });
  const stream = session.request({ ':path': '/v1/models' });
  const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
  session.destroy();
  return Number(head[':status']);
}

type Event = { readonly status?: number; readonly subject?: string };

const isAbandoned = ({ status, subject }: Event): boolean => status === 499 && subject === attacker;

const stored = async (): Promise<readonly Event[]> => {
  const answer = await gateway.api('/admin/events?limit=1000');
  return ((await answer.json()) as { events: Event[] }).events;
};

test('a client that disconnects repeatedly has few of its requests in the store, and all in the log', async () => {
  await leave(10);
  await expect.poll(() => gateway.events().filter(isAbandoned).length).toBe(200);
  await expect.poll(async () => (await stored()).filter(isAbandoned).length).toBeGreaterThan(0);
  expect((await stored()).filter(isAbandoned).length).toBeLessThanOrEqual(110);
  expect(await (await gateway.api('/metrics')).text()).toMatch(/^privet_audit_dropped_total\{sink="store"\} [1-9]/m);
});

test('resets are counted per client over all its connections: most cost no request, and others are served', async () => {
  expect(await ask('127.0.0.7')).toBe(200);
  const before = gateway.events().filter(isAbandoned).length;
  let isOver = false;
  const floods = Array.from({ length: 12 }, async () => {
    for (let i = 0; i < 2; i++) await flood().catch(() => undefined);
  });
  const over = Promise.all(floods).then(() => {
    isOver = true;
  });
  let served = 0;
  for (; !isOver; served++) expect(await ask('127.0.0.7')).toBe(200);
  await over;
  expect(served).toBeGreaterThan(0);
  // 21,600 streams.
  expect(gateway.events().filter(isAbandoned).length - before).toBeLessThan(3_000);
  // The flooding client is served again, slowly.
  expect(await ask(attacker)).toBe(200);
});
