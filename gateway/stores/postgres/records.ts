/** Records in PostgreSQL. */
import type { ChangeEmitter } from '../changes.ts';
import { writtenBetween } from '../memory.ts';
import type { RecordKind, RecordSet, Records } from '../records.ts';
import type { PostgresClient } from './client.ts';

const recordsSql = (condition: string) => `
  SELECT coalesce((SELECT revision FROM privet.revisions WHERE kind = $1), 0) AS revision,
    (SELECT coalesce(jsonb_object_agg(id, value), '{}') FROM privet.records WHERE kind = $1 ${condition}) AS records`;

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
    // Values are sent as text, so that the order of their members is kept.
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
