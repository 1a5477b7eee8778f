/** Audit events, stored for queries. They contain no values, paths or headers (observe/audit.ts). */
import { dayMs } from '../durations.ts';
import {
  type EventStats,
  type Rollup,
  RollupWriter,
  type StatsQuery,
  type StoredEvent,
  statsFrom,
  statsPlan,
} from './rollups.ts';

export type { StoredEvent } from './rollups.ts';

/** Conditions that must all match; times in milliseconds, `to` exclusive. */
export type EventConditions = {
  readonly from?: number;
  readonly to?: number;
  readonly subject?: string;
  readonly service?: string;
  readonly action?: string;
  readonly host?: string;
  /** A PII type found in the request. */
  readonly type?: string;
};

/** Conditions and a page. */
export type EventQuery = EventConditions & {
  /** `next` of the previous page. */
  readonly after?: string;
  /** Default 100, at most 1000. */
  readonly limit?: number;
};

/**
 * Events, newest first; `next` is absent on the last page. A page may be short although there is a next one, when few
 * of many events match: each page scans a limited number.
 */
export type EventPage = { readonly events: readonly StoredEvent[]; readonly next?: string };

/** Events in the order they were written, and where to continue. */
export type EventTail = { readonly events: readonly StoredEvent[]; readonly mark: string };

/** Retention: the newest events up to a number, none older than a time in milliseconds. */
export type Retention = { readonly keep: number; readonly ms: number };

/** Stores events and their counts over time. */
export interface EventStore {
  append(events: readonly StoredEvent[]): Promise<void>;
  query(query: EventQuery): Promise<EventPage>;
  /** Events written after a mark, at most `limit`; without a mark only the current mark. */
  tail(mark: string | undefined, limit: number): Promise<EventTail>;
  /** Counts for a period; equally fast with a million events as with ten. */
  stats(query: StatsQuery): Promise<EventStats>;
  /** Drops what exceeds the retention. */
  sweep(): Promise<void>;
}

/** The back end operations that an {@link EventLog} needs. */
export interface EventBackend {
  /** Writes events and replaces rollups with the same level, time and part: all or nothing. */
  append(events: readonly StoredEvent[], rollups: readonly Rollup[]): Promise<void>;
  query(query: EventQuery): Promise<EventPage>;
  tail(mark: string | undefined, limit: number): Promise<EventTail>;
  /** Rollups that begin within the period. `tops: false`: counts only. */
  rollups(
    range: Pick<Rollup, 'level'> & { readonly from: number; readonly to: number },
    tops: boolean,
  ): Promise<Rollup[]>;
  /** Drops events beyond `keep` or before `before`, and rollups before the given time per level. */
  sweep(limits: {
    readonly keep: number;
    readonly before: number;
    readonly rollups: Readonly<Record<Rollup['level'], number>>;
  }): Promise<void>;
}

/** Default retention by store. */
export const eventsMax = { memory: 10_000, durable: 1_000_000 };
/** Default retention time of events, in milliseconds. */
export const eventsMs = 90 * dayMs;
/** Counts per minute are kept for two days. */
export const minutesKeptMs = 2 * dayMs;

/** An event store on top of a back end: it computes the rollups that the back end writes together with the events. */
export class EventLog implements EventStore {
  readonly #backend: EventBackend;
  readonly #retention: () => Retention;
  readonly #now: () => number;
  readonly #writer = new RollupWriter();
  #last: Promise<unknown> = Promise.resolve();

  constructor(backend: EventBackend, options: { readonly retention: () => Retention; readonly now: () => number }) {
    this.#backend = backend;
    this.#retention = options.retention;
    this.#now = options.now;
  }

  /** One at a time, because each rollup is written as a whole. */
  append(events: readonly StoredEvent[]): Promise<void> {
    const written = this.#last.then(async () => {
      const { rollups, commit } = this.#writer.stage(events);
      await this.#backend.append(events, rollups);
      commit();
    });
    this.#last = written.catch(() => {});
    return written;
  }

  query(query: EventQuery): Promise<EventPage> {
    return this.#backend.query(query);
  }

  tail(mark: string | undefined, limit: number): Promise<EventTail> {
    return this.#backend.tail(mark, limit);
  }

  async stats(query: StatsQuery): Promise<EventStats> {
    const plan = statsPlan(query);
    const [series, ...tops] = await Promise.all([
      this.#backend.rollups(plan.series, false),
      ...plan.tops.map((range) => this.#backend.rollups(range, true)),
    ]);
    return statsFrom(plan, series, tops.flat());
  }

  sweep(): Promise<void> {
    const { keep, ms } = this.#retention();
    const now = this.#now();
    const before = now - ms;
    const minute = Math.max(before, now - minutesKeptMs);
    return this.#backend.sweep({ keep, before, rollups: { minute, hour: before, day: before - dayMs } });
  }
}

export type EventRow = Readonly<Record<'at' | 'id' | 'subject' | 'service' | 'action' | 'fields', unknown>>;

export function eventOf({ at, subject, service, action, fields }: EventRow): StoredEvent {
  return {
    at: Number(at),
    subject: String(subject),
    service: String(service),
    action: String(action),
    fields: JSON.parse(String(fields)) as Record<string, unknown>,
  };
}

/** A page of rows, of which one more than `limit` were read; `end` is where the scan stopped. */
export function pageOf(
  rows: readonly EventRow[],
  limit: number,
  end: Pick<EventRow, 'at' | 'id'> | undefined,
): EventPage {
  const last = rows.length > limit ? rows[limit - 1] : end;
  const events = rows.slice(0, limit).map(eventOf);
  return last === undefined ? { events } : { events, next: `${last.at}.${last.id}` };
}

/** The limit of a query, clamped to its bounds. */
export function pageLimit(query: EventQuery): number {
  return Math.max(1, Math.min(1000, Math.trunc(query.limit ?? 100)));
}

export function hostOf({ fields }: StoredEvent): string {
  return typeof fields.host === 'string' ? fields.host : '';
}

/** The PII types of an event as one comma-delimited text, `,EMAIL,PHONE,`; '' for none. */
export function typesOf({ fields }: StoredEvent): string {
  if (fields.piiTypes === null || typeof fields.piiTypes !== 'object') return '';
  const types = Object.keys(fields.piiTypes);
  return types.length === 0 ? '' : `,${types.join(',')},`;
}

export function meets(event: StoredEvent, query: EventConditions): boolean {
  return (
    (query.from === undefined || event.at >= query.from) &&
    (query.to === undefined || event.at < query.to) &&
    (query.subject === undefined || event.subject === query.subject) &&
    (query.service === undefined || event.service === query.service) &&
    (query.action === undefined || event.action === query.action) &&
    (query.host === undefined || hostOf(event) === query.host) &&
    (query.type === undefined || typesOf(event).includes(`,${query.type},`))
  );
}
