/** Records in SQLite. */
import { AnnouncedRecords, type ChangeEmitter } from '../changes.ts';
import type { RecordKind, RecordSet } from '../records.ts';
import type { SqliteDatabase } from './database.ts';

/** Changes of other processes are detected by {@link SqliteRecords.poll}. */
export class SqliteRecords extends AnnouncedRecords {
  readonly #db: SqliteDatabase;
  /** The connection that was checked last, and its counter of other processes' writes. */
  #state: string | undefined;
  readonly #seen = new Map<string, number>();

  constructor(db: SqliteDatabase, changes: ChangeEmitter) {
    super(changes);
    this.#db = db;
  }

  get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    return this.#db.read(() => {
      // Read the revision first: anything another process writes after it is a conflict, so none is missed.
      const revision = this.#revision(kind);
      const one = this.#db.prepare('SELECT value FROM records WHERE kind = ? AND id = ?');
      const records = new Map<string, unknown>();
      for (const id of ids) {
        const row = one.get(kind, id);
        if (row !== undefined) records.set(id, JSON.parse(String(row.value)));
      }
      return { revision, records };
    });
  }

  list(kind: RecordKind): Promise<RecordSet> {
    return this.#db.read(() => {
      const revision = this.#revision(kind);
      const rows = this.#db.prepare('SELECT id, value FROM records WHERE kind = ?').all(kind);
      const records = new Map(rows.map(({ id, value }) => [String(id), JSON.parse(String(value)) as unknown]));
      return { revision, records };
    });
  }

  protected put(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    ifRevision: number | undefined,
  ): Promise<number | undefined> {
    return this.#db.write(() => {
      const before = this.#revision(kind);
      if (ifRevision !== undefined && ifRevision !== before) return undefined;
      const put = this.#db.prepare(
        'INSERT INTO records (kind, id, value) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value',
      );
      const remove = this.#db.prepare('DELETE FROM records WHERE kind = ? AND id = ?');
      for (const [id, value] of changes) {
        if (value === null) remove.run(kind, id);
        else put.run(kind, id, JSON.stringify(value));
      }
      this.#db
        .prepare(
          'INSERT INTO revisions (kind, revision) VALUES (?, 1) ON CONFLICT (kind) DO UPDATE SET revision = revision + 1',
        )
        .run(kind);
      return before + 1;
    });
  }

  /** Reports what other processes have written since the last call; nearly free when there is nothing. */
  async poll(): Promise<void> {
    await this.#db.read(() => {
      // The counter starts at the same number in every connection, so it cannot be compared across connections.
      const state = `${this.#db.connections} ${this.#db.prepare('PRAGMA data_version').get()?.data_version}`;
      if (state === this.#state) return;
      const isFirst = this.#state === undefined;
      const revisions = this.#db.prepare('SELECT kind, revision FROM revisions').all();
      this.#state = state;
      for (const row of revisions) {
        const kind = String(row.kind) as RecordKind;
        const revision = Number(row.revision);
        if (this.#seen.get(kind) === revision) continue;
        this.#seen.set(kind, revision);
        if (!isFirst) this.changes.emit({ kind });
      }
    });
  }

  #revision(kind: RecordKind): number {
    return Number(this.#db.prepare('SELECT revision FROM revisions WHERE kind = ?').get(kind)?.revision ?? 0);
  }
}
