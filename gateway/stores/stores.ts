/** The stores of a gateway: one interface per need, four back ends. */
import type { SessionVault } from '../../core/vault.ts';
import type { CallStore } from './calls.ts';
import type { ChangeFeed } from './changes.ts';
import type { EventStore } from './events.ts';
import type { Meter } from './meter.ts';
import type { Records } from './records.ts';

/** The names that `PROXY_STORE` takes. */
export type StoreKind = 'memory' | 'sqlite' | 'redis' | 'postgres';

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
  /** Whether it answers now. */
  readonly isReady: () => boolean;
  /** Resolves when it has answered for the first time; rejects only for what no waiting mends (a wrong key). */
  readonly opened: Promise<void>;
  close(): Promise<void>;
};
