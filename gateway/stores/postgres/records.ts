/** Records in PostgreSQL. */
import { AnnouncedRecords, type ChangeEmitter } from '../changes.ts';
import type { RecordKind, RecordSet } from '../records.ts';
import type { PostgresClient } from './client.ts';

const recordsSql = (condition: string) => `
  SELECT coalesce((SELECT revision FROM privet.revisions WHERE kind = $1), 0) AS revision,
    (SELECT coalesce(jsonb_object_agg(id, value), '{}') FROM privet.records WHERE kind = $1 ${condition}) AS records`;

export class PostgresRecords extends AnnouncedRecords {
  readonly #client: PostgresClient;

  constructor(client: PostgresClient, changes: ChangeEmitter) {
    super(changes);
    this.#client = client;
  }

  get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    return this.#read('privet_records_get', recordsSql('AND id = ANY ($2)'), [kind, ids]);
  }

  list(kind: RecordKind): Promise<RecordSet> {
    return this.#read('privet_records_list', recordsSql(''), [kind]);
  }

  protected async put(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    ifRevision: number | undefined,
  ): Promise<number | undefined> {
    // Values are sent as text, so that the order of their members is kept.
    const texts = [...changes].map(([id, value]) => [id, value === null ? null : JSON.stringify(value)]);
    const rows = await this.#client.query(
      'privet_records_write',
      'SELECT privet.write_records($1, $2, $3) AS revision',
      [kind, ifRevision ?? null, JSON.stringify(Object.fromEntries(texts))],
    );
    const revision = Number(rows[0]?.revision);
    return revision === -1 ? undefined : revision;
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
