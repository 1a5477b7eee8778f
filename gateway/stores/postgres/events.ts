/** Events in PostgreSQL: ordered by time, with an index per condition. */
import {
  type EventBackend,
  type EventPage,
  type EventQuery,
  type EventRow,
  type EventTail,
  eventOf,
  hostOf,
  pageLimit,
  pageOf,
  type StoredEvent,
  typesOf,
} from '../events.ts';
import { type Level, type Rollup, rollupOf } from '../rollups.ts';
import type { PostgresClient } from './client.ts';

/** The lock under which events get their ids, next to the one for the schema. */
const appendLock = 774839;
/** Maximum number of events that one page scans. */
const lookedAtMax = 20_000;
const sweptAtOnce = 5_000;
const columns = 'id, at, subject, service, action, fields';

export class PostgresEvents implements EventBackend {
  readonly #client: PostgresClient;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  async append(events: readonly StoredEvent[], rollups: readonly Rollup[]): Promise<void> {
    await this.#client.query(
      'privet_events_append',
      `WITH put AS (INSERT INTO privet.rollups (level, at, part, counts, tops)
         SELECT * FROM unnest($8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[])
         ON CONFLICT (level, at, part) DO UPDATE SET counts = excluded.counts, tops = excluded.tops)
       INSERT INTO privet.events (at, subject, service, action, host, types, fields)
       -- Ids in the order of commits: whoever follows the newest would miss those that come with smaller ones later.
       SELECT e.* FROM (SELECT pg_advisory_xact_lock(${appendLock})) AS l,
         unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS e`,
      [
        events.map(({ at }) => at),
        events.map(({ subject }) => subject),
        events.map(({ service }) => service),
        events.map(({ action }) => action),
        events.map(hostOf),
        events.map(typesOf),
        events.map(({ fields }) => JSON.stringify(fields)),
        rollups.map(({ level }) => level),
        rollups.map(({ at }) => at),
        rollups.map(({ part }) => part),
        rollups.map(({ counts }) => JSON.stringify(counts)),
        rollups.map(({ tops }) => JSON.stringify(tops)),
      ],
    );
  }

  /**
   * Scans the index of the condition that is likely to match fewest; with further conditions it stops after {@link
   * lookedAtMax} entries, and the page is short.
   */
  async query(query: EventQuery): Promise<EventPage> {
    const limit = pageLimit(query);
    const { subject, host, type, service, action, from, to, after } = query;
    const values: unknown[] = [];
    const sql = (text: string, value: unknown) => text.replace('?', () => `$${values.push(value)}`);
    const equal = { subject, host, service, action };
    const conditions = Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [{ column, sql: sql(`${column} = ?`, value) }],
    );
    const [along = 'true', filters] = split(conditions, type, sql);
    const [at, id] = after?.split('.') ?? [];
    const reach = [
      along,
      ...(from === undefined ? [] : [sql('at >= ?', from)]),
      ...(to === undefined ? [] : [sql('at < ?', to)]),
      ...(at === undefined ? [] : [`(at, id) < (${sql('?::bigint', at)}, ${sql('?::bigint', id)})`]),
    ].join(' AND ');
    const order = 'ORDER BY at DESC, id DESC';
    const most = sql('?', limit + 1);
    const text =
      filters.length === 0
        ? `SELECT ${columns} FROM privet.events WHERE ${reach} ${order} LIMIT ${most}`
        : `WITH looked AS MATERIALIZED (SELECT at, id FROM privet.events WHERE ${reach} ${order}
             OFFSET ${lookedAtMax - 1} LIMIT 1)
           SELECT ${columns}, looked_at, looked_id FROM (SELECT ${columns}, NULL::bigint AS looked_at, NULL::bigint AS looked_id
             FROM privet.events WHERE ${reach} AND ${filters.join(' AND ')}
             AND (at, id) >= (coalesce((SELECT at FROM looked), 0), coalesce((SELECT id FROM looked), 0)) ${order} LIMIT ${most}) AS found
           UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL, at, id FROM looked`;
    const name = `privet_events_query ${Object.keys(query)
      .filter((key) => query[key as keyof EventQuery] !== undefined)
      .sort()
      // PostgreSQL truncates names at 63 bytes; two letters are enough to tell the keys apart.
      .map((key) => key.slice(0, 2))
      .join(' ')}`;
    const all = await this.#client.query(name, text, values);
    const rows = all.filter((row) => row.id !== null);
    const end = all.find((row) => row.id === null);
    return pageOf(rows as EventRow[], limit, end && { at: end.looked_at, id: end.looked_id });
  }

  async tail(mark: string | undefined, limit: number): Promise<EventTail> {
    if (mark === undefined) {
      const rows = await this.#client.query(
        'privet_events_mark',
        'SELECT coalesce(max(id), 0) AS id FROM privet.events',
        [],
      );
      return { events: [], mark: String(rows[0]?.id ?? 0) };
    }
    const sql = `SELECT ${columns} FROM privet.events WHERE id > $1 ORDER BY id LIMIT $2`;
    const rows = await this.#client.query('privet_events_tail', sql, [mark, limit]);
    return { events: (rows as EventRow[]).map(eventOf), mark: String(rows.at(-1)?.id ?? mark) };
  }

  async rollups({ level, from, to }: { level: Level; from: number; to: number }, tops: boolean): Promise<Rollup[]> {
    const sql = `SELECT at, part, counts${tops ? ', tops' : ''} FROM privet.rollups WHERE level = $1 AND at >= $2 AND at < $3`;
    const rows = await this.#client.query(`privet_rollups_${tops}`, sql, [level, from, to]);
    return rows.map((row) => rollupOf(level, row));
  }

  async sweep(limits: { keep: number; before: number; rollups: Readonly<Record<Level, number>> }): Promise<void> {
    const surplus = `DELETE FROM privet.events WHERE id IN (SELECT id FROM privet.events
      WHERE id <= (SELECT max(id) FROM privet.events) - $1 ORDER BY id LIMIT ${sweptAtOnce}) RETURNING id`;
    const old = `DELETE FROM privet.events WHERE id IN (SELECT id FROM privet.events WHERE at < $1 ORDER BY at LIMIT ${sweptAtOnce}) RETURNING id`;
    while ((await this.#client.query('privet_events_surplus', surplus, [limits.keep])).length === sweptAtOnce);
    while ((await this.#client.query('privet_events_old', old, [limits.before])).length === sweptAtOnce);
    for (const [level, before] of Object.entries(limits.rollups)) {
      const sql = 'DELETE FROM privet.rollups WHERE level = $1 AND at < $2';
      await this.#client.query('privet_rollups_sweep', sql, [level, before]);
    }
  }
}

/** The condition whose index is scanned, and the filters for each event. */
function split(
  conditions: readonly { readonly column: string; readonly sql: string }[],
  type: string | undefined,
  sql: (text: string, value: unknown) => string,
): [along: string | undefined, filters: string[]] {
  const [first, ...others] = conditions;
  if (type === undefined) return [first?.sql, others.map((one) => one.sql)];
  const holdsType = sql('strpos(types, ?) > 0', `,${type},`);
  if (first?.column === 'subject' || first?.column === 'host')
    return [first.sql, [holdsType, ...others.map((one) => one.sql)]];
  return ["types <> ''", [holdsType, ...conditions.map((one) => one.sql)]];
}
