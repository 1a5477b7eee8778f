/**
 * Confirmations of coached services, with their expiry. Kept in the store, so that a user is asked once and not once
 * per replica. Reads are cached until the change feed invalidates them.
 */
import { hash } from 'node:crypto';
import { boundedCache } from '../bounded-cache.ts';
import type { Log } from '../observe/log.ts';
import type { Stores } from './stores.ts';

/** A confirmation; times are Unix ms. `by` is a hash: the store needs no names. */
type Acknowledgement = { readonly by: string; readonly at: number; readonly until: number };

/** When a user last confirmed and until when it is valid; zeros for never. */
export type Confirmed = { readonly at: number; readonly until: number };

const knownMax = 50_000;
const sweepMs = 3_600_000;
const sweptMax = 1_000;
const never: Confirmed = { at: 0, until: 0 };

/** How long after its page was shown a confirmation is accepted, and how long it is remembered. */
export const ticketMsMax = 30 * 60_000;

export type AcknowledgementsOptions = {
  readonly stores: Pick<Stores, 'records' | 'changes'>;
  readonly log: Log;
  readonly now?: () => number;
};

export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;
  readonly #now: () => number;
  readonly #known = boundedCache<string, Confirmed>(knownMax);
  /** Increases with every change received, so that a read that overlapped it is not cached. */
  #generation = 0;
  readonly #sweeping: NodeJS.Timeout;
  readonly #unfollow: () => void;

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#unfollow = options.stores.changes.onChange(({ kind, ids }) => {
      if (kind !== 'acknowledgement') return;
      this.#generation++;
      if (ids === undefined) this.#known.clear();
      else for (const id of ids) this.#known.delete(id);
    });
    this.#sweeping = setInterval(() => void this.#sweep(), sweepMs).unref();
  }

  /**
   * The last confirmation of a subject for a scope (a service, or an unregistered host).
   * @throws PrivetError `unavailable` while the store is unavailable and nothing is cached.
   */
  async of(subject: string, scope: string): Promise<Confirmed> {
    const id = idOf(subject, scope);
    const known = this.#known.get(id);
    // Confirmations are never withdrawn, so a cached one is valid whatever the store says; a cached "never" may be
    // outdated.
    if (known !== undefined && (known.until > this.#now() || this.#options.stores.changes.isLive)) return known;
    const generation = this.#generation;
    const { records } = await this.#options.stores.records.get('acknowledgement', [id]);
    const found = records.get(id) as Acknowledgement | undefined;
    const confirmed = found === undefined ? never : { at: found.at, until: found.until };
    if (generation === this.#generation) this.#known.set(id, confirmed);
    return confirmed;
  }

  /**
   * Records a confirmation that is valid for `ttlMs`. @throws PrivetError `unavailable` while the store is unavailable.
   */
  async confirm(subject: string, scope: string, ttlMs: number): Promise<void> {
    const id = idOf(subject, scope);
    const at = this.#now();
    const confirmed: Acknowledgement = { by: id, at, until: at + ttlMs };
    await this.#options.stores.records.write('acknowledgement', new Map([[id, confirmed]]));
    this.#known.set(id, confirmed);
  }

  close(): void {
    clearInterval(this.#sweeping);
    this.#unfollow();
  }

  /** Removes expired confirmations, a few at a time. */
  async #sweep(): Promise<void> {
    try {
      const { records } = this.#options.stores;
      const all = await records.list('acknowledgement');
      const now = this.#now();
      const over = [...all.records]
        .filter(([, value]) => {
          const { at, until } = value as Acknowledgement;
          return Math.max(until, at + ticketMsMax) < now;
        })
        .slice(0, sweptMax);
      if (over.length > 0) await records.write('acknowledgement', new Map(over.map(([id]) => [id, null])));
    } catch (error) {
      this.#options.log.warn(
        { event: 'acknowledgements_not_swept', error },
        'old confirmations could not be removed yet',
      );
    }
  }
}

function idOf(subject: string, scope: string): string {
  return hash('sha256', `${subject}\n${scope}`, 'hex').slice(0, 40);
}
