/** How an audit event is counted, in the console's statistics and in reports. */

/** `none`: refused before a decision, like a failed sign-in or a malformed request. */
export type Counted = 'allow' | 'warn' | 'block' | 'none';

/** Events that are not requests: a user's confirmation, a change of a learned bypass. */
const notes = new Set(['acknowledgement', 'bypass']);

/** Errors of requests that Privet did not send although the policy allowed them. */
const refusing = new Set([
  'uninspectable',
  'undecodable_body',
  'body_too_large',
  'confirmation_required',
  'host_not_covered',
  'egress_refused',
  'port_refused',
  'misdirected_request',
  'too_many_requests',
]);

/** How an event is counted; undefined if it is not a request. */
export function countedAs(
  fields: Readonly<Record<string, unknown>>,
  action: unknown = fields.action,
): Counted | undefined {
  const { kind, error } = fields;
  if (typeof kind === 'string' && notes.has(kind)) return undefined;
  if (action !== 'allow' && action !== 'warn' && action !== 'block') return 'none';
  return typeof error === 'string' && refusing.has(error) ? 'block' : action;
}
