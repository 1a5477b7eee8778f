/**
 * One API call against the store: rate limit, credits and tokens in one round trip, so that a call is either charged
 * and done, or neither.
 */
import type { ReserveOptions, TokenMap, VaultEntry } from '../../core/vault.ts';
import { type KeptRate, type RateRule, type RateState, rateState } from '../../policy/rate-limits.ts';

/** What a call costs, and who pays. */
export type Charge = {
  readonly tenant: string;
  readonly keyId: string;
  /** Calendar month in UTC, `2026-11`. */
  readonly month: string;
  /** 0 for free calls, which count only against the rate limit. */
  readonly credits: number;
  /** Monthly credits after which calls are refused; null = never. */
  readonly creditsMax: number | null;
  /** Rate limit, counted per tenant; absent = no limit. */
  readonly rate?: RateRule;
};

/** The result of a charge. `used` is the tenant's total of the month, including this call if it was allowed. */
export type ChargeResult = {
  readonly refused?: 'rate' | 'credits';
  readonly used: number;
  readonly rate?: RateState;
};

/** The operations of one call. Absent parts are skipped. */
export type Call = {
  readonly charge?: Charge;
  /** Tokens to reserve; `session` comes from `sessionKey` of core/vault.ts. */
  readonly reserve?: {
    readonly session: string;
    readonly entries: readonly VaultEntry[];
    readonly options?: ReserveOptions;
  };
  /** A session whose tokens to read. */
  readonly read?: string;
};

/** The results for the requested parts. With `charge.refused` nothing else was done and the others are absent. */
export type CallResult = {
  readonly charge?: ChargeResult;
  readonly tokens?: string[];
  readonly map?: TokenMap;
};

/** Runs calls. Results may be immediate or promised: `await` both. */
export interface CallStore {
  /**
   * All or nothing. @throws PrivetError `session_not_found` when a session to read, or to continue with `create:
   * false`, does not exist (nothing is charged then); `unavailable` when the session is full or the store is
   * unavailable.
   */
  run(call: Call): CallResult | Promise<CallResult>;
  /**
   * Refunds the credits of a charge, for a call that failed after it; the rate limit stays used.
   * @throws PrivetError `unavailable`.
   */
  refund(charge: Charge): void | Promise<void>;
}

/** The result of a charge from a store that decides itself. */
export type KeptCharge = Omit<ChargeResult, 'rate'> & { readonly rate?: KeptRate };

export function chargeResult(charge: Charge | undefined, { rate, ...result }: KeptCharge): ChargeResult {
  return charge?.rate && rate ? { ...result, rate: rateState(charge.rate, rate) } : result;
}
