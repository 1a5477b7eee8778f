/**
 * Replicas behind HAProxy with the configuration of deploy/haproxy.cfg, on one Redis and one CA: clients keep their
 * connections when a replica drains, retry when one is killed, and never see wrong text.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterAll, describe, expect, test } from 'vitest';
import { balancerConfig } from '../support/balancer.ts';
import { freePort } from '../support/free-port.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { redisServer } from '../support/store-servers.ts';
import { tempFolder } from '../support/temp.ts';

const host = 'api.openai.com';
/** The address that the balancer connects from; clients are at 127.0.0.1. */
const balancerAddress = '127.0.0.2';
const words = 'we will write to them and to nobody else before the end of the week'.split(' ');
const folder = tempFolder('balancer');
const replicas: GatewayProcess[] = [];

const redis = await redisServer();
await redis.start();
const origin = await startOrigin({
  names: [host],
  // A slow stream: the first token of the question, then words, then the token again.
  handler: async (request, response) => {
    const token = /\[EMAIL-\d+\]/.exec(request.body.toString())?.[0] ?? 'none';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const word of [token, ...words, token]) {
      response.write(`data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(`${word} `)}}}]}\n\n`);
      await sleep(15);
    }
    response.end('data: [DONE]\n\n');
  },
});
// Start them one after the other: the first one creates the CA that both use.
for (let i = 0; i < 2; i++) replicas.push(await startReplica());
let port = await freePort();
let balancer = startBalancer(port);
await balanced();

afterAll(async () => {
  balancer?.kill('SIGKILL');
  await Promise.all(replicas.map((replica) => replica.stop()));
});

async function startReplica(): Promise<GatewayProcess> {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  return startGatewayProcess({
    hosts: { [host]: origin },
    config: {
      listen: { proxy_protocol_from: [`${balancerAddress}/32`] },
      // Longer than in deploy/privet.yaml: on a busy machine the balancer notices later.
      upstream: { timeouts: { drain_delay: '12s' } },
    },
    env: {
      PROXY_STORE: 'redis',
      PROXY_STORE_URL: redis.url,
      PROXY_STORE_KEY: 'a key for all replicas',
      PROXY_DATA_DIR: data,
    },
  });
}

function startBalancer(listen: number): ChildProcess {
  const file = join(folder, 'haproxy.cfg');
  const balanced = replicas.map(({ proxyPort, apiUrl }) => ({
    host: '127.0.0.1',
    proxyPort,
    apiPort: Number(new URL(apiUrl).port),
  }));
  writeFileSync(file, balancerConfig({ listen: `127.0.0.1:${listen}`, replicas: balanced, source: balancerAddress }));
  const child = spawn(programPath('haproxy'), ['-db', '-f', file], { stdio: 'ignore' });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

/** Waits until a request gets through. */
async function balanced(): Promise<void> {
  const deadline = Date.now() + 180_000;
  while (Date.now() < deadline) {
    const client = new Client(`http://127.0.0.1:${port}`);
    const status = await client
      .request({ path: '/', method: 'GET' })
      .then(({ statusCode, body }) => body.dump().then(() => statusCode))
      .catch(() => 0);
    await client.close();
    if (status === 200) return;
    await sleep(100);
  }
  throw new Error('the balancer answers nothing');
}

/** One question over a separate connection; returns the text of the answer. Rejects when the stream breaks off. */
async function ask(address: string): Promise<string> {
  const dispatcher = new ProxyAgent({
    uri: `http://127.0.0.1:${port}`,
    requestTls: { ca: (replicas[0] as GatewayProcess).ca },
  });
  try {
    const answer = await undiciFetch(`https://${host}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: `Write to ${address}` }] }),
      dispatcher,
    });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const events = (await answer.text()).split('\n\n').filter((event) => event.startsWith('data: {'));
    return events
      .map((event) => (JSON.parse(event.slice(6)) as Chunk).choices[0]?.delta.content ?? '')
      .join('')
      .trim();
  } finally {
    await dispatcher.destroy();
  }
}

type Events = { events: { subject: string; requestId: string }[] };
type Chunk = { choices: { delta: { content: string } }[] };

/** Repeats the question until an answer is complete, as clients do. Returns the number of attempts. */
async function askUntilAnswered(address: string): Promise<{ text: string; tries: number }> {
  for (let tries = 1; tries <= 200; tries++) {
    try {
      return { text: await ask(address), tries };
    } catch {
      await sleep(100);
    }
  }
  throw new Error('no answer after 200 tries');
}

const addresses = Array.from({ length: 24 }, (_, i) => `person${i}@mail.example`);
const expected = (address: string) => [address, ...words, address].join(' ');

describe('replicas behind HAProxy', () => {
  test('both serve, and see the address of the client', async () => {
    const texts = await Promise.all(addresses.map(ask));
    expect(texts).toEqual(addresses.map(expected));
    const recorded = async () => {
      const answer = await (replicas[0] as GatewayProcess).api('/admin/events?service=openai-api&limit=1000');
      return ((await answer.json()) as Events).events;
    };
    await expect.poll(async () => (await recorded()).length).toBeGreaterThanOrEqual(addresses.length);
    const events = await recorded();
    // The request ids begin with that of their process.
    expect(new Set(events.map(({ requestId }) => requestId.split('-')[0])).size).toBe(2);
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set(['127.0.0.1']));
    expect(origin.everything()).not.toContain('@mail.example');
  });

  test('a token issued by one replica is restored by the other', async () => {
    for (let i = 0; i < 6; i++) expect(await ask('shared@mail.example')).toBe(expected('shared@mail.example'));
  });

  test('one is killed during streams: clients that retry get the right text', async () => {
    const before = origin.requests.length;
    const asking = Promise.all(addresses.map(askUntilAnswered));
    // Half of them have begun: the latest ones, at either replica, have not ended.
    await expect
      .poll(() => origin.requests.length - before, { interval: 5 })
      .toBeGreaterThanOrEqual(addresses.length / 2);
    process.kill((replicas[0] as GatewayProcess).pid, 'SIGKILL');
    const answers = await asking;
    expect(answers.map(({ text }) => text)).toEqual(addresses.map(expected));
    expect(answers.some(({ tries }) => tries > 1)).toBe(true);
  });

  test('one drains during streams while new connections arrive: clients notice nothing', async () => {
    await replicas[0]?.stop();
    replicas[0] = await startReplica();
    balancer.kill('SIGKILL');
    port = await freePort();
    balancer = startBalancer(port);
    await balanced();
    const before = origin.requests.length;
    const asking = Promise.all(addresses.map(ask));
    await expect
      .poll(() => origin.requests.length - before, { interval: 5 })
      .toBeGreaterThanOrEqual(addresses.length / 2);
    const ended = replicas[0].stop();
    await replicas[0].event(({ event }) => event === 'draining');
    expect(await Promise.all(addresses.map(ask))).toEqual(addresses.map(expected));
    expect(await asking).toEqual(addresses.map(expected));
    expect(await ended).toBe(0);
    expect(await ask('late@mail.example')).toBe(expected('late@mail.example'));
  });
});
