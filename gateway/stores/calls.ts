/**
 * One call of the API against the store: its rate limit, its credits and its tokens, taken together in one round trip, so
 * that a call is either paid and done or neither.
 */
import type { ReserveOptions, TokenMap, VaultEntry } from '../../core/vault.ts';
import type { RateRule, RateState } from '../../policy/rate-limits.ts';

/** What a call costs, and whom. */
export type Charge = {
  readonly tenant: string;
  readonly keyId: string;
  /** Calendar month in UTC, `2026-11`. */
  readonly month: string;
  /** 0 for what is free; it then counts against the rate limit only. */
  readonly credits: number;
  /** Credits of the month beyond which the call is refused; null = never. */
  readonly creditsMax: number | null;
  /** Calls in a time, counted under the tenant; absent = no limit. */
  readonly rate?: RateRule;
};

/** What came of a charge. `used` is the month's total of the tenant, after this call when it was allowed. */
export type ChargeResult = {
  readonly refused?: 'rate' | 'credits';
  readonly used: number;
  readonly rate?: RateState;
};

/** What one call does. Parts that are absent are not done. */
export type Call = {
  readonly charge?: Charge;
  /** Tokens to be reserved; `session` comes from `sessionKey` of core/vault.ts. */
  readonly reserve?: {
    readonly session: string;
    readonly entries: readonly VaultEntry[];
    readonly options?: ReserveOptions;
  };
  /** A session whose tokens are to be read. */
  readonly read?: string;
};

/** The parts that were asked for. With `charge.refused` nothing else was done and the others are absent. */
export type CallResult = {
  readonly charge?: ChargeResult;
  readonly tokens?: string[];
  readonly map?: TokenMap;
};

/** Runs calls. Answers may be immediate or promised: `await` both. */
export interface CallStore {
  /**
   * All or nothing. @throws PrivetError `session_not_found` when a session to read, or to continue with `create: false`,
   * is not there (nothing is charged then); `unavailable` when the session is full or the store is away.
   */
  run(call: Call): CallResult | Promise<CallResult>;
  /**
   * Takes back the credits that a charge has counted, for a call whose work failed after it; its rate limit stays taken.
   * @throws PrivetError `unavailable`.
   */
  refund(charge: Charge): void | Promise<void>;
}
