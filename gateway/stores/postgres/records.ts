/** Records and events in PostgreSQL. */
import type { ChangeEmitter } from '../changes.ts';
import { type EventPage, type EventQuery, type EventStore, eventsMax, pageLimit, type StoredEvent } from '../events.ts';
import { writtenBetween } from '../memory.ts';
import type { RecordKind, RecordSet, Records } from '../records.ts';
import type { PostgresClient } from './client.ts';

const recordsSql = (condition: string) => `
  SELECT coalesce((SELECT revision FROM privet.revisions WHERE kind = $1), 0) AS revision,
    (SELECT coalesce(jsonb_object_agg(id, value), '{}') FROM privet.records WHERE kind = $1 ${condition}) AS records`;

/** The records. */
export class PostgresRecords implements Records {
  readonly #client: PostgresClient;
  readonly #changes: ChangeEmitter;

  constructor(client: PostgresClient, changes: ChangeEmitter) {
    this.#client = client;
    this.#changes = changes;
  }

  get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    return this.#read('privet_records_get', recordsSql('AND id = ANY ($2)'), [kind, ids]);
  }

  list(kind: RecordKind): Promise<RecordSet> {
    return this.#read('privet_records_list', recordsSql(''), [kind]);
  }

  async write(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    options: { readonly ifRevision?: number } = {},
  ): Promise<number> {
    // Values travel as text, so that they come back with their members in the order in which they were written.
    const texts = [...changes].map(([id, value]) => [id, value === null ? null : JSON.stringify(value)]);
    const rows = await this.#client.query(
      'privet_records_write',
      'SELECT privet.write_records($1, $2, $3) AS revision',
      [kind, options.ifRevision ?? null, JSON.stringify(Object.fromEntries(texts))],
    );
    const revision = Number(rows[0]?.revision);
    if (revision === -1) throw writtenBetween();
    this.#changes.emit({ kind, ids: [...changes.keys()] });
    return revision;
  }

  async #read(name: string, sql: string, values: readonly unknown[]): Promise<RecordSet> {
    const row = (await this.#client.query(name, sql, values))[0];
    const texts = Object.entries((row?.records ?? {}) as Record<string, string>);
    return {
      revision: Number(row?.revision),
      records: new Map(texts.map(([id, text]) => [id, JSON.parse(text) as unknown])),
    };
  }
}

/** The events. */
export class PostgresEvents implements EventStore {
  readonly #client: PostgresClient;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    const column = (value: (event: StoredEvent) => unknown) => events.map(value);
    await this.#client.query(
      'privet_events_append',
      `INSERT INTO privet.events (at, subject, service, action, fields)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])`,
      [
        column(({ at }) => at),
        column(({ subject }) => subject),
        column(({ service }) => service),
        column(({ action }) => action),
        column(({ fields }) => JSON.stringify(fields)),
      ],
    );
  }

  async query(query: EventQuery): Promise<EventPage> {
    const limit = pageLimit(query);
    const { from, to, subject, service, action, after } = query;
    const rows = await this.#client.query(
      'privet_events_query',
      `SELECT id, at, subject, service, action, fields FROM privet.events
       WHERE ($1::bigint IS NULL OR at >= $1) AND ($2::bigint IS NULL OR at < $2) AND ($3::text IS NULL OR subject = $3)
       AND ($4::text IS NULL OR service = $4) AND ($5::text IS NULL OR action = $5) AND ($6::bigint IS NULL OR id < $6)
       ORDER BY id DESC LIMIT $7`,
      [from, to, subject, service, action, after, limit + 1].map((value) => value ?? null),
    );
    const events = rows.slice(0, limit).map((row) => ({
      at: Number(row.at),
      subject: String(row.subject),
      service: String(row.service),
      action: String(row.action),
      fields: JSON.parse(String(row.fields)) as Record<string, unknown>,
    }));
    const last = rows[limit - 1];
    return rows.length > limit && last !== undefined ? { events, next: String(last.id) } : { events };
  }

  /** Removes the oldest beyond the limit. */
  async sweep(): Promise<void> {
    const sql = 'DELETE FROM privet.events WHERE id <= (SELECT max(id) FROM privet.events) - $1';
    await this.#client.query('privet_events_sweep', sql, [eventsMax.durable]);
  }
}
