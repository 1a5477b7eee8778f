/**
 * Several processes on one port (`workers`). Each is a whole gateway; the system spreads connections over them
 * (SO_REUSEPORT) and they share the store. This process starts them, replaces those that die, forwards signals and
 * collects their metrics.
 */
import { type ChildProcess, fork } from 'node:child_process';
import net from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Config, Listen } from '../config/load.ts';
import { PrivetError } from '../core/errors.ts';
import type { Log } from './observe/log.ts';
import { type MetricsOfProcess, MetricsOfWorkers } from './observe/metrics-of-workers.ts';

/** Messages from a worker. */
export type FromWorker =
  | { readonly kind: 'listening'; readonly proxyPort: number; readonly apiPort: number }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricsOfProcess };

/** Messages to a worker. `countersOnly`: leave out gauges. */
export type ToWorker =
  | { readonly kind: 'metrics'; readonly id: number; readonly countersOnly?: boolean }
  | { readonly kind: 'collected'; readonly id: number; readonly text: string };

/** A worker that lived for less is restarted after a pause that doubles, up to {@link pauseMaxMs}. */
const stableMs = 10_000;
const pauseMinMs = 500;
const pauseMaxMs = 30_000;
/** How long to wait for a worker's metrics; after that its last ones are used. */
const collectMs = 2_000;
/** How often counters are also collected in the background: a killed worker loses what it has counted since. */
const countersMs = 5_000;

/** `PRIVET_WORKER` of the worker that starts alone and prints the messages for the operator. */
export const firstWorker = 'first';

/** The number of processes that `workers` requests. */
export function workerCount({ workers }: Pick<Config, 'workers'>): number {
  return workers === 'auto' ? availableParallelism() : workers;
}

/** The number of processes that share the machine's memory, as told by the parent process. */
export function workersBeside(env: Readonly<Record<string, string | undefined>>): number {
  return Number(env.PRIVET_WORKER_COUNT ?? 1);
}

type Worker = { readonly number: number; process: ChildProcess; startedAt: number; pauseMs: number };

/** A metrics collection in progress: the workers that have not answered yet. */
type Collection = { readonly missing: Set<Worker>; finish(): void };

/** Starts the workers and supervises them until {@link stop}. */
export class Workers {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #log: Log;
  readonly #workers = new Map<number, Worker>();
  readonly #collections = new Map<number, Collection>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #listening = new Set<Worker>();
  /** Workers that must reload once they listen. */
  readonly #reloading = new Set<Worker>();
  #ports: { readonly proxyPort: number; readonly apiPort: number } | undefined;
  readonly #metrics = new MetricsOfWorkers<Worker>();
  #collected = 0;
  #count = 1;
  #stopping = false;

  constructor(options: { env: Readonly<Record<string, string | undefined>>; log: Log }) {
    this.#env = options.env;
    this.#log = options.log;
  }

  /**
   * Starts `count` workers. The first one creates what is missing in the data folder and picks free ports where 0 is
   * configured; the others follow once it listens.
   * @returns the exit code of a first worker that could not start, undefined when all listen
   * @throws PrivetError `not_supported` where a port cannot be shared, the system's error when one is taken
   */
  async start(count: number, listen: Config['listen']): Promise<number | undefined> {
    if (process.platform !== 'linux')
      throw new PrivetError('not_supported', 'Several workers need Linux; set workers to 1.');
    // Processes of one user can share a port without an error, so a second gateway would silently take half of the
    // traffic.
    for (const address of [listen.proxy, listen.api, listen.proxy_tls?.listen]) if (address) await assertFree(address);
    this.#count = count;
    const exitCode = await this.#startFirst();
    if (exitCode !== undefined) return exitCode;
    for (let number = 1; number < count; number++) this.#spawn(number);
    // A worker that dies now is replaced as usual.
    while (this.#listening.size < count && !this.#stopping) await new Promise((resolve) => setTimeout(resolve, 20));
    this.#timers.add(setInterval(() => this.#askAll({ countersOnly: true }), countersMs).unref());
    return undefined;
  }

  /** Forwards a signal. SIGHUP reloads the configuration; a worker that is still starting gets it once it listens. */
  signal(name: NodeJS.Signals): void {
    for (const worker of this.#workers.values()) {
      if (name === 'SIGHUP' && !this.#listening.has(worker)) this.#reloading.add(worker);
      else worker.process.kill(name);
    }
  }

  /** Ends all workers after they have drained. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const ends = [...this.#workers.values()].map(
      ({ process: child }) => new Promise<void>((resolve) => child.once('exit', () => resolve())),
    );
    this.signal('SIGTERM');
    await Promise.all(ends);
  }

  /** Ends all workers immediately. */
  kill(): void {
    this.#stopping = true;
    this.signal('SIGKILL');
  }

  #startFirst(): Promise<number | undefined> {
    return new Promise((resolve) => {
      const { process: child } = this.#spawn(0);
      child.once('exit', (code) => resolve(code ?? 1));
      child.on('message', (message: FromWorker) => message.kind === 'listening' && resolve(undefined));
    });
  }

  #spawn(number: number, pauseMs = pauseMinMs): Worker {
    const ports = this.#ports && {
      GATEWAY_PORT: String(this.#ports.proxyPort),
      PORT: String(this.#ports.apiPort),
    };
    const child = fork(path.join(import.meta.dirname, 'main.ts'), ['serve'], {
      env: {
        ...this.#env,
        ...ports,
        PRIVET_WORKER: ports === undefined ? firstWorker : String(number),
        PRIVET_WORKER_COUNT: String(this.#count),
      },
      serialization: 'advanced',
    });
    const worker: Worker = { number, process: child, startedAt: performance.now(), pauseMs };
    this.#workers.set(number, worker);
    child.on('message', (message: FromWorker) => this.#hear(worker, message));
    child.once('exit', (code, signal) => this.#replace(worker, code, signal));
    // Either it could not be started and has no exit, or a message could not be delivered and it keeps running.
    child.on('error', (error) => {
      if (child.pid === undefined) this.#replace(worker, null, (error as NodeJS.ErrnoException).code ?? error.message);
    });
    return worker;
  }

  #replace(worker: Worker, code: number | null, signal: string | null): void {
    this.#workers.delete(worker.number);
    this.#listening.delete(worker);
    this.#reloading.delete(worker);
    this.#metrics.end(worker);
    for (const collection of this.#collections.values()) this.#hasAnswered(collection, worker);
    // A first worker that never listened ends the whole start with its own message.
    if (this.#stopping || this.#ports === undefined) return;
    const isStable = performance.now() - worker.startedAt >= stableMs;
    const pauseMs = isStable ? pauseMinMs : worker.pauseMs;
    const { number } = worker;
    this.#log.error({ event: 'worker_ended', worker: number, code, signal, pauseMs }, 'a worker ended; it is replaced');
    this.#spawnLater(number, pauseMs);
  }

  #spawnLater(number: number, pauseMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const nextMs = Math.min(pauseMs * 2, pauseMaxMs);
      try {
        this.#spawn(number, nextMs);
      } catch (error) {
        // The system is out of memory or processes; the other workers keep running.
        this.#log.error({ event: 'worker_not_started', worker: number, error, pauseMs: nextMs }, 'retrying later');
        this.#spawnLater(number, nextMs);
      }
    }, pauseMs);
    this.#timers.add(timer);
  }

  #hear(worker: Worker, message: FromWorker): void {
    if (message.kind === 'listening') {
      this.#ports ??= message;
      this.#listening.add(worker);
      if (this.#reloading.delete(worker)) worker.process.kill('SIGHUP');
    } else if (message.kind === 'collect') this.#collect(worker, message.id);
    // A response may arrive after its worker has ended.
    else if (this.#workers.get(worker.number) === worker) {
      this.#metrics.take(worker, message.id, message.metrics);
      const collection = this.#collections.get(message.id);
      if (collection !== undefined) this.#hasAnswered(collection, worker);
    }
  }

  /** Collects the metrics of every worker and returns their sum to the one that asked. */
  #collect(asker: Worker, id: number): void {
    const timer = setTimeout(() => collection.finish(), collectMs);
    const number = this.#askAll();
    const collection: Collection = {
      // A worker that has just started receives nothing before it listens.
      missing: new Set(this.#listening),
      finish: () => {
        clearTimeout(timer);
        if (!this.#collections.delete(number)) return;
        void this.#metrics.sum().then((text) => tell(asker, { kind: 'collected', id, text }));
      },
    };
    this.#collections.set(number, collection);
  }

  #askAll({ countersOnly = false } = {}): number {
    const id = ++this.#collected;
    for (const worker of this.#listening) tell(worker, { kind: 'metrics', id, countersOnly });
    return id;
  }

  #hasAnswered(collection: Collection, worker: Worker): void {
    if (collection.missing.delete(worker) && collection.missing.size === 0) collection.finish();
  }
}

function tell({ process: child }: Worker, message: ToWorker): void {
  // A worker that has just died no longer receives messages.
  if (child.connected) child.send(message, () => {});
}

function assertFree({ host, port }: Listen): Promise<void> {
  if (port === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}
