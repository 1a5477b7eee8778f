/**
 * Limits the number of open connections and tunnels: in total, so that descriptors and memory suffice, and per client,
 * so that one client cannot use them all. machine.ts has the numbers behind `auto`.
 */
import { PrivetError } from '../../../core/errors.ts';

/** A connection or tunnel over the limit; `too_many_requests` if only its client's limit is reached. */
export class ConnectionLimitExceeded extends PrivetError {}

/** Number of clients remembered after they have left. */
const idleMax = 1_000;

/** The weight of an entry in the total and in its client's share. */
export type Weight = { readonly total: number; readonly ofClient: number };

const one: Weight = { total: 1, ofClient: 1 };

/** The limit for one kind. */
export class ConnectionLimit {
  private readonly what: string;
  private limitOfAll = 0;
  private clientMax = 0;
  private weightTaken = 0;
  private inside = 0;
  private readonly byClient = new Map<string, { taken: number }>();
  /** Number of clients in {@link byClient} without entries. */
  private idle = 0;

  /** `what`: the name of one entry in messages. */
  constructor(what: string) {
    this.what = what;
  }

  /** Current number of entries. */
  get size(): number {
    return this.inside;
  }

  /** Total weight of the entries. */
  get taken(): number {
    return this.weightTaken;
  }

  get max(): number {
    return this.limitOfAll;
  }

  /** Applies new limits; existing entries stay. */
  limit(max: number, clientMax: number): void {
    this.limitOfAll = max;
    this.clientMax = clientMax;
  }

  /** Throws {@link ConnectionLimitExceeded} `unavailable` if too little is left; `besides`: use by others. */
  check(besides = 0, weight = 1): void {
    if (this.weightTaken + besides + weight <= this.limitOfAll) return;
    throw new ConnectionLimitExceeded('unavailable', `The proxy cannot accept another ${this.what}.`);
  }

  /**
   * Adds an entry for a client; call the result once when it ends. Throws {@link ConnectionLimitExceeded} `unavailable`
   * if the total limit is reached, `too_many_requests` if the client's is.
   */
  enter(client: string, { total, ofClient }: Weight = one): () => void {
    this.check(0, total);
    const own = this.ownOf(client);
    if (own.taken + ofClient > this.clientMax)
      throw new ConnectionLimitExceeded('too_many_requests', `Too many ${this.what}s of one client.`);
    if (own.taken === 0) this.idle--;
    own.taken += ofClient;
    this.weightTaken += total;
    this.inside++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.inside--;
      this.weightTaken -= total;
      own.taken -= ofClient;
      if (own.taken === 0) this.idle++;
    };
  }

  /**
   * A client's count, kept after the client leaves: adding a key to a Map again extends the hash chain until the table
   * grows, which cost a client with consecutive connections 4 µs each next to 2,000 others.
   */
  private ownOf(client: string): { taken: number } {
    const found = this.byClient.get(client);
    if (found !== undefined) return found;
    if (this.idle >= idleMax) {
      for (const [known, { taken }] of this.byClient) if (taken === 0) this.byClient.delete(known);
      this.idle = 0;
    }
    const own = { taken: 0 };
    this.byClient.set(client, own);
    this.idle++;
    return own;
  }
}
