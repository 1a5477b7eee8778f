/**
 * Compares passwords in threads of its own: a hash takes a tenth of a second of pure computing, and neither requests nor
 * name look-ups (which share node's own threads) may wait for it.
 */
import { Worker } from 'node:worker_threads';
import { PrivetError } from '../../core/errors.ts';
import type { HashAnswer, HashJob } from './hash-worker.ts';

type Waiting = {
  readonly job: HashJob;
  readonly done: (answer: HashAnswer) => void;
  readonly fail: (error: PrivetError) => void;
};

const threadsMax = 2;
const waitingMax = 1_000;
/** A thread without work is ended after this time in milliseconds. */
const idleMs = 30_000;
/** A hash with a very high cost; what takes longer is given up. */
const jobMsMax = 20_000;

/** Threads start when they are needed and do not keep the process alive. */
export class HashPool {
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiting: Waiting[] = [];
  #busy = 0;

  /** Whether the password has this hash. Rejects with `unavailable` when too many wait or the thread fails. */
  async verify(password: string, stored: string): Promise<boolean> {
    return (await this.#run({ password, stored })).matches === true;
  }

  /** A new hash of the password. Rejects as {@link verify}. */
  async hash(password: string): Promise<string> {
    return (await this.#run({ password })).made as string;
  }

  #run(job: HashJob): Promise<HashAnswer> {
    return new Promise((done, fail) => {
      if (this.#waiting.length >= waitingMax) {
        fail(new PrivetError('unavailable', 'Too many passwords wait to be compared.'));
        return;
      }
      this.#waiting.push({ job, done, fail });
      this.#next();
    });
  }

  #next(): void {
    if (this.#busy >= threadsMax) return;
    const waiting = this.#waiting.shift();
    if (!waiting) return;
    this.#busy++;
    const idle = this.#idle.pop();
    clearTimeout(idle?.timer);
    const worker = idle?.worker ?? new Worker(new URL('./hash-worker.ts', import.meta.url));
    worker.ref();
    const finish = (answer: HashAnswer | undefined) => {
      clearTimeout(timer);
      for (const name of ['message', 'error', 'exit'] as const) worker.removeAllListeners(name);
      this.#busy--;
      if (answer === undefined) void worker.terminate();
      else this.#keep(worker);
      this.#next();
      if (answer === undefined || answer.failed) {
        waiting.fail(new PrivetError('unavailable', 'The password could not be compared.'));
      } else {
        waiting.done(answer);
      }
    };
    const timer = setTimeout(() => finish(undefined), jobMsMax);
    worker.once('message', finish);
    worker.once('error', () => finish(undefined));
    worker.once('exit', () => finish(undefined));
    worker.postMessage(waiting.job);
  }

  #keep(worker: Worker): void {
    worker.unref();
    worker.on('error', () => {});
    const entry = {
      worker,
      timer: setTimeout(() => {
        this.#idle.splice(this.#idle.indexOf(entry), 1);
        void worker.terminate();
      }, idleMs).unref(),
    };
    this.#idle.push(entry);
  }
}
