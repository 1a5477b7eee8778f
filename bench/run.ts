/**
 * The benchmarks: each workload runs against the floor and against the gateway in turn, and the row shows the CPU time
 * of the whole process per unit of work and the ratio. Rounds alternate, the smallest figure of each side counts.
 *
 *   npm run bench                    every row
 *   npm run bench -- tunnel sse      rows whose name holds one of the words
 */

import { writeFileSync } from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import type tls from 'node:tls';
import { stringify } from 'yaml';
import { idleTunnelKiB, slowReaderMiB, slowWriterMiB, sseDelayMs } from './figures.ts';
import {
  cleanUp,
  cpuSeconds,
  folder,
  inParallel,
  makeCertificate,
  openTunnel,
  type Ports,
  roundTrip,
  secure,
  start,
  type Target,
  untilEnd,
} from './support.ts';

type Row = {
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  run(target: Target, ports: Ports): Promise<number>;
};

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const host = 'api.openai.com';

async function cpuOf(target: Target, units: number, work: () => Promise<void>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const before = cpuSeconds(target.process.pid);
  await work();
  await new Promise((resolve) => setTimeout(resolve, 100));
  return ((cpuSeconds(target.process.pid) - before) * 1000) / units;
}

function chatRequest(ports: Ports, text: string): Buffer {
  const filler = 'The quarterly report should mention the new plan and its effect on the team. '
    .repeat(60)
    .slice(0, 3_700 - text.length);
  const body = JSON.stringify({
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: `${filler} ${text}` },
    ],
    temperature: 0.2,
  });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\nAuthorization: Bearer sk-none\r\nUser-Agent: bench\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

async function chat(target: Target, ports: Ports, text: string): Promise<number> {
  const request = chatRequest(ports, text);
  const lanes = 8;
  const sockets = await Promise.all(
    Array.from({ length: lanes }, async () =>
      secure(await openTunnel(target.port, `${host}:${ports.tlsPort}`), host, target.ca),
    ),
  );
  for (const socket of sockets) for (let i = 0; i < 300; i++) await roundTrip(socket, request);
  const each = 500;
  const result = await cpuOf(target, lanes * each, async () => {
    await Promise.all(
      sockets.map(async (socket) => {
        for (let i = 0; i < each; i++) await roundTrip(socket, request);
      }),
    );
  });
  for (const socket of sockets) socket.destroy();
  return result;
}

const values =
  'Ana Lopez ana.lopez@example.com, +1 415 555 0132, card 4111 1111 1111 1111, 203.0.113.77, SSN 536-22-1234, IBAN GB82 WEST 1234 5698 7654 32.';

const rows: readonly Row[] = [
  {
    name: 'tunnel, bulk download',
    unit: 'ms/GiB',
    limit: 1.15,
    async run(target, ports) {
      const socket = await openTunnel(target.port, `127.0.0.1:${ports.bulkPort}`);
      return cpuOf(target, 1, async () => {
        socket.write(`${2 ** 30}\n`);
        await untilEnd(socket);
        socket.destroy();
      });
    },
  },
  {
    name: 'tunnel, open + echo + close',
    unit: 'ms/tunnel',
    limit: 1.25,
    async run(target, ports) {
      const one = async () => {
        const socket = await openTunnel(target.port, `127.0.0.1:${ports.echoPort}`);
        await new Promise<void>((resolve, reject) => {
          socket.once('data', () => resolve());
          socket.once('error', reject);
          socket.write('hello\n');
        });
        const end = untilEnd(socket);
        socket.end();
        await end;
      };
      await inParallel(3_000, 16, one);
      return cpuOf(target, 2_000, () => inParallel(2_000, 16, one));
    },
  },
  {
    name: 'intercepted chat, 4 KiB, no personal data',
    unit: 'ms/request',
    limit: 1.5,
    run: (target, ports) => chat(target, ports, ''),
  },
  {
    name: 'intercepted chat, 4 KiB, 6 values masked and restored',
    unit: 'ms/request',
    limit: 2.2,
    run: (target, ports) => chat(target, ports, values),
  },
  {
    name: 'SSE through interception',
    unit: 'ms/event',
    limit: 1.5,
    async run(target, ports) {
      const lanes = 4;
      const events = 5_000;
      const sockets = await Promise.all(
        Array.from({ length: lanes }, async () =>
          secure(await openTunnel(target.port, `${host}:${ports.tlsPort}`), host, target.ca),
        ),
      );
      // A session with tokens, so that answers are looked at.
      for (const socket of sockets) await roundTrip(socket, chatRequest(ports, values));
      const streamOf = (count: number) =>
        Buffer.from(
          `GET /sse?n=${count} HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\nAuthorization: Bearer sk-none\r\n\r\n`,
        );
      // What a long-running process costs, so the compiler gets its time first.
      await Promise.all(sockets.map((socket) => roundTripStream(socket, streamOf(events))));
      const result = await cpuOf(target, lanes * events, async () => {
        await Promise.all(sockets.map((socket) => roundTripStream(socket, streamOf(events))));
      });
      for (const socket of sockets) socket.destroy();
      return result;
    },
  },
  {
    name: 'first connection to a host: mint, handshake, close',
    unit: 'ms/connection',
    limit: 1.3,
    run: (target, ports) =>
      firstConnections(target, ports, async (socket) => {
        const end = untilEnd(socket);
        socket.end();
        await end;
      }),
  },
  {
    name: 'first request to a host: mint, both handshakes, GET',
    unit: 'ms/request',
    limit: 1.3,
    run: (target, ports) =>
      firstConnections(target, ports, async (socket, name) => {
        await roundTrip(socket, Buffer.from(`GET / HTTP/1.1\r\nHost: ${name}:${ports.tlsPort}\r\n\r\n`));
        socket.destroy();
      }),
  },
];

/** Connections to hosts that were never seen; the floor has one certificate, and one upstream connection each too. */
async function firstConnections(
  target: Target,
  ports: Ports,
  use: (socket: tls.TLSSocket, name: string) => Promise<void>,
): Promise<number> {
  const one = async (i: number) => {
    const name = newHost(i);
    const servername = target.name === 'floor' ? host : name;
    await use(await secure(await openTunnel(target.port, `${name}:${ports.tlsPort}`), servername, target.ca), name);
  };
  await inParallel(100, 2, one);
  return cpuOf(target, 400, () => inParallel(400, 2, (i) => one(100 + i)));
}

const newHost = (i: number) => `h${i}.openai.com`;

function roundTripStream(socket: net.Socket, request: Buffer): Promise<void> {
  return new Promise((resolve) => {
    let tail = '';
    const onData = (chunk: Buffer) => {
      tail = (tail + chunk.toString('latin1')).slice(-16);
      if (!tail.endsWith('0\r\n\r\n')) return;
      socket.off('data', onData);
      resolve();
    };
    socket.on('data', onData);
    socket.write(request);
  });
}

/** Figures that have a limit of their own and no ratio. */
const figures: readonly Figure[] = [
  { name: 'idle tunnel', unit: 'KiB', limit: '22', digits: 1, measure: idleTunnelKiB },
  { name: 'SSE delay in addition to none, p50', unit: 'ms', limit: '1', digits: 3, measure: sseDelayMs },
  { name: 'memory, 1 GiB to a slow reader', unit: 'MiB more', limit: 'flat', digits: 1, measure: slowReaderMiB },
  {
    name: 'memory, 1 GiB plain upload to a slow reader',
    unit: 'MiB more',
    limit: 'flat',
    digits: 1,
    measure: slowWriterMiB,
    gatewayOnly: true,
  },
];

type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly limit: string;
  readonly digits: number;
  readonly gatewayOnly?: boolean;
  measure(target: Target, ports: Ports): Promise<number>;
};

const wanted = process.argv.slice(2);
const matches = (name: string) =>
  wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word.toLowerCase()));

const originCert = makeCertificate('origin', [host, '*.openai.com', '127.0.0.1']);
const origin = start('bench/origin.ts', [], { ORIGIN_CERT: originCert.cert, ORIGIN_KEY: originCert.key });
const ports = (await origin.line((line) => 'tlsPort' in line)) as Ports;

async function startFloor(): Promise<Target> {
  const process = start('bench/floor/floor.ts', [], {
    FLOOR_INTERCEPT: String(ports.tlsPort),
    FLOOR_CA: originCert.ca,
    FLOOR_CERT: originCert.cert,
    FLOOR_KEY: originCert.key,
  });
  const line = await process.line((one) => one.event === 'listening');
  return { name: 'floor', process, port: Number(line.port), ca: originCert.ca, originCa: originCert.ca };
}

async function startGateway(): Promise<Target> {
  const config = path.join(folder, 'bench.yaml');
  writeFileSync(
    config,
    stringify({
      egress: { allow: ['127.0.0.0/8'], ports: 'any' },
      upstream: {
        ca_file: originCert.ca,
        resolve: Object.fromEntries(
          [host, ...Array.from({ length: 500 }, (_, i) => newHost(i))].map((name) => [
            name,
            `127.0.0.1:${ports.tlsPort}`,
          ]),
        ),
      },
      log: { audit: { file: path.join(folder, 'audit.jsonl') } },
    }),
  );
  const process = start('gateway/main.ts', ['serve'], {
    PROXY_CONFIG: config,
    PROXY_DATA_DIR: path.join(folder, 'data'),
    PROXY_ADMIN_KEY: 'pvt_admin_bench_0123456789abcdef',
    PORT: '0',
    GATEWAY_PORT: '0',
  });
  const line = await process.line((one) => one.event === 'listening' && one.listener === 'proxy');
  const ca = path.join(folder, 'privet-ca.pem');
  const answer = await fetch(`http://127.0.0.1:${line.port}/ca.pem`);
  writeFileSync(ca, await answer.text());
  return { name: 'privet', process, port: Number(line.port), ca, originCa: originCert.ca };
}

process.stdout.write(
  `${'workload'.padEnd(56)}${'floor'.padStart(10)}${'privet'.padStart(10)}  unit           ratio   limit\n`,
);
try {
  for (const row of rows.filter(({ name }) => matches(name))) {
    const best = new Map<string, number>();
    for (let round = 0; round < rounds; round++) {
      for (const begin of [startFloor, startGateway]) {
        const target = await begin();
        const figure = await row.run(target, ports);
        best.set(target.name, Math.min(best.get(target.name) ?? Number.POSITIVE_INFINITY, figure));
        await target.process.stop();
      }
    }
    const [floor, privet] = [best.get('floor') as number, best.get('privet') as number];
    const ratio = privet / floor;
    process.stdout.write(
      `${row.name.padEnd(56)}${floor.toFixed(3).padStart(10)}${privet.toFixed(3).padStart(10)}  ${row.unit.padEnd(14)} ${ratio.toFixed(2).padStart(5)}   ${row.limit}${ratio > row.limit ? '  over' : ''}\n`,
    );
  }
  for (const figure of figures.filter(({ name }) => matches(name))) {
    for (const begin of figure.gatewayOnly ? [startGateway] : [startFloor, startGateway]) {
      const target = await begin();
      const result = await figure.measure(target, ports);
      process.stdout.write(
        `${`${figure.name}, ${target.name}`.padEnd(56)}${result.toFixed(figure.digits).padStart(10)} ${figure.unit} (limit ${figure.limit})\n`,
      );
      await target.process.stop();
    }
  }
  if (matches('start')) {
    const began = performance.now();
    const target = await startGateway();
    process.stdout.write(
      `${'start to listening'.padEnd(56)}${((performance.now() - began) / 1000).toFixed(2).padStart(10)} s (limit 1.2)\n`,
    );
    await target.process.stop();
  }
} finally {
  await origin.stop();
  cleanUp();
}
