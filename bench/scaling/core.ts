/** Throughput and memory of one core, from which sizing is calculated. */
import type { TLSSocket } from 'node:tls';
import { idleTunnelKiB } from '../figures.ts';
import {
  inParallel,
  makeCertificate,
  openTunnel,
  type Ports,
  roundTrip,
  rssKiB,
  secure,
  start,
  type Target,
} from '../support.ts';
import { type Setting, startGateway } from '../targets.ts';
import { host, workloads } from '../workloads.ts';

/** The figures: CPU in milliseconds per unit, memory in KiB. */
export type CoreFigures = {
  readonly plainRequest: number;
  readonly tunnel: number;
  readonly gibibyte: number;
  readonly chat: number;
  readonly maskedChat: number;
  readonly event: number;
  readonly connection: number;
  readonly mint: number;
  readonly tunnelKiB: number;
  readonly connectionKiB: number;
};

const named: Readonly<Record<Exclude<keyof CoreFigures, 'tunnelKiB' | 'connectionKiB'>, string>> = {
  plainRequest: 'plain GET',
  tunnel: 'tunnel, open',
  gibibyte: 'tunnel, bulk',
  chat: 'no personal data',
  maskedChat: '6 values',
  event: 'SSE',
  connection: 'new connection to a known host',
  mint: 'first connection',
};

/** Measures one gateway process; each figure is the minimum of the rounds, because disturbances only add. */
export async function measureCore(rounds: number): Promise<CoreFigures> {
  const certificate = makeCertificate('origin', [host, '*.openai.com', '127.0.0.1']);
  const origin = start('bench/origin.ts', [], { ORIGIN_CERT: certificate.cert, ORIGIN_KEY: certificate.key });
  const ports = (await origin.line((line) => 'tlsPort' in line)) as Ports;
  const setting: Setting = { ports, origin: certificate };
  const least = async (measure: (target: Target) => Promise<number>, times: number) => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < times; i++) {
      const target = await startGateway(setting);
      best = Math.min(best, await measure(target));
      await target.process.stop();
    }
    return best;
  };
  try {
    const figures: Record<string, number> = {};
    for (const [key, name] of Object.entries(named)) {
      const workload = workloads.find((one) => one.name.includes(name));
      if (workload === undefined) throw new Error(`no workload is named ${name}`);
      figures[key] = await least((target) => workload.run(target, ports), rounds);
    }
    figures.tunnelKiB = await least((target) => idleTunnelKiB(target, ports), 1);
    figures.connectionKiB = await least((target) => idleConnectionKiB(target, ports), 1);
    return figures as CoreFigures;
  } finally {
    await origin.stop();
  }
}

/** Resident memory of a kept intercepted connection after a request. */
async function idleConnectionKiB(target: Target, ports: Ports): Promise<number> {
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}:${ports.tlsPort}\r\n\r\n`);
  const sockets: TLSSocket[] = [];
  const open = async () => {
    const socket = await secure(await openTunnel(target.port, `${host}:${ports.tlsPort}`), host, target.ca);
    await roundTrip(socket, request);
    sockets.push(socket);
  };
  await inParallel(300, 8, open);
  const before = rssKiB(target.process.pid);
  const count = 1_000;
  await inParallel(count, 8, open);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const result = (rssKiB(target.process.pid) - before) / count;
  for (const socket of sockets) socket.destroy();
  return result;
}
