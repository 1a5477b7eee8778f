/**
 * How many connections and tunnels there may be at a time: in all, so that descriptors and memory last, and for one
 * client, so that others find a place beside it.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { PrivetError } from '../../core/errors.ts';

/** Limits as they are configured (`auth.limits`). */
export type PlaceLimits = {
  readonly connections: number | 'auto';
  readonly client_connections: number | 'auto';
  readonly tunnels: number | 'auto';
  readonly client_tunnels: number | 'auto';
};

/** So many clients are remembered that have left. */
const idleMax = 1_000;

/** Places of one kind. */
export class Places {
  private readonly what: string;
  private max = 0;
  private clientMax = 0;
  private taken = 0;
  private readonly byClient = new Map<string, { taken: number }>();
  /** Clients in {@link byClient} without a place. */
  private idle = 0;

  /** `what`: the word for one of them. */
  constructor(what: string) {
    this.what = what;
  }

  get size(): number {
    return this.taken;
  }

  /** Takes other limits; who is in stays. */
  limit(max: number, clientMax: number): void {
    this.max = max;
    this.clientMax = clientMax;
  }

  /** Throws PrivetError `unavailable` when no place is left; `besides`: places that others of the same room take. */
  check(besides = 0): void {
    if (this.taken + besides < this.max) return;
    throw new PrivetError('unavailable', `The proxy has no room for another ${this.what}.`);
  }

  /**
   * Takes a place for a client; call the result once at its end. Throws PrivetError `unavailable` when all are taken,
   * `too_many_requests` when the client has as many as one may have.
   */
  enter(client: string): () => void {
    this.check();
    const own = this.ownOf(client);
    if (own.taken >= this.clientMax)
      throw new PrivetError('too_many_requests', `Too many ${this.what}s of one client.`);
    if (own.taken === 0) this.idle--;
    own.taken++;
    this.taken++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.taken--;
      own.taken--;
      if (own.taken === 0) this.idle++;
    };
  }

  /**
   * The count of a client, which stays when it leaves: a Map keeps what is put in again and again in the chain of its key
   * until it grows, so that one with one connection after the other cost 4 µs each beside 2,000 others.
   */
  private ownOf(client: string): { taken: number } {
    const known = this.byClient.get(client);
    if (known !== undefined) return known;
    if (this.idle >= idleMax) {
      for (const [one, { taken }] of this.byClient) if (taken === 0) this.byClient.delete(one);
      this.idle = 0;
    }
    const own = { taken: 0 };
    this.byClient.set(client, own);
    this.idle++;
    return own;
  }
}

/** One client leaves at least a twentieth to the others. */
const clientShare = 0.95;
/** Descriptors for everything else: files, stores, connections of the pools. */
const reservedFiles = 512;
/** What an intercepted connection takes with its buffers; all connections may take half of the memory. */
const connectionBytes = 40 * 1024;

/** The numbers behind `auto`, by the limit of open files and the memory of the machine or container. */
export function numbersOf(limits: PlaceLimits): Record<keyof PlaceLimits, number> {
  const room = Math.max(128, Math.min(openFilesMax() - reservedFiles, Math.floor(memoryBytes() / 2 / connectionBytes)));
  const connections = limits.connections === 'auto' ? room : limits.connections;
  // A tunnel has a connection on either side.
  const tunnels = limits.tunnels === 'auto' ? Math.floor(room / 2) : limits.tunnels;
  const share = (value: number | 'auto', of: number) => (value === 'auto' ? Math.ceil(of * clientShare) : value);
  return {
    connections,
    client_connections: share(limits.client_connections, connections),
    tunnels,
    client_tunnels: share(limits.client_tunnels, tunnels),
  };
}

function openFilesMax(): number {
  try {
    const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit !== undefined) return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
  } catch {
    // Not Linux: the usual limit there.
  }
  return 10_240;
}

/** What bodies may hold that are kept until they are whole: a quarter of the memory of the machine or container. */
export function keptBytesMax(): number {
  return Math.max(64 * 1024 * 1024, Math.floor(memoryBytes() / 4));
}

function memoryBytes(): number {
  const total = os.totalmem();
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < total ? constrained : total;
}
