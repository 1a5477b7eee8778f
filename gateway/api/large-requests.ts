/**
 * Limits the memory and time of large requests. A body is read only when the shared budget has space for it; one is
 * parsed at a time, followed by a pause in which other requests run.
 */
import { PrivetError } from '../../core/errors.ts';

/** Smaller bodies are parsed within a few milliseconds. */
export const largeBodyMin = 262_144;
/** Total size of the bodies being read or processed, in bytes; each takes up to five times as much memory. */
const bytesMaxDefault = 48 * 1024 * 1024;
const waitingMaxDefault = 32;
const waitMsDefault = 10_000;
/** From the start of one turn to the next. Parsing 10 MiB takes half of it. */
const turnMs = 60;

type Waiting = { readonly bytes: number; enter(): void };

/** One for all large requests of a listener. */
export class LargeRequests {
  readonly #bytesMax: number;
  readonly #waitingMax: number;
  readonly #waitMs: number;
  #bytes = 0;
  readonly #waiting: Waiting[] = [];
  readonly #turns: (() => void)[] = [];
  #isTurn = false;

  constructor(options: { readonly bytesMax?: number; readonly waitingMax?: number; readonly waitMs?: number } = {}) {
    this.#bytesMax = options.bytesMax ?? bytesMaxDefault;
    this.#waitingMax = options.waitingMax ?? waitingMaxDefault;
    this.#waitMs = options.waitMs ?? waitMsDefault;
  }

  /**
   * Waits until the budget has space for a body; the result releases it. `gone` ends the wait when the client leaves.
   * @throws PrivetError `unavailable` when too many are waiting, or after the time limit.
   */
  admit(bytes: number, gone: AbortSignal): Promise<() => void> {
    return new Promise((done, fail) => {
      let isOver = false;
      const waiting: Waiting = {
        bytes,
        enter: () => {
          isOver = true;
          clearTimeout(timer);
          gone.removeEventListener('abort', leave);
          this.#bytes += bytes;
          let isHeld = true;
          done(() => {
            if (isHeld) this.#bytes -= bytes;
            isHeld = false;
            this.#enterNext();
          });
        },
      };
      const leave = () => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        fail(new PrivetError('unavailable', 'Too many large requests are being processed.'));
        this.#enterNext();
      };
      const timer = setTimeout(leave, this.#waitMs).unref();
      gone.addEventListener('abort', leave, { once: true });
      if (this.#waiting.length >= this.#waitingMax) leave();
      else {
        this.#waiting.push(waiting);
        this.#enterNext();
      }
    });
  }

  /** Admits waiting bodies in order. A single body may exceed the budget. */
  #enterNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#bytes > 0 && this.#bytes + next.bytes > this.#bytesMax) return;
      this.#waiting.shift();
      next.enter();
    }
  }

  /** Resolves when the caller may block the event loop for some ten milliseconds. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#turns.push(resolve);
      if (!this.#isTurn) this.#nextTurn();
    });
  }

  readonly #nextTurn = (): void => {
    const next = this.#turns.shift();
    this.#isTurn = next !== undefined;
    if (next === undefined) return;
    next();
    setTimeout(this.#nextTurn, turnMs);
  };
}
