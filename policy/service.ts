/** A registry entry: its schema, validation, key and id. */
import { z } from 'zod';
import { PrivetError } from '../core/errors.ts';
import { normalizeHost, normalizePattern } from './host.ts';
import { normalizePath } from './path.ts';

/** What happens to a service's traffic: allow and mask, allow and watch, refuse. */
export const categories = ['approved', 'monitoring', 'blocked'] as const;
export type Category = (typeof categories)[number];

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    // No \p class: not every consumer of the published JSON schema supports it.
    .regex(/^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/, 'contains control characters')
    .refine((value) => value.isWellFormed(), 'contains control characters');
const list = (max: number) => z.array(z.string().min(1).max(1024)).max(max);

/** Risk facts by name: `{ trains_on_data: true, level: "high" }`. */
const riskFacts = z
  .record(text(100), z.union([text(500), z.number(), z.boolean()]))
  .refine((facts) => Object.keys(facts).length <= 50, 'has more than 50 facts');

const fields = {
  service_name: text(200),
  domain: text(1024),
  alternate_domains: list(1000),
  host_patterns: list(200),
  url_prefixes: list(200),
  scope: z.literal('path').optional(),
  kind: text(50).optional(),
  vendor: text(200).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter country code like JP')
    .optional(),
  category: z.enum(categories),
  is_blocked: z.boolean(),
  reason: text(500).optional(),
  risk: z.union([text(500), z.number(), riskFacts], 'must be a text, a number or an object of facts').optional(),
  api_hosts: list(1000).optional(),
  user_content: list(1000).optional(),
  coach: z.boolean().optional(),
  coach_ttl: z
    .union([z.number(), z.string()])
    .transform((value, context) => {
      const ms = milliseconds(value);
      if (ms === undefined) context.addIssue('is not a duration like 8h or 30m, or a number of milliseconds');
      return ms ?? z.NEVER;
    })
    .optional(),
};

const { scope, kind, vendor, country, reason, risk, api_hosts, user_content, coach, coach_ttl } = fields;
const optional = { scope, kind, vendor, country, reason, risk, api_hosts, user_content, coach, coach_ttl };
const known = z.strictObject(fields).partial();
export const serviceInput = known.required({ service_name: true, domain: true, category: true });
/** Input for changing a service; null removes an optional field. */
export const servicePatch = known.extend(
  Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, schema.nullable().optional()])),
);

/** The fields of a service that a caller may set. */
export type ServiceInput = z.infer<typeof serviceInput>;

/** A registry entry. Hosts are normalised; `created_at` and `updated_at` are RFC 3339 in UTC. */
export type Service = {
  /** {@link serviceId} of the key, used in API paths. */
  readonly id: number;
  /** A readable name that never changes, such as `openai-api`. Rules, events and sessions refer to it. */
  readonly key: string;
  readonly service_name: string;
  /** The name shown in responses, whichever host matched. With `scope: path` it matches nothing by itself. */
  readonly domain: string;
  readonly alternate_domains: readonly string[];
  /** `*` stands for one or more of `[a-z0-9-]` inside one label. */
  readonly host_patterns: readonly string[];
  /** `host/path`. */
  readonly url_prefixes: readonly string[];
  readonly scope?: 'path';
  readonly kind?: string;
  readonly vendor?: string;
  readonly country?: string;
  readonly category: Category;
  readonly is_blocked: boolean;
  readonly reason?: string;
  /** A level, a score, or facts by name. */
  readonly risk?: string | number | Readonly<Record<string, string | number | boolean>>;
  readonly api_hosts?: readonly string[];
  /**
   * Hosts, including everything below them, on which users of the service publish pages or files. Such a page is not
   * the service's own, so each of these hosts has its own vault session.
   */
  readonly user_content?: readonly string[];
  /** Ask users once per `coach_ttl` (ms) whether they want to use the service; defaults to the policy. */
  readonly coach?: boolean;
  readonly coach_ttl?: number;
  readonly created_at: string;
  readonly updated_at: string;
};

/**
 * Validates the input for a new service and normalises its hosts. `is_blocked` follows `category` when left out.
 * @throws PrivetError `invalid_input` with `details: [{ field, message }]` naming every wrong field.
 */
export function parseServiceInput(value: unknown): Omit<Service, 'id' | 'key' | 'created_at' | 'updated_at'> {
  const known = check(serviceInput, value);
  return complete({
    ...known,
    alternate_domains: known.alternate_domains ?? [],
    host_patterns: known.host_patterns ?? [],
    url_prefixes: known.url_prefixes ?? [],
    is_blocked: known.is_blocked ?? known.category === 'blocked',
  });
}

/**
 * Applies a patch to a service. `is_blocked` changes only when given, whatever the category; null removes an optional
 * field.
 * @throws PrivetError `invalid_input` like {@link parseServiceInput}.
 */
export function patchService(service: Service, value: unknown): Service {
  const changes = check(servicePatch, value);
  const changed = Object.entries({ ...service, ...changes }).filter(([, value]) => value !== null);
  return complete(Object.fromEntries(changed) as Service);
}

const removed = z.looseObject({
  id: z.int(),
  key: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.unknown().optional(),
});

/**
 * Validates a service that was removed and is being put back; undefined if the value is not a complete service with
 * this id.
 * @throws PrivetError `invalid_input` like {@link parseServiceInput}.
 */
export function goneService(id: number, value: unknown): Service | undefined {
  const { data } = removed.safeParse(value);
  // The key must match the id, so no service can be put back under a different key.
  if (data?.id !== id || slug(data.key) !== data.key || serviceId(data.key) !== id) return undefined;
  const { id: _id, key, created_at, updated_at: _at, ...fields } = data;
  return { id, key, ...parseServiceInput(fields), created_at, updated_at: new Date().toISOString() };
}

/**
 * The id of a key: 53 bits of its hash, an integer that every JSON parser reads exactly. A key has the same id in every
 * process and after every restart, so nothing needs to be stored or coordinated.
 */
export function serviceId(key: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let i = 0; i < key.length; i++) {
    const c = key.charCodeAt(i);
    low = Math.imul(low ^ c, 0x01000193);
    high = Math.imul(high ^ (c + i), 0x85ebca6b);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) >>> 0;
  return ((high ^ (high >>> 13)) >>> 11) * 2 ** 32 + low;
}

/** The key of a service unless another one already has it. */
export function slugOf(name: string, domain: string): string {
  return slug(name) || slug(domain);
}

/** The key for a name: lower-case ASCII letters and digits joined by `-`; empty if the name has none. */
function slug(name: string): string {
  // Most names are plain, and a registry may have a million.
  const lower = name.toLowerCase();
  let isPlain = !lower.startsWith(' ') && !lower.endsWith(' ') && !lower.includes('  ');
  for (let i = 0; isPlain && i < lower.length; i++) {
    const c = lower.charCodeAt(i);
    isPlain = (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || c === 0x20;
  }
  if (isPlain) return lower.includes(' ') ? lower.replaceAll(' ', '-') : lower;
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses `8h`, `30m`, `90s`, `2d` or a number of milliseconds; undefined for anything else. */
function milliseconds(value: number | string): number | undefined {
  const match = /^(\d{1,12})(ms|s|m|h|d)?$/.exec(String(value).trim());
  if (match === null) return undefined;
  const ms = Number(match[1]) * unitMs[(match[2] ?? 'ms') as keyof typeof unitMs];
  return ms > 0 ? ms : undefined;
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap(problemsOf);
  throw new PrivetError('invalid_input', `The service is not valid: ${summary(details)}.`, { details });
}

/** An unknown field is reported under its own name if that is a valid field name. */
function problemsOf(issue: z.core.$ZodIssue): { field: string; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: /^\w{1,60}$/.test(key) ? key : '(another)', message: 'is not known' }));
  }
  const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  const field = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : String(part))).join('');
  return [{ field, message: isMissing ? 'is missing' : issue.message.replace(/^Invalid input: /, '') }];
}

type Hosts = Pick<
  Service,
  'domain' | 'alternate_domains' | 'host_patterns' | 'url_prefixes' | 'scope' | 'api_hosts' | 'user_content'
>;

function complete<T extends Hosts>(service: T): T {
  const details: { field: string; message: string }[] = [];
  const attempt = (field: string, parse: () => string): string => {
    try {
      return parse();
    } catch (error) {
      details.push({ field, message: error instanceof Error ? error.message : 'is not valid' });
      return '';
    }
  };
  const each = (field: string, values: readonly string[], parse: (value: string) => string) => [
    ...new Set(values.map((value, i) => attempt(`${field}[${i}]`, () => parse(value)))),
  ];
  const domain = attempt('domain', () => parseDomain(service.domain));
  const result = {
    ...service,
    domain,
    alternate_domains: each('alternate_domains', service.alternate_domains, parseDomain).filter((d) => d !== domain),
    host_patterns: each('host_patterns', service.host_patterns, parsePattern),
    url_prefixes: each('url_prefixes', service.url_prefixes, parsePrefix),
    ...(service.api_hosts === undefined ? {} : { api_hosts: each('api_hosts', service.api_hosts, parseDomain) }),
    ...(service.user_content === undefined
      ? {}
      : { user_content: each('user_content', service.user_content, parseDomain) }),
  };
  for (const [i, host] of (result.user_content ?? []).entries()) {
    if (host !== '' && !claims(result, host))
      details.push({ field: `user_content[${i}]`, message: 'is not a host of the service' });
  }
  if (service.scope === 'path' && service.url_prefixes.length === 0) {
    details.push({ field: 'url_prefixes', message: 'A service with scope path needs at least one prefix.' });
  }
  if (details.length === 0) return result;
  throw new PrivetError('invalid_input', `The service is not valid: ${summary(details)}.`, { details });
}

/** A domain with suffix semantics, or an address. At least two labels, because `com` would match half the internet. */
function parseDomain(value: string): string {
  const { host, kind } = normalizeHost(value);
  if (kind === 'name' && !host.includes('.')) throw new Error('The domain has only one label.');
  return host;
}

function parsePattern(value: string): string {
  if (!value.includes('*')) throw new Error('The pattern has no "*"; use alternate_domains.');
  const pattern = normalizePattern(value);
  const labels = pattern.split('.');
  if (labels.slice(-2).some((label) => label.includes('*')) || labels.length < 3) {
    throw new Error('The pattern is too wide: its last two labels must be fixed.');
  }
  return pattern;
}

function parsePrefix(value: string): string {
  const at = value.indexOf('/');
  if (at < 1 || normalizePath(value.slice(at)) === '/') throw new Error('The prefix must be host/path.');
  return `${parseDomain(value.slice(0, at))}${value.slice(at)}`;
}

/** Joins all messages into one sentence; full stops of complete sentences are dropped. */
function summary(details: readonly { field: string; message: string }[]): string {
  const parts = details.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  return parts.map((part) => part.replace(/\.$/, '')).join('; ');
}

/** Search for people: true when `text` (lower case) occurs in the name, the vendor or a host of the service. */
export function mentions(service: Service, text: string): boolean {
  const { service_name, domain, vendor = '', alternate_domains } = service;
  return [service_name, domain, vendor, ...alternate_domains].some((value) => value.toLowerCase().includes(text));
}

/** Whether a service covers a host as a whole, or hosts below it by a pattern. */
export function claims(
  service: Pick<Service, 'domain' | 'alternate_domains' | 'host_patterns' | 'scope'>,
  host: string,
): boolean {
  const { host_patterns: patterns } = service;
  return (
    suffixesOf(service).some((suffix) => isAtOrBelow(host, suffix)) || patterns.some((p) => p.endsWith(`.${host}`))
  );
}

/** Buckets, which anyone can name so that the pattern of a service matches: `bedrock.s3.amazonaws.com`. */
const bucket = /\.s3(?:-[a-z\d-]+)?\.amazonaws\.com$/;

/** Whether others than the service may publish pages or files on a host. */
export function holdsUserContent({ user_content: hosts }: Pick<Service, 'user_content'>, host: string): boolean {
  return hosts?.some((one) => isAtOrBelow(host, one)) === true || bucket.test(host);
}

function isAtOrBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** The domains that a service covers with everything below them. */
export function suffixesOf(service: Pick<Hosts, 'domain' | 'alternate_domains' | 'scope'>): readonly string[] {
  return service.scope === 'path' ? service.alternate_domains : [service.domain, ...service.alternate_domains];
}
