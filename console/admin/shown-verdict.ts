/** What the console shows as the decision on a request. */

/** The fields of an event that tell how its request ended. */
type Decided = {
  readonly action: string;
  readonly error?: string | undefined;
  readonly status?: number | undefined;
  readonly inspect?: string | undefined;
};

/** Of a request whose client left before the response. */
const clientLeft = 499;

/**
 * The decision and inspection to show, as the list and the figures count them: a request that the policy allowed may have
 * been refused all the same.
 */
export function shownVerdict({ action, error, status = 0, inspect }: Decided): {
  readonly action: string;
  readonly inspect: string | undefined;
} {
  // A call in a batch, or an answer: the request itself was sent.
  const isPart = error === 'blocked_by_policy' && (status < 400 || status === clientLeft);
  const isUnsent = error !== undefined && status !== clientLeft && !/^(?:upstream_|internal$)/.test(error);
  return { action: isPart ? 'block' : action, inspect: isUnsent ? 'unsent' : inspect };
}
