/** Measures the gain of a second worker: the same work for one, for two, and for two independent gateways. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childrenOf } from '../../test/support/processes.ts';
import { cpuSeconds, folder, makeCertificate, median, type Target } from '../support.ts';
import { type Setting, startGateway } from '../targets.ts';
import { host } from '../workloads.ts';
import { giveShares } from './shares.ts';

/** Required throughput of two workers relative to one. */
export const ratioMin = 1.8;
/** Share of a core per worker; generator and origin have the rest. */
const share = 0.4;
/** With few clients, one of two queues may run empty by chance. */
const lanes = 96;
/** Short turns, because the speed of a machine changes over minutes. */
const seconds = 3;
/** Until each client has its connection. */
const settleSeconds = 1;
/** Warm-up until code that runs once per connection is compiled. */
const warmSeconds = 12;
/** Turns per round, for each of: one worker, two workers, two independent gateways. */
const turnsOfRound = 4;

type Work = { readonly name: string; readonly args: readonly string[]; readonly port: 'tlsPort' | 'echoPort' };

const works: readonly Work[] = [
  { name: 'masked chat request, values known', args: ['chat'], port: 'tlsPort' },
  { name: 'masked chat request, a new value each', args: ['chat', '-fresh'], port: 'tlsPort' },
  { name: 'tunnel, open + echo + close', args: ['tunnels'], port: 'echoPort' },
];

/** Units per second and CPU milliseconds per unit, with a number of workers. */
export type Capacity = { readonly perSecond: number; readonly cpuMs: number; readonly p99Ms: number };
/** The workers of each gateway. */
const kinds = { one: [1], two: [2], apart: [1, 1] } as const;
type Kind = keyof typeof kinds;

/**
 * A workload with one worker, with two, and with two independent gateways, which shows the machine's limit; and the
 * throughput ratios of two workers to one, per turn.
 */
export type Comparison = Readonly<Record<Kind, Capacity>> & {
  readonly name: string;
  readonly ratio: number;
  readonly ratios: readonly number[];
};

/**
 * Compares one worker with two, all on SQLite. They run side by side and get work in turn for seconds each, in every
 * order equally often: a shared machine may be twice as fast in one minute as in the next. The result is the median
 * ratio.
 */
export async function compareWorkers(rounds: number, report: (line: Comparison) => void): Promise<void> {
  const load = path.join(folder, 'load');
  execFileSync('go', ['build', '-o', load, path.join(import.meta.dirname, '../load/load.go')], {
    env: { ...process.env, GO111MODULE: 'off', GOCACHE: path.join(folder, 'go') },
  });
  const certificate = makeCertificate('origin', [host, '*.openai.com', '127.0.0.1']);
  const origin = spawn(load, ['origin', '-cert', certificate.cert, '-key', certificate.key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const takeAway = giveShares([origin.pid as number]);
  origin.once('exit', takeAway);
  try {
    const ports = JSON.parse(await firstLine(origin.stdout)) as { tlsPort: number; echoPort: number };
    const setting: Setting = { ports: { ...ports, httpPort: 0, bulkPort: 0 }, origin: certificate };
    for (const work of works) report(await compare(load, work, setting, rounds * turnsOfRound));
  } finally {
    const ended = once(origin, 'exit');
    origin.kill('SIGKILL');
    await ended;
  }
}

async function compare(load: string, work: Work, setting: Setting, turns: number): Promise<Comparison> {
  const started: Started[] = [];
  try {
    const groups = {} as Record<Kind, Target[]>;
    const order = Object.keys(kinds) as Kind[];
    for (const kind of order) {
      groups[kind] = [];
      for (const workers of kinds[kind]) {
        const one = await startWorkers(setting, workers);
        started.push(one);
        groups[kind].push(one.target);
      }
      await measure(load, work, setting, groups[kind], { warm: warmSeconds, count: 1 });
    }
    const seen: Record<Kind, Capacity[]> = { one: [], two: [], apart: [] };
    for (let turn = 0; turn < turns; turn++) {
      for (const kind of order)
        seen[kind].push(await measure(load, work, setting, groups[kind], { warm: settleSeconds, count: seconds }));
      order.push(order.shift() as Kind);
      if (turn % order.length === order.length - 1) order.reverse();
    }
    const ratios = seen.one.map((capacity, i) => (seen.two[i] as Capacity).perSecond / capacity.perSecond);
    return {
      name: work.name,
      one: middle(seen.one),
      two: middle(seen.two),
      apart: middle(seen.apart),
      ratio: median(ratios),
      ratios,
    };
  } finally {
    await Promise.allSettled(started.map(({ end }) => end()));
  }
}

const middle = (all: readonly Capacity[]) =>
  [...all].sort((a, b) => a.perSecond - b.perSecond)[all.length >> 1] as Capacity;

/** A gateway with its CPU shares, and a function that stops it. */
type Started = { readonly target: Target; end(): Promise<void> };

async function startWorkers(setting: Setting, workers: number): Promise<Started> {
  const target = await startGateway(setting, {
    WORKERS: String(workers),
    PROXY_STORE: 'sqlite',
    PROXY_DATA_DIR: path.join(folder, `data-${workers}-${Math.random().toString(36).slice(2)}`),
  });
  if (workers > 1) await target.process.line(({ event }) => event === 'workers_started');
  const takeAway = giveShares(workers > 1 ? childrenOf(target.process.pid) : [target.process.pid], share);
  return {
    target,
    end: async () => {
      // Not SIGKILL, which would leave the workers running.
      const ended = once(target.process.child, 'exit');
      target.process.child.kill('SIGTERM');
      await ended;
      takeAway();
    },
  };
}

/** Seconds of warm-up, and of measurement. */
type Duration = { readonly warm: number; readonly count: number };

/** Total units per second of all gateways of a group. */
async function measure(
  load: string,
  work: Work,
  setting: Setting,
  targets: readonly Target[],
  duration: Duration,
): Promise<Capacity> {
  const all = await Promise.all(
    targets.map((target) => run(load, work, setting, target, lanes / targets.length, duration)),
  );
  const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0);
  return {
    perSecond,
    cpuMs: all.reduce((sum, each) => sum + each.cpuMs * each.perSecond, 0) / perSecond,
    p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
  };
}

/** The generator's final output. */
type Done = { units: number; seconds: number; errors: number; p99Ms: number; firstError: string | null };

async function run(
  load: string,
  { args, port }: Work,
  { ports }: Setting,
  target: Target,
  lanes: number,
  { warm, count }: Duration,
): Promise<Capacity> {
  const asked = port === 'tlsPort' ? `${host}:${ports.tlsPort}` : `127.0.0.1:${ports.echoPort}`;
  const where = ['-proxy', `127.0.0.1:${target.port}`, '-target', asked, '-ca', target.ca];
  const how = ['-lanes', String(lanes), '-seconds', String(count), '-warm', String(warm)];
  const child = spawn(load, [...args.slice(0, 1), ...where, ...how, ...args.slice(1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const takeAway = giveShares([child.pid as number]);
  child.once('exit', takeAway);
  let before = 0;
  let used = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Done & { event: string };
    if (said.event === 'counting') before = cpuSeconds(target.process.pid);
    if (said.event === 'counted') used = cpuSeconds(target.process.pid) - before;
    if (said.event !== 'done') continue;
    if (said.errors > 0) throw new Error(`${said.errors} errors of the generator: ${said.firstError}`);
    return { perSecond: said.units / said.seconds, cpuMs: (used * 1000) / said.units, p99Ms: said.p99Ms };
  }
  throw new Error('the generator printed nothing');
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .once('line', resolve)
      .once('close', () => reject(new Error('no line')));
  });
}
