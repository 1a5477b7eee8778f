/** The input and the result of a policy decision. */
import type { InjectionSettings, ToolSettings } from './agent-settings.ts';
import type { RuleSubject } from './conditions.ts';
import type { ServiceRegistry } from './registry.ts';
import type { Action, Inspect, RuleConfig, TypeSetting } from './rule.ts';
import type { Service } from './service.ts';

/** The configuration that affects decisions; the schema in `config/` sets the defaults. */
export type PolicyConfig = {
  readonly unknown: Action;
  readonly inspect: { readonly approved: Inspect; readonly monitoring: Inspect; readonly unknown: Inspect };
  /**
   * Ask users to confirm before they use services in category `monitoring`. Default: no; `coach_ttl` (ms) is 8 hours.
   */
  readonly coach?: boolean;
  readonly coach_ttl?: number;
  readonly bypass: readonly string[];
  /** Which categories of anonymizers (hosts that show other hosts) are blocked; default `on`, all of them. */
  readonly anonymizers?: 'on' | 'off' | readonly string[];
  /** Settings for injections, tools and MCP servers; default: report. */
  readonly injection?: InjectionSettings;
  readonly tools?: ToolSettings;
  readonly rules: readonly RuleConfig[];
};

/** The step that decided. */
export type RuleKind = 'bypass' | 'rule' | 'service' | 'category' | 'anonymizer' | 'unknown';

export type PolicyDecision = {
  readonly action: Action;
  /** How the bytes are handled when the action is not `block`. */
  readonly inspect: Inspect;
  readonly service?: Service;
  readonly matchedHost?: string;
  readonly rule: string;
  readonly ruleKind: RuleKind;
  /** A sentence for people. Contains names from the policy only, never text of the request. */
  readonly reason: string;
  readonly types?: Readonly<Record<string, TypeSetting>>;
  /** Overrides of `policy.injection`. */
  readonly injection?: Partial<InjectionSettings>;
  /** Only with `warn`: users must confirm once per this time. */
  readonly coach?: { readonly ttlMs: number };
  /** The first `report_only` rule with a different outcome. */
  readonly wouldBe?: { readonly rule: string; readonly action: Action; readonly inspect: Inspect };
  /**
   * Only for a CONNECT: the policy differs by path or method, so the host alone cannot decide. The tunnel must be
   * intercepted and every request in it decided with its path. Without interception nothing may pass.
   */
  readonly needsPath?: true;
  /**
   * Only for a request whose body has no declared length: a rule has a size limit that could change the decision.
   * Decide again with the actual `size`, or with any number above this one.
   */
  readonly needsSize?: number;
};

/**
 * `host` is from `normalizeHost`. No `path`: only the CONNECT target is known. `from`: client address. `size`: bytes of
 * the body as sent, 0 without a body, undefined while unknown.
 */
export type DecideInput = Omit<RuleSubject, 'groups' | 'now' | 'service'> & {
  readonly port: number;
  readonly groups?: readonly string[];
  readonly now?: Date;
  /**
   * The decision made about the same request when less was known. Its service is kept even if the registry changes
   * meanwhile.
   */
  readonly earlier?: PolicyDecision;
};

export type TriedRule = { readonly rule: string; readonly matched: boolean; readonly why: string };

/**
 * A host that is not intercepted although it is not in `policy.bypass`: from the curated list, or learned from clients
 * that reject our certificate. Blocked hosts stay blocked, and hosts with path rules are still intercepted.
 */
export type Exemption = {
  readonly rule: string;
  readonly reason: string;
  /** Applies to unregistered hosts only; where nothing is masked; everywhere. */
  readonly covers: 'unknown' | 'audited' | 'all';
};

/** An anonymizer: it shows or resolves any other host for the client, which would bypass every decision. */
export type AnonymizerHost = { readonly host: string; readonly category: string; readonly reason: string };

/**
 * `networks`: client CIDR → group. `exempt`: hosts left alone in addition to `bypass`; with `isService` the host is
 * registered, so exemptions of unknown hosts are skipped. `anonymizer`: consulted for unregistered hosts.
 */
export type PolicyOptions = {
  readonly registry: ServiceRegistry;
  readonly config: PolicyConfig;
  readonly networks?: Readonly<Record<string, string>>;
  readonly exempt?: (host: string, isService: boolean) => Exemption | undefined;
  readonly anonymizer?: (host: string) => AnonymizerHost | undefined;
};
