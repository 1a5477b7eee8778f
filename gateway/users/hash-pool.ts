/**
 * Verifies passwords in worker threads: a hash takes a tenth of a second of CPU time, which must block neither requests
 * nor name lookups (which share Node's own threads).
 */
import { ThreadPool } from '../threads/thread-pool.ts';
import type { HashAnswer, HashJob } from './hash-worker.ts';

/** Time limit, for hashes with a very high cost. */
const jobMsMax = 20_000;
const failed = 'The password could not be verified.';

/** Threads are started on demand and do not keep the process alive. */
export class HashPool {
  readonly #threads = new ThreadPool<HashJob, HashAnswer>({
    script: new URL('./hash-worker.ts', import.meta.url),
    timeMs: () => jobMsMax,
    waitingMax: 1_000,
    givenUp: 'unavailable',
    sentences: { tooMany: 'Too many passwords are waiting to be verified.', tooLong: failed, tooLarge: failed, failed },
  });

  /** True if the password has this hash. Rejects with `unavailable` if too many wait or the thread fails. */
  async verify(password: string, stored: string): Promise<boolean> {
    return (await this.#threads.run({ password, stored })) === true;
  }

  /** Hashes the password. Rejects like {@link verify}. */
  async hash(password: string): Promise<string> {
    return String(await this.#threads.run({ password }));
  }
}
