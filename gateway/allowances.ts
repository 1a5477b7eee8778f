/** Token buckets per client, for actions whose cost others would bear. */
import { boundedCache } from './bounded-cache.ts';

type Bucket = { left: number; at: number };

/** Number of clients remembered; the least recently seen one is evicted. */
const clientsMax = 10_000;

/** A token bucket per client: starts full, refills evenly. */
export class Allowances {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #buckets = boundedCache<string, Bucket>(clientsMax);

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one token; false when the client has none left. */
  take(client: string): boolean {
    const left = this.left(client);
    if (left < 1) return false;
    this.#buckets.set(client, { left: left - 1, at: performance.now() });
    return true;
  }

  /** Returns a token that was not used after all. */
  giveBack(client: string): void {
    this.#buckets.set(client, { left: Math.min(this.#burst, this.left(client) + 1), at: performance.now() });
  }

  /** How many tokens the client has left; may be fractional. */
  left(client: string): number {
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) return this.#burst;
    return Math.min(this.#burst, bucket.left + ((performance.now() - bucket.at) * this.#perSecond) / 1_000);
  }
}
