/** One rule of the policy: its conditions are compiled once and evaluated for every request that it may match. */

import type { MaskAction } from '../core/actions.ts';
import { PrivetError } from '../core/errors.ts';
import type { InjectionSettings, ToolAnswer } from './agent-settings.ts';
import { type Condition, conditionsOf, type HoursCache, type RuleConditions, type RuleSubject } from './conditions.ts';

export type { RuleConditions, RuleSubject } from './conditions.ts';

export { isNamed } from './conditions.ts';

export type Action = 'allow' | 'warn' | 'block';
export type Inspect = 'mask' | 'audit' | 'tunnel';
/** Settings of a type: detect, ignore, or what replaces its values; `block` refuses the request. */
export type TypeSetting = 'on' | 'off' | MaskAction;

/** What a rule sets; anything left out keeps its default. `coach_ttl` in ms. */
export type RuleOutcome = {
  readonly action?: Action;
  readonly inspect?: Inspect;
  readonly types?: Readonly<Record<string, TypeSetting>>;
  readonly coach?: boolean;
  readonly coach_ttl?: number;
  readonly injection?: Partial<InjectionSettings>;
  /** The action for tools and MCP servers in a request; see policy/tool-rules.ts. */
  readonly tools?: ToolAnswer;
};

export type RuleConfig = {
  readonly name?: string;
  /** Who is responsible for the rule; shown to people only. */
  readonly owner?: string;
  /** The last day (UTC, inclusive) of the rule, `2026-12-31`, or the moment (RFC 3339) it ends. */
  readonly expires?: string;
  /** Record when the rule would have decided, but do not apply it. */
  readonly report_only?: boolean;
  readonly when: RuleConditions;
  readonly then: RuleOutcome;
};

/** `maybe`: all other conditions match, but the rule needs something that is not known yet. */
export type RuleAnswer = { readonly matches: 'yes' | 'no' | 'maybe'; readonly why: string };

/** A rule with compiled conditions; immutable. */
export class Rule {
  readonly name: string;
  readonly outcome: RuleOutcome;
  readonly isReportOnly: boolean;
  readonly config: RuleConfig;
  /** Its index in the policy, from 0. */
  readonly position: number;
  /** Whether the rule needs something from the requests inside a tunnel. */
  readonly needsPath: boolean;
  /** It decides only about tools. */
  readonly isForTools: boolean;
  readonly #conditions: readonly Condition[];

  /** @throws PrivetError `invalid_input` when a host, network, hours value or date cannot be parsed. */
  constructor(config: RuleConfig, position: number, hours: HoursCache = new Map()) {
    this.name = config.name ?? `rule ${position + 1}`;
    this.outcome = config.then;
    this.isReportOnly = config.report_only === true;
    this.config = config;
    this.position = position;
    const expires = config.expires === undefined ? undefined : endOf(config.expires);
    this.#conditions = conditionsOf(config.when, expires, hours);
    this.isForTools = isForTools(config);
    this.needsPath = this.#conditions.some((condition) => condition.late !== undefined);
  }

  /** Whether the rule matches, without an explanation: the fast path for every request. */
  matches(subject: RuleSubject): 'yes' | 'no' | 'maybe' {
    let answer: 'yes' | 'maybe' = 'yes';
    for (const condition of this.#conditions) {
      if (isOpen(condition, subject)) answer = 'maybe';
      else if (!condition.holds(subject)) return 'no';
    }
    return answer;
  }

  /** Like {@link matches}, with the condition that decided. */
  explain(subject: RuleSubject): RuleAnswer {
    const matches = this.matches(subject);
    if (matches === 'yes') {
      const held = this.#conditions.map((condition) => condition.what).join(', ');
      return { matches, why: held === '' ? 'has no conditions' : `${held}: match` };
    }
    if (matches === 'maybe') {
      if (subject.path === undefined)
        return { matches, why: 'not decidable by host: depends on the path or method of the request' };
      return { matches, why: 'not decidable yet: depends on the size of the body' };
    }
    const failed = this.#conditions.find((condition) => !isOpen(condition, subject) && !condition.holds(subject));
    const given = failed?.given(subject);
    return {
      matches,
      why: `${failed?.what ?? 'a condition'}: no match${given === undefined ? '' : ` (${given})`}`,
    };
  }
}

/** Whether a rule decides only about tools. */
export function isForTools({ when, then }: RuleConfig): boolean {
  if (when.tools !== undefined || when.mcp_servers !== undefined) return true;
  return then.tools !== undefined && Object.keys(then).every((key) => key === 'tools');
}

function isOpen({ late }: Condition, subject: RuleSubject): boolean {
  return late !== undefined && subject[late] === undefined;
}

/**
 * Parses `expires` (a day, which is inclusive, or a moment) to the Unix time in ms at which it ends.
 * @throws PrivetError `invalid_input` when the text is neither.
 */
export function endOf(expires: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(expires);
  const start = isDay || /^\d{4}-\d{2}-\d{2}T.+(?:Z|[+-]\d{2}:\d{2})$/.test(expires) ? Date.parse(expires) : Number.NaN;
  // Date.parse reads 31 February as 3 March.
  const day = expires.slice(0, 10);
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  if (Number.isNaN(start) || !isReal)
    throw new PrivetError(
      'invalid_input',
      `"${expires}" is neither a date like 2026-12-31 nor a time like 2026-12-31T18:00:00Z.`,
    );
  return isDay ? start + 86_400_000 : start;
}
