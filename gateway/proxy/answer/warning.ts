import type { PolicyDecision } from '../../../policy/decision.ts';

/** The text of the warning header; the service name is reduced to visible ASCII. */
export function warningOf(decision: PolicyDecision, confirmAt?: string): string {
  const name = (decision.service?.service_name ?? 'this destination').replace(/[^\x20-\x7e]/g, '?');
  const confirm = confirmAt === undefined ? '' : `; confirm="${confirmAt}"`;
  return `monitored; service="${name.replace(/["\\]/g, '')}"${confirm}`;
}
