/** A weighted semaphore with a fair queue: the client whose last turn is longest ago goes first. */
import { PrivetError } from '../../core/errors.ts';

type Waiting = { readonly units: number; readonly round: number; admit(): void; leave(error?: PrivetError): void };

/** Limits of a {@link FairSemaphore}. */
export type SemaphoreOptions = {
  /** Units held at a time. A single acquisition may exceed it. */
  readonly max: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** Error message if the queue is full or the wait too long. */
  readonly message: string;
};

/** The error of work whose client has disconnected. */
export function clientLeft(): PrivetError {
  return new PrivetError('bad_request', 'The client has disconnected.');
}

export class FairSemaphore {
  readonly #options: SemaphoreOptions;
  /** Ordered by round, then by arrival. Each acquisition of a client is one round after its previous one. */
  readonly #waiting: Waiting[] = [];
  /** The round of each client's last acquisition; cleared when nothing is held. */
  readonly #rounds = new Map<string, number>();
  #held = 0;
  #round = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /**
   * Waits for units; the result releases them. `gone` ends the wait when the client disconnects. If too many are
   * waiting, the last in the queue is rejected, which belongs to the client with the most waiting.
   * @throws PrivetError `unavailable` if rejected or waiting too long, `bad_request` if the client disconnects
   */
  acquire(units: number, client = '', gone?: AbortSignal): Promise<() => void> {
    return new Promise((done, fail) => {
      const round = this.#roundFor(client);
      let isOver = false;
      const end = () => {
        isOver = true;
        clearTimeout(timer);
        gone?.removeEventListener('abort', onGone);
      };
      const waiting: Waiting = {
        units,
        round,
        admit: () => {
          end();
          this.#held += units;
          this.#round = Math.max(this.#round, round);
          let isHeld = true;
          done(() => {
            if (!isHeld) return;
            isHeld = false;
            this.#held -= units;
            this.#admitNext();
          });
        },
        leave: (error = new PrivetError('unavailable', this.#options.message)) => {
          if (isOver) return;
          end();
          const at = this.#waiting.indexOf(waiting);
          if (at >= 0) this.#waiting.splice(at, 1);
          fail(error);
          this.#admitNext();
        },
      };
      const onGone = () => waiting.leave(clientLeft());
      const timer = setTimeout(() => waiting.leave(), this.#options.waitMs).unref();
      gone?.addEventListener('abort', onGone, { once: true });
      if (gone?.aborted) return onGone();
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.round <= round) + 1, 0, waiting);
      if (this.#waiting.length > this.#options.waitingMax) this.#waiting.at(-1)?.leave();
      this.#admitNext();
    });
  }

  #roundFor(client: string): number {
    const round = Math.max((this.#rounds.get(client) ?? -1) + 1, this.#round);
    this.#rounds.set(client, round);
    return round;
  }

  #admitNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#held > 0 && this.#held + next.units > this.#options.max) return;
      this.#waiting.shift();
      next.admit();
    }
    if (this.#held === 0) this.#rounds.clear();
  }
}
