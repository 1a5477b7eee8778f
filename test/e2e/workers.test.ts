/** Two workers on one port behave as one gateway; killed-worker.test.ts has the end of one of them. */
import { readdirSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { type Origin, type OriginHandler, startOrigin } from '../support/origin.ts';
import { childrenOf, listenersOn } from '../support/processes.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();
let origin: Origin;
let gateway: Gateway;

beforeAll(async () => {
  const handler: OriginHandler = async ({ url }, response) => {
    if (url === '/slow') await pause(1_500);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"ok":true}');
  };
  origin = await startOrigin({ authority, names: [host], handler });
  gateway = await startGateway({ authority, hosts: { [host]: origin }, env: { WORKERS: '2' } });
  await gateway.event(({ event }) => event === 'workers_started');
});
afterAll(async () => {
  await gateway?.stop();
  await origin?.close();
});

/** What the service gets of a text that is sent over a connection of its own. */
async function sent(text: string): Promise<string> {
  const { fetch, dispatcher } = proxiedFetch(gateway);
  const answer = await fetch(`https://${host}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
    body: JSON.stringify({ messages: [{ role: 'user', content: text }] }),
  });
  await answer.text();
  await dispatcher.close();
  expect(answer.status).toBe(200);
  const body = JSON.parse(origin.requests.at(-1)?.body.toString() ?? '{}') as { messages: { content: string }[] };
  return body.messages[0]?.content ?? '';
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.apiUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('two workers', () => {
  test('have one session: a value keeps its token over connections that land on either', async () => {
    expect(listenersOn(gateway.proxyPort)).toBe(2);
    for (let i = 0; i < 12; i++) expect(await sent('Write to ana@mail.example')).toBe('Write to [EMAIL-1]');
    expect(await sent('ben@mail.example, ana@mail.example')).toBe('[EMAIL-2], [EMAIL-1]');
  });

  test('add up their figures, whichever is asked', async () => {
    const before = await metric('privet_pii_masked_total');
    for (let i = 0; i < 6; i++) await sent('Write to ana@mail.example');
    for (let i = 0; i < 4; i++) expect(await metric('privet_pii_masked_total')).toBe(before + 6);
    expect(await metric('privet_ca_not_after_seconds')).toBeLessThan(Date.now() / 1000 + 11 * 366 * 86_400);
  });

  test('both follow a change of the registry within a second', async () => {
    const service = { service_name: 'Added', domain: 'added.example', category: 'blocked', is_blocked: true };
    const added = await gateway.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
    expect(added.status).toBe(201);
    const blockedOf8 = async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          gateway.api('/shadow-ai/check', {
            method: 'POST',
            headers: { connection: 'close' },
            body: JSON.stringify({ hostname: 'added.example' }),
          }),
        ),
      );
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { action: string }[];
      return bodies.filter(({ action }) => action === 'block').length;
    };
    await expect.poll(blockedOf8).toBe(8);
  });

  test('a reload that one of them is asked for reaches the other', async () => {
    const reloads = await metric('privet_config_reloads_total');
    expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
    await expect.poll(() => metric('privet_config_reloads_total')).toBe(reloads + 2);
  });

  test('a second gateway cannot take the port from them', async () => {
    const env = { WORKERS: '2', GATEWAY_PORT: String(gateway.proxyPort) };
    await expect(startGateway({ env })).rejects.toThrow(/in use by another program/);
  });

  test('a signal that reaches every process lets what runs come to its end', async () => {
    const own = await startGateway({ authority, hosts: { [host]: origin }, env: { WORKERS: '2' } });
    onTestFinished(() => void own.stop());
    await own.event(({ event }) => event === 'workers_started');
    const { fetch, dispatcher } = proxiedFetch(own);
    const answer = fetch(`https://${host}/slow`, { method: 'POST', body: 'x' }).then((got) => got.text());
    await expect.poll(() => origin.requests.at(-1)?.url).toBe('/slow');
    for (const pid of childrenOf(own.pid)) process.kill(pid, 'SIGTERM');
    // Two that wait at once would be one.
    await pause(200);
    process.kill(own.pid, 'SIGTERM');
    expect(await answer).toBe('{"ok":true}');
    await dispatcher.destroy();
  });

  test('the end of the first process ends them all', async () => {
    const pids = childrenOf(gateway.pid);
    expect(await gateway.stop()).toBe(0);
    const isAlive = (pid: number) => readdirSync('/proc').includes(String(pid));
    expect(pids.filter(isAlive)).toEqual([]);
    const refused = new Promise((resolve) =>
      net.connect(gateway.proxyPort, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => resolve(error.code)),
    );
    expect(await refused).toBe('ECONNREFUSED');
  });
});

test('workers do not share the store memory', async () => {
  await expect(startGateway({ env: { WORKERS: '2', PROXY_STORE: 'memory' } })).rejects.toThrow(/set PROXY_STORE to/);
});

test('a first worker that cannot start ends the start with its sentence', async () => {
  const env = { WORKERS: '2', PROXY_LICENSE_KEY: 'wrong' };
  await expect(startGateway({ env })).rejects.toThrow(/LICENSE ERROR/);
});
