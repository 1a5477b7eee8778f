/** Events in SQLite: ordered by time, with an index per condition. */
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
import type { SqliteDatabase } from './database.ts';

/** Maximum number of events that one page scans: SQLite blocks the event loop. */
const lookedAtMax = 20_000;
/** Events dropped in one turn. */
const sweptAtOnce = 2_000;

type Sql = { readonly sql: string; readonly value?: string };
/** `along`: the condition that all scanned index entries meet; `filter`: an additional check for each of them. */
type Condition = { readonly index: string; readonly along: Sql; readonly filter?: Sql };
type Position = { readonly at: number; readonly id: number };

export class SqliteEvents implements EventBackend {
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  append(events: readonly StoredEvent[], rollups: readonly Rollup[]): Promise<void> {
    return this.#db.write(() => {
      const insert = this.#db.prepare(
        'INSERT INTO events (at, subject, service, action, host, types, fields) VALUES (?, ?, ?, ?, ?, ?, ?)',
      );
      for (const event of events) {
        const { at, subject, service, action, fields } = event;
        insert.run(at, subject, service, action, hostOf(event), typesOf(event), JSON.stringify(fields));
      }
      const put = this.#db.prepare(
        'INSERT OR REPLACE INTO rollups (level, at, part, counts, tops) VALUES (?, ?, ?, ?, ?)',
      );
      for (const { level, at, part, counts, tops } of rollups) {
        put.run(level, at, part, JSON.stringify(counts), JSON.stringify(tops));
      }
    });
  }

  /**
   * Scans the index of the condition that is likely to match fewest; with further conditions it stops after {@link
   * lookedAtMax} entries, and the page is short.
   */
  query(query: EventQuery): Promise<EventPage> {
    const limit = pageLimit(query);
    const [first = everything, ...others] = conditionsOf(query);
    const filters = [first.filter, ...others.map(({ along, filter }) => filter ?? along)].filter(
      (one) => one !== undefined,
    );
    const start = positionOf(query.after);
    // One bound per side: SQLite uses only the first bound for the index and merely compares the others.
    const reach = (from: number) => ({
      sql: `FROM events INDEXED BY ${first.index} WHERE ${first.along.sql} AND at >= ? AND at <= ? AND (at < ? OR id < ?)`,
      values: [
        ...valuesOf([first.along]),
        from,
        Math.min(start.at, (query.to ?? Number.MAX_SAFE_INTEGER) - 1),
        start.at,
        start.id,
      ],
    });
    const from = query.from ?? 0;
    const order = 'ORDER BY at DESC, id DESC';
    return this.#db.read(() => {
      const whole = reach(from);
      const end =
        filters.length === 0
          ? undefined
          : (this.#db
              .prepare(`SELECT at, id ${whole.sql} ${order} LIMIT 1 OFFSET ${lookedAtMax - 1}`)
              .get(...whole.values) as Position | undefined);
      const part = reach(end?.at ?? from);
      const rows = this.#db
        .prepare(
          `SELECT id, at, subject, service, action, fields ${part.sql}
           ${filters.map(({ sql }) => `AND ${sql}`).join(' ')} AND (at > ? OR id >= ?) ${order} LIMIT ?`,
        )
        .all(...part.values, ...valuesOf(filters), ...[end?.at ?? 0, end?.id ?? 0, limit + 1]) as unknown as EventRow[];
      return pageOf(rows, limit, end);
    });
  }

  tail(mark: string | undefined, limit: number): Promise<EventTail> {
    return this.#db.read(() => {
      if (mark === undefined) {
        const newest = this.#db.prepare('SELECT max(id) AS id FROM events').get()?.id ?? 0;
        return { events: [], mark: String(newest) };
      }
      const rows = this.#db
        .prepare('SELECT id, at, subject, service, action, fields FROM events WHERE id > ? ORDER BY id LIMIT ?')
        .all(Number(mark), limit) as unknown as EventRow[];
      return { events: rows.map(eventOf), mark: String(rows.at(-1)?.id ?? mark) };
    });
  }

  rollups({ level, from, to }: { level: Level; from: number; to: number }, tops: boolean): Promise<Rollup[]> {
    const columns = tops ? 'at, part, counts, tops' : 'at, part, counts';
    return this.#db.read(() => {
      const rows = this.#db
        .prepare(`SELECT ${columns} FROM rollups WHERE level = ? AND at >= ? AND at < ?`)
        .all(level, from, to);
      return rows.map((row) => rollupOf(level, row));
    });
  }

  async sweep(limits: { keep: number; before: number; rollups: Readonly<Record<Level, number>> }): Promise<void> {
    let dropped: number;
    do {
      dropped = await this.#db.write(() => {
        const newest = Number(this.#db.prepare('SELECT max(id) AS id FROM events').get()?.id ?? 0);
        const surplus = this.#db.prepare(
          'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE id <= ? ORDER BY id LIMIT ?)',
        );
        const old = this.#db.prepare(
          'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? ORDER BY at LIMIT ?)',
        );
        const first = Number(surplus.run(newest - limits.keep, sweptAtOnce).changes);
        return first + Number(old.run(limits.before, sweptAtOnce - first).changes);
      });
    } while (dropped === sweptAtOnce);
    await this.#db.write(() => {
      const drop = this.#db.prepare('DELETE FROM rollups WHERE level = ? AND at < ?');
      for (const [level, before] of Object.entries(limits.rollups)) drop.run(level, before);
    });
  }
}

const everything: Condition = { index: 'events_at', along: { sql: 'true' } };

/** The conditions, those that match fewest first. */
function conditionsOf({ subject, host, type, service, action }: EventQuery): Condition[] {
  const equal = (column: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [{ index: `events_${column}`, along: { sql: `${column} = ?`, value } }];
  const holdsType: Condition = {
    index: 'events_types',
    along: { sql: "types <> ''" },
    filter: { sql: 'instr(types, ?) > 0', value: `,${type},` },
  };
  return [
    ...equal('subject', subject),
    ...equal('host', host),
    ...(type === undefined ? [] : [holdsType]),
    ...equal('service', service),
    ...equal('action', action),
  ];
}

function valuesOf(parts: readonly Sql[]): string[] {
  return parts.flatMap(({ value }) => (value === undefined ? [] : [value]));
}

/** Parses a cursor `at.id`. */
function positionOf(after: string | undefined): Position {
  const [at = Number.MAX_SAFE_INTEGER, id = 0] = after?.split('.').map(Number) ?? [];
  return { at, id };
}
