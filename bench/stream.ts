/**
 * The cost of restoring a stream: time per event of a 200-event answer in this process, and CPU time of the gateway per
 * event, for a caller with masked values and one without.
 *
 *   node bench/stream.ts
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { stringify } from 'yaml';

import { SessionTokens } from '../core/vault.ts';
import { BodyRestorer, planRestore } from '../gateway/proxy/answer/restoring.ts';
import { cleanUp, cpuSeconds, folder, makeCertificate, openTunnel, roundTrip, secure, start } from './support.ts';

const map = new SessionTokens();
map.add('[EMAIL-1]', { type: 'EMAIL', value: 'ana.lopez@corp.example' });
map.add('[NAME-1]', { type: 'NAME', value: 'Ana Lopez' });
for (let n = 2; n < 60; n++) map.add(`[EMAIL-${n}]`, { type: 'EMAIL', value: `person${n}@corp.example` });

const eventCount = 200;
const rounds = 400;

type Answer = { readonly name: string; readonly events: readonly Buffer[] };

function chat(pieces: (at: number) => string): Buffer[] {
  return Array.from({ length: eventCount }, (_, at) =>
    Buffer.from(
      `data: ${JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1790000000,
        model: 'm',
        choices: [{ index: 0, delta: { content: pieces(at) }, logprobs: null, finish_reason: null }],
      })}\n\n`,
    ),
  );
}

const args = JSON.stringify({ to: ['[EMAIL-1]'], body: 'Dear [NAME-1], '.repeat(80) });

const answers: readonly Answer[] = [
  { name: 'plain words', events: chat((at) => ` word${at}`) },
  { name: 'a token in every event', events: chat((at) => ` to [EMAIL-${(at % 50) + 1}] and`) },
  { name: 'a token cut by every event', events: chat((at) => (at % 2 ? 'AIL-1] now' : ' mail [EM')) },
  {
    name: 'arguments of a tool',
    events: Array.from({ length: eventCount }, (_, at) =>
      Buffer.from(
        `data: ${JSON.stringify({
          id: 'chatcmpl-1',
          choices: [
            {
              index: 0,
              delta: { tool_calls: [{ index: 0, function: { arguments: args.slice(at * 6, at * 6 + 6) } }] },
            },
          ],
        })}\n\n`,
      ),
    ),
  },
];

const sink = { write: () => true, end: () => {}, fail: () => {} };

/** Milliseconds of each event of many answers, sorted. */
function timesOf(events: readonly Buffer[]): number[] {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const plan = planRestore('text/event-stream');
    if (plan === 'pass') throw new Error('an event stream is restored');
    const restorer = BodyRestorer.create({ plan, contentEncoding: undefined, map, sink, bytesMax: 1 << 25 });
    if (!restorer) throw new Error('no coding');
    for (const event of events) {
      const started = performance.now();
      restorer.push(event, () => {});
      times.push(performance.now() - started);
    }
    restorer.end();
  }
  return times.slice(times.length / 4).sort((a, b) => a - b);
}

process.stdout.write(
  `${'answer of 200 events'.padEnd(32)}${'p50'.padStart(10)}${'p99'.padStart(10)}${'mean'.padStart(10)}  ms per event\n`,
);
for (const { name, events } of answers) {
  const times = timesOf(events);
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
  const figure = (value: number) => value.toFixed(4).padStart(10);
  process.stdout.write(
    `${name.padEnd(32)}${figure(times[times.length >> 1] ?? 0)}${figure(times[Math.floor(times.length * 0.99)] ?? 0)}${figure(mean)}\n`,
  );
}

const host = 'api.openai.com';
const streamEvents = 30_000;

/** CPU milliseconds of the gateway per event of a stream with `text` in each. */
async function gatewayCost(
  pid: number,
  socket: TLSSocket,
  authority: string,
  credential: string,
  text: string,
): Promise<number> {
  const url = `/sse?n=${streamEvents}&text=${encodeURIComponent(text)}`;
  const request = Buffer.from(
    `GET ${url} HTTP/1.1\r\nHost: ${authority}\r\nAuthorization: Bearer ${credential}\r\n\r\n`,
  );
  const before = cpuSeconds(pid);
  await roundTrip(socket, request);
  return ((cpuSeconds(pid) - before) * 1000) / streamEvents;
}

const originCert = makeCertificate('origin', [host]);
const origin = start('bench/origin.ts', [], { ORIGIN_CERT: originCert.cert, ORIGIN_KEY: originCert.key });
const { tlsPort } = await origin.line((line) => 'tlsPort' in line);
const config = path.join(folder, 'bench.yaml');
writeFileSync(
  config,
  stringify({
    egress: { allow: ['127.0.0.0/8'], ports: 'any' },
    upstream: { ca_file: originCert.ca, resolve: { [host]: `127.0.0.1:${tlsPort}` } },
  }),
);
const gateway = start('gateway/main.ts', ['serve'], {
  PROXY_CONFIG: config,
  PROXY_DATA_DIR: path.join(folder, 'data'),
  PORT: '0',
  GATEWAY_PORT: '0',
});
try {
  const { port } = await gateway.line((line) => line.event === 'listening' && line.listener === 'proxy');
  const ca = path.join(folder, 'privet-ca.pem');
  writeFileSync(ca, await (await fetch(`http://127.0.0.1:${port}/ca.pem`)).text());
  const authority = `${host}:${tlsPort}`;
  const socket = await secure(await openTunnel(Number(port), authority), host, ca);
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Mail ana.lopez@corp.example' }] });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${authority}\r\nAuthorization: Bearer sk-a\r\n`;
  await roundTrip(
    socket,
    Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  );
  const rows = [
    ['no vault entry, plain words', 'sk-b', ' word'],
    ['vault entry, plain words', 'sk-a', ' word'],
    ['no vault entry, tokens', 'sk-b', ' to [EMAIL-1] '],
    ['vault entry, tokens', 'sk-a', ' to [EMAIL-1] '],
  ] as const;
  const best = new Map<string, number>();
  for (let round = 0; round < 5; round++) {
    for (const [name, credential, text] of rows) {
      const cost = await gatewayCost(gateway.pid, socket, authority, credential, text);
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, cost));
    }
  }
  process.stdout.write(`\n${'gateway, CPU per event'.padEnd(32)}${'ms'.padStart(10)}${'ratio'.padStart(10)}\n`);
  for (const [name, credential, text] of rows) {
    const cost = best.get(name) ?? 0;
    const relayed = best.get(rows.find((row) => row[1] === 'sk-b' && row[2] === text)?.[0] ?? '') ?? 1;
    const ratio = credential === 'sk-a' ? (cost / relayed).toFixed(2) : '';
    process.stdout.write(`${name.padEnd(32)}${cost.toFixed(4).padStart(10)}${ratio.padStart(10)}\n`);
  }
  socket.destroy();
} finally {
  await gateway.stop();
  await origin.stop();
  cleanUp();
}
