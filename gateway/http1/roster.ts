/**
 * Open connections, to be counted and closed at the end. Not a Set: V8 chains the outgrown tables of a Set or Map, so
 * that with thousands of short connections a second, dead tables in the old generation keep the dead connections of
 * later ones alive until the next full collection (measured: 5 KiB a tunnel survive, and each scavenge takes 10 ms).
 */

/** Things to be kept in a {@link Roster}. */
export type Destroyable = { destroy(): void };

type Placed = Record<symbol, number | undefined>;

/** An unordered collection with constant-time `add` and `delete`; each item remembers its place. */
export class Roster<Item extends Destroyable> {
  private readonly items: Item[] = [];
  private readonly place = Symbol('place in the roster');

  get size(): number {
    return this.items.length;
  }

  add(item: Item): void {
    (item as unknown as Placed)[this.place] = this.items.length;
    this.items.push(item);
  }

  /** Takes the item out; does nothing when it is not in. */
  delete(item: Item): void {
    const at = (item as unknown as Placed)[this.place];
    if (at === undefined || this.items[at] !== item) return;
    (item as unknown as Placed)[this.place] = undefined;
    const last = this.items.pop() as Item;
    if (last === item) return;
    this.items[at] = last;
    (last as unknown as Placed)[this.place] = at;
  }

  /** The items of this moment. */
  list(): readonly Item[] {
    return [...this.items];
  }

  /** Destroys all; those that leave while it runs are not missed, those that come are not caught. */
  destroyAll(): void {
    for (const item of this.list()) item.destroy();
  }
}
