/**
 * Open connections, to be counted and closed at the end. Not a Set: V8 chains the outgrown tables of a Set or Map, so
 * that with thousands of short connections a second, dead tables in the old generation keep the dead connections of
 * later ones alive until the next full collection (measured: 5 KiB a tunnel survive, and each scavenge takes 10 ms).
 */

/** Things to be kept in a {@link Roster}. */
export type Destroyable = { destroy(): void };

/** Where an item is; whoever adds one keeps this to take it out again. */
export class Seat<Item> {
  readonly item: Item;
  at: number;

  constructor(item: Item, at: number) {
    this.item = item;
    this.at = at;
  }
}

/** An unordered collection with constant-time `add` and `delete`. */
export class Roster<Item extends Destroyable> {
  private readonly seats: Seat<Item>[] = [];

  get size(): number {
    return this.seats.length;
  }

  add(item: Item): Seat<Item> {
    const seat = new Seat(item, this.seats.length);
    this.seats.push(seat);
    return seat;
  }

  /** Takes the item of the seat out; does nothing when it is not in. */
  delete(seat: Seat<Item> | undefined): void {
    if (seat === undefined || this.seats[seat.at] !== seat) return;
    const last = this.seats.pop() as Seat<Item>;
    if (last !== seat) {
      this.seats[seat.at] = last;
      last.at = seat.at;
    }
    seat.at = -1;
  }

  /** Takes all out, and returns them. */
  clear(): readonly Item[] {
    const items = this.list();
    for (const seat of this.seats) seat.at = -1;
    this.seats.length = 0;
    return items;
  }

  /** The items of this moment. */
  list(): readonly Item[] {
    return this.seats.map(({ item }) => item);
  }

  /** Destroys all; those that leave while it runs are not missed, those that come are not caught. */
  destroyAll(): void {
    for (const item of this.list()) item.destroy();
  }
}
