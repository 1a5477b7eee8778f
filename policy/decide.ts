/**
 * Decides about a request: pure, called once per request, logged, counted and explainable. Order: bypass, rules (first
 * match), the service's `is_blocked`, its category, `policy.anonymizers`, `policy.unknown`.
 */
import { type InjectionSettings, injectionDefaults, type ToolSettings, toolDefaults } from './agent-settings.ts';
import type { DecideInput, PolicyConfig, PolicyDecision, PolicyOptions, TriedRule } from './decision.ts';
import { HostSet } from './host-set.ts';
import { NetworkMap } from './network-map.ts';
import { explainBase, Outcomes } from './outcomes.ts';
import type { ServiceMatch, ServiceRegistry } from './registry.ts';
import type { RuleSubject } from './rule.ts';
import { Rule } from './rule.ts';
import { RuleIndex } from './rule-index.ts';
import { holdsUserContent, type Service } from './service.ts';
import { type Page, shownPage, showsByPath } from './shown-host.ts';
import type { ToolSubject } from './tool-names.ts';
import { noToolRules, type ToolExplanation, ToolRules } from './tool-rules.ts';

/** Collects whether a rule could still match once more is known. */
type Open = { isByRule: boolean };

type Tried = TriedRule[] | undefined;

/** How many nested pages are followed. Real users need one; a path may name hundreds. */
const shownPagesMax = 5;

/** The rules of one configuration applied to one registry. Immutable: a new configuration makes a new object. */
export class Policy {
  readonly #options: PolicyOptions;
  readonly #registry: ServiceRegistry;
  readonly #config: PolicyConfig;
  readonly #made: Outcomes;
  readonly #bypass: HostSet;
  readonly #rules: readonly Rule[];
  readonly #toolRules: readonly Rule[];
  readonly #index: RuleIndex;
  readonly #rulesNeedPath: boolean;
  readonly #networks = new NetworkMap<string>();

  /**
   * @throws PrivetError `invalid_input` when a host, network, date or hours value of the configuration cannot be
   * parsed.
   */
  constructor(options: PolicyOptions) {
    const { registry, config, networks = {} } = options;
    this.#options = options;
    this.#registry = registry;
    this.#config = config;
    this.#made = new Outcomes(config, options.anonymizer);
    this.#bypass = new HostSet(config.bypass);
    const hours = new Map();
    const rules = config.rules.map((rule, i) => new Rule(rule, i, hours));
    this.#rules = rules.filter((rule) => !rule.isForTools);
    this.#toolRules = rules.filter((rule) => rule.outcome.tools !== undefined && !rule.isReportOnly);
    this.#index = new RuleIndex(this.#rules);
    this.#rulesNeedPath = this.#rules.some((rule) => rule.needsPath && !rule.isReportOnly);
    for (const [cidr, group] of Object.entries(networks)) this.#networks.add(cidr, group);
  }

  /** The same rules over other services, to preview a registry change. */
  withRegistry(registry: ServiceRegistry): Policy {
    return new Policy({ ...this.#options, registry });
  }

  /** Other rules for the same services, networks and exemptions. @throws PrivetError like the constructor. */
  withConfig(config: PolicyConfig): Policy {
    return new Policy({ ...this.#options, config });
  }

  decide(input: DecideInput): PolicyDecision {
    return this.#withExemption(input.host, this.#withShown(input, this.#decide(input, undefined)));
  }

  /** The same decision, made by evaluating every rule, with each step and why it did or did not match. */
  explain(input: DecideInput): { decision: PolicyDecision; tried: TriedRule[] } {
    const tried: TriedRule[] = [];
    const decided = this.#decide(input, tried);
    const shown = this.#withShown(input, decided);
    if (shown !== decided)
      tried.push({ rule: shown.needsPath ? 'path' : shown.rule, matched: true, why: shown.reason });
    return { decision: this.#withExemption(input.host, shown), tried };
  }

  injectionSettings({ injection }: Pick<PolicyDecision, 'injection'>): InjectionSettings {
    const base = this.#config.injection ?? injectionDefaults;
    return injection === undefined ? base : { ...base, ...injection };
  }

  /** `policy.tools`. */
  get toolSettings(): ToolSettings {
    return this.#config.tools ?? toolDefaults;
  }

  toolRules(input: DecideInput, service: Service | undefined): ToolRules {
    if (this.#toolRules.length === 0) return noToolRules;
    const subject = this.#subject({ size: 0, ...input }, service);
    const rules = this.#toolRules.filter((rule) => rule.matches(subject) === 'yes');
    return rules.length === 0 ? noToolRules : new ToolRules(rules);
  }

  /**
   * The verdict about a tool or MCP server in a request, with every evaluated rule. Servers that no rule matches get
   * `policy.tools.unknown_servers`.
   */
  explainTool(input: DecideInput, service: Service | undefined, tool: ToolSubject): ToolExplanation {
    const subject = this.#subject({ size: 0, ...input }, service);
    const tried: TriedRule[] = [];
    for (const rule of this.#toolRules) {
      const { matches, why } = rule.explain(subject);
      const verdict = matches === 'yes' ? new ToolRules([rule]).verdict(tool) : undefined;
      const isNamed = verdict !== undefined && verdict.rule === rule.name;
      tried.push({
        rule: rule.name,
        matched: isNamed,
        why:
          verdict === undefined
            ? why
            : isNamed
              ? `matches: tools ${verdict.answer}`
              : 'does not match the tool or server',
      });
      if (verdict !== undefined && isNamed) return { answer: verdict.answer, rule: rule.name, tried };
    }
    const answer = tool.server === undefined ? 'allow' : this.toolSettings.unknown_servers;
    const rule = tool.server === undefined ? 'policy.tools' : 'policy.tools.unknown_servers';
    tried.push({ rule, matched: true, why: 'no rule matches it; an approved server is allowed' });
    return { answer, rule, tried };
  }

  /** Whether the pages of a host are a service's own, and not what its users publish. */
  isOwnPage(service: Service, host: string): boolean {
    return !holdsUserContent(service, host) && this.#registry.isHostOf(service, host);
  }

  /** Whether the path of the request could change the decision. */
  asksPath(input: DecideInput): boolean {
    const { host } = input;
    if (this.#bypass.match(host) !== undefined) return false;
    if (showsByPath(host)) return true;
    if (this.#registry.prefixMatches(host).length > 0) return true;
    if (!this.#rulesNeedPath) return false;
    const { path: _path, size: _size, agent: _agent, ...rest } = input;
    const subject = this.#subject(rest, this.#registry.match(host)?.service);
    let asks = false;
    this.#index.visit(subject, (rule) => {
      const answer = rule.isReportOnly ? 'no' : rule.matches(subject);
      asks ||= answer === 'maybe' && rule.config.when.paths !== undefined;
      return answer === 'yes' || asks;
    });
    return asks;
  }

  /**
   * A host that shows pages of a blocked host is blocked as well, also through further hosts, unless one of them is
   * bypassed. While the path that selects the page is unknown, the connection must be intercepted. If the embedded
   * address cannot be parsed, the decision for the host itself applies. Pages nested deeper than the limit are blocked.
   */
  #withShown(input: DecideInput, decision: PolicyDecision): PolicyDecision {
    if (decision.action === 'block' || decision.ruleKind === 'bypass') return decision;
    const { path } = input;
    let page: Page = path === undefined ? { host: input.host } : { host: input.host, path };
    for (let count = 0; ; count++) {
      const shown = shownPage(page);
      const isOpen = path === undefined && showsByPath(input.host);
      if (shown === undefined) return isOpen ? opened(decision, input.host) : decision;
      if (count === shownPagesMax) break;
      const { path: _path, earlier: _earlier, ...rest } = input;
      const inner = this.#decide({ ...rest, ...shown }, undefined);
      if (inner.action === 'block') return { ...inner, reason: `${inner.reason}, and ${input.host} shows its pages` };
      if (inner.ruleKind === 'bypass') {
        // The query may put a prefix before the name, which can make it a different domain.
        const isSure = !isOpen || this.#decide({ ...rest, host: `x${shown.host}` }, undefined).ruleKind === 'bypass';
        return isSure ? decision : opened(decision, input.host);
      }
      page = shown;
    }
    const { coach: _coach, types: _types, ...others } = decision;
    const reason = `${input.host} shows a page through more than ${shownPagesMax} other sites`;
    return { ...others, action: 'block', rule: 'anonymizers', ruleKind: 'anonymizer', reason };
  }

  /**
   * Applies an exemption, if one reaches that far, so that the connection is tunnelled. Exemptions are looked up only
   * where they matter.
   */
  #withExemption(host: string, decision: PolicyDecision): PolicyDecision {
    const { exempt } = this.#options;
    const { action, inspect, service, needsPath } = decision;
    if (exempt === undefined || inspect === 'tunnel' || action === 'block' || needsPath) return decision;
    const exemption = exempt(host, service !== undefined);
    if (exemption === undefined) return decision;
    const { rule, reason, covers } = exemption;
    if (covers === 'unknown' && service !== undefined) return decision;
    if (covers === 'audited' && inspect === 'mask') return decision;
    const { coach: _coach, types: _types, ...rest } = decision;
    return { ...rest, inspect: 'tunnel', rule, ruleKind: 'bypass', reason };
  }

  #decide(input: DecideInput, tried: Tried): PolicyDecision {
    const bypass = this.#bypass.match(input.host);
    tried?.push({
      rule: 'bypass',
      matched: bypass !== undefined,
      why: bypass === undefined ? 'no entry matches the host' : `"${bypass}" matches the host`,
    });
    if (bypass !== undefined) {
      return { action: 'allow', inspect: 'tunnel', rule: bypass, ruleKind: 'bypass', reason: `${bypass} is bypassed` };
    }
    const { exempt } = this.#options;
    if (tried !== undefined && exempt !== undefined) {
      const exemption = exempt(input.host, false);
      if (exemption !== undefined) tried.push({ rule: 'exemption', matched: true, why: exemption.reason });
    }
    const match = input.earlier === undefined ? this.#registry.match(input.host, input.path) : matchOf(input.earlier);
    const open: Open = { isByRule: false };
    const decision = this.#apply(input, match, tried, open);
    return input.path === undefined ? this.#widen(input, decision, tried, open) : decision;
  }

  /**
   * The decision for one service (or none), rules first. Records in `open` whether a rule needs something not known
   * yet.
   */
  #apply(input: DecideInput, match: ServiceMatch | undefined, tried: Tried, open: Open): PolicyDecision {
    const base = this.#made.base(match, input.host);
    if (this.#rules.length === 0) {
      tried?.push(...explainBase(base, this.#config.unknown));
      return base;
    }
    const subject = this.#subject(input, match?.service);
    let decided: PolicyDecision | undefined;
    let wouldBe: PolicyDecision['wouldBe'];
    /** Outcomes that depend only on the size of the body. */
    let bySize: { readonly outcome: PolicyDecision; readonly over: number }[] | undefined;
    const visit = (rule: Rule): boolean => {
      const answer = rule.matches(subject);
      tried?.push(triedRule(rule, subject));
      if (answer === 'no') return false;
      if (rule.isReportOnly) {
        if (answer === 'yes' && wouldBe === undefined) {
          const { action, inspect } = this.#made.withRule(base, rule);
          wouldBe = { rule: rule.name, action, inspect };
        }
        return false;
      }
      if (answer === 'maybe') {
        open.isByRule = true;
        if (subject.path !== undefined) {
          bySize ??= [];
          bySize.push({ outcome: this.#made.withRule(base, rule), over: rule.config.when.upload_over ?? 0 });
        }
        return false;
      }
      decided = this.#made.withRule(base, rule);
      return true;
    };
    if (tried === undefined) this.#index.visit(subject, visit);
    else this.#rules.some(visit);
    if (decided === undefined) tried?.push(...explainBase(base, this.#config.unknown));
    const decision = decided ?? base;
    // A rule with the same outcome may precede one with a different outcome, so its limit counts too.
    const isOpen = bySize?.some(({ outcome }) => !isSameOutcome(outcome, decision)) === true;
    if (wouldBe === undefined && !isOpen) return decision;
    return {
      ...decision,
      ...(wouldBe === undefined ? {} : { wouldBe }),
      ...(isOpen ? { needsSize: Math.max(...(bySize ?? []).map(({ over }) => over)) } : {}),
    };
  }

  /** Marks the decision of a CONNECT as undecided when some path or method would change it. */
  #widen(input: DecideInput, decision: PolicyDecision, tried: Tried, open: Open): PolicyDecision {
    const prefixes = this.#registry.prefixMatches(input.host);
    if (prefixes.length === 0 && (!this.#rulesNeedPath || !open.isByRule)) return decision;
    const own = this.#registry.match(input.host);
    // Do not intercept a host that an AI service only shares (a search engine, an office suite): that would open all
    // other traffic to it. A rule with the path can request it.
    if (own === undefined && !open.isByRule && !prefixes.some((match) => this.#isOpenByRule(input, match))) {
      return decision.ruleKind === 'unknown' ? { ...decision, reason: partlyClaimed(prefixes) } : decision;
    }
    const outcomes = [own, ...prefixes].flatMap((match) => this.#outcomes(input, match));
    if (outcomes.every((outcome) => isSameOutcome(outcome, decision))) return decision;

    const reason = prefixes.length > 0 ? partlyClaimed(prefixes) : 'not decidable by host: a rule depends on the path';
    tried?.push({ rule: 'path', matched: true, why: `${reason}; the requests inside are decided with their path` });
    const inspect = outcomes.some((outcome) => outcome.action !== 'block' && outcome.inspect === 'mask')
      ? 'mask'
      : 'audit';
    const { coach: _coach, ...rest } = decision;
    return { ...rest, action: 'allow', inspect, reason, needsPath: true };
  }

  /** Whether some rule needs the path or method of requests to this service on the host. */
  #isOpenByRule(input: DecideInput, match: ServiceMatch | undefined): boolean {
    if (!this.#rulesNeedPath) return false;
    const subject = this.#subject(input, match?.service);
    let isOpen = false;
    this.#index.visit(subject, (rule) => {
      const answer = rule.isReportOnly ? 'no' : rule.matches(subject);
      isOpen ||= answer === 'maybe';
      return answer === 'yes' || isOpen;
    });
    return isOpen;
  }

  /** Every decision that requests to this service in a tunnel can get, depending on path and method. */
  #outcomes(input: DecideInput, match: ServiceMatch | undefined): PolicyDecision[] {
    const base = this.#made.base(match, input.host);
    if (this.#rules.length === 0) return [base];
    const subject = this.#subject(input, match?.service);
    const outcomes: PolicyDecision[] = [];
    let isDecided = false;
    this.#index.visit(subject, (rule) => {
      const answer = rule.isReportOnly ? 'no' : rule.matches(subject);
      if (answer === 'no') return false;
      outcomes.push(this.#made.withRule(base, rule));
      isDecided = answer === 'yes';
      return isDecided;
    });
    if (!isDecided) outcomes.push(base);
    return outcomes;
  }

  #subject(input: DecideInput, service: Service | undefined): RuleSubject {
    const { host, path, method, size, user, from, groups = [] } = input;
    const { agent = path === undefined ? undefined : '' } = input;
    return {
      host,
      path,
      method,
      size,
      agent,
      user,
      from,
      groups: this.#groupsOf(groups, from),
      now: input.now ?? new Date(),
      service,
    };
  }

  #groupsOf(groups: readonly string[], from: string | undefined): readonly string[] {
    if (this.#networks.isEmpty || from === undefined) return groups;
    const more = this.#networks.of(from);
    return more.length === 0 ? groups : [...groups, ...more];
  }
}

function triedRule(rule: Rule, subject: RuleSubject): TriedRule {
  const { matches, why } = rule.explain(subject);
  if (!rule.isReportOnly) return { rule: rule.name, matched: matches === 'yes', why };
  return { rule: rule.name, matched: false, why: matches === 'yes' ? `report_only: would decide, ${why}` : why };
}

function matchOf({ service, matchedHost }: PolicyDecision): ServiceMatch | undefined {
  return service === undefined || matchedHost === undefined ? undefined : { service, matchedHost };
}

function isSameOutcome(a: PolicyDecision, b: PolicyDecision): boolean {
  if (a.action !== b.action || a.types !== b.types || a.injection !== b.injection || a.coach?.ttlMs !== b.coach?.ttlMs)
    return false;
  return a.inspect === b.inspect || a.action === 'block';
}

/** The decision for a CONNECT to a host that shows pages of others, one of which may be blocked by its path. */
function opened(decision: PolicyDecision, host: string): PolicyDecision {
  const inspect = decision.inspect === 'tunnel' ? 'audit' : decision.inspect;
  return {
    ...decision,
    inspect,
    reason: `not decidable by host: the path selects the page that ${host} shows`,
    needsPath: true,
  };
}

function partlyClaimed(prefixes: readonly ServiceMatch[]): string {
  const names = [...new Set(prefixes.map((prefix) => prefix.service.service_name))];
  return `not decidable by host: ${names.join(', ')} ${names.length > 1 ? 'cover' : 'covers'} part of it`;
}
