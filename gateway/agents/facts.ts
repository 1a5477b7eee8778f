/** Facts about tools and injections in a request, for its audit event: names and paths, never text. */
import type { FindingAnswer, ToolAnswer } from '../../policy/agent-settings.ts';
import type { InjectionFound } from './injection-check.ts';

/** Kinds of findings; a small fixed set, because it is a label of a metric. */
export const findingKinds = [
  'poisoned',
  'invisible',
  'shadows',
  'changed',
  'added',
  'not_allowed',
  'unknown_server',
  'denied',
  'secret_in_call',
  'token_in_call',
  'elicitation',
] as const;
export type FindingKind = (typeof findingKinds)[number];

export type ToolFinding = {
  readonly kind: FindingKind;
  /** `server/tool`, or the server. */
  readonly tool: string;
  readonly place: string;
  readonly answer: ToolAnswer | FindingAnswer;
  /** The rule that decided. */
  readonly rule?: string;
  /** Categories, or types of values. */
  readonly signs?: readonly string[];
};

export type AgentFacts = {
  agent: string;
  /** Servers that the request names or calls. */
  servers: readonly string[];
  /** Tools that were called. */
  tools: readonly string[];
  readonly findings: ToolFinding[];
  injection: InjectionFound | undefined;
};

/** Maximum findings per request. */
const findingsMax = 20;

export function addFinding(facts: AgentFacts, finding: ToolFinding): void {
  const { findings } = facts;
  const isKnown = findings.some((one) => one.kind === finding.kind && one.tool === finding.tool);
  if (!isKnown && findings.length < findingsMax) findings.push(finding);
}

/** Maximum names of servers or tools. */
const namesMax = 100;

/** Merges names without duplicates: a WebSocket has one event for all its messages. */
export function withNames(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])].slice(0, namesMax);
}

/** Describes a problem of a tool, for people. */
export function sentenceOf({ kind, tool }: Pick<ToolFinding, 'kind' | 'tool'>): string {
  const name = tool.replace(/[^\w./@:*-]/g, '?').slice(0, 120);
  switch (kind) {
    case 'changed':
      return `the definition of the tool "${name}" has changed and is not approved`;
    case 'added':
      return `the tool "${name}" is new on its server and is not approved`;
    case 'poisoned':
    case 'invisible':
    case 'shadows':
      return `the definition of the tool "${name}" tries to steer the model`;
    case 'secret_in_call':
    case 'token_in_call':
      return `a call of "${name}" would send a secret away`;
    case 'elicitation':
      return `the MCP server "${name}" asks for a secret`;
    default:
      return `the tool or MCP server "${name}" is not allowed here`;
  }
}
