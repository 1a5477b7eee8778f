/**
 * How many connections and tunnels there may be at a time: in all, so that descriptors and memory last, and for one
 * client, so that others find a place beside it. machine.ts has the numbers behind `auto`.
 */
import { PrivetError } from '../../core/errors.ts';

/** A connection or tunnel that finds no place; `too_many_requests` when it is one too many of its client alone. */
export class NoRoom extends PrivetError {}

/** So many clients are remembered that have left. */
const idleMax = 1_000;

/** How many places one takes that enters: of all, and of those that its client may have. */
export type Weight = { readonly places: number; readonly ofClient: number };

const one: Weight = { places: 1, ofClient: 1 };

/** Places of one kind. */
export class Places {
  private readonly what: string;
  private limitOfAll = 0;
  private clientMax = 0;
  private placesTaken = 0;
  private inside = 0;
  private readonly byClient = new Map<string, { taken: number }>();
  /** Clients in {@link byClient} without a place. */
  private idle = 0;

  /** `what`: the word for one of them. */
  constructor(what: string) {
    this.what = what;
  }

  /** How many are in. */
  get size(): number {
    return this.inside;
  }

  /** Places that they take, which are more than they are where some weigh more. */
  get taken(): number {
    return this.placesTaken;
  }

  get max(): number {
    return this.limitOfAll;
  }

  /** Takes other limits; who is in stays. */
  limit(max: number, clientMax: number): void {
    this.limitOfAll = max;
    this.clientMax = clientMax;
  }

  /** Throws {@link NoRoom} `unavailable` when not so many places are left; `besides`: what others of the same room take. */
  check(besides = 0, places = 1): void {
    if (this.placesTaken + besides + places <= this.limitOfAll) return;
    throw new NoRoom('unavailable', `The proxy has no room for another ${this.what}.`);
  }

  /**
   * Takes the places of one for a client; call the result once at its end. Throws {@link NoRoom} `unavailable` when all are
   * taken, `too_many_requests` when the client has as many as one may have.
   */
  enter(client: string, { places, ofClient }: Weight = one): () => void {
    this.check(0, places);
    const own = this.ownOf(client);
    if (own.taken + ofClient > this.clientMax)
      throw new NoRoom('too_many_requests', `Too many ${this.what}s of one client.`);
    if (own.taken === 0) this.idle--;
    own.taken += ofClient;
    this.placesTaken += places;
    this.inside++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.inside--;
      this.placesTaken -= places;
      own.taken -= ofClient;
      if (own.taken === 0) this.idle++;
    };
  }

  /**
   * The count of a client, which stays when it leaves: a Map keeps what is put in again and again in the chain of its key
   * until it grows, so that one with one connection after the other cost 4 µs each beside 2,000 others.
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
