/**
 * Connections that may be quiet for a limited time only. One timer looks at all of them now and then, because a timer
 * for each, pushed back with every read and write, is a tenth of what a short tunnel costs.
 */
import { type Destroyable, Roster } from '../http1/roster.ts';

/** A connection to be watched. */
export type Watched = Destroyable & {
  /** Changes whenever something has happened; without it nothing counts. */
  readonly progress?: number;
};

const looksMs = 10_000;
const looks = Symbol('quiet looks');
const seen = Symbol('progress at the last look');
type Noted = { [looks]?: number; [seen]?: number };

/** Destroys what has been quiet for `limitMs`, at most an eighth of it (or ten seconds) later; 0: never. */
export class QuietWatch<Item extends Watched> {
  private readonly roster = new Roster<Item>();
  private readonly limitMs: number;
  private readonly lookMs: number;
  private readonly looksMax: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.limitMs = limitMs;
    this.lookMs = Math.max(10, Math.min(looksMs, Math.ceil(limitMs / 8)));
    this.looksMax = Math.ceil(limitMs / this.lookMs) + 1;
  }

  get size(): number {
    return this.roster.size;
  }

  add(item: Item): void {
    (item as Noted)[looks] = 0;
    (item as Noted)[seen] = item.progress;
    this.roster.add(item);
    if (this.limitMs > 0) this.timer ??= setInterval(() => this.look(), this.lookMs).unref();
  }

  /** Takes the item out; does nothing when it is not in. */
  delete(item: Item): void {
    this.roster.delete(item);
  }

  /** The items of this moment. */
  list(): readonly Item[] {
    return this.roster.list();
  }

  /** Destroys all; those that leave while it runs are not missed, those that come are not caught. */
  destroyAll(): void {
    this.roster.destroyAll();
  }

  private look(): void {
    if (this.roster.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    for (const item of this.roster.list()) {
      const noted = item as Noted;
      const { progress } = item;
      if (progress !== noted[seen]) {
        noted[seen] = progress;
        noted[looks] = 0;
        continue;
      }
      const count = (noted[looks] ?? 0) + 1;
      noted[looks] = count;
      if (count >= this.looksMax) item.destroy();
    }
  }
}
