/**
 * Fifty reloads a second while clients work: every request is served by one configuration from beginning to end, and no
 * connection is dropped.
 */
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { listening } from '../support/listening.ts';
import { startOrigin } from '../support/origin.ts';
import { openHttp2, openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const host = 'api.openai.com';
const [email, project] = ['ana@mail.example', 'Bluebird'];
const stormMs = 6_000;
const longestMs = 60_000;
const stepMs = 20;
const authority = new TestAuthority();

/** Configurations that differ in several respects at once, and how a request reflects each. */
const states: readonly (readonly [name: string, changes: Record<string, unknown>, shows: string])[] = [
  ['masks all', state('allow', 'mask', 'ALPHA'), '200 - ALPHA,EMAIL'],
  ['warns, masks the word only', state('warn', 'mask', 'BETA', { EMAIL: 'off' }), '200 monitored BETA'],
  ['warns, lets pass', state('warn', 'audit', 'GAMMA'), '200 monitored plain'],
  ['blocks', state('block', 'mask', 'DELTA'), '403 - -'],
];

function state(action: string, inspect: string, label: string, types: Record<string, string> = {}) {
  const outcome = { then: { action, inspect } };
  return {
    policy: {
      rules: [{ name: label, when: { hosts: [host], methods: ['POST'] }, ...outcome }],
      bypass: ['tunnel.example'],
    },
    masking: { dictionary: [{ label, pattern: project }], types },
  };
}

const configOf = (changes: Record<string, unknown>) => ({
  ...changes,
  egress: { allow: ['127.0.0.0/8'], ports: 'any' },
  upstream: { ca_file: authority.file, resolve: { [host]: origin.address, 'tunnel.example': echo.address } },
});

const origin = await startOrigin({
  authority,
  names: [host],
  handler: ({ body, url }, response) => {
    if (url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let n = 0;
      const timer = setInterval(() => response.write(`data: {"n":${n++}}\n\n`), 50);
      response.once('close', () => clearInterval(timer));
      setTimeout(() => {
        clearInterval(timer);
        response.end('data: [DONE]\n\n');
      }, stormMs);
      return;
    }
    const text = body.toString();
    const masked = [...text.matchAll(/\[(EMAIL|ALPHA|BETA|GAMMA|DELTA)[-_]\d+\]/g)].map((match) => match[1]);
    const isPlain = text.includes(email) && text.includes(project);
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-seen': isPlain ? 'plain' : masked.join(','),
    });
    response.end(text);
  },
});
const server = createServer((socket) => socket.on('error', () => {}).pipe(socket));
const echo = { address: `127.0.0.1:${await listening(server)}`, close: () => server.close() };
const gateway = await startGatewayProcess({ config: configOf(states[0]?.[1] ?? {}) });
afterAll(async () => {
  echo?.close();
});

const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: `${project}: write to ${email}` }] });
const head = (connection: string) =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: ${connection}\r\n\r\n`;

/** The status, whether there is a warning, and what the origin saw. */
function shown(status: number, field: (name: string) => string | undefined, text: string): string {
  const said = `${status} ${field('x-privet-warning')?.split(';')[0] ?? '-'} ${field('x-seen') ?? '-'}`;
  // Whatever the origin saw, the client gets its own words back.
  return status === 200 && text !== body ? `${said} CHANGED ${text}` : said;
}

/** One connection after the other, each for some requests. */
async function http1(until: () => boolean, seen: string[]): Promise<void> {
  while (!until()) {
    const socket = await openTls(gateway, `${host}:443`);
    for (let i = 0; i < 20 && !until(); i++) {
      const { status, rawHeaders, body: answer } = await sendRaw(socket, head('keep-alive') + body);
      const field = (name: string) => rawHeaders[rawHeaders.findIndex((key) => key.toLowerCase() === name) + 1 || -1];
      seen.push(shown(status, field, answer.toString()));
      // A refusal that leaves the body unread closes the connection, and announces it.
      if (field('connection') === 'close') break;
    }
    socket.destroy();
  }
}

/** One HTTP/2 connection for the whole time. */
async function http2(until: () => boolean, seen: string[]): Promise<void> {
  const session = await openHttp2(gateway, `${host}:443`);
  let closed = false;
  session.once('close', () => {
    closed = true;
  });
  while (!until()) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      'content-type': 'application/json',
    });
    stream.end(body);
    const [headers] = await once(stream, 'response');
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const field = (name: string) => (headers as Record<string, string>)[name];
    seen.push(shown(Number(field(':status')), field, Buffer.concat(chunks).toString()));
  }
  expect(closed).toBe(false);
  session.destroy();
}

/** Bytes through a tunnel without inspection, in both directions. */
async function tunnel(until: () => boolean): Promise<number> {
  const { socket, status } = await openTunnel(gateway, 'tunnel.example:443');
  expect(status).toBe(200);
  let rounds = 0;
  const back = async (text: string) => {
    for (let got = ''; got.length < text.length; ) got += String((await once(socket, 'data'))[0]);
  };
  socket.resume();
  for (; !until(); rounds++) {
    const text = `round ${rounds} ${'x'.repeat(1_000)}`;
    const answered = back(text);
    (socket as Socket).write(text);
    await answered;
  }
  socket.destroy();
  return rounds;
}

/** An event stream that continues all the time. */
async function events(): Promise<number[]> {
  const session = await openHttp2(gateway, `${host}:443`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':path': '/events' });
  let text = '';
  for await (const chunk of stream) text += chunk;
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  return [...text.matchAll(/"n":(\d+)/g)].map((match) => Number(match[1]));
}

test('many reloads mix no verdicts and drop no connection', async () => {
  const file = join(gateway.dataDir, '../privet-test.yaml');
  const streamed = events();
  await new Promise((resolve) => setTimeout(resolve, 300));
  let isOver = false;
  const until = () => isOver;
  const seen: string[] = [];
  const clients = [http1(until, seen), http1(until, seen), http2(until, seen), http2(until, seen)];
  const tunnels = [tunnel(until), tunnel(until)];
  const calls: Promise<number>[] = [];
  let asked = 0;
  const begun = performance.now();
  // A busy machine makes fewer reloads, and takes longer to show every state.
  const isStorm = () => {
    const ms = performance.now() - begun;
    return ms < stormMs || (ms < longestMs && new Set(seen).size < states.length);
  };
  for (let at = 0; isStorm(); at++) {
    writeFileSync(`${file}.tmp`, stringify(configOf(states[at % states.length]?.[1] ?? {})));
    renameSync(`${file}.tmp`, file);
    if (at % 2 === 0) process.kill(gateway.pid, 'SIGHUP');
    else calls.push(gateway.api('/admin/reload', { method: 'POST' }).then(({ status }) => status));
    asked++;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + asked * stepMs - performance.now())));
  }
  isOver = true;
  expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
  await Promise.all(clients);
  const rounds = await Promise.all(tunnels);
  const numbers = await streamed;

  const counts = new Map<string, number>();
  for (const one of seen) counts.set(one, (counts.get(one) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(states.map(([, , shows]) => shows).sort());
  expect(rounds.every((count) => count > 0)).toBe(true);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i));
  expect(numbers.length).toBeGreaterThan(10);
  const metrics = await (await gateway.api('/metrics')).text();
  const reloads = Number(/privet_config_reloads_total\{result="ok"\} (\d+)/.exec(metrics)?.[1]);
  // Each reload is followed by a pause in proportion to its duration, so that a busy machine makes fewer of them.
  expect(reloads).toBeGreaterThan(states.length);
  expect(metrics).toContain('config_reloads_total{result="failed"} 0\n');
  process.stderr.write(
    `${asked} reloads asked for, ${reloads} made; ${seen.length} requests: ${JSON.stringify([...counts])}\n`,
  );
});
