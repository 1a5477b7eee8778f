/**
 * The processes that share a store: each writes a heartbeat to it, and any of them can list all. A replica is live
 * while its last heartbeat is recent, then silent, and finally removed; one that shuts down removes its own record.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Stores } from '../stores/stores.ts';
import type { Log } from './log.ts';

const beatMs = 15_000;
const liveMs = 3 * beatMs;
const forgottenMs = 60 * 60_000;

type ReplicaRecord = {
  readonly host: string;
  readonly version: string;
  readonly started_at: string;
  readonly seen_at: string;
};

export type ReplicasOptions = {
  readonly stores: Pick<Stores, 'records' | 'isReady' | 'opened'>;
  readonly version: string;
  readonly log: Log;
  readonly now?: () => number;
};

/** The record of this process, and those of the others. */
export class Replicas {
  readonly id = `rep_${randomBytes(6).toString('hex')}`;
  readonly #options: ReplicasOptions;
  readonly #now: () => number;
  readonly #startedAt: string;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ReplicasOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#startedAt = this.#time();
  }

  /** Starts the heartbeat once the store is available. */
  start(): void {
    this.#options.stores.opened.then(
      () => {
        if (this.#isClosed) return;
        void this.beat();
        this.#timer = setInterval(() => void this.beat(), beatMs).unref();
      },
      () => {},
    );
  }

  /** Writes the record of this process and removes those that have been silent for long; never throws. */
  async beat(): Promise<void> {
    const { records } = this.#options.stores;
    try {
      const old = [...(await records.list('replica')).records].filter(
        ([, record]) => this.#age(record as ReplicaRecord) > forgottenMs,
      );
      const gone = old.map(([id]): [string, null] => [id, null]);
      await records.write('replica', new Map<string, unknown>([...gone, [this.id, this.#own()]]));
    } catch (error) {
      this.#options.log.debug(
        { event: 'replica_not_told', error },
        'the heartbeat of this process could not be stored yet',
      );
    }
  }

  /** All processes, oldest first; only this one while the store is unavailable. */
  async list() {
    const { records, isReady } = this.#options.stores;
    const known = new Map<string, ReplicaRecord>();
    let isThere = isReady();
    try {
      for (const [id, record] of (await records.list('replica')).records) known.set(id, record as ReplicaRecord);
    } catch {
      isThere = false;
    }
    known.set(this.id, this.#own());
    const views = [...known].map(([id, record]) => {
      const state = this.#age(record) <= liveMs ? 'live' : 'silent';
      const isSelf = id === this.id;
      // For other replicas, only their heartbeats show whether they can reach the store.
      return { id, ...record, state, store_ready: isSelf ? isThere : state === 'live', is_self: isSelf } as const;
    });
    const order = ({ started_at: at, id }: (typeof views)[number]) => `${at} ${id}`;
    return views.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  /** Removes the record of this process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    try {
      await this.#options.stores.records.write('replica', new Map([[this.id, null]]));
    } catch {
      // The others will notice its silence.
    }
  }

  #own(): ReplicaRecord {
    return { host: hostname(), version: this.#options.version, started_at: this.#startedAt, seen_at: this.#time() };
  }

  #age({ seen_at: seen }: ReplicaRecord): number {
    // A record from the future was written by a clock that was ahead.
    return Math.abs(this.#now() - Date.parse(seen));
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
