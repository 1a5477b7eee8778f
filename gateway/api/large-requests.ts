/**
 * Limits the memory and time of large requests. A body is read only when the shared budget has space for it; one is
 * parsed at a time, followed by a pause in which other requests run.
 */
import { FairRoom } from '../threads/fair-room.ts';

/** Smaller bodies are parsed within a few milliseconds. */
export const largeBodyMin = 262_144;
/** Total size of the bodies being read or processed, in bytes; each takes up to five times as much memory. */
const bytesMax = 48 * 1024 * 1024;
const waitingMax = 32;
const waitMs = 10_000;
/** From the end of one turn to the next, at least: parsing 10 MiB takes half as long, and longer on a busy machine. */
const pauseMs = 60;

/** One for all large requests of a listener. */
export class LargeRequests {
  readonly #room = new FairRoom({
    max: bytesMax,
    waitingMax,
    waitMs,
    message: 'Too many large requests are being worked on.',
  });
  readonly #turns: (() => void)[] = [];
  #isTurn = false;

  /** Waits for room for a body; see {@link FairRoom.enter}. */
  admit(bytes: number, gone: AbortSignal): Promise<() => void> {
    return this.#room.enter(bytes, undefined, gone);
  }

  /** Does the work, some ten milliseconds without a break, when it is its turn. */
  turn<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#turns.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (!this.#isTurn) this.#nextTurn();
    });
  }

  readonly #nextTurn = (): void => {
    const next = this.#turns.shift();
    this.#isTurn = next !== undefined;
    if (next === undefined) return;
    const started = performance.now();
    next();
    setTimeout(this.#nextTurn, Math.max(pauseMs, 2 * (performance.now() - started)));
  };
}
