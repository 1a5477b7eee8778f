/**
 * Finds the rules that may apply to a request without evaluating all of them. Each rule is indexed by its most
 * selective condition; a request looks up its own values and gets candidate rules in order. The index may return too
 * many rules but never too few; the rules themselves decide.
 */
import { mayBeAddress } from './address.ts';
import { categoryOf, serviceSpellings } from './conditions.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import { NetworkMap } from './network-map.ts';
import type { Rule, RuleConditions, RuleConfig, RuleSubject } from './rule.ts';
import type { Service } from './service.ts';

/** Rule indexes, ascending. */
type Positions = number[];
const facets = ['hosts', 'services', 'users', 'networks', 'groups', 'kinds', 'categories'] as const;
export type Facet = (typeof facets)[number];

/** Key of rules for addresses; looked up when the host is an address. */
const addressKey = '#address';

/** The rules of one policy, indexed by the values in their conditions. */
export class RuleIndex {
  readonly #rules: readonly Rule[];
  readonly #tables: Readonly<Record<Exclude<Facet, 'networks'>, Table>> = {
    hosts: new Table(),
    services: new Table(),
    users: new Table(),
    groups: new Table(),
    kinds: new Table(),
    categories: new Table(),
  };
  readonly #networks = new NetworkMap<number>();
  /** True when some rule may name a service by id; formatting the id for every request costs time. */
  #hasIds = false;
  /** Rules with none of the indexed conditions. */
  readonly #always: Positions = [];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    for (const [position, facet] of facetsOf(rules.map(({ config }) => config)).entries()) {
      const { when } = (rules[position] as Rule).config;
      if (facet === undefined) this.#always.push(position);
      else for (const key of new Set(keysOf(when)[facet])) this.#put(facet, key, position);
    }
  }

  /** Visits the rules that may match the subject, in order, until `visit` returns true. */
  visit(subject: RuleSubject, visit: (rule: Rule) => boolean): void {
    const lists = this.#listsFor(subject);
    if (lists.length === 0) return;
    if (lists.length === 1) {
      for (const position of lists[0] as Positions) if (visit(this.#rules[position] as Rule)) return;
      return;
    }
    // Merges a few sorted lists; a rule in several lists is evaluated once.
    const at = lists.map(() => 0);
    for (;;) {
      let next = Number.POSITIVE_INFINITY;
      for (let i = 0; i < lists.length; i++) {
        const position = (lists[i] as Positions)[at[i] as number];
        if (position !== undefined && position < next) next = position;
      }
      if (next === Number.POSITIVE_INFINITY) return;
      for (let i = 0; i < lists.length; i++)
        if ((lists[i] as Positions)[at[i] as number] === next) at[i] = (at[i] as number) + 1;
      if (visit(this.#rules[next] as Rule)) return;
    }
  }

  #put(facet: Facet, key: string, position: number): void {
    if (facet === 'networks') {
      this.#networks.add(key, position);
      return;
    }
    if (facet === 'services' && /^\d+$/.test(key)) this.#hasIds = true;
    this.#tables[facet].add(key, position);
  }

  #listsFor({ host, service, user, groups, from }: RuleSubject): Positions[] {
    const { hosts, users, groups: byGroup, kinds, categories, services } = this.#tables;
    const lists: Positions[] = this.#always.length > 0 ? [this.#always] : [];
    const take = (list: Positions | undefined) => list !== undefined && list.length > 0 && lists.push(list);
    if (hosts.size > 0) {
      for (let at = 0; ; ) {
        if (hosts.hasLength(host.length - at)) take(hosts.get(at === 0 ? host : host.slice(at)));
        const dot = host.indexOf('.', at);
        if (dot === -1) break;
        at = dot + 1;
      }
      if (mayBeAddress(host)) take(hosts.get(addressKey));
    }
    if (services.size > 0 && service !== undefined) this.#takeService(service, lists);
    if (users.size > 0 && user !== undefined) take(users.get(user));
    if (byGroup.size > 0) for (const group of groups) take(byGroup.get(group));
    if (kinds.size > 0 && service?.kind !== undefined) take(kinds.get(service.kind));
    if (categories.size > 0) take(categories.get(categoryOf(service)));
    // Nested networks yield positions out of order.
    if (!this.#networks.isEmpty && from !== undefined) take(this.#sortedNetworks(from));
    return lists;
  }

  /** The rules that name a service: usually none, or one list. */
  #takeService({ id, key, service_name: name, domain, alternate_domains: more }: Service, lists: Positions[]): void {
    const { services } = this.#tables;
    const take = (list: Positions | undefined) => list !== undefined && !lists.includes(list) && lists.push(list);
    take(services.get(key));
    if (this.#hasIds) take(services.get(String(id)));
    take(services.get(name.toLowerCase()));
    take(services.get(domain));
    for (const other of more) take(services.get(other));
  }

  #sortedNetworks(from: string): Positions {
    const found = this.#networks.of(from) as Positions;
    return found.length < 2 ? found : [...new Set(found)].sort((a, b) => a - b);
  }
}

const lengthsMax = 1024;

/** Positions by key. Checking the length first avoids slicing and hashing most texts. */
class Table {
  readonly #positions = new Map<string, Positions>();
  readonly #lengths = new Uint8Array(lengthsMax);

  get size(): number {
    return this.#positions.size;
  }

  /** False when no key has this length. */
  hasLength(length: number): boolean {
    return length >= lengthsMax || this.#lengths[length] === 1;
  }

  get(key: string): Positions | undefined {
    return this.hasLength(key.length) ? this.#positions.get(key) : undefined;
  }

  add(key: string, position: number): void {
    if (key.length < lengthsMax) this.#lengths[key.length] = 1;
    const list = this.#positions.get(key);
    if (list === undefined) this.#positions.set(key, [position]);
    else list.push(position);
  }
}

/**
 * For each rule the condition it shares with the fewest others, used as its index; undefined if it has no indexable
 * condition.
 */
export function facetsOf(rules: readonly RuleConfig[]): (Facet | undefined)[] {
  const keys = rules.map(({ when }) => keysOf(when));
  const crowds = new Map<string, number>();
  for (const own of keys) {
    for (const facet of facets) {
      for (const key of new Set(own[facet])) crowds.set(`${facet} ${key}`, (crowds.get(`${facet} ${key}`) ?? 0) + 1);
    }
  }
  return keys.map((own) => {
    const crowd = (facet: Facet) => Math.max(...(own[facet] ?? []).map((key) => crowds.get(`${facet} ${key}`) ?? 0));
    return facets.filter((facet) => own[facet] !== undefined).sort((a, b) => crowd(a) - crowd(b))[0];
  });
}

/** The keys of a rule by condition. Conditions that are absent or cannot be expressed as keys are left out. */
export function keysOf(when: RuleConditions): Partial<Record<Facet, readonly string[]>> {
  const hosts = when.hosts?.map(hostKey);
  const { users, networks, groups, kinds, categories } = when;
  return {
    hosts: hosts?.includes(undefined) ? undefined : (hosts as string[] | undefined),
    services: when.services?.flatMap(serviceSpellings),
    users,
    networks,
    groups,
    kinds,
    categories,
  };
}

/** The name that covers every host of an entry; undefined when there is none. */
function hostKey(entry: string): string | undefined {
  const text = entry.trim();
  if (text.includes('/')) return addressKey;
  if (!text.includes('*')) {
    const { host, kind } = normalizeHost(text);
    return kind === 'name' ? host : addressKey;
  }
  if (text.startsWith('*.') && !text.includes('*', 1)) return normalizeHost(text.slice(2)).host;
  const pattern = normalizePattern(text);
  const dot = pattern.indexOf('.', pattern.lastIndexOf('*'));
  return dot === -1 ? undefined : pattern.slice(dot + 1);
}
