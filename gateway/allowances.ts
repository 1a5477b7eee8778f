/** Token buckets by client: how often each may do something that costs the others. */
import { LRUCache } from 'lru-cache';

type Bucket = { left: number; at: number };

/** Clients that are remembered; the one that was seen longest ago is forgotten first. */
const clientsMax = 10_000;

/** A bucket for each client: full at first, refilled evenly. */
export class Allowances {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: clientsMax });

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }) {
    this.#burst = burst;
    this.#perSecond = perSecond;
  }

  /** Takes one; false when the client has none left. */
  take(client: string): boolean {
    const left = this.left(client);
    if (left < 1) return false;
    this.#buckets.set(client, { left: left - 1, at: performance.now() });
    return true;
  }

  /** Gives one back that was taken for nothing. */
  giveBack(client: string): void {
    this.#buckets.set(client, { left: Math.min(this.#burst, this.left(client) + 1), at: performance.now() });
  }

  /** How many the client has left; may be a fraction. */
  left(client: string): number {
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) return this.#burst;
    return Math.min(this.#burst, bucket.left + ((performance.now() - bucket.at) * this.#perSecond) / 1_000);
  }
}
