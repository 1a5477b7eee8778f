/** Two workers on one port behave as one gateway; killed-worker.test.ts covers the death of one of them. */
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { proxiedFetch } from '../support/clients.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { jsonPost } from '../support/json-post.ts';
import { type OriginHandler, startOrigin } from '../support/origin.ts';
import { childrenOf, listenersOn } from '../support/processes.ts';

const host = 'api.openai.com';

const handler: OriginHandler = async ({ url }, response) => {
  if (url === '/slow') await pause(1_500);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end('{"ok":true}');
};
const origin = await startOrigin({ names: [host], handler });
const gateway = await startGatewayProcess({ hosts: { [host]: origin }, env: { WORKERS: '2' } });
await gateway.event(({ event }) => event === 'workers_started');

/** The text as the service receives it over a separate connection. */
async function sent(text: string): Promise<string> {
  const { fetch, dispatcher } = proxiedFetch(gateway);
  const answer = await fetch(
    `https://${host}/echo`,
    jsonPost({ messages: [{ role: 'user', content: text }] }, { authorization: 'Bearer one' }),
  );
  await answer.text();
  await dispatcher.close();
  expect(answer.status).toBe(200);
  const body = JSON.parse(origin.requests.at(-1)?.body.toString() ?? '{}') as { messages: { content: string }[] };
  return body.messages[0]?.content ?? '';
}

async function metric(name: string): Promise<number> {
  // A kept connection may lead to a worker that was killed.
  const text = await (await fetch(`${gateway.apiUrl}/metrics`, { headers: { connection: 'close' } })).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('two workers', () => {
  test('share sessions: a value keeps its token on connections to either', async () => {
    expect(listenersOn(gateway.proxyPort)).toBe(2);
    for (let i = 0; i < 12; i++) expect(await sent('Write to ana@mail.example')).toBe('Write to [EMAIL-1]');
    expect(await sent('ben@mail.example, ana@mail.example')).toBe('[EMAIL-2], [EMAIL-1]');
  });

  test('add up their metrics, whichever is scraped', async () => {
    const before = await metric('privet_pii_masked_total');
    for (let i = 0; i < 6; i++) await sent('Write to ana@mail.example');
    await expect.poll(() => metric('privet_pii_masked_total')).toBe(before + 6);
    for (let i = 0; i < 4; i++) expect(await metric('privet_pii_masked_total')).toBe(before + 6);
    expect(await metric('privet_ca_not_after_seconds')).toBeLessThan(Date.now() / 1000 + 11 * 366 * 86_400);
  });

  test('know their number, because they share the memory', () => {
    const counts = childrenOf(gateway.pid).map((pid) =>
      /\0PRIVET_WORKER_COUNT=(\d+)\0/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1')),
    );
    expect(counts.map((found) => found?.[1])).toEqual(['2', '2']);
  });

  test('both follow a change of the registry within a second', async () => {
    const service = { service_name: 'Added', domain: 'added.example', category: 'blocked', is_blocked: true };
    const added = await gateway.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) });
    expect(added.status).toBe(201);
    const blockedOf8 = async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          gateway.api('/shadow-ai/check', jsonPost({ hostname: 'added.example' }, { connection: 'close' })),
        ),
      );
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { action: string }[];
      return bodies.filter(({ action }) => action === 'block').length;
    };
    await expect.poll(blockedOf8).toBe(8);
  });

  test('a reload requested from one reaches the other', async () => {
    const reloads = await metric('privet_config_reloads_total');
    expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
    await expect.poll(() => metric('privet_config_reloads_total')).toBe(reloads + 2);
  });

  test('a second gateway cannot share their port', async () => {
    const env = { WORKERS: '2', GATEWAY_PORT: String(gateway.proxyPort) };
    await expect(startGatewayProcess({ env })).rejects.toThrow(/in use by another program/);
  });

  test('a signal to every process lets running requests finish', async () => {
    const own = await startGatewayProcess({ hosts: { [host]: origin }, env: { WORKERS: '2' } });
    onTestFinished(() => void own.stop());
    await own.event(({ event }) => event === 'workers_started');
    const { fetch, dispatcher } = proxiedFetch(own);
    const answer = fetch(`https://${host}/slow`, { method: 'POST', body: 'x' }).then((got) => got.text());
    await expect.poll(() => origin.requests.at(-1)?.url).toBe('/slow');
    for (const pid of childrenOf(own.pid)) process.kill(pid, 'SIGTERM');
    // Two waiting at the same moment would be treated as one.
    await pause(200);
    process.kill(own.pid, 'SIGTERM');
    expect(await answer).toBe('{"ok":true}');
    await dispatcher.destroy();
  });

  test('counts of a killed worker stay in the sum', async () => {
    const totals = async () => {
      const names = ['privet_pii_masked_total', 'privet_overhead_seconds_count', 'process_cpu_seconds_total'];
      return Promise.all(names.map(metric));
    };
    const isNotLess = (after: number[], before: number[]) => after.every((value, i) => value >= (before[i] as number));
    for (let i = 0; i < 6; i++) await sent('Write to ana@mail.example');
    let before: number[] = [];
    const counted = async () => {
      before = await totals();
      return before[0];
    };
    // A busy worker contributes its last values.
    await expect.poll(counted).toBeGreaterThan(6);
    for (const pid of childrenOf(gateway.pid)) {
      const living = childrenOf(gateway.pid);
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => childrenOf(gateway.pid)).not.toContain(pid);
      const after = await totals();
      expect(isNotLess(after, before), `${after} after ${before}`).toBe(true);
      await expect.poll(() => listenersOn(gateway.proxyPort)).toBe(living.length);
      for (let i = 0; i < 6; i++) await sent('Write to ana@mail.example');
      await expect.poll(counted).toBeGreaterThanOrEqual((after[0] as number) + 6);
    }
  });

  test('a silent one contributes its last values', async () => {
    const before = await metric('privet_pii_masked_total');
    const [silent] = childrenOf(gateway.pid);
    process.kill(silent as number, 'SIGSTOP');
    try {
      // A separate connection each time: some belong to the silent worker and are not answered.
      const asked = Array.from({ length: 20 }, () =>
        fetch(`${gateway.apiUrl}/metrics`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(120_000) })
          .then((answer) => answer.text())
          .catch(() => undefined),
      );
      const text = await Promise.any(asked.map(async (one) => (await one) ?? Promise.reject(new Error('silent'))));
      const total = [...text.matchAll(/^privet_pii_masked_total\{.*\} (\d+)$/gm)].reduce(
        (sum, [, n]) => sum + Number(n),
        0,
      );
      expect(total).toBe(before);
    } finally {
      process.kill(silent as number, 'SIGCONT');
    }
  });

  test('all workers end with the main process', async () => {
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
  await expect(startGatewayProcess({ env: { WORKERS: '2', PROXY_STORE: 'memory' } })).rejects.toThrow(
    /PROXY_STORE: workers cannot share the store memory: choose sqlite/,
  );
});

test('if the first worker cannot start, start-up ends with its error', async () => {
  const env = { WORKERS: '2', PROXY_LICENSE_KEY: 'wrong' };
  await expect(startGatewayProcess({ env })).rejects.toThrow(/LICENSE ERROR/);
});
