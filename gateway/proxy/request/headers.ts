/**
 * Headers of forwarded messages: removes those that end at this hop and preserves order and case of the others. Lists
 * are flat arrays `[name, value, name, value, …]` like `rawHeaders` of node:http.
 */

/** A case-insensitive set of field names. Length and first letter reject most others. */
export class FieldNames {
  readonly #names: ReadonlySet<string>;
  readonly #beginnings: readonly boolean[];

  /** `names` in lower case. */
  constructor(names: readonly string[]) {
    const beginnings: boolean[] = new Array(Math.max(0, ...names.map(beginningOf)) + 1).fill(false);
    for (const name of names) beginnings[beginningOf(name)] = true;
    this.#names = new Set(names);
    this.#beginnings = beginnings;
  }

  has(name: string): boolean {
    return this.#beginnings[beginningOf(name)] === true && this.#names.has(name.toLowerCase());
  }

  /** True if a flat list has a field with one of the names. */
  isIn(raw: readonly string[]): boolean {
    for (let i = 0; i < raw.length; i += 2) if (this.has(raw[i] as string)) return true;
    return false;
  }
}

/** Length and first letter, ignoring case, as one number. */
function beginningOf(name: string): number {
  return (name.length << 5) | (name.charCodeAt(0) & 0x1f);
}

/** Connection-specific fields (RFC 9110 §7.6.1, plus proxy authentication and HTTP/2 upgrade). */
const hopByHop = new FieldNames([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
  'proxy-authentication-info',
  'proxy-authenticate',
  'http2-settings',
]);

/** End-to-end fields that Connection must not remove (hop-by-hop abuse). */
const neverNominated = new Set(['host', 'content-length', 'authorization', 'cookie', 'content-type', 'set-cookie']);

/** True for fields that end at this hop. */
export function isHopByHop(lowerName: string): boolean {
  return hopByHop.has(lowerName);
}

/** Fields in Node's form: a list if a name occurs several times. */
export type FieldMap = Record<string, string | string[]>;

/** Without a prototype, because a field may be called `constructor`. */
export function newFieldMap(): FieldMap {
  return Object.create(null) as FieldMap;
}

/** Appends a field after those with the same name. */
export function addField(fields: FieldMap, name: string, value: string): void {
  const before = fields[name];
  if (before === undefined) fields[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else fields[name] = [before, value];
}

/** The first value of a field in a flat list; names are case-insensitive. */
export function headerValue(raw: readonly string[], lowerName: string): string | undefined {
  const beginning = beginningOf(lowerName);
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (beginningOf(name) === beginning && name.toLowerCase() === lowerName) return raw[i + 1];
  }
  return undefined;
}

/** The lower-case fields nominated by Connection, except those that must not be removed. */
export function nominatedFields(raw: readonly string[]): ReadonlySet<string> | undefined {
  let nominated: Set<string> | undefined;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const value = raw[i + 1] as string;
    if (/^(?:keep-alive|close)$/i.test(value)) continue;
    for (const token of value.split(',')) {
      const field = token.trim().toLowerCase();
      if (field === '' || field === 'close' || field === 'keep-alive' || neverNominated.has(field)) continue;
      nominated ??= new Set();
      nominated.add(field);
    }
  }
  return nominated;
}

/** The end-to-end fields of a message in order and case, except those in `drop`. */
export function endToEndHeaders(raw: readonly string[], drop?: FieldNames): string[] {
  const nominated = nominatedFields(raw);
  const kept: string[] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    if (name.charCodeAt(0) === 58) continue; // HTTP/2 pseudo-header fields
    if (hopByHop.has(name) || drop?.has(name) || nominated?.has(name.toLowerCase()) || isOwn(name)) continue;
    kept.push(name, raw[i + 1] as string);
  }
  return kept;
}

/** True for fields that only the gateway sets; from others they would be forged. */
function isOwn(name: string): boolean {
  return name.charCodeAt(8) === 0x2d && /^x-privet-/i.test(name);
}

/** Removes every field with this name from a flat list. */
export function dropField(headers: string[], lowerName: string): void {
  for (let i = headers.length - 2; i >= 0; i -= 2) {
    const name = headers[i] as string;
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) headers.splice(i, 2);
  }
}

/** Headers in original order and case (HTTP/1.1), or in the object's order (HTTP/2). May return the given list. */
export function flatHeaders(
  raw: readonly (Buffer | string)[] | null | undefined,
  headers: Record<string, string | string[] | undefined>,
): readonly string[] {
  if (Array.isArray(raw) && typeof raw[0] === 'string') return raw as string[];
  const flat: string[] = [];
  if (Array.isArray(raw)) {
    for (const part of raw) flat.push(typeof part === 'string' ? part : part.toString('latin1'));
    return flat;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const text of Array.isArray(value) ? value : [value]) flat.push(name, text);
  }
  return flat;
}
