/** Records and events in Redis. */

import type { ChangeEmitter } from '../changes.ts';
import {
  type EventPage,
  type EventQuery,
  type EventStore,
  eventsMax,
  meets,
  pageLimit,
  type StoredEvent,
} from '../events.ts';
import { writtenBetween } from '../memory.ts';
import type { RecordKind, RecordSet, Records } from '../records.ts';
import { type RedisClient, script } from './client.ts';
import { writeScript } from './scripts.ts';

const write = script(writeScript);

/** Events that one step of a query looks at, and steps that one page takes at most. */
const rangeCount = 1_000;
const rangeStepsMax = 50;

/** The records. */
export class RedisRecords implements Records {
  readonly #client: RedisClient;
  readonly #prefix: string;
  readonly #changes: ChangeEmitter;

  constructor(client: RedisClient, prefix: string, changes: ChangeEmitter) {
    this.#client = client;
    this.#prefix = prefix;
    this.#changes = changes;
  }

  async get(kind: RecordKind, ids: readonly string[]): Promise<RecordSet> {
    if (ids.length === 0) return { revision: await this.#revision(kind), records: new Map() };
    // The revision is asked for first: what is read after it is at least as new, so that a conflict is never missed.
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

  async write(
    kind: RecordKind,
    changes: ReadonlyMap<string, unknown>,
    options: { readonly ifRevision?: number } = {},
  ): Promise<number> {
    const args = [kind, options.ifRevision === undefined ? '' : String(options.ifRevision)];
    for (const [id, value] of changes) args.push(id, value === null ? '' : JSON.stringify(value));
    const revision = Number(await this.#client.run(write, this.#prefix, args));
    if (revision === -1) throw writtenBetween();
    this.#changes.emit({ kind, ids: [...changes.keys()] });
    return revision;
  }

  async #revision(kind: RecordKind): Promise<number> {
    return Number((await this.#client.send('GET', `${this.#prefix}rev:${kind}`)) ?? 0);
  }
}

/** The events, in a stream. */
export class RedisEvents implements EventStore {
  readonly #client: RedisClient;
  readonly #key: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#key = `${prefix}events`;
  }

  async append(events: readonly StoredEvent[]): Promise<void> {
    const limit = ['MAXLEN', '~', String(eventsMax.durable)];
    await Promise.all(
      events.map((event) => this.#client.send('XADD', this.#key, ...limit, '*', 'e', JSON.stringify(event))),
    );
  }

  /** A page may be short, with a `next`, when few events of many meet the conditions. */
  async query(query: EventQuery): Promise<EventPage> {
    const limit = pageLimit(query);
    const events: StoredEvent[] = [];
    let end = query.after === undefined ? '+' : `(${query.after}`;
    for (let step = 0; step < rangeStepsMax; step++) {
      const reply = await this.#client.send('XREVRANGE', this.#key, end, '-', 'COUNT', String(rangeCount));
      const found = reply as [id: string, fields: string[]][];
      for (const [id, [, json = '']] of found) {
        const event = JSON.parse(json) as StoredEvent;
        if (meets(event, query)) {
          // One more than asked for shows that there is a next page.
          if (events.length === limit) return { events, next: end.slice(1) };
          events.push(event);
        }
        end = `(${id}`;
      }
      if (found.length < rangeCount) return { events };
    }
    return { events, next: end.slice(1) };
  }
}
