/** What a decision is made of and what comes out of it. */
import type { InjectionSettings, ToolSettings } from './agent-settings.ts';
import type { ServiceRegistry } from './registry.ts';
import type { Action, Inspect, RuleConfig, TypeSetting } from './rule.ts';
import type { Service } from './service.ts';

/** The part of the configuration that decides; the schema of `config/` gives the defaults. */
export type PolicyConfig = {
  readonly unknown: Action;
  readonly inspect: { readonly approved: Inspect; readonly monitoring: Inspect; readonly unknown: Inspect };
  /** Ask people about services that are only watched; default no, and `coach_ttl` (ms) 8 hours. */
  readonly coach?: boolean;
  readonly coach_ttl?: number;
  readonly bypass: readonly string[];
  /** Which categories of hosts that show others are blocked; default `on`, all of them. */
  readonly fronts?: 'on' | 'off' | readonly string[];
  /** What is done about injections, and about tools and MCP servers; default: reported. */
  readonly injection?: InjectionSettings;
  readonly tools?: ToolSettings;
  readonly rules: readonly RuleConfig[];
};

/** Which step of the order decided. */
export type RuleKind = 'bypass' | 'rule' | 'service' | 'category' | 'front' | 'unknown';

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
  /** What a rule sets over `policy.injection`. */
  readonly injection?: Partial<InjectionSettings>;
  /** Only with `warn`: people confirm once in this time that they mean to use it. */
  readonly coach?: { readonly ttlMs: number };
  /** The first rule in `report_only` that would have decided in place of this. */
  readonly wouldBe?: { readonly rule: string; readonly action: Action; readonly inspect: Inspect };
  /**
   * Only for a CONNECT: the policy differs by path or method, so the host alone cannot decide. The tunnel must be
   * intercepted and every request in it decided with its path; without interception nothing in it may pass.
   */
  readonly needsPath?: true;
  /**
   * Only for a request whose body has no announced length: a rule asks whether it is over so many bytes, and another
   * answer is possible. It has to be decided again with the `size`, or with any number above this one.
   */
  readonly needsSize?: number;
};

/**
 * `host` from `normalizeHost`. No `path`: only the target of a CONNECT is known. `from`: address of the client.
 * `size`: bytes of the body as sent, 0 without one; none when nobody knows yet.
 */
export type DecideInput = {
  readonly host: string;
  readonly port: number;
  readonly path?: string;
  readonly method?: string;
  readonly size?: number;
  /** The program that asks, in lower case; empty or left out for one that does not say. */
  readonly agent?: string;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly from?: string;
  readonly now?: Date;
  /** What was decided about the same request before more of it was known: its service stays, whatever changes meanwhile. */
  readonly earlier?: PolicyDecision;
};

export type TriedRule = { readonly rule: string; readonly matched: boolean; readonly why: string };

/**
 * A host that is left alone although `policy.bypass` does not name it: of the curated list, or learned from clients that
 * reject our certificate. What is blocked stays blocked, and where a rule asks for paths they are still looked at.
 */
export type Exemption = {
  readonly rule: string;
  readonly reason: string;
  /** Only where no service claims the host; where nothing is masked; everywhere. */
  readonly covers: 'unknown' | 'audited' | 'all';
};

/** A host that shows or resolves any other for whoever asks, and so a way around every decision. */
export type FrontHost = { readonly host: string; readonly category: string; readonly reason: string };

/**
 * `networks`: CIDR of clients → group that they belong to. `exempt`: what is left alone beside `bypass`; with `isService`, a
 * service claims the host, and exemptions of unknown hosts need not be looked for. `front`: asked where no service does.
 */
export type PolicyOptions = {
  readonly registry: ServiceRegistry;
  readonly config: PolicyConfig;
  readonly networks?: Readonly<Record<string, string>>;
  readonly exempt?: (host: string, isService: boolean) => Exemption | undefined;
  readonly front?: (host: string) => FrontHost | undefined;
};
