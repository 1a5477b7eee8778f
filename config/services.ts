/** Reads a registry file: the built-in one, or an organisation's own. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { categories, claims, type Service, serviceId, slugOf } from '../policy/service.ts';
import type { ServiceList } from '../policy/service-table.ts';
import { YamlText } from './document.ts';
import { problemsOfIssues } from './issues.ts';
import { PackedServices } from './packed-services.ts';
import { ConfigError, type Problem, readTextFile } from './problem.ts';
import { canonicalHost, duration } from './values.ts';

/** The built-in registry as people edit it; `npm run compile:registry` compiles it to the file that is read. */
export const builtinServicesFile = join(import.meta.dirname, 'services.yaml');
const compiledServicesFile = join(import.meta.dirname, 'services.json');

// Hosts must be in canonical spelling, so that the file shows what is compared; the message gives the right spelling.
const hostName = z.string().superRefine((text, context) => {
  const canonical = canonicalHost(text);
  if (canonical === undefined || !canonical.includes('.')) context.addIssue('must be a host name with a dot');
  else if (canonical !== text) context.addIssue(`must be written "${canonical}"`);
});
const pattern = z.string().superRefine((text, context) => {
  const labels = text.split('.');
  if (!text.includes('*')) context.addIssue('has no "*"; write it under alternate_domains');
  else if (labels.length < 3 || labels.slice(-2).some((label) => label.includes('*'))) {
    context.addIssue('is too wide: the last two labels must be fixed');
  } else if (canonicalHost(text.replaceAll('*', 'x')) !== text.replaceAll('*', 'x')) {
    context.addIssue('must be a host name in lower case with "*" in its labels');
  }
});
const prefix = z.string().superRefine((text, context) => {
  const at = text.indexOf('/');
  const host = at === -1 ? text : text.slice(0, at);
  if (at < 1 || !/[^/]/.test(text.slice(at))) context.addIssue('must be host/path');
  else if (canonicalHost(host) !== host)
    context.addIssue(`must begin with the host "${canonicalHost(host) ?? 'name'}"`);
});
const name = z.string().min(1).max(200);

const entry = z
  .strictObject({
    service_name: name,
    domain: hostName,
    alternate_domains: z.array(hostName).default([]),
    host_patterns: z.array(pattern).default([]),
    url_prefixes: z.array(prefix).default([]),
    scope: z.literal('path').optional(),
    kind: name.optional(),
    vendor: name.optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be a country code like US')
      .optional(),
    category: z.enum(categories),
    is_blocked: z.boolean().optional(),
    reason: z.string().min(1).max(500).optional(),
    risk: z.unknown().optional(),
    api_hosts: z.array(hostName).optional(),
    user_content: z.array(hostName).optional(),
    coach: z.boolean().optional(),
    coach_ttl: duration.optional(),
    confidence: z.string().optional(),
    sources: z.array(z.string()).optional(),
  })
  .superRefine((service, context) => {
    if (service.scope === 'path' && service.url_prefixes.length === 0) {
      context.addIssue({ code: 'custom', path: ['scope'], message: 'needs url_prefixes' });
    }
    for (const [i, host] of (service.user_content ?? []).entries()) {
      if (!claims(service, host))
        context.addIssue({ code: 'custom', path: ['user_content', i], message: 'is not a host of the service' });
    }
  });

const fileSchema = z.strictObject({
  version: z.literal(1).default(1),
  compiled: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a day like 2026-11-20')
    .optional(),
  services: z.array(entry),
});

type Entry = z.infer<typeof entry>;

/** A registry file as read. `state` detects changes: the file's text, or for a large file its size and time. */
export type ServicesFile = { readonly path: string; readonly state: string; readonly services: ServiceList };

/** Files of at least this length are identified by size and time, and the schema runs only to report an error. */
const largeLength = 400_000;
/** For files of at least this length only the first of several errors is reported. */
const hugeLength = 4_000_000;

/**
 * The services of a registry file; without `file` the built-in ones, compiled to JSON. Keys are derived from the names
 * and stable across starts: of two names with the same key the later one gets `-2`.
 * @throws ConfigError with every fault and its line.
 */
export function loadServices(file?: string): Service[] {
  return [...readServices(file).services];
}

/** The same; returns `before` while the file has not changed. @throws ConfigError */
export function readServices(file?: string, before?: ServicesFile): ServicesFile {
  const path = file ?? compiledServicesFile;
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  const isLarge = stat !== undefined && stat.size > largeLength;
  const mark = isLarge ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : undefined;
  if (mark !== undefined && before?.path === path && before.state === mark) return before;
  const packed = mark === undefined ? undefined : readPacked(path);
  if (mark !== undefined && packed !== undefined) return { path, state: mark, services: packed };
  const text = readTextFile(path);
  if (typeof text !== 'string') throw new ConfigError([text]);
  const state = mark ?? text;
  if (before?.path === path && before.state === state) return before;
  if (file === undefined) return { path, state, services: JSON.parse(text) as Service[] };
  const { problems, services } = parseServices(text, path);
  if (services === undefined) throw new ConfigError(problems);
  return { path, state, services };
}

/** The services of a large file; undefined when the schema must report what is wrong. @throws ConfigError */
function readPacked(path: string): ServiceList | undefined {
  const bytes = bytesOf(path);
  const packed = bytes && PackedServices.read(bytes);
  if (packed?.conflict === undefined) return packed;
  if (bytes === undefined || bytes.length < hugeLength) return undefined;
  const { entry, key, value, owner } = packed.conflict;
  const message = `${value} already belongs to "${owner}"`;
  throw new ConfigError([{ file: path, ...packed.positionOf(entry), key: `services[${entry}].${key}`, message }]);
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    // The caller that reads it as text reports the reason.
    return undefined;
  }
}

/** Validates the text of a registry file. `services` is undefined when there are problems. */
export function parseServices(text: string, file: string): { services?: Service[]; problems: Problem[] } {
  const yaml = new YamlText(text, file);
  if (yaml.problems.length > 0) return { problems: [...yaml.problems] };
  const result = fileSchema.safeParse(yaml.value ?? {});
  if (!result.success) return { problems: problemsOfIssues(result.error.issues, { yaml, file, schema: fileSchema }) };
  const problems = duplicates(result.data.services).map(({ index, key, message }): Problem => {
    const at = yaml.positionOfValue(['services', index]);
    return { file, ...at, key: `services[${index}].${key}`, message };
  });
  return problems.length > 0 ? { problems } : { services: completed(result.data), problems };
}

/** Reports names and hosts shared by two services, which the registry would report one at a time. */
function duplicates(services: readonly Entry[]): { index: number; key: string; message: string }[] {
  const owners = new Map<string, string>();
  const found: { index: number; key: string; message: string }[] = [];
  for (const [index, service] of services.entries()) {
    const claims: [key: string, value: string][] = [
      ['service_name', `name ${service.service_name.toLowerCase()}`],
      ...(service.scope === 'path' ? [] : [['domain', service.domain] as [string, string]]),
      ...service.alternate_domains.map((host): [string, string] => ['alternate_domains', host]),
      ...service.host_patterns.map((host): [string, string] => ['host_patterns', host]),
      ...service.url_prefixes.map((host): [string, string] => ['url_prefixes', host.toLowerCase()]),
    ];
    for (const [key, value] of claims) {
      const owner = owners.get(value);
      if (owner === undefined) owners.set(value, service.service_name);
      else found.push({ index, key, message: `${value} already belongs to "${owner}"` });
    }
  }
  return found;
}

const optionalFields = [
  'kind',
  'vendor',
  'country',
  'reason',
  'risk',
  'api_hosts',
  'user_content',
  'coach',
  'coach_ttl',
  'scope',
] as const;
const nothing: readonly string[] = Object.freeze([]);

function completed({ compiled, services }: { compiled?: string; services: readonly Entry[] }): Service[] {
  const at = dateOf(compiled);
  const keys = new Set<string>();
  const once = wordsOnce();
  return services.map((service) => {
    const { category } = service;
    const key = freeKey(service, keys);
    // Copy field by field, so that all objects have the same shape. The source of a fact stays in the file.
    const result: Record<string, unknown> = {
      id: serviceId(key),
      key,
      service_name: service.service_name,
      domain: service.domain,
      alternate_domains: service.alternate_domains ?? nothing,
      host_patterns: service.host_patterns ?? nothing,
      url_prefixes: service.url_prefixes ?? nothing,
      category: once(category),
      is_blocked: service.is_blocked ?? category === 'blocked',
      created_at: at,
      updated_at: at,
    };
    for (const field of optionalFields) {
      const value = service[field];
      if (value !== undefined) result[field] = once(value);
    }
    return result as unknown as Service;
  });
}

function dateOf(compiled: string | undefined): string {
  return `${compiled ?? '1970-01-01'}T00:00:00.000Z`;
}

/** The same few words occur in many services; each is stored once. */
function wordsOnce(): <T>(value: T) => T {
  const words = new Map<unknown, unknown>();
  return (value) => {
    if (typeof value !== 'string') return value;
    const known = words.get(value);
    if (known === undefined) words.set(value, value);
    return (known ?? value) as typeof value;
  };
}

function freeKey(service: Pick<Entry, 'service_name' | 'domain'>, keys: Set<string>): string {
  const base = slugOf(service.service_name, service.domain);
  let key = base;
  for (let n = 2; keys.has(key); n++) key = `${base}-${n}`;
  keys.add(key);
  return key;
}
