/** The decisions for a service, an unregistered host, and a matching rule. */
import type { PolicyConfig, PolicyDecision, PolicyOptions, TriedRule } from './decision.ts';
import type { ServiceMatch } from './registry.ts';
import type { Action, Rule } from './rule.ts';
import type { Service } from './service.ts';

const coachTtlMs = 8 * 3_600_000;

/** Turns matches into decisions. */
export class Outcomes {
  readonly #config: PolicyConfig;
  readonly #anonymizerOf: PolicyOptions['anonymizer'];

  constructor(config: PolicyConfig, anonymizerOf: PolicyOptions['anonymizer']) {
    this.#config = config;
    this.#anonymizerOf = anonymizerOf;
  }

  /** The decision without a rule: by the service, else by the host. */
  base(match: ServiceMatch | undefined, host: string): PolicyDecision {
    const { inspect, unknown } = this.#config;
    if (match === undefined) {
      const anonymizer = this.#anonymizer(host);
      if (anonymizer !== undefined) return anonymizer;
      return {
        action: unknown,
        inspect: inspect.unknown,
        rule: 'policy.unknown',
        ruleKind: 'unknown',
        reason: 'the host is not in the registry',
      };
    }
    const { service, matchedHost } = match;
    const { category, service_name: name } = service;
    if (category === 'blocked' || service.is_blocked) {
      const ruleKind = service.is_blocked ? 'service' : 'category';
      const rule = service.is_blocked ? 'service is_blocked' : 'category blocked';
      // A rule that allows a blocked service without setting `inspect` gets the strictest inspection.
      return { action: 'block', inspect: 'mask', service, matchedHost, rule, ruleKind, reason: `${name} is blocked` };
    }
    const rule = `category ${category}`;
    const reason = `${name} is in category ${category}`;
    if (category === 'approved') {
      return { action: 'allow', inspect: inspect.approved, service, matchedHost, rule, ruleKind: 'category', reason };
    }
    const coach = this.#coach('warn', service, undefined);
    const watched = { service, matchedHost, rule, ruleKind: 'category', reason } as const;
    return { action: 'warn', inspect: inspect.monitoring, ...watched, coach };
  }

  #anonymizer(host: string): PolicyDecision | undefined {
    const { anonymizers = 'on' } = this.#config;
    const anonymizer = anonymizers === 'off' ? undefined : this.#anonymizerOf?.(host);
    if (anonymizer === undefined || (anonymizers !== 'on' && !anonymizers.includes(anonymizer.category)))
      return undefined;
    const reason = `${anonymizer.host} is an anonymizer (${anonymizer.category}): it ${anonymizer.reason}`;
    // No service matches: a rule that allows the host treats it like any other unknown host.
    const { inspect } = this.#config;
    return {
      action: 'block',
      inspect: inspect.unknown,
      rule: `anonymizer ${anonymizer.category}`,
      ruleKind: 'anonymizer',
      reason,
    };
  }

  /** The decision of a rule that overrides `base`. */
  withRule(base: PolicyDecision, rule: Rule): PolicyDecision {
    const { action = base.action, inspect = base.inspect, types, injection } = rule.outcome;
    const { service, matchedHost } = base;
    const coach = this.#coach(action, service, rule);
    return {
      action,
      inspect,
      service,
      matchedHost,
      rule: rule.name,
      ruleKind: 'rule',
      reason: `rule "${rule.name}"`,
      types,
      injection,
      coach,
    };
  }

  /**
   * The rule's setting applies, else the service's, else the policy's. The policy's setting applies to registered
   * services only: showing a page on unknown hosts would mean intercepting all of them.
   */
  #coach(action: Action, service: Service | undefined, rule: Rule | undefined): PolicyDecision['coach'] {
    if (action !== 'warn') return undefined;
    const isOn = rule?.outcome.coach ?? service?.coach ?? (service !== undefined && this.#config.coach === true);
    if (!isOn) return undefined;
    return { ttlMs: rule?.outcome.coach_ttl ?? service?.coach_ttl ?? this.#config.coach_ttl ?? coachTtlMs };
  }
}

const unknownWords: Readonly<Record<Action, string>> = {
  allow: 'unregistered hosts are allowed',
  warn: 'unregistered hosts are allowed with a warning',
  block: 'unregistered hosts are blocked',
};

/** The steps that lead to a decision without a rule. */
export function explainBase(base: PolicyDecision, unknown: Action): TriedRule[] {
  const { service } = base;
  if (base.ruleKind === 'anonymizer') {
    return [
      { rule: 'service', matched: false, why: 'the host is not in the registry' },
      { rule: base.rule, matched: true, why: base.reason },
    ];
  }
  if (service === undefined) {
    return [
      { rule: 'service', matched: false, why: 'the host is not in the registry' },
      { rule: 'policy.unknown', matched: true, why: unknownWords[unknown] },
    ];
  }
  const name = `${service.service_name} (${base.matchedHost})`;
  if (service.is_blocked) return [{ rule: 'service is_blocked', matched: true, why: `${name} is marked as blocked` }];
  return [
    { rule: 'service is_blocked', matched: false, why: `${name} is not marked as blocked` },
    { rule: `category ${service.category}`, matched: true, why: `${name} is in category ${service.category}` },
  ];
}
