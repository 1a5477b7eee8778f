/**
 * The record of a request or tunnel: filled while it is served, passed to the observer at its end. It never contains
 * body text, a query string, a header value or a token.
 */
import type { DecideInput, PolicyDecision } from '../../../policy/decision.ts';
import type { AgentFacts } from '../../agents/facts.ts';
import { headerValue } from './headers.ts';

/**
 * The client: its address and, if known, the user with groups. `subject` is the user, else the address. Determined per
 * request, or at CONNECT for the complete tunnel.
 */
export type Client = {
  readonly address: string;
  readonly subject: string;
  readonly user?: string;
  readonly groups?: readonly string[];
};

/** The client's fields for the policy. */
export function whoOf({ address, user, groups }: Client): Pick<DecideInput, 'from' | 'user' | 'groups'> {
  if (user === undefined) return { from: address };
  return groups === undefined ? { from: address, user } : { from: address, user, groups };
}

/** The policy input for a CONNECT; unlike {@link whoOf} without copying an object per tunnel. */
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
  /** Number of detections by PII type. */
  piiTypes: Record<string, number> | undefined;
  masked: number;
  restored: number;
  unresolved: number;
  /** Response events that passed unrestored because they could not be parsed. */
  unreadable: number;
  /** Code of the final error, if any. */
  error: string | undefined;
  /** True if a connection limit was reached, total or per client. */
  exceededLimit: boolean;
  /** The user's reason for using the service, verbatim; for the audit event only. */
  justification: string | undefined;
  /** Duration of masking in milliseconds. */
  maskMs: number | undefined;
  /** Tools, MCP servers and injections in the request. */
  agents: AgentFacts | undefined;
  /** Ids of its MCP requests, needed to reject it in the format that the client expects. */
  rpcIds: readonly unknown[] | undefined;
  /** Resolves when the record is complete. Never rejects. */
  counting: Promise<void> | undefined;
};

/** Receives finished records and other events: log, metrics and audit (gateway/observe/observer.ts). */
export interface ProxyObserver {
  finished(record: RequestRecord, durationMs: number): void;
  tlsClientReject(facts: { host: string; client: Client; code: string }): void;
  /** The first request over our certificate: the client trusts it. */
  tlsClientAccept?(facts: { host: string; client: Client }): void;
  connection(kind: 'client' | 'tunnel' | 'intercepted' | 'websocket', change: 1 | -1): void;
  /** A connection was refused because of a limit, without a record: there may be thousands per second. */
  turnedAway?(): void;
  fault(facts: { requestId: string; error: unknown }): void;
}

const instance = Math.floor(Math.random() * 0xffffffff).toString(36);
let counter = 0;

/** A request id: unique in this process, with a random part that distinguishes replicas. */
export function nextRequestId(): string {
  counter++;
  return `${instance}-${counter.toString(36)}`;
}

/** Creates a record without counts. */
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
    exceededLimit: false,
    justification: undefined,
    maskMs: undefined,
    agents: undefined,
    rpcIds: undefined,
    counting: undefined,
  };
}

/** Reports a request rejected because of its sender. Missing credentials do not count: most clients send them late. */
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
