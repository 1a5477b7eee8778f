/** How an audit event counts, the same in the figures of the console and in the reports. */

/** `none`: refused before a decision, as a failed sign-in or a malformed request. */
export type Counted = 'allow' | 'warn' | 'block' | 'none';

/** Events that tell of something else than a request: a user's confirmation, a change of the learned bypass. */
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

/** What the fields of an event count as; undefined for those that are no request. */
export function countedAs(
  fields: Readonly<Record<string, unknown>>,
  action: unknown = fields.action,
): Counted | undefined {
  const { kind, error } = fields;
  if (typeof kind === 'string' && notes.has(kind)) return undefined;
  if (action !== 'allow' && action !== 'warn' && action !== 'block') return 'none';
  return typeof error === 'string' && refusing.has(error) ? 'block' : action;
}
