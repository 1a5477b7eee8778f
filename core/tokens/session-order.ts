/**
 * Chooses the session to evict: the least recently used one of the owner that uses the most memory, so heavy users do
 * not evict the sessions of others. The proxy and API tenants get half of the memory each, and may use the other's free
 * memory.
 */

import { ownCopy } from '../own-copy.ts';

/** A session in its owner's order of use. */
export type Ordered<S> = { readonly owner: Owner<S>; older: S | undefined; newer: S | undefined };

/** An owner's sessions and memory. */
export type Owner<S> = {
  readonly key: string;
  readonly group: Group<S>;
  sessions: number;
  bytes: number;
  /** Index in {@link Group.ranks}. */
  rank: number;
  oldest: S | undefined;
  newest: S | undefined;
};

/** Owners by magnitude of memory use (powers of two), so the largest is found without a search. */
type Group<S> = { sessions: number; bytes: number; readonly ranks: Set<Owner<S>>[] };

/** The unit that ranks count: this fraction of the limit. */
const wholeLimit = 2 ** 24;

/** The sessions of a vault by owner, in order of use. */
export class SessionOrder<S extends Ordered<S>> {
  readonly #sessionsMax: number;
  readonly #bytesMax: number;
  readonly #owners = new Map<string, Owner<S>>();
  readonly #proxy: Group<S> = { sessions: 0, bytes: 0, ranks: [] };
  readonly #tenants: Group<S> = { sessions: 0, bytes: 0, ranks: [] };

  constructor(limits: { readonly sessionsMax: number; readonly bytesMax: number }) {
    this.#sessionsMax = limits.sessionsMax;
    this.#bytesMax = limits.bytesMax;
  }

  /** Estimated memory of all sessions, in bytes. */
  get bytes(): number {
    return this.#proxy.bytes + this.#tenants.bytes;
  }

  get isOver(): boolean {
    return this.bytes > this.#bytesMax || this.#proxy.sessions + this.#tenants.sessions > this.#sessionsMax;
  }

  /** The owner with that name, created if missing. */
  ownerOf(key: string, isTenant: boolean): Owner<S> {
    let owner = this.#owners.get(key);
    if (owner === undefined) {
      const group = isTenant ? this.#tenants : this.#proxy;
      // A key that is a slice of a longer string would keep that string alive.
      const own = ownCopy(key);
      owner = { key: own, group, sessions: 0, bytes: 0, rank: 0, oldest: undefined, newest: undefined };
      this.#owners.set(own, owner);
    }
    return owner;
  }

  /** An owner's sessions, least recently used first. */
  *of(key: string): Iterable<S> {
    let next: S | undefined;
    for (let session = this.#owners.get(key)?.oldest; session !== undefined; session = next) {
      next = session.newer;
      yield session;
    }
  }

  /** Adds a session as its owner's most recently used one. */
  add(session: S, bytes: number): void {
    this.#append(session);
    this.#change(session.owner, 1, bytes);
  }

  remove(session: S, bytes: number): void {
    this.#unlink(session);
    const { owner } = session;
    this.#change(owner, -1, -bytes);
    if (owner.sessions > 0) return;
    owner.group.ranks[owner.rank]?.delete(owner);
    this.#owners.delete(owner.key);
  }

  /** Marks a session as most recently used. */
  use(session: S): void {
    if (session === session.owner.newest) return;
    this.#unlink(session);
    this.#append(session);
  }

  /** Updates the size of a session. */
  grow({ owner }: S, bytes: number): void {
    if (bytes !== 0) this.#change(owner, 0, bytes);
  }

  /** The session to evict next, except the one in use. */
  next(inUse: S): S | undefined {
    const larger = this.#weightOf(this.#proxy) > this.#weightOf(this.#tenants) ? this.#proxy : this.#tenants;
    const smaller = larger === this.#proxy ? this.#tenants : this.#proxy;
    return oldestOf(larger, inUse) ?? oldestOf(smaller, inUse);
  }

  clear(): void {
    this.#owners.clear();
    for (const group of [this.#proxy, this.#tenants]) {
      group.sessions = 0;
      group.bytes = 0;
      group.ranks.length = 0;
    }
  }

  #weightOf({ sessions, bytes }: { readonly sessions: number; readonly bytes: number }): number {
    return (bytes / this.#bytesMax + sessions / this.#sessionsMax) * wholeLimit;
  }

  #change(owner: Owner<S>, sessions: number, bytes: number): void {
    const { group } = owner;
    owner.sessions += sessions;
    owner.bytes += bytes;
    group.sessions += sessions;
    group.bytes += bytes;
    const rank = 32 - Math.clz32(this.#weightOf(owner));
    if (rank === owner.rank && owner.sessions > sessions) return;
    group.ranks[owner.rank]?.delete(owner);
    owner.rank = rank;
    while (group.ranks.length <= rank) group.ranks.push(new Set());
    group.ranks[rank]?.add(owner);
  }

  #append(session: S): void {
    const { owner } = session;
    session.older = owner.newest;
    session.newer = undefined;
    if (owner.newest === undefined) owner.oldest = session;
    else owner.newest.newer = session;
    owner.newest = session;
  }

  #unlink({ owner, older, newer }: S): void {
    if (older === undefined) owner.oldest = newer;
    else older.newer = newer;
    if (newer === undefined) owner.newest = older;
    else newer.older = older;
  }
}

function oldestOf<S extends Ordered<S>>({ ranks }: Group<S>, inUse: S): S | undefined {
  for (let rank = ranks.length - 1; rank >= 0; rank--) {
    for (const { oldest } of ranks[rank] as Set<Owner<S>>) {
      const session = oldest === inUse ? inUse.newer : oldest;
      if (session !== undefined) return session;
    }
  }
  return undefined;
}
