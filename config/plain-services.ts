/**
 * Tells whether the entries of a registry file that was read as plain YAML are right for certain, so that a file of a
 * million services need not go through the schema. It never says what is wrong: that takes the lines of the file.
 */

import type { Service } from '../policy/service.ts';
import { readPlainYaml } from './plain-yaml.ts';

/** 1 for characters of a label, 2 for the dot. */
const hostChars = new Uint8Array(65_536);
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789_-') hostChars[c.charCodeAt(0)] = 1;
hostChars[0x2e] = 2;

/** Fields of entries that {@link plainServices} makes whole as they stand. */
const plainFields = new Set([
  'service_name',
  'domain',
  'alternate_domains',
  'kind',
  'vendor',
  'country',
  'category',
  'is_blocked',
  'reason',
  'api_hosts',
]);
const nothing: readonly string[] = Object.freeze([]);

/** An entry before it is read: all have one shape, whichever fields they have. */
function newEntry(): Record<string, unknown> {
  return {
    id: '',
    service_name: undefined,
    domain: undefined,
    alternate_domains: nothing,
    host_patterns: nothing,
    url_prefixes: nothing,
    kind: undefined,
    category: undefined,
    is_blocked: undefined,
    created_at: '',
    updated_at: '',
  };
}

/** An entry whose id, dates and `is_blocked` are still to be set. */
export type PlainEntry = { -readonly [K in keyof Service]: Service[K] };

/**
 * The entries of a registry file, each in the object that the service will be; undefined where only the schema can say
 * whether the file is right.
 */
export function plainServices(
  text: string,
): { readonly compiled?: string; readonly services: PlainEntry[] } | undefined {
  const keys: string[] = [];
  const root = readPlainYaml(text, { newRecord: newEntry, keys });
  if (root === undefined || !keys.every((key) => plainFields.has(key)) || !areCertain(root)) return undefined;
  return root as unknown as { compiled?: string; services: PlainEntry[] };
}

/**
 * True when every entry passes the schema of config/services.ts as it stands; false where that is not certain. Names and
 * hosts that two services claim are not looked for: the registry refuses them.
 */
function areCertain(root: Readonly<Record<string, unknown>>): boolean {
  const { services, version = 1, compiled, ...rest } = root;
  if (version !== 1 || Object.keys(rest).length > 0 || !Array.isArray(services)) return false;
  if (compiled !== undefined && !(typeof compiled === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(compiled))) return false;
  return services.every(isCertain);
}

function isCertain(service: Readonly<Record<string, unknown>>): boolean {
  const {
    service_name: name,
    domain,
    category,
    alternate_domains: hosts,
    is_blocked: isBlocked,
    api_hosts: api,
  } = service;
  return (
    isText(name) &&
    isPlainHost(domain) &&
    (category === 'approved' || category === 'monitoring' || category === 'blocked') &&
    (isBlocked === undefined || typeof isBlocked === 'boolean') &&
    (hosts === nothing || (Array.isArray(hosts) && hosts.every(isPlainHost))) &&
    (api === undefined || (Array.isArray(api) && api.every(isPlainHost))) &&
    isTextOrNone(service.kind) &&
    isTextOrNone(service.vendor) &&
    isTextOrNone(service.reason) &&
    (service.country === undefined || (typeof service.country === 'string' && /^[A-Z]{2}$/.test(service.country)))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}

/** A name in its one spelling that no mapping of IDNA can change; numbers at the end would be an address. */
function isPlainHost(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 253) return false;
  let start = 0;
  let dots = 0;
  for (let i = 0; i <= value.length; i++) {
    const kind = i === value.length ? 2 : hostChars[value.charCodeAt(i)];
    if (kind === 1) continue;
    if (kind !== 2 || i === start || i - start > 63) return false;
    if (i < value.length) {
      start = i + 1;
      dots++;
    }
  }
  const top = value.charCodeAt(start);
  return dots > 0 && top >= 0x61 && top <= 0x7a && !value.includes('xn--');
}
