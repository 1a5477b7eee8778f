/** The events of the audit trail, kept for questions. They hold no value, no path and no header (observe/audit.ts). */

/** One event; `fields` is what the audit log writes. `at` is Unix time in milliseconds. */
export type StoredEvent = {
  readonly at: number;
  readonly subject: string;
  readonly service: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Conditions that all have to hold; times in milliseconds, `to` exclusive. */
export type EventQuery = {
  readonly from?: number;
  readonly to?: number;
  readonly subject?: string;
  readonly service?: string;
  readonly action?: string;
  /** `next` of the page before. */
  readonly after?: string;
  /** Default 100, at most 1000. */
  readonly limit?: number;
};

/** Events, the newest first; `next` is absent on the last page. */
export type EventPage = { readonly events: readonly StoredEvent[]; readonly next?: string };

/** Keeps the newest {@link eventsMax} events. */
export interface EventStore {
  append(events: readonly StoredEvent[]): Promise<void>;
  query(query: EventQuery): Promise<EventPage>;
}

/** Events beyond which the oldest are dropped, by store. */
export const eventsMax = { memory: 10_000, durable: 1_000_000 };

/** The limit of a query, within its bounds. */
export function pageLimit(query: EventQuery): number {
  return Math.max(1, Math.min(1000, Math.trunc(query.limit ?? 100)));
}

/** Whether an event meets all conditions of a query. */
export function meets(event: StoredEvent, query: EventQuery): boolean {
  return (
    (query.from === undefined || event.at >= query.from) &&
    (query.to === undefined || event.at < query.to) &&
    (query.subject === undefined || event.subject === query.subject) &&
    (query.service === undefined || event.service === query.service) &&
    (query.action === undefined || event.action === query.action)
  );
}
