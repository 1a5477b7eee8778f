/** Feed entries: the services of a list in any supported format. */

import { parseServices } from '../../config/services.ts';
import { PrivetError } from '../../core/errors.ts';
import { normalizeHost } from '../../policy/host.ts';
import { ServiceRegistry } from '../../policy/registry.ts';
import { type Category, patchService, type Service } from '../../policy/service.ts';
import type { ServiceList } from '../../policy/service-table.ts';
import { readCsv } from './csv.ts';
import { type ReadList, readDomainList } from './domain-list.ts';
import type { RawEntry } from './raw-entry.ts';

export const feedFormats = ['auto', 'csv', 'v2fly', 'yaml'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** The fields of a service in a list; the normalised `domain` identifies the entry. */
export type FeedEntry = { readonly domain: string } & Readonly<Record<string, unknown>>;

/** The content of a list, and warnings about entries that cannot be imported. */
export type FeedList = { readonly entries: readonly FeedEntry[]; readonly warnings: readonly string[] };

export type EntryOptions = {
  readonly format: FeedFormat;
  /** Category of entries without one; by default they leave the category of known services unchanged. */
  readonly category?: Category | undefined;
  /** Name of the list, the default vendor of its entries. */
  readonly name: string;
  /** Reads an included list; without it, includes are reported and ignored. */
  readonly include?: ReadList;
  /** Attributes that an entry must have (one of them) or must not have. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
};

const entriesMax = 200_000;
const warningsMax = 200;
/** Entries parsed per turn of the event loop. */
const turnLength = 200;
/** Category of new services without one. */
const newCategory: Category = 'monitoring';

/**
 * Parses the entries of a list. Invalid entries are reported in `warnings` and left out.
 * @throws PrivetError `invalid_input` if nothing can be parsed
 */
export async function readEntries(text: string, options: EntryOptions): Promise<FeedList> {
  const format = options.format === 'auto' ? formatOf(text) : options.format;
  const { entries: found, warnings } = await rawEntries(text, format, options);
  const scratch = new ServiceRegistry();
  const entries = new Map<string, FeedEntry>();
  for (const [i, { where, fields }] of found.entries()) {
    // Let requests run in between.
    if (i % turnLength === 0) await new Promise((resolve) => setImmediate(resolve));
    if (entries.size >= entriesMax) {
      warnings.push(`${where}: the list has more than ${entriesMax} entries; the rest is ignored`);
      break;
    }
    try {
      const domain = normalizeHost(String(fields.domain ?? '')).host;
      const entry = { ...fields, domain };
      const key = keyOf(entry);
      if (entries.has(key)) throw new PrivetError('conflict', `"${key}" is in the list twice.`);
      scratch.add({ service_name: key, category: newCategory, ...entry });
      entries.set(key, entry);
    } catch (error) {
      warnings.push(`${where}: ${(error as Error).message}`);
    }
  }
  if (entries.size === 0) {
    const why = warnings.length > 0 ? ` ${warnings[0]}` : '';
    throw new PrivetError('invalid_input', `The list contains no usable entry.${why}`);
  }
  const more = warnings.length - warningsMax;
  const shown = more > 0 ? [...warnings.slice(0, warningsMax), `and ${more} more`] : warnings;
  return { entries: [...entries.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)), warnings: shown };
}

/** Identifies an entry: its domain, or its first prefix for a service that is part of a site. */
export function keyOf({ domain, scope, url_prefixes: prefixes }: FeedEntry): string {
  return scope === 'path' && Array.isArray(prefixes) ? String(prefixes[0]) : domain;
}

async function rawEntries(
  text: string,
  format: Exclude<FeedFormat, 'auto'>,
  { category, name, include, only = [], without = [] }: EntryOptions,
): Promise<{ entries: RawEntry[]; warnings: string[] }> {
  if (format === 'csv') return withCategory(readCsv(text), category);
  if (format === 'v2fly') return withCategory(await readDomainList(text, { name, include, only, without }), category);
  const { services, problems } = parseServices(text, name);
  if (services === undefined) {
    const first = problems[0];
    throw new PrivetError(
      'invalid_input',
      `The list cannot be read: line ${first?.line}: ${first?.key} ${first?.message}.`,
    );
  }
  const entries = services.map((service, i) => {
    const { id: _id, key: _key, created_at: _created, updated_at: _updated, is_blocked, ...fields } = service;
    const follows = is_blocked === (service.category === 'blocked');
    return { where: `services[${i}]`, fields: { ...fields, ...(follows ? {} : { is_blocked }) } };
  });
  return { entries, warnings: [] };
}

function withCategory(read: { entries: RawEntry[]; warnings: string[] }, category: Category | undefined) {
  if (category === undefined) return read;
  const entries = read.entries.map(({ where, fields }) => ({ where, fields: { category, ...fields } }));
  return { entries, warnings: read.warnings };
}

/** A list of records starts with its keys, CSV with a header that contains `domain`; anything else is a domain list. */
function formatOf(text: string): Exclude<FeedFormat, 'auto'> {
  const first = /^\ufeff?(?:[ \t]*(?:#.*)?\r?\n)*([^\r\n]*)/.exec(text)?.[1] ?? '';
  if (/^(?:version|compiled|services)\s*:|^\{|^---/.test(first)) return 'yaml';
  return /^"?domain"?\s*$|[,;]/.test(first) ? 'csv' : 'v2fly';
}

/**
 * Applies a feed to the services: an entry whose domain belongs to a service changes that service, any other adds one.
 * Hosts that belong to other services are skipped with a warning.
 */
export function overlay(
  services: ServiceList,
  entries: readonly FeedEntry[],
): { services: Service[]; warnings: string[] } {
  const warnings: string[] = [];
  const registry = new ServiceRegistry(services);
  for (const entry of entries) {
    try {
      const key = keyOf(entry);
      const slash = key.indexOf('/');
      const owner = slash === -1 ? registry.match(key) : registry.match(key.slice(0, slash), key.slice(slash));
      if (owner?.matchedHost === key) change(registry, owner.service, entry);
      else {
        registry.add(free(registry, { service_name: entry.domain, category: newCategory, ...entry }, warnings));
      }
    } catch (error) {
      warnings.push(`${entry.domain}: ${(error as Error).message}`);
    }
  }
  return { services: registry.list(), warnings };
}

/** Changes a known service, which keeps its name and vendor; hosts are only added, never removed. */
function change(registry: ServiceRegistry, service: Service, entry: FeedEntry): void {
  const { domain: _domain, service_name: _name, vendor = service.vendor, ...others } = entry;
  const fields: Record<string, unknown> = { ...others, vendor: service.vendor ?? vendor };
  const hosts = ['alternate_domains', 'host_patterns', 'url_prefixes', 'api_hosts', 'user_content'] as const;
  const added = hosts.flatMap((name) => {
    const more = fields[name];
    return Array.isArray(more) && more.length > 0 ? [[name, [...new Set([...(service[name] ?? []), ...more])]]] : [];
  });
  const patch = {
    ...fields,
    ...Object.fromEntries(hosts.map((name) => [name, undefined])),
    ...Object.fromEntries(added),
  };
  // In a list, only the category decides what is blocked.
  const { category } = fields;
  const follows = category === undefined ? {} : { is_blocked: category === 'blocked' };
  const given = Object.fromEntries(Object.entries({ ...follows, ...patch }).filter(([, value]) => value !== undefined));
  patchService(service, given);
  registry.update(service.id, given);
}

/** Removes the hosts and name that are already in use. */
function free(registry: ServiceRegistry, entry: Record<string, unknown>, warnings: string[]): Record<string, unknown> {
  const others = (Array.isArray(entry.alternate_domains) ? entry.alternate_domains : []) as string[];
  const isTaken = (host: string) => {
    try {
      const { host: name } = normalizeHost(host);
      return registry.match(name)?.matchedHost === name;
    } catch {
      return false;
    }
  };
  const taken = others.filter(isTaken);
  if (taken.length > 0) warnings.push(`${entry.domain}: ${taken.join(', ')} belong to other services`);
  const isNamed = registry.hasName(String(entry.service_name));
  return {
    ...entry,
    ...(others.length === 0 ? {} : { alternate_domains: others.filter((host) => !taken.includes(host)) }),
    ...(isNamed ? { service_name: `${entry.service_name} (${entry.domain})` } : {}),
  };
}

/** The difference between two states of a feed; `changed` names the fields. */
export type FeedDiff = {
  readonly added: readonly FeedEntry[];
  readonly removed: readonly FeedEntry[];
  readonly changed: readonly { readonly domain: string; readonly before: FeedEntry; readonly after: FeedEntry }[];
};

/** The difference, ordered by domain. */
export function diffOf(before: readonly FeedEntry[], after: readonly FeedEntry[]): FeedDiff {
  const old = new Map(before.map((entry) => [keyOf(entry), entry]));
  const now = new Set(after.map(keyOf));
  const text = (entry: FeedEntry) => JSON.stringify(Object.entries(entry).sort());
  return {
    added: after.filter((entry) => !old.has(keyOf(entry))),
    removed: before.filter((entry) => !now.has(keyOf(entry))),
    changed: after.flatMap((entry) => {
      const was = old.get(keyOf(entry));
      return was === undefined || text(was) === text(entry)
        ? []
        : [{ domain: keyOf(entry), before: was, after: entry }];
    }),
  };
}
