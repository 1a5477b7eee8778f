/** One rule of the policy: its conditions, compiled once, asked for every request. */
import { CidrSet } from './address.ts';
import { HostSet } from './host-set.ts';
import { Hours } from './hours.ts';
import { isPathUnder, normalizePath } from './path.ts';
import type { Category, Service } from './service.ts';

export type Action = 'allow' | 'warn' | 'block';
export type Inspect = 'mask' | 'audit' | 'tunnel';
export type TypeSetting = 'on' | 'off' | 'block';

/** All that are given must hold; of one list any entry. */
export type RuleConditions = {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  /** Networks of the client: CIDR, address, `loopback`, `private`. */
  readonly networks?: readonly string[];
  /** Id, name or a domain of a service. */
  readonly services?: readonly string[];
  readonly kinds?: readonly string[];
  /** `unknown`: hosts that no service claims. */
  readonly categories?: readonly (Category | 'unknown')[];
  readonly hosts?: readonly string[];
  readonly methods?: readonly string[];
  /** The path itself and everything below it. */
  readonly paths?: readonly string[];
  readonly hours?: string | readonly string[];
};

/** What a rule sets; the rest is as it would be without the rule. */
export type RuleOutcome = {
  readonly action?: Action;
  readonly inspect?: Inspect;
  readonly types?: Readonly<Record<string, TypeSetting>>;
};

export type RuleConfig = { readonly name?: string; readonly when: RuleConditions; readonly then: RuleOutcome };

/** What a rule is asked about. `path` and `method` are unknown while only the target of CONNECT is known. */
export type RuleSubject = {
  readonly host: string;
  readonly path?: string;
  readonly method?: string;
  readonly user?: string;
  readonly groups: readonly string[];
  readonly from?: string;
  readonly now: Date;
  readonly service: Service | undefined;
};

/** `maybe`: all else holds, but the rule asks for a path or method that is not known yet. */
export type RuleAnswer = { readonly matches: 'yes' | 'no' | 'maybe'; readonly why: string };

type Condition = { readonly what: string; readonly late: boolean; holds(subject: RuleSubject): boolean };

export class Rule {
  readonly name: string;
  readonly outcome: RuleOutcome;
  /** Whether the rule asks for the path or method of the request inside a tunnel. */
  readonly needsPath: boolean;
  readonly #conditions: readonly Condition[];

  /** @throws PrivetError `invalid_input` when a host, network or span of hours cannot be read. */
  constructor(config: RuleConfig, position: number) {
    this.name = config.name ?? `rule ${position + 1}`;
    this.outcome = config.then;
    // Conditions on the path come last, so that `maybe` means that all others hold.
    this.#conditions = conditionsOf(config.when).sort((a, b) => Number(a.late) - Number(b.late));
    this.needsPath = this.#conditions.some((condition) => condition.late);
  }

  /** Whether the rule holds, without words: for the path of every request. */
  matches(subject: RuleSubject): 'yes' | 'no' | 'maybe' {
    const isTunnel = subject.path === undefined;
    let answer: 'yes' | 'maybe' = 'yes';
    for (const condition of this.#conditions) {
      if (condition.late && isTunnel) answer = 'maybe';
      else if (!condition.holds(subject)) return 'no';
    }
    return answer;
  }

  /** As {@link matches}, with the condition that decided. */
  explain(subject: RuleSubject): RuleAnswer {
    const matches = this.matches(subject);
    if (matches === 'yes') {
      const held = this.#conditions.map((condition) => condition.what).join(', ');
      return { matches, why: held === '' ? 'has no conditions' : `${held} hold` };
    }
    if (matches === 'maybe')
      return { matches, why: 'not decidable by host: asks for the path or method of the request' };
    const failed = this.#conditions.find(
      (condition) => !(condition.late && subject.path === undefined) && !condition.holds(subject),
    );
    return { matches, why: `${failed?.what ?? 'a condition'} does not hold` };
  }
}

function conditionsOf(when: RuleConditions): Condition[] {
  const conditions: Condition[] = [];
  const add = (what: string, holds: Condition['holds'], late = false) => conditions.push({ what, late, holds });
  if (when.categories !== undefined) {
    const wanted = new Set<string>(when.categories);
    add('categories', ({ service }) => wanted.has(categoryOf(service)));
  }
  if (when.services !== undefined) {
    const wanted = new Set(when.services.map((name) => name.toLowerCase()));
    add('services', ({ service }) => service !== undefined && isNamed(service, wanted));
  }
  if (when.kinds !== undefined) {
    const wanted = new Set(when.kinds);
    add('kinds', ({ service }) => service?.kind !== undefined && wanted.has(service.kind));
  }
  if (when.hosts !== undefined) {
    const set = new HostSet(when.hosts);
    add('hosts', ({ host }) => set.match(host) !== undefined);
  }
  if (when.users !== undefined) {
    const wanted = new Set(when.users);
    add('users', ({ user }) => user !== undefined && wanted.has(user));
  }
  if (when.groups !== undefined) {
    const wanted = new Set(when.groups);
    add('groups', ({ groups }) => groups.some((group) => wanted.has(group)));
  }
  if (when.networks !== undefined) {
    const set = new CidrSet(when.networks);
    add('networks', ({ from }) => from !== undefined && set.has(from));
  }
  if (when.hours !== undefined) {
    const spans = (typeof when.hours === 'string' ? [when.hours] : when.hours).map((text) => new Hours(text));
    add('hours', ({ now }) => spans.some((span) => span.has(now)));
  }
  if (when.methods !== undefined) {
    const wanted = new Set(when.methods.map((method) => method.toUpperCase()));
    add('methods', ({ method }) => method !== undefined && wanted.has(method.toUpperCase()), true);
  }
  if (when.paths !== undefined) {
    const wanted = when.paths.map(normalizePath);
    add('paths', ({ path }) => path !== undefined && isUnderAny(normalizePath(path), wanted), true);
  }
  return conditions;
}

function isUnderAny(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => isPathUnder(path, prefix));
}

/** The category that rules see: one that `is_blocked` overrides counts as blocked. */
export function categoryOf(service: Service | undefined): Category | 'unknown' {
  if (service === undefined) return 'unknown';
  return service.is_blocked ? 'blocked' : service.category;
}

/** True when the set (lower case) holds the id, the name or a domain of the service. */
export function isNamed(service: Service, wanted: ReadonlySet<string>): boolean {
  if (wanted.has(service.id) || wanted.has(service.service_name.toLowerCase()) || wanted.has(service.domain))
    return true;
  return service.alternate_domains.some((domain) => wanted.has(domain));
}
