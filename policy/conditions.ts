/** Compiles the conditions of a rule. Each is a predicate over the subject, with the words an explanation needs. */
import { CidrSet } from './address.ts';
import { normalizeHost } from './host.ts';
import { HostSet } from './host-set.ts';
import { Hours } from './hours.ts';
import { isPathUnder, normalizePath } from './path.ts';
import type { Category, Service } from './service.ts';

/** Facts that may be unknown at first: path and method at CONNECT, and the size of a body of unknown length. */
export type Late = 'path' | 'method' | 'size' | 'agent';

export type Condition = {
  /** The key in the configuration. */
  readonly what: keyof RuleConditions | 'expires';
  readonly late?: Late;
  holds(subject: RuleSubject): boolean;
  /** The subject's actual value for this condition; undefined when it has none. */
  given(subject: RuleSubject): string | undefined;
};

/** Parsed hours by their text. Each holds a formatter, which is large, and thousands of rules share a few texts. */
export type HoursCache = Map<string, Hours>;

/** A compiled condition, without the name of its key. */
type Compiled = Omit<Condition, 'what'>;
type Compilers = {
  readonly [Key in Exclude<keyof RuleConditions, 'mcp_servers' | 'tools'>]: (
    value: NonNullable<RuleConditions[Key]>,
    hours: HoursCache,
  ) => Compiled;
};

/**
 * The conditions in evaluation order. Those that may depend on something unknown come last, so "not known yet" means
 * that all other conditions match.
 */
const compilers: Compilers = {
  categories(names) {
    const wanted = new Set<string>(names);
    return { holds: ({ service }) => wanted.has(categoryOf(service)), given: ({ service }) => categoryOf(service) };
  },
  services(names) {
    const wanted = new Set(names.flatMap(serviceSpellings));
    return {
      holds: ({ service }) => service !== undefined && isNamed(service, wanted),
      given: ({ service }) => service?.service_name,
    };
  },
  kinds(names) {
    const wanted = new Set(names);
    return {
      holds: ({ service }) => service?.kind !== undefined && wanted.has(service.kind),
      given: ({ service }) => service?.kind,
    };
  },
  hosts(entries) {
    const set = new HostSet(entries);
    return { holds: ({ host }) => set.match(host) !== undefined, given: ({ host }) => host };
  },
  users(names) {
    const wanted = new Set(names);
    return { holds: ({ user }) => user !== undefined && wanted.has(user), given: ({ user }) => user };
  },
  groups(names) {
    const wanted = new Set(names);
    return {
      holds: ({ groups }) => groups.some((group) => wanted.has(group)),
      given: ({ groups }) => (groups.length === 0 ? undefined : groups.join(', ')),
    };
  },
  networks(entries) {
    const set = new CidrSet(entries);
    return { holds: ({ from }) => from !== undefined && set.has(from), given: ({ from }) => from };
  },
  hours(texts, cache) {
    const spans = [texts].flat().map((text) => hoursOf(text, cache));
    return { holds: ({ now }) => spans.some((span) => span.has(now)), given: ({ now }) => now.toISOString() };
  },
  methods(names) {
    const wanted = new Set(names.map((method) => method.toUpperCase()));
    return {
      late: 'method',
      holds: ({ method }) => method !== undefined && wanted.has(method.toUpperCase()),
      given: ({ method }) => method,
    };
  },
  paths(entries) {
    const wanted = entries.map(normalizePath);
    return {
      late: 'path',
      holds: ({ path }) => path !== undefined && isUnderAny(normalizePath(path), wanted),
      given: ({ path }) => (path === undefined ? undefined : normalizePath(path)),
    };
  },
  agents(names) {
    const wanted = names.map((agent) => agent.toLowerCase());
    return {
      late: 'agent',
      holds: ({ agent }) => agent !== undefined && wanted.some((entry) => namesAgent(entry, agent)),
      given: ({ agent }) => (agent === '' ? undefined : agent),
    };
  },
  upload_over: (limit) => ({
    late: 'size',
    holds: ({ size }) => size !== undefined && size > limit,
    given: ({ size }) => (size === undefined ? undefined : `${size} bytes`),
  }),
};

/**
 * Compiles the conditions of a rule. `expires`: Unix time in ms.
 * @throws PrivetError `invalid_input` when a host, network or hours value cannot be parsed.
 */
export function conditionsOf(when: RuleConditions, expires: number | undefined, hours: HoursCache): Condition[] {
  const conditions: Condition[] = [];
  if (expires !== undefined) {
    conditions.push({
      what: 'expires',
      holds: ({ now }) => now.getTime() < expires,
      given: () => `expired ${new Date(expires).toISOString()}`,
    });
  }
  for (const [what, compile] of Object.entries(compilers) as [keyof Compilers, Compilers[keyof Compilers]][]) {
    const value = when[what];
    if (value !== undefined) conditions.push({ what, ...compile(value as never, hours) });
  }
  return conditions;
}

/** Whether an entry of `agents` matches the program; a trailing `*` matches any suffix. */
function namesAgent(entry: string, agent: string): boolean {
  return entry.endsWith('*') ? agent.startsWith(entry.slice(0, -1)) && agent !== '' : agent === entry;
}

function hoursOf(text: string, cache: HoursCache): Hours {
  let hours = cache.get(text);
  if (hours === undefined) {
    hours = new Hours(text);
    cache.set(text, hours);
  }
  return hours;
}

function isUnderAny(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => isPathUnder(path, prefix));
}

/** The category that rules see: `is_blocked` overrides the service's own category. */
export function categoryOf(service: Service | undefined): Category | 'unknown' {
  if (service === undefined) return 'unknown';
  return service.is_blocked ? 'blocked' : service.category;
}

/**
 * A word that may be a domain: it contains a character that IDNA treats as a dot (UTS #46, section 4), and no blanks.
 */
const domainLike = /^\S+[.\u3002\uff0e\uff61]\S*$/;

/**
 * The spellings under which a rule's service name may appear in the registry: as a normalised domain if it can be one,
 * as a lower-case name or key, and as an id when it is a whole number.
 * @example serviceSpellings('ChatGPT.com.') // ['chatgpt.com', 'chatgpt.com.']
 */
export function serviceSpellings(name: string): string[] {
  const lower = name.toLowerCase();
  if (!domainLike.test(name)) return [lower];
  try {
    const { host } = normalizeHost(name);
    return host === lower ? [host] : [host, lower];
  } catch {
    return [lower];
  }
}

/** True when the set (from {@link serviceSpellings}) contains the service's id, key, name or one of its domains. */
export function isNamed(service: Service, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(service.key) || wanted.has(service.service_name.toLowerCase()) || wanted.has(service.domain))
    return true;
  return service.alternate_domains.some((domain) => wanted.has(domain)) || wanted.has(String(service.id));
}

/** All conditions that are given must match; a list matches if any entry does. */
export type RuleConditions = {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  /** Networks of the client: CIDR, address, `loopback`, `private`. */
  readonly networks?: readonly string[];
  /** Key, id, name or a domain of a service. */
  readonly services?: readonly string[];
  readonly kinds?: readonly string[];
  /** `unknown`: unregistered hosts. */
  readonly categories?: readonly (Category | 'unknown')[];
  readonly hosts?: readonly string[];
  readonly methods?: readonly string[];
  /** The path itself and everything below it. */
  readonly paths?: readonly string[];
  /** Matches request bodies larger than this, in bytes as sent. */
  readonly upload_over?: number;
  readonly hours?: string | readonly string[];
  /** The client program, as named in its `User-Agent` or MCP client info: `claude-cli`, `codex*`. */
  readonly agents?: readonly string[];
  /** With `then.tools` only: see policy/tool-names.ts. */
  readonly mcp_servers?: readonly string[];
  readonly tools?: readonly string[];
};

/**
 * The input of a rule. `path` and `method` are undefined while only the CONNECT target is known; `size` (body bytes) is
 * undefined for a body without a declared length.
 */
export type RuleSubject = {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly size?: number;
  /** The client program in lower case; empty or absent if unnamed. */
  readonly agent?: string;
  readonly user?: string;
  readonly groups: readonly string[];
  readonly from?: string;
  readonly now: Date;
  readonly service: Service | undefined;
};
