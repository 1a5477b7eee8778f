/**
 * Splits the list of permitted names into small groups ("shards"), one per issuing CA. Every handshake sends the
 * issuing certificate, and the whole registry in one certificate would cost about 25 KiB each time. See
 * docs/decisions/0003-sharded-issuing-cas.md.
 */
import { isIP } from 'node:net';
import { mayBeAddress } from './der.ts';

/** Names per shard: about 0.4 KiB of constraints. */
const shardNamesMax = 16;
/** Lists of at least this size get a shard per name, created when a host is requested: few ever are. */
const largeMin = 20_000;

/** A large set of names that is only looked up and never listed, plus some names that are listed. */
export type ManyNames = {
  readonly size: number;
  readonly has: (name: string) => boolean;
  readonly others: readonly string[];
};

/** A group of names that one issuing CA is limited to: host suffixes or IP addresses, never both. */
export type NameShard = { readonly kind: 'name' | 'address'; readonly names: readonly string[] };

/**
 * The shortest list of suffixes that covers the same hosts. Names below a listed suffix are dropped, and a host pattern
 * becomes the labels right of its last `*`; one that would leave fewer than two labels is dropped, because it would
 * permit a whole top-level domain. IP literals stay unchanged.
 */
export function minimalNames(names: Iterable<string>): string[] {
  const wanted = new Set<string>();
  for (const name of names) {
    const suffix = fixedSuffix(name);
    if (suffix) wanted.add(suffix);
  }
  return [...wanted].filter((name) => !hasListedParent(name, wanted) || isIP(name) !== 0).sort();
}

function fixedSuffix(name: string): string | undefined {
  const star = name.lastIndexOf('*');
  if (star < 0) return name;
  const dot = name.indexOf('.', star);
  const suffix = dot < 0 ? '' : name.slice(dot + 1);
  return suffix.includes('.') ? suffix : undefined;
}

function hasListedParent(name: string, listed: ReadonlySet<string>): boolean {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    if (listed.has(name.slice(dot + 1))) return true;
  }
  return false;
}

type OpenNames = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** The current shards, and the look-up of a host's shard. */
export class NameShards {
  #byName = new Map<string, NameShard>();
  #shards = new Set<NameShard>();
  /** The names of a large list; undefined for a small one. Their table is built when a host is first requested. */
  #many: readonly string[] | ManyNames | undefined;
  #open: OpenNames | undefined;

  /** Number of shards, including those that may be created later. */
  get size(): number {
    return this.#table()?.size ?? this.#shards.size;
  }

  /** The current shards. */
  list(): NameShard[] {
    return [...this.#shards];
  }

  /**
   * Replaces the list of names. A shard whose names are all still wanted is kept (the same object). One that lost a
   * name is dropped and its remaining names are regrouped with the new ones.
   */
  cover(names: Iterable<string> | ManyNames): void {
    if ('others' in names || (Array.isArray(names) && names.length >= largeMin)) {
      this.#coverMany(names);
      return;
    }
    this.#many = undefined;
    this.#open = undefined;
    const wanted = minimalNames(names);
    const wantedSet = new Set(wanted);
    const kept = [...this.#shards].filter((shard) => shard.names.every((name) => wantedSet.has(name)));
    const byName = new Map<string, NameShard>();
    for (const shard of kept) for (const name of shard.names) byName.set(name, shard);
    const open = wanted.filter((name) => !byName.has(name));
    const shards = new Set(kept);
    for (const kind of ['name', 'address'] as const) {
      const group = open.filter((name) => (isIP(name) !== 0) === (kind === 'address'));
      for (let i = 0; i < group.length; i += shardNamesMax) {
        const shard: NameShard = { kind, names: group.slice(i, i + shardNamesMax) };
        shards.add(shard);
        for (const name of shard.names) byName.set(name, shard);
      }
    }
    this.#byName = byName;
    this.#shards = shards;
  }

  #coverMany(names: readonly string[] | ManyNames): void {
    this.#many = names;
    this.#open = undefined;
    if (this.#shards.size === 0) return;
    const open = this.#table() as OpenNames;
    this.#shards = new Set([...this.#shards].filter((shard) => shard.names.every((name) => open.has(name))));
    this.#byName = new Map([...this.#shards].flatMap((shard) => shard.names.map((name) => [name, shard] as const)));
  }

  #table(): OpenNames | undefined {
    if (this.#many === undefined || this.#open !== undefined) return this.#open;
    const many = this.#many;
    const listed = new Set<string>();
    for (const name of 'others' in many ? many.others : many) {
      const suffix = name.includes('*') ? fixedSuffix(name) : name;
      if (suffix !== undefined) listed.add(suffix);
    }
    this.#open =
      'others' in many ? { size: many.size + listed.size, has: (name) => listed.has(name) || many.has(name) } : listed;
    return this.#open;
  }

  /** The shard of the broadest listed name that covers the host, as the shortened list would have it. */
  #findOpen(open: OpenNames, host: string): NameShard | undefined {
    const isAddress = isIP(host) !== 0;
    let name = open.has(host) ? host : undefined;
    if (!isAddress) {
      for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
        if (open.has(host.slice(dot + 1))) name = host.slice(dot + 1);
      }
    }
    if (name === undefined) return undefined;
    let shard = this.#byName.get(name);
    if (shard === undefined) {
      shard = { kind: isAddress ? 'address' : 'name', names: [name] };
      this.#shards.add(shard);
      this.#byName.set(name, shard);
    }
    return shard;
  }

  /** The shard that permits `host` (normalised name or IP literal); undefined if none does. */
  find(host: string): NameShard | undefined {
    const open = this.#table();
    if (open !== undefined) return this.#findOpen(open, host);
    const exact = this.#byName.get(host);
    if (exact || (mayBeAddress(host) && isIP(host) !== 0)) return exact;
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      const shard = this.#byName.get(host.slice(dot + 1));
      if (shard) return shard;
    }
    return undefined;
  }
}
