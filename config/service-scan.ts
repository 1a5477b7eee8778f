/**
 * Scans the bytes of a large registry file once, to check that every entry is certainly valid and to find where each
 * begins. It knows the plain YAML subset in which programs write lists of records. It never reports errors: the schema
 * does that.
 */
import { type Service, serviceId, slugOf } from '../policy/service.ts';
import { Numbers } from './numbers.ts';
import { fnv, mixedHash } from './service-hashes.ts';

/**
 * The result of the scan. Positions are byte offsets; hosts and names start after any quote and end at {@link
 * valueEnd}.
 */
export type ServiceScan = {
  readonly bytes: Buffer;
  readonly compiled?: string;
  readonly count: number;
  /** The first byte of each entry, and the end of the last. */
  readonly starts: Uint32Array;
  /** Where the name of each entry begins. */
  readonly names: Uint32Array;
  readonly domains: Uint32Array;
  /** Alternate domains, and the entry of each. */
  readonly alternates: Uint32Array;
  readonly alternateOwners: Uint32Array;
  /** {@link hostHash} of each domain, followed by those of the alternate domains. */
  readonly hostHashes: Uint32Array;
};

const [newLine, space, quote, hash, dash, colon] = [0x0a, 0x20, 0x22, 0x23, 0x2d, 0x3a];

const fields = ['service_name', 'domain', 'category', 'kind', 'vendor', 'country', 'reason', 'is_blocked'] as const;
const lists = ['alternate_domains', 'api_hosts'] as const;
const keys = [...fields, ...lists].map((name) => Buffer.from(`${name}:`));
const [nameKey, domainKey, categoryKey, countryKey, reasonKey, blockedKey, alternateKey] = [0, 1, 2, 5, 6, 7, 8];
const listMin = fields.length;

/** Bits per byte value: 1 not a plain-word character, 2 not a host character, 4 not ASCII. */
const lacks = new Uint8Array(256).fill(3);
lacks.fill(7, 128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ/ ') lacks[c.charCodeAt(0)] = 2;
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789._-') lacks[c.charCodeAt(0)] = 0;

/** The entries of a file; undefined when only the schema can tell whether they are valid. */
export function scanServices(bytes: Buffer): ServiceScan | undefined {
  const scan = new Scan(bytes);
  return scan.run() ? scan.result() : undefined;
}

class Scan {
  readonly #bytes: Buffer;
  readonly #starts: Numbers;
  readonly #names: Numbers;
  readonly #domains: Numbers;
  readonly #alternates = new Numbers(16);
  readonly #owners = new Numbers(16);
  readonly #hashes: Numbers;
  readonly #alternateHashes = new Numbers(16);
  #compiled: string | undefined;
  #end = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const guess = Math.ceil(bytes.length / 80) + 16;
    this.#starts = new Numbers(guess);
    this.#names = new Numbers(guess);
    this.#domains = new Numbers(guess);
    this.#hashes = new Numbers(guess);
  }

  result(): ServiceScan {
    const count = this.#starts.length;
    this.#starts.push(this.#end);
    for (const hash of this.#alternateHashes.done()) this.#hashes.push(hash);
    return {
      bytes: this.#bytes,
      ...(this.#compiled === undefined ? {} : { compiled: this.#compiled }),
      count,
      starts: this.#starts.done(),
      names: this.#names.done(),
      domains: this.#domains.done(),
      alternates: this.#alternates.done(),
      alternateOwners: this.#owners.done(),
      hostHashes: this.#hashes.done(),
    };
  }

  run(): boolean {
    const first = this.#head();
    return first !== -1 && this.#entries(first);
  }

  /** Reads the lines above the entries; returns the offset after `services:`, or -1 if it is another kind of file. */
  #head(): number {
    const seen = new Set<string>();
    for (let at = 0; at < this.#bytes.length; ) {
      const end = lineEnd(this.#bytes, at);
      const line = this.#bytes.toString('utf8', at, end);
      at = end + 1;
      if (line === '' || line.startsWith('#')) continue;
      if (line === 'services:') return at;
      const [, key = '', value = ''] = /^(version|compiled): (1|\d{4}-\d{2}-\d{2})$/.exec(line) ?? [];
      if (key === '' || seen.has(key) || (key === 'version') !== (value === '1')) return -1;
      seen.add(key);
      if (key === 'compiled') this.#compiled = value;
    }
    return -1;
  }

  #entries(first: number): boolean {
    const bytes = this.#bytes;
    const { length } = bytes;
    let indent = -1;
    /** The keys of the entry so far, one bit each. */
    let given = 0b111;
    let last = 0;
    let list = -1;
    /** The number of list items so far, and their common indentation. */
    let items = 1;
    let listDepth = -1;
    let name = 0;
    let domain = 0;
    let domainHash = 0;
    for (let at = first; at < length; ) {
      const c = bytes[at] as number;
      if (c === newLine || c === hash) {
        at = lineEnd(bytes, at) + 1;
        continue;
      }
      let column = at;
      while (bytes[column] === space) column++;
      const depth = column - at;
      const isItem = bytes[column] === dash && bytes[column + 1] === space;
      if (isItem && indent === -1 && (depth === 0 || depth === 2)) indent = depth;
      if (isItem && list !== -1 && (items === 0 ? depth === indent + 2 || depth === indent + 4 : depth === listDepth)) {
        listDepth = depth;
        const end = lineEnd(bytes, column);
        const from = this.#value(column + 2, end, list);
        if (from === -1) return false;
        items++;
        if (list === alternateKey) {
          this.#alternates.push(from);
          this.#owners.push(this.#starts.length - 1);
          this.#alternateHashes.push(lastHostHash);
        }
        at = end + 1;
        continue;
      }
      if (items === 0 || indent === -1 || depth !== (isItem ? indent : indent + 2)) return false;
      list = -1;
      if (isItem) {
        // An entry ends where the next begins; name, domain and category are required.
        if ((given & 0b111) !== 0b111) return false;
        if (this.#starts.length > 0) this.#keep(name, domain, domainHash);
        this.#starts.push(at);
        given = 0;
        column += 2;
      }
      if (this.#starts.length === 0) return false;
      const key = keyAt(bytes, column, last);
      if (key === -1 || (given & (1 << key)) !== 0) return false;
      given |= 1 << key;
      last = key;
      const value = column + (keys[key] as Buffer).length;
      if (key >= listMin) {
        if (bytes[value] !== newLine) return false;
        list = key;
        items = 0;
        at = value + 1;
        continue;
      }
      if (bytes[value] !== space) return false;
      const end = lineEnd(bytes, value);
      const from = this.#value(value + 1, end, key);
      if (from === -1) return false;
      if (key === nameKey) name = from;
      else if (key === domainKey) [domain, domainHash] = [from, lastHostHash];
      at = end + 1;
    }
    if (this.#starts.length === 0 || (given & 0b111) !== 0b111 || items === 0) return false;
    this.#keep(name, domain, domainHash);
    this.#end = length;
    return true;
  }

  #keep(name: number, domain: number, hash: number): void {
    this.#names.push(name);
    this.#domains.push(domain);
    this.#hashes.push(hash);
  }

  /** The start of a value's text; -1 when it may not be valid for its key. */
  #value(start: number, end: number, key: number): number {
    const bytes = this.#bytes;
    let lack = 0;
    for (let i = start; i < end; i++) lack |= lacks[bytes[i] as number] as number;
    const isHost = key === domainKey || key >= listMin;
    const first = (bytes[start] as number) | 0x20;
    const isWord = first >= 0x61 && first <= 0x7a && (lack & 1) === 0 && bytes[end - 1] !== space;
    // `true`, `null` and `false` have these first letters and lengths.
    const mayBeOther = (first === 0x74 || first === 0x6e || first === 0x66) && end - start < 6;
    if (!isWord || mayBeOther) return this.#careful(start, end, key);
    if (isHost) return (lack & 2) === 0 && isPlainHost(bytes, start, end) ? start : -1;
    if (key === categoryKey || key === countryKey || key === blockedKey) return this.#careful(start, end, key);
    return end - start <= (key === reasonKey ? 500 : 200) ? start : -1;
  }

  #careful(start: number, end: number, key: number): number {
    const bytes = this.#bytes;
    if (key === categoryKey) return isCategory(bytes, start, end) ? start : -1;
    const value = plainScalar(bytes.toString('utf8', start, end));
    if (key === blockedKey) return typeof value === 'boolean' ? start : -1;
    if (typeof value !== 'string' || value.length === 0 || value.length > (key === reasonKey ? 500 : 200)) return -1;
    if (key === countryKey && !/^[A-Z]{2}$/.test(value)) return -1;
    const [from, to] = bytes[start] === quote ? [start + 1, end - 1] : [start, end];
    if (key !== domainKey && key < listMin) return from;
    for (let i = from; i < to; i++) if (((lacks[bytes[i] as number] as number) & 2) !== 0) return -1;
    return isPlainHost(bytes, from, to) ? from : -1;
  }
}

const categoryWords = ['approved', 'monitoring', 'blocked'].map((word) => Buffer.from(word));

function isCategory(bytes: Buffer, start: number, end: number): boolean {
  return categoryWords.some((word) => word.length === end - start && startsWith(bytes, start, word));
}

function startsWith(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
  return true;
}

function lineEnd(bytes: Buffer, at: number): number {
  const { length } = bytes;
  let end = at;
  while (end < length && bytes[end] !== newLine) end++;
  return end;
}

/** The end of a text that starts at this offset and is the last thing on its line, quoted or not. */
export function valueEnd(bytes: Buffer, start: number): number {
  const end = lineEnd(bytes, start);
  return bytes[start - 1] === quote ? end - 1 : end;
}

/**
 * The index of the key at this offset. Records list their keys in the same order, so it is usually the one after the
 * last.
 */
function keyAt(bytes: Buffer, start: number, last: number): number {
  for (let i = 1; i <= keys.length; i++) {
    const key = last + i < keys.length ? last + i : last + i - keys.length;
    const word = keys[key] as Buffer;
    if (bytes[start] === word[0] && bytes[start + word.length - 1] === colon && startsWith(bytes, start, word))
      return key;
  }
  return -1;
}

/** The hash of the host that {@link isPlainHost} accepted last. */
let lastHostHash = 0;

/** Whether these are host characters: a canonical name that IDNA mapping cannot change, and not an address. */
function isPlainHost(bytes: Buffer, start: number, end: number): boolean {
  if (end - start > 253) return false;
  const { first, prime } = fnv;
  let hash: number = first;
  let labelEnd = end;
  let top = 0;
  for (let i = end - 1; i >= start; i--) {
    const c = bytes[i] as number;
    hash = Math.imul(hash ^ c, prime);
    if (c === dash && bytes[i - 1] === dash && bytes[i - 2] === 0x6e && bytes[i - 3] === 0x78) return false;
    if (c !== 0x2e) continue;
    if (i + 1 === labelEnd || labelEnd - i > 64) return false;
    if (top === 0) top = bytes[i + 1] as number;
    labelEnd = i;
  }
  lastHostHash = mixedHash(hash);
  return labelEnd > start && labelEnd - start <= 63 && top >= 0x61 && top <= 0x7a;
}

const nothing: readonly string[] = Object.freeze([]);
/** The same few words occur in many services; each is stored once. */
const words = new Map<string, string>();
const wordsMax = 10_000;

function once(word: string): string {
  const known = words.get(word);
  if (known !== undefined) return known;
  if (words.size < wordsMax) words.set(word, word);
  return word;
}

/** Builds the service of an entry that the scan found valid. */
export function serviceAt(scan: ServiceScan, entry: number, given: string | undefined, at: string): Service {
  const text = scan.bytes.toString('utf8', scan.starts[entry] as number, scan.starts[entry + 1] as number);
  const read: Record<string, string | string[]> = {};
  let list: string[] | undefined;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    let from = start;
    while (text.charCodeAt(from) === space) from++;
    if (end === start || text.charCodeAt(start) === hash) continue;
    const isItem = text.charCodeAt(from) === dash;
    if (isItem && start > 0) {
      list?.push(unquoted(text, from + 2, end));
      continue;
    }
    if (isItem) from += 2;
    const mark = text.indexOf(':', from);
    const key = once(text.slice(from, mark));
    list = mark + 1 === end ? [] : undefined;
    read[key] = list ?? unquoted(text, mark + 2, end);
  }
  const { service_name: name, domain, category, alternate_domains: alternates = nothing, is_blocked: blocked } = read;
  const serviceKey = given ?? slugOf(name as string, domain as string);
  const service: Record<string, unknown> = {
    id: serviceId(serviceKey),
    key: serviceKey,
    service_name: name,
    domain,
    alternate_domains: alternates,
    host_patterns: nothing,
    url_prefixes: nothing,
    category: once(category as string),
    is_blocked: blocked === undefined ? category === 'blocked' : blocked === 'true',
    created_at: at,
    updated_at: at,
  };
  if (read.kind !== undefined) service.kind = once(read.kind as string);
  if (read.vendor !== undefined) service.vendor = read.vendor;
  if (read.country !== undefined) service.country = once(read.country as string);
  if (read.reason !== undefined) service.reason = once(read.reason as string);
  if (read.api_hosts !== undefined) service.api_hosts = read.api_hosts;
  return service as unknown as Service;
}

function unquoted(text: string, start: number, end: number): string {
  return text.charCodeAt(start) === quote ? text.slice(start + 1, end - 1) : text.slice(start, end);
}

/** Scalars that YAML 1.2 does not read as strings, and anything that looks like a number. `NO` is a string. */
const ambiguous = /^(?:~|null|true|false|[-+.]?\d[\d_.eE+-]*|0[xob].*|[-+]?\.(?:inf|nan))$/i;

/** The value of a scalar; undefined when it is outside the subset. */
function plainScalar(text: string): string | number | boolean | undefined {
  if (text.startsWith('"')) {
    // Without escapes both languages read the same.
    return /^"[^"\\]*"$/.test(text) ? text.slice(1, -1) : undefined;
  }
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  if (ambiguous.test(text)) return undefined;
  return /^[\p{L}\p{N}./][^\u0000-\u001f]*$/u.test(text) && !/:(?:\s|$)|\s#|\s$/.test(text) ? text : undefined;
}
