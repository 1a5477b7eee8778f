/** Locks an address out after repeated failures to sign in. The count is kept in the store, so that replicas share it. */
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import type { RateRule, RateState } from '../../policy/rate-limits.ts';
import type { Meter } from '../stores/meter.ts';

const failures: RateRule = { limit: 5, windowMs: 15 * 60_000 };
const networksMax = 10_000;

/** Counts failures by network, as `networkOf` of client-network.ts names it. */
export class SignInGuard {
  readonly #meter: Pick<Meter, 'takeRate'>;
  readonly #now: () => number;
  readonly #lockedUntil = new LRUCache<string, number>({ max: networksMax });
  /** What this process has counted itself, for when the store is away. */
  readonly #own = new LRUCache<string, number>({ max: networksMax, ttl: failures.windowMs });

  constructor(meter: Pick<Meter, 'takeRate'>, now: () => number = () => performance.now()) {
    this.#meter = meter;
    this.#now = now;
  }

  /** Milliseconds for which the network may not try; 0 when it may. */
  lockedMs(network: string): number {
    return Math.max(0, (this.#lockedUntil.get(network) ?? 0) - this.#now());
  }

  /** Notes a failure: how many are left, or for how long no further try is heard. */
  async failed(network: string): Promise<Pick<RateState, 'remaining' | 'retryMs'>> {
    const own = (this.#own.get(network) ?? 0) + 1;
    this.#own.set(network, own);
    const state = await this.#take(network, own);
    if (state.remaining > 0) return state;
    const retryMs = Math.max(1_000, state.retryMs);
    this.#lockedUntil.set(network, this.#now() + retryMs);
    return { remaining: 0, retryMs };
  }

  async #take(network: string, own: number): Promise<Pick<RateState, 'remaining' | 'retryMs'>> {
    try {
      return await this.#meter.takeRate(`sign-in:${network}`, failures);
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      return { remaining: Math.max(0, failures.limit - own), retryMs: failures.windowMs };
    }
  }
}
