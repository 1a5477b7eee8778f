/**
 * What is known of one request or tunnel: filled in while it is served, handed to the observer at its end.
 * It never holds text of a body, a query string, a header value or a token.
 */
import type { DecideInput, PolicyDecision } from '../../policy/decision.ts';
import type { AgentFacts } from '../agents/facts.ts';
import { headerValue } from './headers.ts';

/**
 * Who sends: the address and, where one is known, the user with the groups. `subject` is the user, else the address.
 * Named once for each request, or at CONNECT for the whole tunnel.
 */
export type Client = {
  readonly address: string;
  readonly subject: string;
  readonly user?: string;
  readonly groups?: readonly string[];
};

/** What the policy is told of a client. */
export function whoOf({ address, user, groups }: Client): Pick<DecideInput, 'from' | 'user' | 'groups'> {
  if (user === undefined) return { from: address };
  return groups === undefined ? { from: address, user } : { from: address, user, groups };
}

/** What the policy is asked about a CONNECT: {@link whoOf} without copying an object for each tunnel. */
export function askFor({ address: from, user, groups }: Client, host: string, port: number): DecideInput {
  if (user === undefined) return { host, port, from };
  return groups === undefined ? { host, port, from, user } : { host, port, from, user, groups };
}

/** The facts of a request, a tunnel or a WebSocket. */
export type RequestRecord = {
  readonly requestId: string;
  kind: 'request' | 'tunnel' | 'websocket' | 'connect' | 'acknowledgement';
  readonly startedAt: number;
  readonly client: Client;
  method: string;
  host: string;
  port: number;
  decision: PolicyDecision | undefined;
  status: number;
  bytesIn: number;
  bytesOut: number;
  intercepted: boolean;
  /** Counts of detections by PII type. */
  piiTypes: Record<string, number> | undefined;
  masked: number;
  restored: number;
  unresolved: number;
  /** Events of the answer that passed unrestored because they could not be read. */
  unreadable: number;
  /** Code of the error that ended it, from the error table. */
  error: string | undefined;
  /** It was refused for want of a place, of all or of its client. */
  foundNoRoom: boolean;
  /** Why a person wants to use a service, in the person's words; for the audit event alone. */
  justification: string | undefined;
  /** Milliseconds that masking took. */
  maskMs: number | undefined;
  /** Tools, MCP servers and injections in it. */
  agents: AgentFacts | undefined;
  /** Ids of the MCP requests in it: it is refused as their client expects. */
  rpcIds: readonly unknown[] | undefined;
  /** What is still to be added to the record; it is finished after that. Never rejects. */
  counting: Promise<void> | undefined;
};

/** Where finished records and other facts go: log, metrics and audit (gateway/observe/observer.ts). */
export interface ProxyObserver {
  finished(record: RequestRecord, durationMs: number): void;
  tlsClientReject(facts: { host: string; client: Client; code: string }): void;
  /** The first request under our certificate has come: the client trusts it. */
  tlsClientAccept?(facts: { host: string; client: Client }): void;
  connection(kind: 'client' | 'tunnel' | 'intercepted' | 'websocket', change: 1 | -1): void;
  /** A connection was turned away for want of a place, and has no record: there may be thousands a second. */
  turnedAway?(): void;
  fault(facts: { requestId: string; error: unknown }): void;
}

const instance = Math.floor(Math.random() * 0xffffffff).toString(36);
let counter = 0;

/** A request id: unique for this process, with a random part that tells replicas apart. */
export function nextRequestId(): string {
  counter++;
  return `${instance}-${counter.toString(36)}`;
}

/** A new record with nothing counted yet. */
export function newRecord(
  kind: RequestRecord['kind'],
  client: Client,
  method: string,
  host: string,
  port: number,
): RequestRecord {
  return {
    requestId: nextRequestId(),
    kind,
    startedAt: performance.now(),
    client,
    method,
    host,
    port,
    decision: undefined,
    status: 0,
    bytesIn: 0,
    bytesOut: 0,
    intercepted: false,
    piiTypes: undefined,
    masked: 0,
    restored: 0,
    unresolved: 0,
    unreadable: 0,
    error: undefined,
    foundNoRoom: false,
    justification: undefined,
    maskMs: undefined,
    agents: undefined,
    rpcIds: undefined,
    counting: undefined,
  };
}

/**
 * Tells the observer of a request that was refused before anything else because of who sends it. A request without
 * credentials is no event: most clients send them only when they are asked.
 */
export function recordRefusal(
  observer: ProxyObserver,
  record: RequestRecord,
  rawHeaders: readonly string[],
  error: unknown,
): void {
  const { code, status } = error as { code?: string; status?: number };
  if (code === 'proxy_auth_required' && headerValue(rawHeaders, 'proxy-authorization') === undefined) return;
  record.error = code;
  record.status = status ?? 500;
  observer.finished(record, performance.now() - record.startedAt);
}
