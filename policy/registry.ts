/**
 * The shadow-AI registry: maps a host (and path) to its service. Matching order: URL prefixes, then the longest suffix
 * on a label boundary, then host patterns.
 */
import { PrivetError } from '../core/errors.ts';
import { assertOwner, keyTaken } from './conflicts.ts';
import { PartClaims, type ServiceMatch, splitPrefix } from './part-claims.ts';
import type { Category, Service } from './service.ts';
import { parseServiceInput, patchService, serviceId, slugOf, suffixesOf } from './service.ts';
import { changeServices, type ServiceChange, type ServiceChanges } from './service-changes.ts';
import { isTable, type ServiceTable } from './service-table.ts';

export type { ServiceMatch } from './part-claims.ts';
export type { Category, Service, ServiceInput } from './service.ts';
export type { ServiceChange, ServiceChanges } from './service-changes.ts';

type NameOptions = { readonly categories?: readonly Category[]; readonly prefixes?: boolean };

const knownHostsMax = 4096;
const none = Symbol('no service');

/**
 * Services by host. A look-up walks the labels of the host with one map access each, so a million entries cost the same
 * as ten. Hosts passed in must come from `normalizeHost`.
 */
export class ServiceRegistry {
  /**
   * Services in a read-only table. Entries in {@link #replaced} are overridden; all other services are in the maps
   * below.
   */
  #table: ServiceTable | undefined;
  /** Table entry → the service that replaces it, null if it was removed. */
  #replaced = new Map<number, Service | null>();
  /** Only services that are neither in the table nor replacements for its entries. */
  #byKey = new Map<string, Service>();
  /** Id → key for the services in {@link #byKey}. Built on first use and rebuilt after a change. */
  #keys: Map<number, string> | undefined;
  #suffixes = new Map<string, Service>();
  #parts = new PartClaims();
  /** Lower-case name → key. */
  #names = new Map<string, string>();
  /** Cached results of {@link match} for recent hosts; ten times faster with a million entries. */
  readonly #known = new Map<string, ServiceMatch | typeof none>();
  #version = 0;

  /** @throws PrivetError `conflict` when two services have the same key, name or host. */
  constructor(services: Iterable<Service> = []) {
    if (isTable(services)) this.#table = services;
    else for (const service of services) this.#insert(service);
  }

  /** Increases with every change, so that derived data knows when to refresh. */
  get version(): number {
    return this.#version;
  }

  get size(): number {
    if (this.#table === undefined) return this.#byKey.size;
    let removed = 0;
    for (const service of this.#replaced.values()) if (service === null) removed++;
    return this.#table.length - removed + this.#byKey.size;
  }

  /** The service of a host. With a path (request target, any spelling) URL prefixes are matched too. */
  match(host: string, path?: string): ServiceMatch | undefined {
    if (path !== undefined && this.#parts.hasPrefixes) {
      const found = this.#parts.matchPrefix(host, path);
      if (found !== undefined) return found;
    }
    const known = this.#known.get(host);
    if (known !== undefined) return known === none ? undefined : known;
    const found = this.#matchSuffix(host) ?? (this.#parts.hasPatterns ? this.#parts.matchPattern(host) : undefined);
    if (this.#known.size >= knownHostsMax) this.#known.clear();
    this.#known.set(host, found ?? none);
    return found;
  }

  /** The services that match only part of this host, by URL prefix; empty for nearly every host. */
  prefixMatches(host: string): readonly ServiceMatch[] {
    return this.#parts.prefixesOf(host)?.map((prefix) => prefix.match) ?? [];
  }

  /** Whether a host belongs to a service, wholly or by a URL prefix. */
  isHostOf(service: Service, host: string): boolean {
    if (this.match(host)?.service.id === service.id) return true;
    return this.prefixMatches(host).some((match) => match.service.id === service.id);
  }

  get(key: string): Service | undefined {
    const added = this.#byKey.get(key);
    const entry = added === undefined && this.#table !== undefined ? this.#table.withKey(key) : -1;
    return entry === -1 ? added : this.#atEntry(entry);
  }

  withId(id: number): Service | undefined {
    this.#keys ??= new Map(Array.from(this.#byKey.values(), (service) => [service.id, service.key]));
    const key = this.#keys.get(id);
    if (key !== undefined) return this.get(key);
    const entry = this.#table?.withId(id) ?? -1;
    return entry === -1 ? undefined : this.#atEntry(entry);
  }

  /** Whether a host is the exact domain of a service. */
  claims(host: string): boolean {
    return this.#suffixes.has(host) || this.#isInTable(this.#table?.withHost(host));
  }

  /** Whether a service has this name, ignoring case. */
  hasName(name: string): boolean {
    return this.#nameOwner(name) !== undefined;
  }

  list(): Service[] {
    return [...this.services()];
  }

  /** Iterates the same services without building a list, for callers that need only a few of a million. */
  *services(): Generator<Service, void> {
    if (this.#table !== undefined) {
      if (this.#replaced.size === 0) yield* this.#table;
      else {
        let entry = 0;
        for (const service of this.#table) {
          const now = this.#replaced.get(entry++);
          if (now !== null) yield now ?? service;
        }
      }
    }
    yield* this.#byKey.values();
  }

  /** A copy of the registry for trying out changes. */
  copy(): ServiceRegistry {
    if (this.#table === undefined) return new ServiceRegistry(this.list());
    const copy = new ServiceRegistry(this.#table);
    for (const [entry, service] of this.#replaced) {
      copy.#replaced.set(entry, service);
      if (service !== null) copy.#index(service);
    }
    for (const service of this.#byKey.values()) {
      copy.#byKey.set(service.key, service);
      copy.#index(service);
    }
    return copy;
  }

  /**
   * Applies changes on top of the service table: removes `removed`, and adds or replaces `changed`. A table entry that
   * conflicts with a changed service's name or host is dropped; the result lists each with the conflict.
   */
  lay(changed: Iterable<Service>, removed: Iterable<string>): { left: Service; claim: string; by: string }[] {
    const table = this.#table;
    if (table === undefined) throw new TypeError('There is no table to lay changes over.');
    const kept: [entry: number, service: Service][] = [];
    const owners = new Map<number, Service>();
    const left = new Map<number, { left: Service; claim: string; by: string }>();
    for (const key of removed) {
      const entry = table.withKey(key);
      if (entry !== -1) this.#replaced.set(entry, null);
    }
    for (const service of changed) {
      const entry = table.withKey(service.key);
      if (entry === -1 || this.#replaced.get(entry) === null) this.#byKey.set(service.key, service);
      else owners.set(entry, service);
      kept.push([entry, service]);
    }
    for (const [entry, service] of owners) this.#replaced.set(entry, service);
    for (const [, service] of kept) {
      const claims: [claim: string, entry: number][] = suffixesOf(service).map((host) => [host, table.withHost(host)]);
      const name = service.service_name.toLowerCase();
      for (const [claim, entry] of [...claims, [name, table.withName(name)] as const]) {
        if (!this.#isInTable(entry)) continue;
        left.set(entry, { left: table.at(entry), claim, by: service.key });
        this.#replaced.set(entry, null);
      }
    }
    for (const [, service] of kept) {
      this.#assertFree(service, service.key);
      this.#index(service);
    }
    this.#version++;
    return [...left].sort(([a], [b]) => a - b).map(([, what]) => what);
  }

  #atEntry(entry: number): Service | undefined {
    const now = this.#replaced.get(entry);
    return now === undefined ? this.#table?.at(entry) : (now ?? undefined);
  }

  /** Whether a table entry is still valid, that is neither replaced nor removed. */
  #isInTable(entry: number | undefined): entry is number {
    return entry !== undefined && entry !== -1 && !this.#replaced.has(entry);
  }

  #nameOwner(name: string): string | undefined {
    const entry = this.#table?.withName(name);
    return this.#names.get(name.toLowerCase()) ?? (this.#isInTable(entry) ? this.#table?.at(entry).key : undefined);
  }

  #put(service: Service): void {
    const { key } = service;
    const entry = this.#byKey.has(key) ? -1 : (this.#table?.withKey(key) ?? -1);
    if (entry === -1) this.#byKey.set(key, service);
    else this.#replaced.set(entry, service);
  }

  #drop(key: string): void {
    const entry = this.#byKey.has(key) ? -1 : (this.#table?.withKey(key) ?? -1);
    if (entry === -1) this.#byKey.delete(key);
    else this.#replaced.set(entry, null);
  }

  /**
   * Adds a service from a caller's description.
   * @throws PrivetError `invalid_input` (every wrong field in `details`), `conflict` (a name or host that is taken).
   */
  add(input: unknown): Service {
    const fields = parseServiceInput(input);
    const now = new Date().toISOString();
    const base = slugOf(fields.service_name, fields.domain);
    let key = base;
    for (let n = 2; this.get(key) !== undefined; n++) key = `${base}-${n}`;
    const service: Service = { id: serviceId(key), key, ...fields, created_at: now, updated_at: now };
    this.#insert(service);
    this.#version++;
    return service;
  }

  /**
   * Changes fields of a service; id and key stay.
   * @throws PrivetError `not_found`, `invalid_input`, `conflict`; on error nothing changes.
   */
  update(id: number, patch: unknown): Service {
    const before = this.#require(id);
    const after: Service = { ...patchService(before, patch), updated_at: new Date().toISOString() };
    this.#assertFree(after, before.key);
    this.#unindex(before);
    this.#put(after);
    this.#index(after);
    this.#version++;
    return after;
  }

  /** Removes a service and returns it. @throws PrivetError `not_found`. */
  remove(id: number): Service {
    const service = this.#require(id);
    this.#unindex(service);
    this.#drop(service.key);
    this.#version++;
    return service;
  }

  /** Applies many changes in order; see {@link changeServices}. */
  updateAll(changes: readonly ServiceChange[]): ServiceChanges {
    return changeServices(this, changes);
  }

  /** Puts a removed service back under its old key. @throws PrivetError `conflict`. */
  putBack(service: Service): void {
    this.#insert(service);
    this.#version++;
  }

  /**
   * Replaces all services, for example with the state another process stored. @throws PrivetError `conflict`; on error
   * nothing changes.
   */
  replaceAll(services: Iterable<Service> | ServiceRegistry): void {
    const next = services instanceof ServiceRegistry ? services : new ServiceRegistry(services);
    this.#table = next.#table;
    this.#replaced = next.#replaced;
    this.#byKey = next.#byKey;
    this.#suffixes = next.#suffixes;
    this.#parts = next.#parts;
    this.#names = next.#names;
    this.#keys = undefined;
    this.#known.clear();
    this.#version++;
  }

  /** Whether there are too many services to build them all at once. */
  get isLarge(): boolean {
    return this.#table !== undefined;
  }

  /**
   * Every domain and host pattern of the registry: the names that are intercepted. With `prefixes` also the hosts of
   * URL prefixes, which others share.
   */
  names(options: NameOptions = {}): string[] {
    return this.#namesOf(this.services(), options);
  }

  /** The same for services outside the table. */
  addedNames(options: NameOptions = {}): string[] {
    const inPlace = [...this.#replaced.values()].filter((service) => service !== null);
    return this.#namesOf([...inPlace, ...this.#byKey.values()], options);
  }

  #namesOf(services: Iterable<Service>, { categories, prefixes }: NameOptions): string[] {
    // Suffixes and patterns belong to one service each; prefix hosts may be shared.
    const all: string[] = [];
    const shared = new Set<string>();
    for (const service of services) {
      if (categories !== undefined && !categories.includes(service.category)) continue;
      if (service.scope !== 'path') all.push(service.domain);
      for (const host of service.alternate_domains) all.push(host);
      for (const pattern of service.host_patterns) all.push(pattern);
      if (prefixes) for (const prefix of service.url_prefixes) shared.add(splitPrefix(prefix).host);
    }
    for (const host of shared) if (!this.claims(host)) all.push(host);
    return all;
  }

  #require(id: number): Service {
    const service = this.withId(id);
    if (service === undefined) throw new PrivetError('not_found', 'There is no service with this id.');
    return service;
  }

  #insert(service: Service): void {
    if (this.get(service.key) !== undefined) throw keyTaken(service);
    this.#assertFree(service);
    this.#byKey.set(service.key, service);
    this.#index(service);
  }

  /** Throws when a name or host of the service belongs to a service other than `ownKey`. */
  #assertFree(service: Service, ownKey?: string): void {
    const taken = (what: string, value: string, owner: string | undefined) => assertOwner(what, value, owner, ownKey);
    taken('service_name', service.service_name, this.#nameOwner(service.service_name));
    for (const host of suffixesOf(service)) taken('domain', host, this.#withHost(host)?.key);
    for (const pattern of service.host_patterns) taken('host_pattern', pattern, this.#parts.patternOwner(pattern));
    for (const prefix of service.url_prefixes) taken('url_prefix', prefix, this.#parts.prefixOwner(prefix));
  }

  #index(service: Service): void {
    this.#known.clear();
    this.#keys = undefined;
    this.#names.set(service.service_name.toLowerCase(), service.key);
    for (const host of suffixesOf(service)) this.#suffixes.set(host, service);
    this.#parts.add(service);
  }

  #unindex(service: Service): void {
    this.#known.clear();
    this.#keys = undefined;
    this.#names.delete(service.service_name.toLowerCase());
    for (const host of suffixesOf(service)) this.#suffixes.delete(host);
    this.#parts.remove(service);
  }

  #matchSuffix(host: string): ServiceMatch | undefined {
    const table = this.#table;
    if (table !== undefined && this.#replaced.size === 0 && this.#suffixes.size === 0) {
      const found = table.longest(host);
      return found && { service: table.at(found.entry), matchedHost: found.from === 0 ? host : host.slice(found.from) };
    }
    const whole = this.#withHost(host);
    if (whole !== undefined) return { service: whole, matchedHost: host };
    // A domain has at least two labels, so the last label is never looked up on its own.
    for (let dot = host.indexOf('.'); ; ) {
      const next = host.indexOf('.', dot + 1);
      if (dot === -1 || next === -1) return undefined;
      const suffix = host.slice(dot + 1);
      const found = this.#withHost(suffix);
      if (found !== undefined) return { service: found, matchedHost: suffix };
      dot = next;
    }
  }

  #withHost(host: string): Service | undefined {
    const added = this.#suffixes.get(host);
    if (added !== undefined || this.#table === undefined) return added;
    const entry = this.#table.withHost(host);
    return this.#isInTable(entry) ? this.#table.at(entry) : undefined;
  }
}
