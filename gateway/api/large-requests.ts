/**
 * Large requests share memory and turns. A body is read only when there is room for it, whoever sends it, and only one is
 * parsed at a time, with a pause for everybody else behind it.
 */
import { PrivetError } from '../../core/errors.ts';

/** Smaller bodies are parsed within a few milliseconds. */
export const largeBodyMin = 262_144;
/** Bodies that are read or worked on at a time, in bytes; each takes up to five times as much. */
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
   * Waits for room for a body; the result gives it back. `gone` ends the wait of a client that leaves.
   * @throws PrivetError `unavailable` when too many wait, or when there is no room in time.
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
        fail(new PrivetError('unavailable', 'Too many large requests are being worked on.'));
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

  /** Lets the first ones in; one alone may be of any size. */
  #enterNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#bytes > 0 && this.#bytes + next.bytes > this.#bytesMax) return;
      this.#waiting.shift();
      next.enter();
    }
  }

  /** Resolves when it is the caller's turn to work for some ten milliseconds without a break. */
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
