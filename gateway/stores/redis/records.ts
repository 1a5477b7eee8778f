/** Records in Redis. */
import { AnnouncedRecords, type ChangeEmitter } from '../changes.ts';
import type { RecordKind, RecordSet } from '../records.ts';
import { type RedisClient, script } from './client.ts';
import { writeScript } from './scripts.ts';

const write = script(writeScript);

export class RedisRecords extends AnnouncedRecords {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string, changes: ChangeEmitter) {
    super(changes);
    this.#client = client;
    this.#prefix = prefix;
  }

  async get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    if (ids.length === 0) return { revision: await this.#revision(kind), records: new Map() };
    // Read the revision first: the records read after it are at least as new, so a conflict is never missed.
    const [revision, found] = await Promise.all([
      this.#revision(kind),
      this.#client.send('HMGET', `${this.#prefix}rec:${kind}`, ...ids) as Promise<(string | null)[]>,
    ]);
    const pairs = found.flatMap((json, i) => (json === null ? [] : [[ids[i] as string, JSON.parse(json)] as const]));
    return { revision, records: new Map<string, unknown>(pairs) };
  }

  async list(kind: RecordKind): Promise<RecordSet> {
    const [revision, fields] = await Promise.all([
      this.#revision(kind),
      this.#client.send('HGETALL', `${this.#prefix}rec:${kind}`) as Promise<string[]>,
    ]);
    const records = new Map<string, unknown>();
    for (let i = 0; i < fields.length; i += 2) records.set(fields[i] as string, JSON.parse(fields[i + 1] as string));
    return { revision, records };
  }

  protected async put(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    ifRevision: number | undefined,
  ): Promise<number | undefined> {
    const args = [kind, ifRevision === undefined ? '' : String(ifRevision)];
    for (const [id, value] of changes) args.push(id, value === null ? '' : JSON.stringify(value));
    const revision = Number(await this.#client.run(write, this.#prefix, args));
    return revision === -1 ? undefined : revision;
  }

  async #revision(kind: RecordKind): Promise<number> {
    return Number((await this.#client.send('GET', `${this.#prefix}rev:${kind}`)) ?? 0);
  }
}
