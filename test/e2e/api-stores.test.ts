/** The round of docs/api.md (check, mask, a model, restore), as it is written there, on every store and its real server. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreKind } from '../../gateway/stores/stores.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { programPath } from '../support/programs.ts';
import { type RunResult, run } from '../support/run.ts';
import { postgresServer, redisServer, type StoreServer } from '../support/store-servers.ts';

const root = resolve(import.meta.dirname, '../..');
const docs = readFileSync(join(root, 'docs/api.md'), 'utf8');
const kinds: readonly StoreKind[] = ['memory', 'sqlite', 'redis', 'postgres'];
const printed = ['Write to [EMAIL-1], please.', 'I have written to ana@example.com.'];

/** The code block that follows `<!-- test: name -->`, for the port of a gateway. */
function block(name: string, gateway: Gateway): string {
  const code = new RegExp(`<!-- test: ${name} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(docs)?.[1];
  if (code === undefined) throw new Error(`docs/api.md has no block ${name}`);
  return code.replaceAll('http://127.0.0.1:3001', gateway.apiUrl);
}

/** The statuses of what comes back for bytes, sent in pieces and ended. */
async function answersTo(port: number, bytes: string, size: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  for (let at = 0; at < bytes.length; at += size) socket.write(bytes.slice(at, at + size));
  socket.end();
  let text = '';
  for await (const piece of socket) text += piece;
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
}

describe.each(kinds)('on the store %s', (kind) => {
  let server: StoreServer | undefined;
  let gateway: Gateway;
  let env: Record<string, string>;

  beforeAll(async () => {
    if (kind === 'redis') server = await redisServer();
    if (kind === 'postgres') server = await postgresServer();
    await server?.start();
    gateway = await startGateway({
      env: {
        PROXY_STORE: kind,
        PROXY_STORE_KEY: 'a key for tests of 32 characters!',
        ...(server && { PROXY_STORE_URL: server.url }),
      },
    });
    const ready = async () => (await fetch(`${gateway.apiUrl}/ready`)).status;
    while ((await ready()) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    const body = JSON.stringify({ name: 'app', plan: 'starter' });
    const { key } = (await (await gateway.api('/admin/keys', { method: 'POST', body })).json()) as { key: string };
    const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
    env = { PATH: path, PRIVET_KEY: key };
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

  test('each call except the checks cost one credit', async () => {
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

  test.each(Object.keys(sequences))('who ends its side behind its calls has all answers: %s', async (name) => {
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
});
