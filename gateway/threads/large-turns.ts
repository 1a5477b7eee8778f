/** Work that blocks the main thread for tens of milliseconds: one job at a time, fair by client, with pauses. */
import { FairSemaphore } from './fair-semaphore.ts';
import type { JobClient } from './thread-pool.ts';

/** Length from which on the bodies of calls get such turns, in bytes; smaller ones are parsed within a few milliseconds. */
export const largeBodyMin = 262_144;

/** Minimum pause between turns: parsing 10 MiB takes half as long, and longer on a busy machine. */
const pauseMs = 60;

/** Runs blocking work: the client whose last turn is longest ago goes first. */
export class LargeTurns {
  readonly #semaphore = new FairSemaphore({
    max: 1,
    waitingMax: 256,
    waitMs: 120_000,
    message: 'Too many large requests are being processed.',
  });

  /** Does the work when it is its turn; rejects with its error, or like {@link FairSemaphore.acquire}. */
  async turn<T>(work: () => T, { client, gone }: JobClient = {}): Promise<T> {
    const release = await this.#semaphore.acquire(1, client, gone);
    const started = performance.now();
    try {
      return work();
    } finally {
      setTimeout(release, Math.max(pauseMs, 2 * (performance.now() - started)));
    }
  }
}
