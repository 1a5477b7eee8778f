/**
 * Finds the rules that may concern a request without asking all of them. Every rule stands under the values of one of its
 * conditions, the most selective one; a request looks up its own values and gets the rules in their order. Which of them
 * hold is the rule's own business: the index may give too many and never too few.
 */
import { mayBeAddress } from './address.ts';
import { categoryOf, serviceSpellings } from './conditions.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import { NetworkMap } from './network-map.ts';
import type { Rule, RuleConditions, RuleConfig, RuleSubject } from './rule.ts';
import type { Service } from './service.ts';

/** Positions of rules, ascending. */
type Positions = number[];
const facets = ['hosts', 'services', 'users', 'networks', 'groups', 'kinds', 'categories'] as const;
export type Facet = (typeof facets)[number];

/** Under this key stand rules for addresses: they are looked up for hosts that are one. */
const addressKey = '#address';

/** The rules of one policy by the values that their conditions name. */
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
  /** Some rule may name a service by its id; writing one out for every request takes time. */
  #hasIds = false;
  /** Rules with none of the conditions above. */
  readonly #always: Positions = [];

  /** The rules in their order. */
  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    for (const [position, facet] of facetsOf(rules.map(({ config }) => config)).entries()) {
      const { when } = (rules[position] as Rule).config;
      if (facet === undefined) this.#always.push(position);
      else for (const key of new Set(keysOf(when)[facet])) this.#put(facet, key, position);
    }
  }

  /** The rules that may hold for the subject, in their order, until `visit` answers true. */
  visit(subject: RuleSubject, visit: (rule: Rule) => boolean): void {
    const lists = this.#listsFor(subject);
    if (lists.length === 0) return;
    if (lists.length === 1) {
      for (const position of lists[0] as Positions) if (visit(this.#rules[position] as Rule)) return;
      return;
    }
    // A merge of few sorted lists; a rule that stands in several is asked once.
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
    // Networks that hold each other give positions out of order.
    if (!this.#networks.isEmpty && from !== undefined) take(this.#sortedNetworks(from));
    return lists;
  }

  /** What the names of a service lead to: mostly nothing, or one list. */
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

/** Positions by key. Asking for the length of a key first spares most texts from being cut and hashed. */
class Table {
  readonly #positions = new Map<string, Positions>();
  readonly #lengths = new Uint8Array(lengthsMax);

  get size(): number {
    return this.#positions.size;
  }

  /** False when no key is so long. */
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

/** For each rule the condition that it shares with the fewest others, to find it by; undefined for one with none to be found by. */
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

/** The keys of a rule by condition; none for a condition that it does not have or that no key can stand for. */
export function keysOf(when: RuleConditions): Partial<Record<Facet, readonly string[]>> {
  const hosts = when.hosts?.map(hostKey);
  return {
    ...(hosts === undefined || hosts.includes(undefined) ? {} : { hosts: hosts as string[] }),
    ...(when.services === undefined ? {} : { services: when.services.flatMap(serviceSpellings) }),
    ...(when.users === undefined ? {} : { users: when.users }),
    ...(when.networks === undefined ? {} : { networks: when.networks }),
    ...(when.groups === undefined ? {} : { groups: when.groups }),
    ...(when.kinds === undefined ? {} : { kinds: when.kinds }),
    ...(when.categories === undefined ? {} : { categories: when.categories }),
  };
}

/** The name at or below which every host of an entry lies; undefined when there is none. */
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
