/**
 * Rate limits: a number of calls per window, which starts with the first call. A caller below the limit in every window
 * is never refused, and a refused caller learns when the full limit is available again.
 */

/** At most `limit` calls per window of `windowMs`. */
export type RateRule = { readonly limit: number; readonly windowMs: number };

/** The stored state of a limit: calls taken in the current window, and its end in Unix milliseconds. */
export type RateCount = { readonly taken: number; readonly endsAt: number };

/** A limit after a call: whether the call was allowed, how many more may follow, and when the limit resets. */
export type RateState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  /** Time until the next call is allowed; 0 if it is allowed now. */
  readonly retryMs: number;
  /** Time until the full limit is available again. */
  readonly resetMs: number;
};

/** Requests one call; `count` is the stored state, if any. */
export function takeRate(
  rule: RateRule,
  count: RateCount | undefined,
  now: number,
): { state: RateState; count: RateCount } {
  // A window that ends later than any new one could was stored before the clock was set back.
  const isRunning = count !== undefined && count.endsAt > now && count.endsAt <= now + rule.windowMs;
  const running = isRunning ? count : { taken: 0, endsAt: now + rule.windowMs };
  const allowed = running.taken < rule.limit;
  const after = allowed ? { ...running, taken: running.taken + 1 } : running;
  return { state: rateState(rule, { ...after, allowed, now }), count: after };
}

/** A count after a decision, and the time of it. */
export type KeptRate = RateCount & { readonly allowed: boolean; readonly now: number };

/** Converts a stored count to a state, for stores that make the decision themselves. */
export function rateState(rule: RateRule, kept: KeptRate): RateState {
  const remaining = Math.max(0, rule.limit - kept.taken);
  const resetMs = Math.max(0, Math.ceil(kept.endsAt - kept.now));
  return {
    allowed: kept.allowed,
    limit: rule.limit,
    windowMs: rule.windowMs,
    remaining,
    retryMs: remaining > 0 ? 0 : resetMs,
    resetMs,
  };
}

/**
 * The header fields that describe a limit: `RateLimit` and `RateLimit-Policy`
 * (draft-ietf-httpapi-ratelimit-headers-10), and `Retry-After` (RFC 9110 §10.2.3) when the call was refused. Times are
 * whole seconds, rounded up.
 */
export function rateLimitFields(state: RateState, name = 'default'): Record<string, string> {
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  return {
    'ratelimit-policy': `"${name}";q=${state.limit};w=${seconds(state.windowMs)}`,
    ratelimit: `"${name}";r=${state.remaining};t=${seconds(state.resetMs)}`,
    ...(state.allowed ? {} : { 'retry-after': String(Math.max(1, seconds(state.retryMs))) }),
  };
}
