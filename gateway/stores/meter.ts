/** Usage counters, and rate limits outside calls. */
import type { RateRule, RateState } from '../../policy/rate-limits.ts';

/** Reads the counters that calls increase. Months are `2026-11`, in UTC. */
export interface Meter {
  used(tenant: string, month: string): Promise<number>;
  /** Credits used per key; keys without use are absent. */
  usedByKey(keyIds: readonly string[], month: string): Promise<Map<string, number>>;
  /** Credits used by all tenants together. */
  usedByAll(month: string): Promise<number>;
  /** Takes one from a separate rate limit, e.g. of an address. `id` may be any text. */
  takeRate(id: string, rule: RateRule): Promise<RateState>;
}
