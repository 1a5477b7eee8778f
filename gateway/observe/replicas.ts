/**
 * Which processes serve together: each writes to the store that it lives, and everybody can ask for all of them.
 *
 * A replica is live while its last sign of life is young, silent after that, and forgotten in the end; one that stops in
 * good order takes its record away itself.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Stores } from '../stores/stores.ts';
import type { Log } from './log.ts';

const beatMs = 15_000;
const liveMs = 3 * beatMs;
const forgottenMs = 60 * 60_000;

/** One process as it is listed. */
export type ReplicaView = {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly started_at: string;
  readonly seen_at: string;
  readonly state: 'live' | 'silent';
  /** Whether it reached the store when it was seen last. */
  readonly store_ready: boolean;
  /** The process that answers. */
  readonly is_self: boolean;
};

type ReplicaRecord = Pick<ReplicaView, 'host' | 'version' | 'started_at' | 'seen_at'>;

/** Options of {@link Replicas}. */
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

  /** Begins to tell that this process lives, once the store is there. */
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

  /** Writes the record of this process and forgets those that have been silent for long; never throws. */
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
        'the store does not know yet that this process lives',
      );
    }
  }

  /** All processes, the oldest first; only this one while the store is away. */
  async list(): Promise<ReplicaView[]> {
    const { records, isReady } = this.#options.stores;
    const known = new Map<string, ReplicaRecord>();
    let isThere = isReady();
    try {
      for (const [id, record] of (await records.list('replica')).records) known.set(id, record as ReplicaRecord);
    } catch {
      isThere = false;
    }
    known.set(this.id, this.#own());
    const views = [...known].map(([id, record]): ReplicaView => {
      const state = this.#age(record) <= liveMs ? 'live' : 'silent';
      const isSelf = id === this.id;
      return { id, ...record, state, store_ready: isSelf ? isThere : state === 'live', is_self: isSelf };
    });
    const order = ({ started_at: at, id }: ReplicaView) => `${at} ${id}`;
    return views.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  /** Takes the record of this process away. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#timer === undefined) return;
    try {
      await this.#options.stores.records.write('replica', new Map([[this.id, null]]));
    } catch {
      // The others see its silence.
    }
  }

  #own(): ReplicaRecord {
    return { host: hostname(), version: this.#options.version, started_at: this.#startedAt, seen_at: this.#time() };
  }

  #age({ seen_at: seen }: ReplicaRecord): number {
    // A record of a time that has not come was written by a clock that was ahead.
    return Math.abs(this.#now() - Date.parse(seen));
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}
