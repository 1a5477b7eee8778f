/** The content of an audit event for one request, and how it is made safe to write. */
import { plainField } from './field.ts';

/** One decision and its outcome. Sizes in bytes, as counted on the client's side. */
export type AuditEvent = {
  readonly requestId: string;
  /** Authenticated proxy user, else the client's address. */
  readonly subject: string;
  readonly clientAddress: string;
  readonly kind?: string;
  readonly host: string;
  readonly port?: number;
  /** Key of the service in the registry. */
  readonly service?: string;
  readonly category?: string;
  readonly action?: string;
  readonly inspect?: string;
  readonly rule?: string;
  readonly reason?: string;
  readonly method: string;
  readonly status: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly durationMs: number;
  readonly intercepted: boolean;
  /** PII type → number of detections. */
  readonly piiTypes?: Readonly<Record<string, number>>;
  readonly masked?: number;
  readonly restored?: number;
  readonly unresolved?: number;
  /** Code from the error table. */
  readonly error?: string;
  /** Groups of the user; the first {@link groupsMax}. */
  readonly groups?: readonly string[];
  /** The action of the first matching `report_only` rule, and its name. */
  readonly wouldAction?: string;
  readonly wouldRule?: string;
  /** The reason a user entered when confirming a service. */
  readonly justification?: string;
  /** The client program, by its own name. */
  readonly agent?: string;
  /** MCP servers that a request lists or is sent to, and tools that were called; the first {@link namesMax}. */
  readonly mcpServers?: readonly string[];
  readonly tools?: readonly string[];
  /** Findings in tools: kind, tool, place and action. */
  readonly toolFindings?: readonly {
    readonly kind: string;
    readonly tool: string;
    readonly place: string;
    readonly answer: string;
    readonly rule?: string;
    readonly signs?: readonly string[];
  }[];
  /** The worst injection found, and its place; never its text. */
  readonly injection?: {
    readonly kind: string;
    readonly risk: string;
    readonly categories: readonly string[];
    readonly place: string;
    readonly answer: string;
  };
};

const groupsMax = 20;
const namesMax = 30;
const typesMax = 60;

export type AuditFields = AuditEvent;

/** The event as written, without `ts` and its name: length-limited, escaped, in a fixed order of fields. */
export function auditFields(event: AuditEvent): AuditFields {
  return {
    requestId: plainField(event.requestId, 64),
    subject: plainField(event.subject, 256),
    clientAddress: plainField(event.clientAddress, 64),
    kind: field(event.kind, 32),
    host: plainField(event.host, 255),
    port: event.port,
    service: field(event.service, 128),
    category: field(event.category, 32),
    action: field(event.action, 32),
    inspect: field(event.inspect, 32),
    rule: field(event.rule, 200),
    reason: field(event.reason, 500),
    method: plainField(event.method, 32),
    status: event.status,
    bytesIn: event.bytesIn,
    bytesOut: event.bytesOut,
    durationMs: Math.round(event.durationMs * 100) / 100,
    intercepted: event.intercepted,
    piiTypes: boundedTypes(event.piiTypes),
    masked: event.masked,
    restored: event.restored,
    unresolved: event.unresolved,
    error: field(event.error, 64),
    groups: event.groups?.slice(0, groupsMax).map((group) => plainField(group, 200)),
    wouldAction: field(event.wouldAction, 32),
    wouldRule: field(event.wouldRule, 200),
    justification: field(event.justification, 500),
    agent: event.agent === '' ? undefined : field(event.agent, 64),
    mcpServers: namesOf(event.mcpServers),
    tools: namesOf(event.tools),
    toolFindings: findingsOf(event.toolFindings),
    injection: event.injection,
  };
}

function field(text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : plainField(text, max);
}

function namesOf(names: readonly string[] | undefined): readonly string[] | undefined {
  if (names === undefined || names.length === 0) return undefined;
  return names.slice(0, namesMax).map((name) => plainField(name, 200));
}

function findingsOf(findings: AuditEvent['toolFindings']): AuditEvent['toolFindings'] {
  if (findings === undefined || findings.length === 0) return undefined;
  return findings.map(({ tool, rule, ...rest }) => ({
    ...rest,
    tool: plainField(tool, 200),
    rule: rule === undefined ? undefined : plainField(rule, 200),
  }));
}

/** A dictionary may have thousands of labels: count those beyond the limit as one. */
function boundedTypes(types: AuditEvent['piiTypes']): AuditEvent['piiTypes'] {
  if (types === undefined) return undefined;
  let count = 0;
  for (const _type in types) count++;
  if (count <= typesMax) return types;
  const entries = Object.entries(types);
  const rest = entries.slice(typesMax).reduce((sum, [, count]) => sum + count, 0);
  return { ...Object.fromEntries(entries.slice(0, typesMax)), OTHER: rest };
}
