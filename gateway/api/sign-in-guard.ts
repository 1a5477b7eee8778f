/** Locks a network out after repeated failed sign-ins. The count is kept in the store, so replicas share it. */

import { PrivetError } from '../../core/errors.ts';
import type { RateRule, RateState } from '../../policy/rate-limits.ts';
import { boundedCache } from '../bounded-cache.ts';
import type { Meter } from '../stores/meter.ts';

const failures: RateRule = { limit: 5, windowMs: 15 * 60_000 };
const networksMax = 10_000;
/** When to retry while others of the network are trying. */
const busyMs = 1_000;

/** How many failures are left, and when the full limit is available again. */
type Left = { readonly remaining: number; readonly until: number };

/** Counts failures by network, as defined by `networkOf` in client-network.ts. */
export class SignInGuard {
  readonly #meter: Pick<Meter, 'takeRate'>;
  readonly #now: () => number;
  /** The remaining attempts of a network after its last failure; counted locally while the store is unavailable. */
  readonly #left = boundedCache<string, Left>(networksMax);
  readonly #running = new Map<string, number>();

  constructor(meter: Pick<Meter, 'takeRate'>, now: () => number = () => performance.now()) {
    this.#meter = meter;
    this.#now = now;
  }

  /**
   * Begins an attempt, which ends with {@link leave}: returns the milliseconds to wait, 0 if allowed. No more run
   * concurrently than may fail; otherwise a hundred parallel guesses would all be answered.
   */
  enter(network: string): number {
    const { remaining, until } = this.#leftOf(network);
    if (remaining === 0) return until - this.#now();
    const running = this.#running.get(network) ?? 0;
    if (running >= remaining) return busyMs;
    this.#running.set(network, running + 1);
    return 0;
  }

  /** Ends an attempt that was allowed. */
  leave(network: string): void {
    const running = (this.#running.get(network) ?? 1) - 1;
    if (running > 0) this.#running.set(network, running);
    else this.#running.delete(network);
  }

  /** Records a failure: returns how many are left, or how long further attempts are refused. */
  async failed(network: string): Promise<Pick<RateState, 'remaining' | 'retryMs'>> {
    const taken = await this.#take(network);
    const before = this.#leftOf(network);
    // Store responses may arrive out of order.
    const left = before.remaining < taken.remaining ? before : taken;
    this.#left.set(network, left);
    const retryMs = left.remaining > 0 ? 0 : Math.max(1_000, Math.ceil(left.until - this.#now()));
    return { remaining: left.remaining, retryMs };
  }

  #leftOf(network: string): Left {
    const left = this.#left.get(network);
    const now = this.#now();
    return left !== undefined && left.until > now
      ? left
      : { remaining: failures.limit, until: now + failures.windowMs };
  }

  async #take(network: string): Promise<Left> {
    try {
      const { remaining, resetMs } = await this.#meter.takeRate(`sign-in:${network}`, failures);
      return { remaining, until: this.#now() + resetMs };
    } catch (error) {
      if (!(error instanceof PrivetError)) throw error;
      const { remaining, until } = this.#leftOf(network);
      return { remaining: Math.max(0, remaining - 1), until };
    }
  }
}
