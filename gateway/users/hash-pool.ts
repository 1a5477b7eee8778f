/**
 * Compares passwords in threads of their own: a hash takes a tenth of a second of pure computing, and neither requests
 * nor name look-ups (which share node's own threads) may wait for it.
 */
import { ThreadPool } from '../threads/thread-pool.ts';
import type { HashAnswer, HashJob } from './hash-worker.ts';

/** A hash with a very high cost; what takes longer is given up. */
const jobMsMax = 20_000;
const failed = 'The password could not be compared.';

/** Threads start when they are needed and do not keep the process alive. */
export class HashPool {
  readonly #threads = new ThreadPool<HashJob, HashAnswer>({
    script: new URL('./hash-worker.ts', import.meta.url),
    timeMs: () => jobMsMax,
    waitingMax: 1_000,
    givenUp: 'unavailable',
    sentences: { tooMany: 'Too many passwords wait to be compared.', tooLong: failed, tooLarge: failed, failed },
  });

  /** Whether the password has this hash. Rejects with `unavailable` when too many wait or the thread fails. */
  async verify(password: string, stored: string): Promise<boolean> {
    return (await this.#threads.run({ password, stored })) === true;
  }

  /** A new hash of the password. Rejects as {@link verify}. */
  async hash(password: string): Promise<string> {
    return String(await this.#threads.run({ password }));
  }
}
