/**
 * Rate limits: so many calls in a window, which begins with the first call. Whoever has called less than that often in the
 * last window is never refused, and who is refused knows when all of it is there again.
 */

/** At most `limit` calls in a window of `windowMs`. */
export type RateRule = { readonly limit: number; readonly windowMs: number };

/** What a limit keeps: calls taken in the window that is running, and its end in Unix milliseconds. */
export type RateCount = { readonly taken: number; readonly endsAt: number };

/** A limit after a call: whether it was allowed, how many may follow, and when more will be. */
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

/** Asks for one call; `count` is what was kept, if anything. */
export function takeRate(
  rule: RateRule,
  count: RateCount | undefined,
  now: number,
): { state: RateState; count: RateCount } {
  // One that ends later than any window that begins now is of a clock that was put back since.
  const isRunning = count !== undefined && count.endsAt > now && count.endsAt <= now + rule.windowMs;
  const running = isRunning ? count : { taken: 0, endsAt: now + rule.windowMs };
  const allowed = running.taken < rule.limit;
  const after = allowed ? { ...running, taken: running.taken + 1 } : running;
  return { state: rateState(rule, { ...after, allowed, now }), count: after };
}

/** The state that a kept count means; the stores that decide by themselves describe their answer with it. */
export function rateState(rule: RateRule, kept: RateCount & { allowed: boolean; now: number }): RateState {
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
 * The header fields that tell a limit: `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-10), and
 * `Retry-After` (RFC 9110 §10.2.3) when the call was refused. Times are whole seconds, rounded up.
 */
export function rateLimitFields(state: RateState, name = 'default'): Record<string, string> {
  const seconds = (ms: number) => Math.ceil(ms / 1000);
  return {
    'ratelimit-policy': `"${name}";q=${state.limit};w=${seconds(state.windowMs)}`,
    ratelimit: `"${name}";r=${state.remaining};t=${seconds(state.resetMs)}`,
    ...(state.allowed ? {} : { 'retry-after': String(Math.max(1, seconds(state.retryMs))) }),
  };
}
