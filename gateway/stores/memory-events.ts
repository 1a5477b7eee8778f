/** Events in the memory of this process, the newest up to a limit. */
import {
  type EventBackend,
  type EventPage,
  type EventQuery,
  type EventTail,
  meets,
  pageLimit,
  type StoredEvent,
} from './events.ts';
import type { Level, Rollup } from './rollups.ts';

type Kept = { readonly n: number; readonly event: StoredEvent };

export class MemoryEvents implements EventBackend {
  readonly #keep: () => number;
  /** Newest last; ids increase by one. */
  #events: Kept[] = [];
  #count = 0;
  #rollups = new Map<string, Rollup>();

  constructor(keep: () => number) {
    this.#keep = keep;
  }

  async append(events: readonly StoredEvent[], rollups: readonly Rollup[]): Promise<void> {
    for (const event of events) this.#events.push({ n: ++this.#count, event });
    for (const rollup of rollups) this.#rollups.set(`${rollup.level} ${rollup.at} ${rollup.part}`, rollup);
    // Trim in large steps: removing from the front of a long list moves all of it.
    const keep = this.#keep();
    if (this.#events.length > keep * 1.1) this.#events = this.#events.slice(-keep);
  }

  async query(query: EventQuery): Promise<EventPage> {
    const limit = pageLimit(query);
    const events: StoredEvent[] = [];
    let last = 0;
    for (let i = this.#before(query.after) - 1; i >= 0; i--) {
      const { n, event } = this.#events[i] as Kept;
      if (!meets(event, query)) continue;
      if (events.length === limit) return { events, next: String(last) };
      events.push(event);
      last = n;
    }
    return { events };
  }

  async tail(mark: string | undefined, limit: number): Promise<EventTail> {
    const first = this.#events[0]?.n ?? this.#count + 1;
    const from = mark === undefined ? this.#count : Number(mark);
    const events = this.#events.slice(Math.max(0, from + 1 - first), Math.max(0, from + 1 - first) + limit);
    return { events: events.map(({ event }) => event), mark: String(events.at(-1)?.n ?? Math.min(from, this.#count)) };
  }

  async rollups(range: { level: Level; from: number; to: number }): Promise<Rollup[]> {
    return [...this.#rollups.values()].filter(
      ({ level, at }) => level === range.level && at >= range.from && at < range.to,
    );
  }

  async sweep(limits: { before: number; rollups: Readonly<Record<Level, number>> }): Promise<void> {
    this.#events = this.#events.filter(({ event }) => event.at >= limits.before);
    for (const [key, { level, at }] of this.#rollups) if (at < limits.rollups[level]) this.#rollups.delete(key);
  }

  /** How many events precede the cursor. */
  #before(after: string | undefined): number {
    if (after === undefined) return this.#events.length;
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as Kept).n < Number(after)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
