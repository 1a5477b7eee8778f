/**
 * The outcome of a request, for every format of the audit trail. The policy may allow a request that is refused all the
 * same (a PII type set to `block`, a body that cannot be decoded), so the decision alone is not enough.
 */
import type { ErrorCode } from '../../core/errors.ts';
import type { AuditFields } from './audit-event.ts';
import type { Severity } from './sinks/sink.ts';

export type OutcomeReport = {
  /** Verb for fields such as CEF's `act` and ECS's `event.action`. */
  readonly action: OutcomeName;
  /** A short title for people. */
  readonly title: string;
  /** The gateway did not let it through. */
  readonly isDenied: boolean;
  /** The client got a successful response. */
  readonly isSuccess: boolean;
  readonly syslog: Severity;
  /** CEF severity, 0 to 10. */
  readonly cef: number;
  /** OCSF `severity_id`: 1 informational, 2 low, 3 medium. */
  readonly ocsf: 1 | 2 | 3;
};

/**
 * `block`: by policy. `refuse`: by the gateway for another reason (credentials, limits, a body it cannot decode, its
 * store unavailable). `fail`: allowed, but the host, the network or the gateway failed. `abort`: the client left.
 */
export type OutcomeName = 'allow' | 'warn' | 'block' | 'refuse' | 'fail' | 'abort';

type Row = Omit<OutcomeReport, 'action'>;

const passed = { isDenied: false, isSuccess: true };
const denied = { isDenied: true, isSuccess: false };
const broken = { isDenied: false, isSuccess: false };

/** One row per outcome. */
const rows: Readonly<Record<OutcomeName, Row>> = {
  allow: { title: 'request allowed', ...passed, syslog: 6, cef: 1, ocsf: 1 },
  warn: { title: 'request allowed with a warning', ...passed, syslog: 5, cef: 3, ocsf: 2 },
  block: { title: 'request blocked', ...denied, syslog: 4, cef: 6, ocsf: 3 },
  refuse: { title: 'request refused', ...denied, syslog: 4, cef: 5, ocsf: 3 },
  fail: { title: 'request failed', ...broken, syslog: 5, cef: 4, ocsf: 2 },
  abort: { title: 'request aborted by the client', ...broken, syslog: 6, cef: 1, ocsf: 1 },
};

export const outcomes = Object.fromEntries(
  Object.entries(rows).map(([action, row]) => [action, { action, ...row }]),
) as Readonly<Record<OutcomeName, OutcomeReport>>;

/** Errors of the host, the network or the gateway itself; every other error is a refusal. */
const failures: ReadonlySet<string> = new Set<ErrorCode>([
  'upstream_failed',
  'upstream_certificate',
  'upstream_timeout',
  'internal',
]);

/** A status that no server sends: the client left before the response. */
const clientLeft = 499;

export function outcomeOf({ action, error, status }: Pick<AuditFields, 'action' | 'error' | 'status'>): OutcomeReport {
  if (action === 'block' || error === 'blocked_by_policy') return outcomes.block;
  if (status === clientLeft) return outcomes.abort;
  if (error !== undefined) return failures.has(error) ? outcomes.fail : outcomes.refuse;
  return action === 'warn' ? outcomes.warn : outcomes.allow;
}
