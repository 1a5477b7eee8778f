/** How an audit event is counted, in the console's statistics, filters and reports. */
import type { AuditFields } from './audit-event.ts';
import { outcomeOf } from './outcome.ts';

/** `none`: refused before a decision, like a failed sign-in or a malformed request. */
export type Counted = 'allow' | 'warn' | 'block' | 'none';

/** Events that are not requests: a user's confirmation, a change of a learned bypass. */
const notes = new Set(['acknowledgement', 'bypass']);

/** How an event is counted; undefined if it is not a request. A request that was allowed but refused counts as blocked. */
export function countedAs(
  fields: Readonly<Record<string, unknown>>,
  action: unknown = fields.action,
): Counted | undefined {
  const { kind, error, status } = fields as Pick<AuditFields, 'kind' | 'error' | 'status'>;
  if (kind !== undefined && notes.has(kind)) return undefined;
  if (action !== 'allow' && action !== 'warn' && action !== 'block') return 'none';
  return outcomeOf({ action, error, status }).isDenied ? 'block' : action;
}
