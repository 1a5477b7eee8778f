/**
 * Keeps the services of a large registry file as the file's bytes plus offset tables. A million services take a third
 * of the memory that objects would, and each is built only when it is requested.
 */
import { type Service, serviceId, slugOf } from '../policy/service.ts';
import type { ServiceTable } from '../policy/service-table.ts';
import { fnv, hostHash, mixedHash, textHash } from './service-hashes.ts';
import { type ServiceScan, scanServices, serviceAt, valueEnd } from './service-scan.ts';

/** Two entries with the same name or host; `key` as in the file. */
export type Conflict = { readonly entry: number; readonly owner: string; readonly key: string; readonly value: string };

/** Maximum number of cached services. */
const madeMax = 65_536;
/** Maximum number of names with the same key; more would make the table slow. */
const alikeMax = 100_000;

/** The services of a text, each built on first use. */
export class PackedServices implements ServiceTable {
  readonly #scan: ServiceScan;
  readonly #date: string;
  readonly #hosts: HashTable;
  readonly #keys: HashTable;
  /** Keys other than the plain slug, because an earlier entry has that slug; mapped both ways. */
  readonly #keyOf = new Map<number, string>();
  readonly #withKey = new Map<string, number>();
  /** Names without any Latin letter or digit, which do not contribute to a key. */
  readonly #others = new Map<string, number>();
  #alike = 0;
  #made = new Map<number, Service>();
  /** The first name or host that two entries share; such a list is unusable. */
  readonly conflict: Conflict | undefined;

  private constructor(scan: ServiceScan) {
    this.#scan = scan;
    this.#date = `${scan.compiled ?? '1970-01-01'}T00:00:00.000Z`;
    this.#hosts = new HashTable(scan.count + scan.alternates.length);
    this.#keys = new HashTable(scan.count);
    this.conflict = this.#indexHosts() ?? this.#indexNames();
  }

  /** Undefined when only the schema can tell whether the file is valid. */
  static read(bytes: Buffer): PackedServices | undefined {
    const scan = scanServices(bytes);
    if (scan === undefined) return undefined;
    const packed = new PackedServices(scan);
    return packed.#alike > alikeMax ? undefined : packed;
  }

  get length(): number {
    return this.#scan.count;
  }

  at(entry: number): Service {
    const known = this.#made.get(entry);
    if (known !== undefined) return known;
    const service = this.#make(entry);
    if (this.#made.size >= madeMax) this.#made.clear();
    this.#made.set(entry, service);
    return service;
  }

  *[Symbol.iterator](): Generator<Service> {
    for (let entry = 0; entry < this.length; entry++) yield this.#made.get(entry) ?? this.#make(entry);
  }

  withKey(key: string): number {
    const entry = this.#keys.find(textHash(key), (entry) => this.#key(entry) === key);
    return entry === -1 ? (this.#withKey.get(key) ?? -1) : entry;
  }

  withId(id: number): number {
    const entry = this.#keys.find(id % 2 ** 32, (entry) => serviceId(this.#key(entry)) === id);
    if (entry !== -1) return entry;
    for (const [key, entry] of this.#withKey) if (serviceId(key) === id) return entry;
    return -1;
  }

  withName(name: string): number {
    const lower = name.toLowerCase();
    const key = slugOf(name, '');
    if (key === '') return this.#others.get(lower) ?? -1;
    return this.#keys.find(textHash(key), (entry) => this.#name(entry).toLowerCase() === lower);
  }

  withHost(host: string): number {
    return this.#findHost(host, 0, hostHash(host));
  }

  longest(host: string): { entry: number; from: number } | undefined {
    // From the end, so that one pass hashes every parent name of the host.
    let labels = 0;
    let hash: number = fnv.first;
    for (let i = host.length - 1; i >= 0; i--) {
      const c = host.charCodeAt(i);
      if (c === 0x2e) {
        labelHashes[labels] = mixedHash(hash);
        labelStarts[labels++] = i + 1;
      }
      hash = Math.imul(hash ^ c, fnv.prime);
    }
    const whole = this.#findHost(host, 0, mixedHash(hash));
    if (whole !== -1) return { entry: whole, from: 0 };
    // A domain has at least two labels, so the last label is never looked up on its own.
    while (--labels > 0) {
      const from = labelStarts[labels] as number;
      const entry = this.#findHost(host, from, labelHashes[labels] as number);
      if (entry !== -1) return { entry, from };
    }
    return undefined;
  }

  /** The line (from 1) and column of an entry in the file. */
  positionOf(entry: number): { line: number; column: number } {
    const { bytes, starts } = this.#scan;
    const start = starts[entry] as number;
    let line = 1;
    for (let i = 0; i < start; i++) if (bytes[i] === 0x0a) line++;
    let column = start;
    while (bytes[column] === 0x20) column++;
    return { line, column: column - start + 3 };
  }

  #make(entry: number): Service {
    return serviceAt(this.#scan, entry, this.#keyOf.get(entry), this.#date);
  }

  #text(start: number): string {
    return this.#scan.bytes.toString('utf8', start, valueEnd(this.#scan.bytes, start));
  }

  #name(entry: number): string {
    return this.#text(this.#scan.names[entry] as number);
  }

  #key(entry: number): string {
    return this.#keyOf.get(entry) ?? slugOf(this.#name(entry), this.#text(this.#scan.domains[entry] as number));
  }

  /** Hosts are numbered: first the domain of each entry under the entry's number, then the alternate domains. */
  #hostAt(number: number): number {
    const { count, domains, alternates } = this.#scan;
    return (number < count ? domains[number] : alternates[number - count]) as number;
  }

  #entryOfHost(number: number): number {
    const { count, alternateOwners } = this.#scan;
    return number < count ? number : (alternateOwners[number - count] as number);
  }

  #findHost(host: string, from: number, hash: number): number {
    for (let slot = this.#hosts.first(hash); ; slot = this.#hosts.next(slot)) {
      const number = this.#hosts.numberAt(slot);
      if (number === -1) return -1;
      if (this.#hosts.hashAt(slot) === hash && this.#isHostAt(this.#hostAt(number), host, from))
        return this.#entryOfHost(number);
    }
  }

  #isHostAt(start: number, host: string, from: number): boolean {
    const { bytes } = this.#scan;
    const length = host.length - from;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== host.charCodeAt(from + i)) return false;
    const behind = bytes[start + length];
    return behind === undefined || behind === 0x0a || behind === 0x22;
  }

  #indexHosts(): Conflict | undefined {
    const { count, hostHashes } = this.#scan;
    for (let number = 0; number < hostHashes.length; number++) {
      const hash = hostHashes[number] as number;
      if (this.#hosts.addQuickly(hash, number)) continue;
      const value = this.#text(this.#hostAt(number));
      const entry = this.#entryOfHost(number);
      const same = this.#hosts.find(hash, (other) => this.#text(this.#hostAt(other)) === value);
      if (same === -1) this.#hosts.add(hash, number);
      else if (this.#entryOfHost(same) !== entry) {
        const owner = this.#name(this.#entryOfHost(same));
        return { entry, owner, key: number < count ? 'domain' : 'alternate_domains', value };
      }
    }
    return undefined;
  }

  #indexNames(): Conflict | undefined {
    const hashes = new Uint32Array(this.length);
    for (let entry = 0; entry < this.length; entry++) hashes[entry] = this.#quickHash(entry);
    for (let entry = 0; entry < this.length; entry++) {
      const hash = hashes[entry] as number;
      if (hash !== 0 && this.#withKey.size === 0 && this.#keys.addQuickly(hash, entry)) continue;
      const conflict = this.#indexName(entry);
      if (conflict !== undefined || this.#alike > alikeMax) return conflict;
    }
    return undefined;
  }

  /** The same for a name that the quick path cannot handle. */
  #indexName(entry: number): Conflict | undefined {
    const text = this.#name(entry);
    const name = text.toLowerCase();
    const key = slugOf(text, this.#text(this.#scan.domains[entry] as number));
    if (slugOf(text, '') === '') {
      const owner = this.#others.get(name);
      if (owner !== undefined) return this.#nameConflict(entry, owner);
      this.#others.set(name, entry);
    }
    let isTaken = this.#withKey.has(key);
    // Names that are equal in lower case have the same slug, so this look-up finds them too.
    const owner = this.#keys.find(textHash(key), (other) => {
      this.#alike++;
      if (this.#key(other) === key) isTaken = true;
      return this.#name(other).toLowerCase() === name;
    });
    if (owner !== -1) return this.#nameConflict(entry, owner);
    this.#keys.add(textHash(key), entry);
    if (isTaken) this.#giveFreeKey(entry, key);
    return undefined;
  }

  #giveFreeKey(entry: number, base: string): void {
    for (let n = 2; ; n++) {
      const key = `${base}-${n}`;
      const isTaken = this.withKey(key) !== -1;
      if (isTaken) continue;
      this.#keyOf.set(entry, key);
      this.#withKey.set(key, entry);
      return;
    }
  }

  #nameConflict(entry: number, owner: number): Conflict {
    return { entry, owner: this.#name(owner), key: 'service_name', value: `name ${this.#name(entry).toLowerCase()}` };
  }

  /** The hash of an entry's name slug, computed without building either; 0 when the name is not plain ASCII. */
  #quickHash(entry: number): number {
    const { bytes, names } = this.#scan;
    let isEmpty = true;
    let isApart = false;
    let hash: number = fnv.first;
    const start = names[entry] as number;
    // Only a quoted name ends with a quote; elsewhere a quote is an ordinary character.
    const end = bytes[start - 1] === 0x22 ? 0x22 : 0x0a;
    for (let i = start; ; i++) {
      let c = bytes[i];
      if (c === undefined || c === end) break;
      if (c > 0x7f) return 0;
      if (c >= 0x41 && c <= 0x5a) c |= 0x20;
      if (!((c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39))) {
        isApart = true;
        continue;
      }
      if (isApart && !isEmpty) hash = Math.imul(hash ^ 0x2d, fnv.prime);
      hash = Math.imul(hash ^ c, fnv.prime);
      isEmpty = false;
      isApart = false;
    }
    return isEmpty ? 0 : mixedHash(hash);
  }
}

/** Numbers by hash, twice as many slots as numbers; each slot is `[hash, number + 1]`. */
class HashTable {
  readonly #slots: Uint32Array;
  readonly #mask: number;

  constructor(expected: number) {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 2)));
    this.#slots = new Uint32Array(slots * 2);
    this.#mask = slots - 1;
  }

  first(hash: number): number {
    return hash & this.#mask;
  }

  next(slot: number): number {
    return (slot + 1) & this.#mask;
  }

  hashAt(slot: number): number {
    return this.#slots[slot * 2] as number;
  }

  /** -1 after the last one of a run. */
  numberAt(slot: number): number {
    return (this.#slots[slot * 2 + 1] as number) - 1;
  }

  find(hash: number, isIt: (number: number) => boolean): number {
    for (let slot = this.first(hash); ; slot = this.next(slot)) {
      const number = this.numberAt(slot);
      if (number === -1 || (this.hashAt(slot) === hash && isIt(number))) return number;
    }
  }

  add(hash: number, number: number): void {
    let slot = this.first(hash);
    while (this.numberAt(slot) !== -1) slot = this.next(slot);
    this.#slots[slot * 2] = hash;
    this.#slots[slot * 2 + 1] = number + 1;
  }

  /** Adds a number unless its hash is already present. */
  addQuickly(hash: number, number: number): boolean {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = hash & mask;
    while (slots[slot * 2 + 1] !== 0) {
      if (slots[slot * 2] === hash) return false;
      slot = (slot + 1) & mask;
    }
    slots[slot * 2] = hash;
    slots[slot * 2 + 1] = number + 1;
    return true;
  }
}

/** Shared buffer for {@link PackedServices.longest}, which is not re-entrant; a host has at most 127 labels. */
const labelHashes = new Uint32Array(1024);
const labelStarts = new Uint32Array(1024);
