/** The workloads of the benchmarks, and their CPU time per unit. */
import net from 'node:net';
import type tls from 'node:tls';
import { cpuSeconds, inParallel, openTunnel, type Ports, roundTrip, secure, type Target, untilEnd } from './support.ts';

/** A workload: `run` returns CPU milliseconds per unit; `limit` is the maximum ratio to the floor. */
export type Workload = {
  readonly name: string;
  readonly unit: string;
  readonly limit?: number;
  /** `hosts`: number of new hosts; the last third is measured. */
  run(target: Target, ports: Ports, hosts?: number): Promise<number>;
};

/** Size of a bulk download: enough for a clock with 10 ms ticks. */
const bulkGiB = 2;

/** The intercepted service; new hosts are its subdomains. */
export const host = 'api.openai.com';

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
  const work = (each: number) => async () => {
    await Promise.all(
      sockets.map(async (socket) => {
        for (let i = 0; i < each; i++) await roundTrip(socket, request);
      }),
    );
  };
  // Measure the steady state: the compiler needs thousands of requests to warm up.
  await work(1_500)();
  const result = await cpuOf(target, lanes * 1_000, work(1_000));
  for (const socket of sockets) socket.destroy();
  return result;
}

const values =
  'Ana Lopez ana.lopez@example.com, +1 415 555 0132, card 4111 1111 1111 1111, 203.0.113.77, SSN 536-22-1234, IBAN GB82 WEST 1234 5698 7654 32.';

/** All workloads; those without a limit are only compared with other proxies. */
export const workloads: readonly Workload[] = [
  {
    name: 'plain GET, 1 KiB, kept connections',
    unit: 'ms/request',
    async run(target, ports) {
      const request = Buffer.from(
        `GET http://127.0.0.1:${ports.httpPort}/ HTTP/1.1\r\nHost: 127.0.0.1:${ports.httpPort}\r\n\r\n`,
      );
      const sockets = await Promise.all(Array.from({ length: 8 }, () => connected(target.port)));
      const each = (count: number) =>
        Promise.all(
          sockets.map(async (socket) => {
            for (let i = 0; i < count; i++) await roundTrip(socket, request);
          }),
        ).then(() => {});
      await each(300);
      const result = await cpuOf(target, 8 * 500, () => each(500));
      for (const socket of sockets) socket.destroy();
      return result;
    },
  },
  {
    name: 'tunnel, bulk download',
    unit: 'ms/GiB',
    limit: 1.15,
    async run(target, ports) {
      const socket = await openTunnel(target.port, `127.0.0.1:${ports.bulkPort}`);
      return cpuOf(target, bulkGiB, async () => {
        let size = 0;
        socket.on('data', (bytes: Buffer) => {
          size += bytes.length;
        });
        socket.write(`${bulkGiB * 2 ** 30}\n`);
        await untilEnd(socket);
        socket.destroy();
        if (size < bulkGiB * 2 ** 30) throw new Error(`the tunnel ended after ${size} bytes`);
      });
    },
  },
  {
    name: 'tunnel, open + echo + close',
    unit: 'ms/tunnel',
    limit: 1.25,
    async run(target, ports) {
      const tunnel = async () => {
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
      // Measure the steady state, after warm-up of the compiler and the collector.
      await inParallel(16_000, 16, tunnel);
      return cpuOf(target, 8_000, () => inParallel(8_000, 16, tunnel));
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
      // A session with tokens, so that responses are scanned.
      for (const socket of sockets) await roundTrip(socket, chatRequest(ports, values));
      const streamOf = (count: number) =>
        Buffer.from(
          `GET /sse?n=${count} HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\nAuthorization: Bearer sk-none\r\n\r\n`,
        );
      // Measure the steady state: what the first chat loaded has been moved to the old generation by then.
      for (let round = 0; round < 3; round++)
        await Promise.all(sockets.map((socket) => roundTripStream(socket, streamOf(events))));
      const result = await cpuOf(target, lanes * events, async () => {
        await Promise.all(sockets.map((socket) => roundTripStream(socket, streamOf(events))));
      });
      for (const socket of sockets) socket.destroy();
      return result;
    },
  },
  {
    name: 'new connection to a known host: handshake, GET, close',
    unit: 'ms/connection',
    async run(target, ports) {
      const get = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\n\r\n`);
      const connection = async () => {
        const socket = await secure(await openTunnel(target.port, `${host}:${ports.tlsPort}`), host, target.ca);
        await roundTrip(socket, get);
        socket.destroy();
      };
      await inParallel(300, 4, connection);
      return cpuOf(target, 500, () => inParallel(500, 4, connection));
    },
  },
  {
    name: 'first connection to a host: mint, handshake, close',
    unit: 'ms/connection',
    limit: 1.3,
    run: (target, ports, hosts) =>
      firstConnections(target, ports, hosts, async (socket) => {
        const end = untilEnd(socket);
        socket.end();
        await end;
      }),
  },
  {
    name: 'first request to a host: mint, both handshakes, GET',
    unit: 'ms/request',
    limit: 1.3,
    run: (target, ports, hosts) =>
      firstConnections(target, ports, hosts, async (socket, name) => {
        await roundTrip(socket, Buffer.from(`GET / HTTP/1.1\r\nHost: ${name}:${ports.tlsPort}\r\n\r\n`));
        socket.destroy();
      }),
  },
];

function connected(port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: '127.0.0.1', port, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Connections to new hosts; the floor uses one certificate, and one upstream connection per host too. */
async function firstConnections(
  target: Target,
  ports: Ports,
  hosts = newHosts,
  use: (socket: tls.TLSSocket, name: string) => Promise<void>,
): Promise<number> {
  const connection = async (i: number) => {
    const name = newHost(i);
    const servername = target.name === 'floor' ? host : name;
    // New hosts per client are limited.
    const from = `127.0.0.${2 + Math.floor(i / hostsOfClient)}`;
    const tunnel = await openTunnel(target.port, `${name}:${ports.tlsPort}`, from);
    await use(await secure(tunnel, servername, target.ca), name);
  };
  const measured = Math.floor(hosts / 3);
  await inParallel(hosts - measured, 2, connection);
  return cpuOf(target, measured, () => inParallel(measured, 2, (i) => connection(hosts - measured + i)));
}

/** New hosts per round: two thirds for warm-up, one third measured. */
export const newHosts = 3_000;
const hostsOfClient = 500;

/** A new host of the service. */
export const newHost = (i: number) => `h${i}.openai.com`;

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
