/** What a second worker adds: the same work for one and for two of them. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cpuSeconds, folder, makeCertificate, median, type Target } from '../support.ts';
import { type Setting, startGateway } from '../targets.ts';
import { host } from '../workloads.ts';
import { giveShares } from './shares.ts';

/** Each worker gets this much of a core, so that generator and origin always have the rest. */
const share = 0.4;
/** Two queues of few clients run empty by chance; real ones have more. */
const lanes = 96;
const seconds = 8;
/** Until the compiler is done with what runs once a connection. */
const warmSeconds = 8;

type Work = { readonly name: string; readonly args: readonly string[]; readonly port: 'tlsPort' | 'echoPort' };

const works: readonly Work[] = [
  { name: 'masked chat request, values known', args: ['chat'], port: 'tlsPort' },
  { name: 'masked chat request, a new value each', args: ['chat', '-fresh'], port: 'tlsPort' },
  { name: 'tunnel, open + echo + close', args: ['tunnels'], port: 'echoPort' },
];

/** Units a second and milliseconds of CPU per unit, with so many workers. */
export type Capacity = { readonly perSecond: number; readonly cpuMs: number; readonly p99Ms: number };
/** One work with one and with two workers, and the ratios of their units a second round by round. */
export type Comparison = {
  readonly name: string;
  readonly one: Capacity;
  readonly two: Capacity;
  readonly ratio: number;
  readonly ratios: readonly number[];
};

/**
 * Compares one worker with two; both on SQLite, in turn, each first as often as the other. The ratio is the median of the
 * rounds' ratios, as the speed of a machine moves more from minute to minute than what is looked for.
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
    for (const work of works) {
      const one: Capacity[] = [];
      const two: Capacity[] = [];
      for (let round = 0; round < rounds; round++) {
        const isOneFirst = round % 2 === 0;
        if (isOneFirst) one.push(await measure(load, work, setting, 1));
        two.push(await measure(load, work, setting, 2));
        if (!isOneFirst) one.push(await measure(load, work, setting, 1));
      }
      const ratios = one.map((capacity, i) => (two[i] as Capacity).perSecond / capacity.perSecond);
      report({ name: work.name, one: middle(one), two: middle(two), ratio: median(ratios), ratios });
    }
  } finally {
    const ended = once(origin, 'exit');
    origin.kill('SIGKILL');
    await ended;
  }
}

const middle = (all: readonly Capacity[]) =>
  [...all].sort((a, b) => a.perSecond - b.perSecond)[all.length >> 1] as Capacity;

async function measure(load: string, work: Work, setting: Setting, workers: number): Promise<Capacity> {
  const target = await startGateway(setting, {
    WORKERS: String(workers),
    PROXY_STORE: 'sqlite',
    PROXY_DATA_DIR: path.join(folder, `data-${workers}-${Math.random().toString(36).slice(2)}`),
  });
  if (workers > 1) await target.process.line(({ event }) => event === 'workers_started');
  const pids = workers > 1 ? childrenOf(target.process.pid) : [target.process.pid];
  const takeAway = giveShares(pids, share);
  try {
    return await run(load, work, setting, target);
  } finally {
    // Not at once, as the process of the workers would leave them behind.
    const ended = once(target.process.child, 'exit');
    target.process.child.kill('SIGTERM');
    await ended;
    takeAway();
  }
}

/** What the generator prints at its end. */
type Done = { units: number; seconds: number; errors: number; p99Ms: number; firstError: string | null };

async function run(load: string, { args, port }: Work, { ports }: Setting, target: Target): Promise<Capacity> {
  const asked = port === 'tlsPort' ? `${host}:${ports.tlsPort}` : `127.0.0.1:${ports.echoPort}`;
  const where = ['-proxy', `127.0.0.1:${target.port}`, '-target', asked, '-ca', target.ca];
  const how = ['-lanes', String(lanes), '-seconds', String(seconds), '-warm', String(warmSeconds)];
  const child = spawn(load, [...args.slice(0, 1), ...where, ...how, ...args.slice(1)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const takeAway = giveShares([child.pid as number]);
  child.once('exit', takeAway);
  let before = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as Done & { event: string };
    const cpu = cpuSeconds(target.process.pid);
    if (said.event === 'counting') before = cpu;
    if (said.event !== 'done') continue;
    if (said.errors > 0) throw new Error(`${said.errors} errors of the generator: ${said.firstError}`);
    return { perSecond: said.units / said.seconds, cpuMs: ((cpu - before) * 1000) / said.units, p99Ms: said.p99Ms };
  }
  throw new Error('the generator printed nothing');
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim().split(' '))
    .filter((child) => child !== '')
    .map(Number);
}

function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: stream })
      .once('line', resolve)
      .once('close', () => reject(new Error('no line')));
  });
}
