/** Evaluates two policies on the same requests and counts the differences, in limited memory. */
import type { Policy } from '../../policy/decide.ts';
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import { toolSubjectOf } from '../../policy/tool-names.ts';
import type { Traffic } from './traffic.ts';

/** The compared parts of a decision. */
export type Outcome = {
  readonly action: string;
  readonly inspect: string;
  readonly rule: string;
  /** True if users are warned first. */
  readonly coach?: true;
  /** The action on tools in the request, if not allowed. */
  readonly tools?: string;
};

/** Requests that the two policies decide differently. `subjects`: counted up to {@link subjectsMax}. */
export type SimulationDiff = {
  readonly before: Outcome;
  readonly after: Outcome;
  readonly count: number;
  readonly subjects: number;
  readonly examples: readonly { readonly host: string; readonly subject: string; readonly at: string }[];
};

/** `undecided`: requests that depend on a path or size missing in the log. */
export type SimulationResult = {
  readonly events: number;
  readonly changed: number;
  readonly undecided: number;
  readonly diffs: readonly SimulationDiff[];
};

const examplesMax = 5;
export const subjectsMax = 10_000;
/** Maximum number of kinds of differences; others are counted together. */
const diffsMax = 1_000;
const others: Outcome = { action: 'various', inspect: 'various', rule: 'various' };

type Diff = {
  before: Outcome;
  after: Outcome;
  count: number;
  subjects: Set<string>;
  hosts: Set<string>;
  examples: { host: string; subject: string; at: string }[];
};

/** Two policies, and the differences between their decisions so far. */
export class Simulation {
  readonly #before: Policy;
  readonly #after: Policy;
  readonly #groupsOf: (user: string) => readonly string[] | undefined;
  readonly #diffs = new Map<string, Diff>();
  readonly #counts = { events: 0, changed: 0, undecided: 0 };

  /** `groupsOf`: groups of a user if the log does not contain them. */
  constructor(options: {
    readonly before: Policy;
    readonly after: Policy;
    readonly groupsOf?: (user: string) => readonly string[] | undefined;
  }) {
    this.#before = options.before;
    this.#after = options.after;
    this.#groupsOf = options.groupsOf ?? (() => undefined);
  }

  add(traffic: Traffic): void {
    this.#counts.events++;
    const input = this.#inputOf(traffic);
    const [before, after] = [this.#before.decide(input), this.#after.decide(input)];
    // A request inside a tunnel was decided with its path, which the event does not contain.
    const isInside = traffic.path === undefined && traffic.method !== undefined;
    if (isInside && (before.needsPath || after.needsPath)) {
      this.#counts.undecided++;
      return;
    }
    const [toolsBefore, toolsAfter] = [
      toolsOf(this.#before, input, before, traffic),
      toolsOf(this.#after, input, after, traffic),
    ];
    if (outcomeText(before) === outcomeText(after) && toolsBefore.tools === toolsAfter.tools) return;
    this.#counts.changed++;
    this.#note(traffic, { ...outcomeOf(before), ...toolsBefore }, { ...outcomeOf(after), ...toolsAfter });
  }

  /** The differences so far, most frequent first. */
  result(): SimulationResult {
    const diffs = [...this.#diffs.values()]
      .map(({ subjects, hosts: _hosts, ...diff }) => ({ ...diff, subjects: subjects.size }))
      .sort((a, b) => b.count - a.count);
    return { ...this.#counts, diffs };
  }

  #inputOf({
    at,
    subject: _subject,
    user,
    groups,
    tools: _tools,
    mcpServers: _servers,
    ...rest
  }: Traffic): DecideInput {
    const known = groups ?? (user === undefined ? undefined : this.#groupsOf(user));
    return {
      ...rest,
      now: at,
      ...(user === undefined ? {} : { user }),
      ...(known === undefined ? {} : { groups: known }),
    };
  }

  #note({ host, subject, at }: Traffic, before: Outcome, after: Outcome): void {
    const key = JSON.stringify([before, after]);
    const isFull = this.#diffs.size >= diffsMax && !this.#diffs.has(key);
    const id = isFull ? '' : key;
    let diff = this.#diffs.get(id);
    if (diff === undefined) {
      const outcomes = isFull ? { before: others, after: others } : { before, after };
      diff = { ...outcomes, count: 0, subjects: new Set(), hosts: new Set(), examples: [] };
      this.#diffs.set(id, diff);
    }
    diff.count++;
    if (diff.subjects.size < subjectsMax) diff.subjects.add(subject);
    if (diff.examples.length >= examplesMax || diff.hosts.has(host)) return;
    diff.hosts.add(host);
    diff.examples.push({ host, subject, at: at.toISOString() });
  }
}

/** The strictest action on the tools and MCP servers of a forwarded request. */
function toolsOf(
  policy: Policy,
  input: DecideInput,
  { action, inspect, service }: PolicyDecision,
  { tools = [], mcpServers = [] }: Traffic,
): Pick<Outcome, 'tools'> {
  if (tools.length + mcpServers.length === 0 || action === 'block' || inspect === 'tunnel') return {};
  const rules = policy.toolRules(input, service);
  const { unknown_servers: unknown } = policy.toolSettings;
  const subjects = [
    ...tools.map((tool) => toolSubjectOf(tool, undefined)),
    ...mcpServers.map((server) => ({ server })),
  ];
  const answers = subjects.map((subject) => {
    const { answer, isNamed } = rules.verdict(subject ?? {});
    return isNamed || answer !== 'allow' || subject?.server === undefined ? answer : unknown;
  });
  const worst = (['block', 'strip', 'report'] as const).find((answer) => answers.includes(answer));
  return worst === undefined ? {} : { tools: worst };
}

function outcomeOf({ action, inspect, rule, coach, needsPath }: PolicyDecision): Outcome {
  if (needsPath) return { action, inspect, rule: 'by path or method' };
  const warning = coach === undefined ? {} : ({ coach: true } as const);
  return { action, inspect: action === 'block' ? 'none' : inspect, rule, ...warning };
}

/** The compared parts as text. The rule is not one of them. */
function outcomeText(decision: PolicyDecision): string {
  const { action, inspect } = outcomeOf(decision);
  return `${action} ${inspect} ${decision.types === undefined ? '' : JSON.stringify(decision.types)} ${decision.coach?.ttlMs ?? ''}`;
}
