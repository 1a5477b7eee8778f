/**
 * Connections that may be quiet for a limited time only. One timer looks at all of them now and then, because a timer
 * for each, pushed back with every read and write, is a tenth of what a short tunnel costs.
 */
import { type Destroyable, Roster, type Seat } from '../http1/roster.ts';

/** A connection to be watched. */
export type Watched = Destroyable & {
  /** Changes whenever something has happened; without it nothing counts. */
  readonly progress?: number;
};

const looksMs = 10_000;

/** An item under watch; whoever adds one keeps this to take it out again. */
class Noted<Item extends Watched> {
  readonly item: Item;
  /** How often it was found quiet, and its progress then. */
  looks = 0;
  seen: number | undefined;
  seat: Seat<Noted<Item>> | undefined = undefined;

  constructor(item: Item) {
    this.item = item;
    this.seen = item.progress;
  }

  destroy(): void {
    this.item.destroy();
  }
}

/** Destroys what has been quiet for `limitMs`, at most an eighth of it (or ten seconds) later; 0: never. */
export class QuietWatch<Item extends Watched> {
  private readonly roster = new Roster<Noted<Item>>();
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

  add(item: Item): Noted<Item> {
    const noted = new Noted(item);
    noted.seat = this.roster.add(noted);
    if (this.limitMs > 0) this.timer ??= setInterval(() => this.look(), this.lookMs).unref();
    return noted;
  }

  /** Takes the item out; does nothing when it is not in. */
  delete(noted: Noted<Item> | undefined): void {
    this.roster.delete(noted?.seat);
  }

  /** The items of this moment. */
  list(): readonly Item[] {
    return this.roster.list().map(({ item }) => item);
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
    for (const noted of this.roster.list()) {
      const { progress } = noted.item;
      if (progress !== noted.seen) {
        noted.seen = progress;
        noted.looks = 0;
        continue;
      }
      noted.looks++;
      if (noted.looks >= this.looksMax) noted.destroy();
    }
  }
}
