/** The stores of a gateway: one interface per need, four back ends. */
import type { SessionVault } from '../../core/vault.ts';
import type { CallStore } from './calls.ts';
import type { ChangeFeed } from './changes.ts';
import type { EventStore, Retention } from './events.ts';
import type { Meter } from './meter.ts';
import type { Records } from './records.ts';
import type { StoreKeys } from './sealing.ts';

/** The values of `PROXY_STORE`. */
export type StoreKind = 'memory' | 'sqlite' | 'redis' | 'postgres';

/** What a durable back end is opened with. */
export type StoreOptions = {
  readonly url: string;
  readonly keys: StoreKeys;
  /** Lifetime of a session after its last use; 0 = no expiry. */
  readonly ttlMs: number;
  readonly now: () => number;
  readonly onError: () => void;
  readonly retention: () => Retention;
  readonly tokensPerSessionMax: number;
  /** False until our keys are known to match the store: nothing may be written under others. */
  readonly isOpen: () => boolean;
};

/** A durable back end. Before it is connected, every call throws `unavailable`. */
export type Backend = Omit<Stores, 'kind' | 'opened' | 'secret' | 'lineSecret'> & {
  /** Connects and brings the schema up to date. @throws PrivetError `unavailable`; may be retried. */
  connect(): Promise<void>;
};

/**
 * All parts of a back end. While it is unavailable every part throws PrivetError `unavailable`; it recovers by itself.
 */
export type Stores = {
  readonly kind: StoreKind;
  readonly vault: SessionVault;
  readonly calls: CallStore;
  readonly meter: Meter;
  readonly records: Records;
  readonly events: EventStore;
  readonly changes: ChangeFeed;
  /** 32 random bytes shared by all replicas, for unguessable ids; local to this process until the store is open. */
  readonly secret: () => Buffer;
  /** Like {@link secret}; it also survives a restart if the token counters do. */
  readonly lineSecret: () => Buffer;
  readonly isReady: () => boolean;
  /**
   * Resolves when the store has answered for the first time; rejects only for errors that waiting cannot fix (a wrong
   * key).
   */
  readonly opened: Promise<void>;
  close(): Promise<void>;
};
