/**
 * The decision about a request: pure, made once, logged, counted, explained.
 * Order: bypass, rules (first match), the service's `is_blocked`, its category, `policy.unknown`.
 */
import { CidrSet } from './address.ts';
import { HostSet } from './host-set.ts';
import type { ServiceMatch, ServiceRegistry } from './registry.ts';
import type { Action, Inspect, RuleConfig, RuleSubject, TypeSetting } from './rule.ts';
import { Rule } from './rule.ts';
import type { Service } from './service.ts';

export type { Action, Inspect, RuleConfig, TypeSetting } from './rule.ts';

/** The part of the configuration that decides; the schema of `config/` gives the defaults. */
export type PolicyConfig = {
  readonly unknown: Action;
  readonly inspect: { readonly approved: Inspect; readonly monitoring: Inspect; readonly unknown: Inspect };
  readonly bypass: readonly string[];
  readonly rules: readonly RuleConfig[];
};

/** Which step of the order decided. */
export type RuleKind = 'bypass' | 'rule' | 'service' | 'category' | 'unknown';

export type PolicyDecision = {
  readonly action: Action;
  /** What happens to the bytes when the action is not `block`. */
  readonly inspect: Inspect;
  readonly service?: Service;
  readonly matchedHost?: string;
  readonly rule: string;
  readonly ruleKind: RuleKind;
  /** A sentence for people; holds names of the policy only, never text of a request. */
  readonly reason: string;
  readonly types?: Readonly<Record<string, TypeSetting>>;
  /**
   * Only for a CONNECT: the policy differs by path or method, so the host alone cannot decide. The tunnel must be
   * intercepted and every request in it decided with its path; without interception nothing in it may pass.
   */
  readonly needsPath?: true;
};

/** `host` from `normalizeHost`. No `path`: only the target of a CONNECT is known. `from`: address of the client. */
export type DecideInput = {
  readonly host: string;
  readonly port: number;
  readonly path?: string;
  readonly method?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly from?: string;
  readonly now?: Date;
};

export type TriedRule = { readonly rule: string; readonly matched: boolean; readonly why: string };

/** `networks`: CIDR of clients → group that they belong to. */
export type PolicyOptions = {
  readonly registry: ServiceRegistry;
  readonly config: PolicyConfig;
  readonly networks?: Readonly<Record<string, string>>;
};

type Tried = TriedRule[] | undefined;

export class Policy {
  readonly #registry: ServiceRegistry;
  readonly #config: PolicyConfig;
  readonly #bypass: HostSet;
  readonly #rules: readonly Rule[];
  readonly #rulesNeedPath: boolean;
  readonly #networks: readonly { readonly set: CidrSet; readonly group: string }[];

  /** @throws PrivetError `invalid_input` when a host, network or span of hours of the configuration cannot be read. */
  constructor({ registry, config, networks = {} }: PolicyOptions) {
    this.#registry = registry;
    this.#config = config;
    this.#bypass = new HostSet(config.bypass);
    this.#rules = config.rules.map((rule, i) => new Rule(rule, i));
    this.#rulesNeedPath = this.#rules.some((rule) => rule.needsPath);
    this.#networks = Object.entries(networks).map(([cidr, group]) => ({ set: new CidrSet([cidr]), group }));
  }

  /** What to do with the request. */
  decide(input: DecideInput): PolicyDecision {
    return this.#decide(input, undefined);
  }

  /** The same decision, with every step that was asked and why it did or did not match. */
  explain(input: DecideInput): { decision: PolicyDecision; tried: TriedRule[] } {
    const tried: TriedRule[] = [];
    const decision = this.#decide(input, tried);
    return { decision, tried };
  }

  #decide(input: DecideInput, tried: Tried): PolicyDecision {
    const bypass = this.#bypass.match(input.host);
    tried?.push({
      rule: 'bypass',
      matched: bypass !== undefined,
      why: bypass === undefined ? 'no entry names the host' : `"${bypass}" names the host`,
    });
    if (bypass !== undefined) {
      return { action: 'allow', inspect: 'tunnel', rule: bypass, ruleKind: 'bypass', reason: `${bypass} is bypassed` };
    }
    const match = this.#registry.match(input.host, input.path);
    const decision = this.#apply(input, match, tried);
    return input.path === undefined ? this.#widen(input, decision, tried) : decision;
  }

  /** The decision for one service (or none), rules first. */
  #apply(input: DecideInput, match: ServiceMatch | undefined, tried: Tried): PolicyDecision {
    const base = this.#baseDecision(match);
    if (this.#rules.length > 0) {
      const subject = this.#subject(input, match?.service);
      for (const rule of this.#rules) {
        const answer = rule.matches(subject);
        tried?.push({ rule: rule.name, matched: answer === 'yes', why: rule.explain(subject).why });
        if (answer === 'yes') return withRule(base, rule);
      }
    }
    tried?.push(...explainBase(base, this.#config.unknown));
    return base;
  }

  /** Marks the decision of a CONNECT as undecided when some path or method would change it. */
  #widen(input: DecideInput, decision: PolicyDecision, tried: Tried): PolicyDecision {
    const prefixes = this.#registry.prefixMatches(input.host);
    if (prefixes.length === 0 && !this.#rulesNeedPath) return decision;
    const own = this.#registry.match(input.host);
    // A host that an AI service only shares (a search engine, an office suite) is not intercepted for that part's sake:
    // everything else on it would be opened, too. Whoever wants that writes a rule with the path.
    if (own === undefined && !this.#rulesNeedPath) {
      return decision.ruleKind === 'unknown' ? { ...decision, reason: partlyClaimed(prefixes) } : decision;
    }
    const outcomes = [own, ...prefixes].flatMap((match) => this.#outcomes(input, match));
    if (outcomes.every((outcome) => isSameOutcome(outcome, decision))) return decision;

    const reason = prefixes.length > 0 ? partlyClaimed(prefixes) : 'not decidable by host: a rule asks for the path';
    tried?.push({ rule: 'path', matched: true, why: `${reason}; the requests inside are decided with their path` });
    const inspect = outcomes.some((outcome) => outcome.action !== 'block' && outcome.inspect === 'mask')
      ? 'mask'
      : 'audit';
    return { ...decision, action: 'allow', inspect, reason, needsPath: true };
  }

  /** Every decision that requests in a tunnel to this service can get, as far as path and method are open. */
  #outcomes(input: DecideInput, match: ServiceMatch | undefined): PolicyDecision[] {
    const base = this.#baseDecision(match);
    if (this.#rules.length === 0) return [base];
    const subject = this.#subject(input, match?.service);
    const outcomes: PolicyDecision[] = [];
    for (const rule of this.#rules) {
      const answer = rule.matches(subject);
      if (answer === 'no') continue;
      outcomes.push(withRule(base, rule));
      if (answer === 'yes') return outcomes;
    }
    outcomes.push(base);
    return outcomes;
  }

  #baseDecision(match: ServiceMatch | undefined): PolicyDecision {
    const { inspect, unknown } = this.#config;
    if (match === undefined) {
      return {
        action: unknown,
        inspect: inspect.unknown,
        rule: 'policy.unknown',
        ruleKind: 'unknown',
        reason: 'no service of the registry claims the host',
      };
    }
    const { service, matchedHost } = match;
    const { category, service_name: name } = service;
    if (category === 'blocked' || service.is_blocked) {
      const ruleKind = service.is_blocked ? 'service' : 'category';
      const rule = service.is_blocked ? 'service is_blocked' : 'category blocked';
      // A rule that allows a blocked service without a word on inspection gets the careful kind.
      return { action: 'block', inspect: 'mask', service, matchedHost, rule, ruleKind, reason: `${name} is blocked` };
    }
    const rule = `category ${category}`;
    const reason = `${name} is in category ${category}`;
    if (category === 'approved') {
      return { action: 'allow', inspect: inspect.approved, service, matchedHost, rule, ruleKind: 'category', reason };
    }
    return { action: 'warn', inspect: inspect.monitoring, service, matchedHost, rule, ruleKind: 'category', reason };
  }

  #subject(input: DecideInput, service: Service | undefined): RuleSubject {
    const { host, path, method, user, from, groups = [] } = input;
    return {
      host,
      path,
      method,
      user,
      from,
      groups: this.#groupsOf(groups, from),
      now: input.now ?? new Date(),
      service,
    };
  }

  #groupsOf(groups: readonly string[], from: string | undefined): readonly string[] {
    if (this.#networks.length === 0 || from === undefined) return groups;
    const more = this.#networks.filter(({ set }) => set.has(from)).map(({ group }) => group);
    return more.length === 0 ? groups : [...groups, ...more];
  }
}

function withRule(base: PolicyDecision, rule: Rule): PolicyDecision {
  const { action = base.action, inspect = base.inspect, types } = rule.outcome;
  const { service, matchedHost } = base;
  const where = service === undefined ? {} : { service, matchedHost };
  const reason = `rule "${rule.name}"`;
  const settings = types === undefined ? {} : { types };
  return { action, inspect, ...where, rule: rule.name, ruleKind: 'rule', reason, ...settings };
}

function isSameOutcome(a: PolicyDecision, b: PolicyDecision): boolean {
  if (a.action !== b.action || a.types !== b.types) return false;
  return a.inspect === b.inspect || a.action === 'block';
}

function explainBase(base: PolicyDecision, unknown: Action): TriedRule[] {
  const { service } = base;
  if (service === undefined) {
    return [
      { rule: 'service', matched: false, why: 'no service of the registry claims the host' },
      { rule: 'policy.unknown', matched: true, why: `unknown hosts: ${unknown}` },
    ];
  }
  const name = `${service.service_name} (${base.matchedHost})`;
  if (service.is_blocked) return [{ rule: 'service is_blocked', matched: true, why: `${name} has is_blocked set` }];
  return [
    { rule: 'service is_blocked', matched: false, why: `${name} does not have is_blocked set` },
    { rule: `category ${service.category}`, matched: true, why: `${name} is in category ${service.category}` },
  ];
}

function partlyClaimed(prefixes: readonly ServiceMatch[]): string {
  const names = [...new Set(prefixes.map((prefix) => prefix.service.service_name))];
  return `not decidable by host: ${names.join(', ')} ${names.length > 1 ? 'claim' : 'claims'} a part of it`;
}
