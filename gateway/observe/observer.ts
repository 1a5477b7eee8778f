/**
 * Receives finished requests and other events of the proxy, and counts, audits or logs each of them. The only place
 * that does.
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { ProxyObserver, RequestRecord } from '../proxy/request/record.ts';
import type { AuditLog } from './audit.ts';
import type { Count } from './count-family.ts';
import { plainField } from './field.ts';
import type { Log } from './log.ts';
import { limitExceeded, type Metrics } from './metrics.ts';

/**
 * Errors by which the gateway refuses a request, each a reason in `privet_blocked_total`; other 4xx are the client's
 * mistakes. Further reasons are `limit_exceeded`, `pii_type`, `injection`, `tool` and `policy_` with the kind of the rule.
 */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  'client_refused',
  'egress_refused',
  'port_refused',
  'uninspectable',
  'undecodable_body',
  'body_too_large',
  'misdirected_request',
  'confirmation_required',
  'host_not_covered',
  'proxy_auth_required',
  'too_many_requests',
  'loop_detected',
]);

export class Observer implements ProxyObserver {
  readonly #metrics: Metrics;
  readonly #audit: AuditLog;
  readonly #log: Log;
  readonly #connections: Readonly<Record<'client' | 'tunnel' | 'intercepted' | 'websocket', Count>>;
  readonly #limitsExceeded: Count;
  readonly #tunnelUp: Count;
  readonly #tunnelDown: Count;

  constructor(parts: { metrics: Metrics; audit: AuditLog; log: Log }) {
    this.#metrics = parts.metrics;
    this.#audit = parts.audit;
    this.#log = parts.log;
    const { connections, tunnelBytes } = parts.metrics;
    this.#connections = {
      client: connections.with('client'),
      tunnel: connections.with('tunnel'),
      intercepted: connections.with('intercepted'),
      websocket: connections.with('websocket'),
    };
    this.#limitsExceeded = parts.metrics.blocked.with(limitExceeded);
    this.#tunnelUp = tunnelBytes.with('up');
    this.#tunnelDown = tunnelBytes.with('down');
  }

  finished(record: RequestRecord, durationMs: number): void {
    this.#count(record);
    if (record.unreadable > 0) {
      this.#log.warn(
        {
          event: 'answer_unreadable',
          requestId: record.requestId,
          host: plainField(record.host, 255),
          service: record.decision?.service?.key,
          events: record.unreadable,
        },
        'parts of a response could not be decoded and kept their tokens',
      );
    }
    const { decision, client } = record;
    this.#audit.write({
      requestId: record.requestId,
      subject: client.subject,
      clientAddress: client.address,
      kind: record.kind,
      host: record.host,
      port: record.port,
      service: decision?.service?.key,
      category: decision?.service?.category,
      action: decision?.action,
      inspect: decision?.inspect,
      rule: decision?.rule,
      reason: decision?.reason,
      method: record.method,
      status: record.status,
      bytesIn: record.bytesIn,
      bytesOut: record.bytesOut,
      durationMs,
      intercepted: record.intercepted,
      piiTypes: record.piiTypes,
      masked: record.masked,
      restored: record.restored,
      unresolved: record.unresolved,
      error: record.error,
      groups: client.groups,
      wouldAction: decision?.wouldBe?.action,
      wouldRule: decision?.wouldBe?.rule,
      justification: record.justification,
      agent: record.agents?.agent,
      mcpServers: record.agents?.servers,
      tools: record.agents?.tools,
      toolFindings: record.agents?.findings,
      injection: record.agents?.injection,
    });
  }

  tlsClientReject(facts: { host: string; client: { address: string; subject: string }; code: string }): void {
    this.#metrics.tlsClientRejects.value++;
    // A client that leaves may simply not need the connection: Go and Chromium open more than they use.
    const hasLeft = /^(?:CLOSED|ECONNRESET|EPIPE)$/.test(facts.code);
    const level = facts.code === 'DECLINED' ? 'debug' : hasLeft ? 'info' : 'warn';
    if (!this.#log.isLevelEnabled(level)) return;
    this.#log[level](
      {
        event: 'tls_client_reject',
        host: plainField(facts.host, 255),
        subject: plainField(facts.client.subject, 256),
        clientAddress: plainField(facts.client.address, 64),
        code: plainField(facts.code, 64),
      },
      // No common TLS parameters, or a timeout: the certificate was not the reason.
      hasLeft
        ? 'the client closed its connection in the TLS handshake'
        : /UNSUPPORTED_PROTOCOL|NO_SHARED|NO_SUITABLE|^TIMEOUT$/.test(facts.code)
          ? 'the TLS handshake with the client failed'
          : 'the client does not trust the CA of the gateway, or pins its own certificate',
    );
  }

  connection(kind: 'client' | 'tunnel' | 'intercepted' | 'websocket', change: 1 | -1): void {
    this.#connections[kind].value += change;
  }

  turnedAway(): void {
    this.#limitsExceeded.value++;
  }

  fault(facts: { requestId: string; error: unknown }): void {
    this.#log.error(
      { event: 'fault', requestId: facts.requestId, error: facts.error },
      'a request failed in the gateway',
    );
  }

  #count(record: RequestRecord): void {
    const { decision, error } = record;
    const metrics = this.#metrics;
    const action = decision?.action ?? 'none';
    const inspect = decision?.inspect ?? 'none';
    const category = decision?.service?.category ?? 'none';
    metrics.requests.with(action, inspect, category, statusClass(record.status)).value++;
    if (decision) metrics.decisions.with(action, decision.ruleKind).value++;
    if (decision?.wouldBe) metrics.wouldDecide.with(decision.wouldBe.action).value++;
    if (record.exceededLimit) this.#limitsExceeded.value++;
    else if (error !== undefined && refusals.has(error)) metrics.blocked.with(error).value++;
    else if (action === 'block') metrics.blocked.with(`policy_${decision?.ruleKind}`).value++;
    else if (error === 'blocked_by_policy') metrics.blocked.with(reasonOf(record)).value++;
    if (error?.startsWith('upstream_')) metrics.upstreamErrors.with(error.slice('upstream_'.length)).value++;
    for (const { kind, answer } of record.agents?.findings ?? []) metrics.toolFindings.with(kind, answer).value++;
    if (record.kind === 'tunnel') {
      this.#tunnelUp.value += record.bytesIn;
      this.#tunnelDown.value += record.bytesOut;
    }
    for (const type in record.piiTypes) {
      const found = record.piiTypes[type] ?? 0;
      metrics.piiDetected.with(type, inspect).value += found;
      if (record.masked > 0) metrics.piiMasked.with(type).value += found;
    }
    metrics.tokensRestored.value += record.restored;
    metrics.tokensUnresolved.value += record.unresolved;
    if (record.maskMs !== undefined) metrics.observeMask(record.maskMs);
  }
}

/** Why the gateway refused a request that the policy allowed. */
function reasonOf({ agents }: RequestRecord): string {
  if (agents?.injection?.answer === 'block') return 'injection';
  return agents?.findings.some(({ answer }) => answer !== 'report') ? 'tool' : 'pii_type';
}

const statusClasses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx'];

function statusClass(status: number): string {
  return statusClasses[Math.floor(status / 100)] ?? 'none';
}
