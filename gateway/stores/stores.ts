/** The stores of a gateway: one interface per need, four back ends. */
import type { SessionVault } from '../../core/vault.ts';
import type { CallStore } from './calls.ts';
import type { ChangeFeed } from './changes.ts';
import type { EventStore, Retention } from './events.ts';
import type { Meter } from './meter.ts';
import type { Records } from './records.ts';
import type { StoreKeys } from './sealing.ts';

/** The names that `PROXY_STORE` takes. */
export type StoreKind = 'memory' | 'sqlite' | 'redis' | 'postgres';

/** What a durable back end is opened with. */
export type StoreOptions = {
  readonly url: string;
  readonly keys: StoreKeys;
  /** Lifetime of a session since its last use; 0 = no expiry. */
  readonly ttlMs: number;
  readonly now: () => number;
  /** Called at each failure. */
  readonly onError: () => void;
  readonly retention: () => Retention;
  readonly tokensPerSessionMax: number;
  /** False until the keys are known to be those of the store: nothing may be written under others. */
  readonly isOpen: () => boolean;
};

/** A durable back end. It may be used before it is connected, and is away then. */
export type Backend = Omit<Stores, 'kind' | 'opened' | 'secret' | 'lineSecret'> & {
  /** Connects and brings the schema up to date. @throws PrivetError `unavailable` when it is away; may be tried again. */
  connect(): Promise<void>;
};

/**
 * Everything a back end gives. While it is away every part throws PrivetError `unavailable`; it comes back by itself.
 */
export type Stores = {
  readonly kind: StoreKind;
  readonly vault: SessionVault;
  readonly calls: CallStore;
  readonly meter: Meter;
  readonly records: Records;
  readonly events: EventStore;
  readonly changes: ChangeFeed;
  /** 32 random bytes that all replicas share, for ids that nobody may guess; of this process alone until it has opened. */
  readonly secret: () => Buffer;
  /** As {@link secret}, and it outlives the process where the numbers of tokens do. */
  readonly lineSecret: () => Buffer;
  /** Whether it answers now. */
  readonly isReady: () => boolean;
  /** Resolves when it has answered for the first time; rejects only for what no waiting mends (a wrong key). */
  readonly opened: Promise<void>;
  close(): Promise<void>;
};
