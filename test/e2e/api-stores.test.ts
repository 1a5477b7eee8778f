/**
 * The API on every store and its real server: the sequence of docs/api.md (check, mask, a model, restore), as written
 * there. Two gateways on one store count credits once and share their state, also after a restart and while the store
 * is unavailable.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreKind } from '../../gateway/stores/stores.ts';
import { serviceId } from '../../policy/service.ts';
import { proxiedFetch } from '../support/clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { programPath } from '../support/programs.ts';
import { type RunResult, run } from '../support/run.ts';
import { postgresServer, redisServer, type StoreServer } from '../support/store-servers.ts';
import { tempFolder } from '../support/temp.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = readFileSync(join(root, 'docs/api.md'), 'utf8');
const kinds: readonly StoreKind[] = ['memory', 'sqlite', 'redis', 'postgres'];
const host = 'api.openai.com';
const origin = await startOrigin({ names: [host] });
const folder = tempFolder('api-stores');
const printed = ['Write to [EMAIL-1], please.', 'I have written to ana@example.com.'];

/** The code block after `<!-- test: name -->`, adapted to the port of a gateway. */
function block(name: string, gateway: Gateway): string {
  const code = new RegExp(`<!-- test: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1];
  if (code === undefined) throw new Error(`docs/api.md has no block ${name}`);
  return code.replaceAll('http://127.0.0.1:3001', gateway.apiUrl);
}

/** The statuses of the responses to bytes that are sent in pieces, followed by half-closing. */
async function answersTo(port: number, bytes: string, size: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  for (let at = 0; at < bytes.length; at += size) socket.write(bytes.slice(at, at + size));
  socket.end();
  let text = '';
  for await (const piece of socket) text += piece;
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

/** Sends a prompt through a gateway. */
async function prompt(gateway: Gateway, content: string): Promise<number> {
  const { fetch, dispatcher } = proxiedFetch(gateway);
  origin.reset();
  const { status } = await fetch(`https://${host}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer one' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
  });
  await dispatcher.close();
  return status;
}

/** The text as the service receives it through a gateway. */
async function sent(gateway: Gateway, text: string): Promise<string> {
  await prompt(gateway, text);
  return JSON.parse(String(origin.requests[0]?.body)).messages[0].content;
}

const statusOf = async (gateway: Gateway, path: string) => (await fetch(gateway.apiUrl + path)).status;

describe.each(kinds)('on the store %s', (kind) => {
  let server: StoreServer | undefined;
  /** One gateway on the memory store, two on the others. */
  let gateways: Gateway[] = [];
  let gateway: Gateway;
  let env: Record<string, string>;

  const untilReady = async (): Promise<void> => {
    for (const one of gateways) {
      while ((await statusOf(one, '/ready')) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  /** Pass `startGatewayProcess` for processes that have run no gateway before. */
  async function start(begin: typeof startGateway = startGateway): Promise<void> {
    const PROXY_STORE_URL = server?.url ?? join(folder, 'privet.db');
    const env = { PROXY_STORE: kind, PROXY_STORE_KEY: 'a key for tests of 32 characters!' };
    const options = { hosts: { [host]: origin }, env: kind === 'memory' ? env : { ...env, PROXY_STORE_URL } };
    gateways = await Promise.all((kind === 'memory' ? [1] : [1, 2]).map((replica) => begin({ ...options, replica })));
    gateway = gateways[0] as Gateway;
    await untilReady();
  }
  const newKey = async (plan: string): Promise<string> => {
    const made = await gateway.api('/admin/keys', { method: 'POST', body: JSON.stringify({ name: 'app', plan }) });
    return ((await made.json()) as { key: string }).key;
  };

  beforeAll(async () => {
    if (kind === 'redis') server = await redisServer();
    if (kind === 'postgres') server = await postgresServer();
    await server?.start();
    await start();
    const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    env = { PATH: path, PRIVET_KEY: await newKey('starter') };
  });

  const lines = ({ code, text, stderr }: RunResult) => ({ code, stderr, lines: text.trim().split('\n') });

  test('by curl', async () => {
    const result = await run('/bin/bash', ['-eo', 'pipefail', '-c', block('curl', gateway)], { env });
    expect(lines(result)).toEqual({ code: 0, stderr: '', lines: ['false', ...printed] });
  });

  test('by Python requests', async () => {
    const result = await run(programPath('python3'), ['-c', block('python', gateway)], { env });
    expect(lines(result)).toEqual({ code: 0, stderr: '', lines: ['False', ...printed] });
  });

  test('every call but the checks costs one credit', async () => {
    const answer = await fetch(`${gateway.apiUrl}/credits`, { headers: { authorization: `Bearer ${env.PRIVET_KEY}` } });
    expect(await answer.json()).toMatchObject({
      plan: 'starter',
      creditsTotal: 10_000,
      used: 4,
      creditsRemaining: 9_996,
    });
  });

  const mask = (text: string, key = env.PRIVET_KEY) => {
    const body = JSON.stringify({ text });
    return `POST /mask HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const sequences: Readonly<Record<string, (good: string) => readonly [sent: string, status: number][]>> = {
    'one call': (good) => [[good, 200]],
    'three calls': (good) => Array.from({ length: 3 }, () => [good, 200]),
    'one with a wrong key between': (good) => [
      [good, 200],
      [mask('x', 'pvt_live_unknown'), 401],
      [good, 200],
    ],
    'one with a wrong key first': (good) => [
      [mask('x', 'pvt_live_unknown'), 401],
      [good, 200],
    ],
    'an unknown path at the end': (good) => [
      [good, 200],
      [good.replace('/mask', '/nothing'), 404],
    ],
    'a page at the end': (good) => [
      [good, 200],
      ['GET /health HTTP/1.1\r\nHost: a\r\n\r\n', 200],
    ],
  };

  test.each(Object.keys(sequences))('a client that half-closes after its calls gets all answers: %s', async (name) => {
    const calls = sequences[name]?.(mask('Mail ana@example.com')) ?? [];
    const bytes = calls.map(([sent]) => sent).join('');
    for (const size of [bytes.length, 97, 7]) {
      const answers = await answersTo(Number(new URL(gateway.apiUrl).port), bytes, size);
      expect(answers, `in pieces of ${size}`).toEqual(calls.map(([, status]) => status));
    }
  });

  test('the store is reported', async () => {
    expect(await (await fetch(`${gateway.apiUrl}/health`)).json()).toMatchObject({ status: 'ok', store: kind });
  });

  if (kind === 'memory') return;

  /** Calls through the two gateways alternately. */
  const postAll = (key: string, count: number, path: string, body: object) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        const url = `${gateways[i % 2]?.apiUrl}${path}`;
        return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      }),
    );

  test('200 calls at once on 100 credits: exactly 100 are served', async () => {
    const key = await newKey('free');
    const use = await postAll(key, 200, '/detect', { text: 'x' });
    expect(new Set(use.map(({ status }) => status))).toEqual(new Set([200]));
    const statuses = (await postAll(key, 200, '/mask', { text: 'ana@example.com' })).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(100).fill(200), ...Array(100).fill(402)]);
  });

  test('a service added on one is blocked by the other within a second', async () => {
    const second = gateways[1] as Gateway;
    const service = { service_name: 'Added', domain: 'added.example', category: 'blocked', is_blocked: true };
    const body = JSON.stringify(service);
    expect((await gateway.api('/shadow-ai/services', { method: 'POST', body })).status).toBe(201);
    const action = async () => {
      const body = JSON.stringify({ hostname: 'www.added.example' });
      const answer = await second.api('/shadow-ai/check', { method: 'POST', body });
      return ((await answer.json()) as { action: string }).action;
    };
    await expect.poll(action).toBe('block');
    expect((await second.api('/shadow-ai/services', { method: 'POST', body })).status).toBe(409);
    const path = `/shadow-ai/services/${serviceId('added')}`;
    expect((await second.api(path, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(async () => (await gateway.api(path)).status).toBe(404);
  });

  // Restarting one with a server is enough; test/contract does it with SQLite.
  test.runIf(kind === 'redis')('a value has the same token on both, also after a restart', async () => {
    const [first, second] = gateways as [Gateway, Gateway];
    expect(await sent(first, 'Write to ana@mail.example')).toBe('Write to [EMAIL-1]');
    expect(await sent(second, 'ben@mail.example and ana@mail.example')).toBe('[EMAIL-2] and [EMAIL-1]');
    await Promise.all(gateways.map((one) => one.stop()));
    await start(startGatewayProcess);
    expect(await sent(gateways[1] as Gateway, 'eve@mail.example, ben@mail.example')).toBe('[EMAIL-3], [EMAIL-2]');
  });

  if (kind === 'sqlite') return;

  test('without their store calls and prompts get 503, nothing is sent, and both work again when it is back', async () => {
    const key = await newKey('free');
    await server?.kill();
    const [answer] = await postAll(key, 1, '/detect-injection', { text: 'x' });
    expect(answer?.status).toBe(503);
    expect(answer?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answer?.json()).toMatchObject({ error: { code: 'unavailable', hint: expect.any(String) } });
    await expect.poll(() => statusOf(gateway, '/ready')).toBe(503);
    expect(await statusOf(gateway, '/health')).toBe(200);
    expect(await prompt(gateway, 'ana@mail.example')).toBe(503);
    expect(origin.requests).toEqual([]);
    await server?.start();
    await untilReady();
    const again = await postAll(key, 2, '/detect-injection', { text: 'x' });
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    expect(await sent(gateway, 'ana@mail.example')).toBe('[EMAIL-1]');
  });
});
