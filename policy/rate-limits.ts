/**
 * Rate limits by the generic cell rate algorithm (ITU-T I.371): one number per limit, exact over any window, and no burst
 * at the border of two windows.
 */

/** At most `limit` calls in any `windowMs`. */
export type RateRule = { readonly limit: number; readonly windowMs: number };

/** A limit after a call: whether it was allowed, how many may follow at once, and when more will be. */
export type RateState = {
  readonly allowed: boolean;
  readonly limit: number;
  readonly windowMs: number;
  readonly remaining: number;
  /** Until the next call is allowed; 0 when it is. */
  readonly retryMs: number;
  /** Until the whole limit is there again. */
  readonly resetMs: number;
};

/** Asks for one call. `busyUntil` is what the limit keeps: the time at which all taken calls are worked off, 0 at first. */
export function takeRate(rule: RateRule, busyUntil: number, now: number): { state: RateState; busyUntil: number } {
  const stepMs = rule.windowMs / rule.limit;
  const wanted = Math.max(busyUntil, now) + stepMs;
  const allowed = wanted - now <= rule.windowMs;
  const after = allowed ? wanted : busyUntil;
  return { state: rateState(rule, { allowed, busyUntil: after, now }), busyUntil: after };
}

/** The state that a kept number means; the stores that decide by themselves describe their answer with it. */
export function rateState(rule: RateRule, kept: { allowed: boolean; busyUntil: number; now: number }): RateState {
  const stepMs = rule.windowMs / rule.limit;
  const busyMs = Math.max(0, kept.busyUntil - kept.now);
  // A thousandth of a step stands for what floating point loses.
  const remaining = Math.max(0, Math.floor((rule.windowMs - busyMs) / stepMs + 0.001));
  return {
    allowed: kept.allowed,
    limit: rule.limit,
    windowMs: rule.windowMs,
    remaining,
    retryMs: remaining > 0 ? 0 : Math.ceil(busyMs + stepMs - rule.windowMs),
    resetMs: Math.ceil(busyMs),
  };
}

/**
 * The header fields that tell a limit: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), and
 * `Retry-After` (RFC 9110 §10.2.3) when the call was refused. Times are whole seconds, rounded up.
 */
export function rateLimitFields(state: RateState, name = 'default'): Record<string, string> {
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  return {
    'ratelimit-policy': `"${name}";q=${state.limit};w=${seconds(state.windowMs)}`,
    ratelimit: `"${name}";r=${state.remaining};t=${seconds(state.remaining > 0 ? state.resetMs : state.retryMs)}`,
    ...(state.allowed ? {} : { 'retry-after': String(Math.max(1, seconds(state.retryMs))) }),
  };
}
