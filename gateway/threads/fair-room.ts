/** Room that is shared: work that finds none waits, and the client that has had its turn longest ago goes first. */
import { PrivetError } from '../../core/errors.ts';

type Waiting = { readonly units: number; readonly round: number; enter(): void; leave(): void };

/** What {@link FairRoom} allows. */
export type RoomOptions = {
  /** Units inside at a time; work of any size may be alone. */
  readonly max: number;
  readonly waitingMax: number;
  readonly waitMs: number;
  /** The message for work that finds no room. */
  readonly message: string;
};

/** Each work takes units of the room while it is inside. */
export class FairRoom {
  readonly #options: RoomOptions;
  /** By round, then in the order of arrival. Each work of a client is a round behind the one before it. */
  readonly #waiting: Waiting[] = [];
  /** The round of each client's last work; forgotten when the room is empty. */
  readonly #rounds = new Map<string, number>();
  #inside = 0;
  #round = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /**
   * Waits for room; the result gives it back. `gone` ends the wait of a client that leaves. When too many wait, the last
   * in the line is refused: work of the client that has most.
   * @throws PrivetError `unavailable` when it is refused, or when there is no room in time.
   */
  enter(units: number, client = '', gone?: AbortSignal): Promise<() => void> {
    return new Promise((done, fail) => {
      const round = this.#roundFor(client);
      let isOver = false;
      const end = () => {
        isOver = true;
        clearTimeout(timer);
        gone?.removeEventListener('abort', waiting.leave);
      };
      const waiting: Waiting = {
        units,
        round,
        enter: () => {
          end();
          this.#inside += units;
          this.#round = Math.max(this.#round, round);
          let isHeld = true;
          done(() => {
            if (!isHeld) return;
            isHeld = false;
            this.#inside -= units;
            this.#enterNext();
          });
        },
        leave: () => {
          if (isOver) return;
          end();
          const at = this.#waiting.indexOf(waiting);
          if (at >= 0) this.#waiting.splice(at, 1);
          fail(new PrivetError('unavailable', this.#options.message));
          this.#enterNext();
        },
      };
      const { leave } = waiting;
      const timer = setTimeout(leave, this.#options.waitMs).unref();
      gone?.addEventListener('abort', leave, { once: true });
      this.#waiting.splice(this.#waiting.findLastIndex((other) => other.round <= round) + 1, 0, waiting);
      if (this.#waiting.length > this.#options.waitingMax) this.#waiting.at(-1)?.leave();
      this.#enterNext();
    });
  }

  #roundFor(client: string): number {
    const round = Math.max((this.#rounds.get(client) ?? -1) + 1, this.#round);
    this.#rounds.set(client, round);
    return round;
  }

  #enterNext(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#inside > 0 && this.#inside + next.units > this.#options.max) return;
      this.#waiting.shift();
      next.enter();
    }
    if (this.#inside === 0) this.#rounds.clear();
  }
}
