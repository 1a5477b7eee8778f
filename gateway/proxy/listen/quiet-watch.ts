/** Closes idle connections with a single timer: one per connection is a tenth of the cost of a short tunnel. */
import { ConnectionSet, type Destroyable, type SetEntry } from '../../http1/connection-set.ts';

/** A connection to watch. */
export type Watched = Destroyable & {
  /** Changes with every activity; without it the connection always counts as idle. */
  readonly progress?: number;
};

const looksMs = 10_000;

/** A watched item, needed to remove it. */
class Noted<Item extends Watched> {
  readonly item: Item;
  /** Number of consecutive idle checks, and the progress at that time. */
  looks = 0;
  seen: number | undefined;
  entry: SetEntry<Noted<Item>> | undefined = undefined;

  constructor(item: Item) {
    this.item = item;
    this.seen = item.progress;
  }

  destroy(): void {
    this.item.destroy();
  }
}

/** Destroys connections idle for `limitMs`, at most an eighth of it (or ten seconds) late; 0: never. */
export class QuietWatch<Item extends Watched> {
  private readonly connections = new ConnectionSet<Noted<Item>>();
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
    return this.connections.size;
  }

  add(item: Item): Noted<Item> {
    const noted = new Noted(item);
    noted.entry = this.connections.add(noted);
    if (this.limitMs > 0) this.timer ??= setInterval(() => this.look(), this.lookMs).unref();
    return noted;
  }

  /** Removes the item; does nothing if it is not watched. */
  delete(noted: Noted<Item> | undefined): void {
    this.connections.delete(noted?.entry);
  }

  /** The current items. */
  list(): readonly Item[] {
    return this.connections.list().map(({ item }) => item);
  }

  /** Destroys all items present now. Items may leave while it runs. */
  destroyAll(): void {
    this.connections.destroyAll();
  }

  private look(): void {
    if (this.connections.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    for (const noted of this.connections.list()) {
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
