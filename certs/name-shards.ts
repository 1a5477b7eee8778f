/**
 * Which names an issuing CA may sign for: the list of permitted names, shortened, and cut into small groups ("shards").
 * Every handshake sends the issuing certificate, so the whole registry in one certificate would cost about 25 KiB each.
 * See docs/decisions/0003-sharded-issuing-cas.md.
 */
import { isIP } from 'node:net';

/** Names per shard: about 0.4 KiB of constraints. */
const shardNamesMax = 16;

/** A group of names that one issuing CA is limited to. Either host suffixes or IP addresses, never both. */
export type NameShard = { readonly kind: 'name' | 'address'; readonly names: readonly string[] };

/**
 * The shortest list of suffixes that covers the same hosts: names below a listed suffix are dropped, a host pattern
 * becomes the labels right of its last `*`. A pattern that would leave fewer than two labels is dropped, because it
 * would permit a whole top-level domain. IP literals stay as they are.
 */
export function minimalNames(names: Iterable<string>): string[] {
  const wanted = new Set<string>();
  for (const name of names) {
    const suffix = fixedSuffix(name);
    if (suffix) wanted.add(suffix);
  }
  return [...wanted].filter((name) => isIP(name) !== 0 || !hasListedParent(name, wanted)).sort();
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

/** The shards in force, and the shard of a host. */
export class NameShards {
  #byName = new Map<string, NameShard>();
  #shards = new Set<NameShard>();

  /** Number of shards. */
  get size(): number {
    return this.#shards.size;
  }

  /** The shards in force. */
  list(): NameShard[] {
    return [...this.#shards];
  }

  /**
   * Makes `names` the list in force. A shard all of whose names are still wanted is kept as it is (the same object);
   * one that lost a name is dropped and its other names are grouped again with the new ones.
   */
  cover(names: Iterable<string>): void {
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

  /** The shard that permits `host` (normalised name or IP literal); undefined when none does. */
  find(host: string): NameShard | undefined {
    const exact = this.#byName.get(host);
    if (exact || isIP(host) !== 0) return exact;
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      const shard = this.#byName.get(host.slice(dot + 1));
      if (shard) return shard;
    }
    return undefined;
  }
}
