/** A call against the store (charge, rate limit and tokens in one round trip), and the limit fields of the response. */
import { LRUCache } from 'lru-cache';
import { resetsAt } from '../../policy/credits.ts';
import { rateLimitFields } from '../../policy/rate-limits.ts';
import type { Log } from '../observe/log.ts';
import { type Accounts, assertCharged } from '../stores/accounts.ts';
import type { Call, CallResult, Charge, ChargeResult } from '../stores/calls.ts';
import type { Stores } from '../stores/stores.ts';
import type { AnswerFields, Parties } from './fast-call.ts';

const refusedMax = 10_000;
/** Credits may become available at any moment through a plan change. */
const creditsHeldMs = 1_000;

/** A refused charge; `until` in monotonic time (performance.now). */
type Refused = { readonly charge: Charge; readonly result: ChargeResult; readonly until: number };

export class Billing {
  readonly #accounts: Accounts;
  readonly #stores: Pick<Stores, 'calls'>;
  readonly #log: Log;
  readonly #refused = new LRUCache<string, Refused>({ max: refusedMax });

  constructor({ accounts, stores, log }: { accounts: Accounts; stores: Pick<Stores, 'calls'>; log: Log }) {
    this.#accounts = accounts;
    this.#stores = stores;
    this.#log = log;
  }

  /**
   * Refuses a call early if this process knows that it would be refused after its work: a caller over a limit then
   * costs almost nothing. @throws PrivetError `too_many_requests`, `credits_exhausted`.
   */
  admit({ caller, reply }: Parties): void {
    const known = this.#refused.size === 0 ? undefined : this.#refused.get(caller.tenant);
    if (known === undefined) return;
    const leftMs = known.until - performance.now();
    if (leftMs <= 0) return;
    const { rate, creditsMax, month } = this.#accounts.charge(caller, 1);
    const { charge, result } = known;
    // A different plan, limit or month may allow it.
    if (rate?.limit !== charge.rate?.limit || creditsMax !== charge.creditsMax || month !== charge.month) return;
    const isRate = result.refused === 'rate' && result.rate !== undefined;
    told(reply, {
      charge: isRate ? { ...result, rate: { ...result.rate, retryMs: leftMs, resetMs: leftMs } } : result,
    });
  }

  /** Caches a refusal for as long as it is certain to stay the same. */
  #heard(charge: Charge, result: CallResult): CallResult {
    const refusal = result.charge;
    if (refusal?.refused !== undefined) {
      const heldMs = refusal.refused === 'rate' ? (refusal.rate?.retryMs ?? 0) : creditsHeldMs;
      this.#refused.set(charge.tenant, { charge, result: refusal, until: performance.now() + heldMs });
    }
    return result;
  }

  /**
   * Charges a call and does its work in the store, all or nothing; synchronously if the store is in this process.
   * @throws PrivetError `too_many_requests`, `credits_exhausted`, `session_not_found`, `unavailable`.
   */
  run(parties: Parties, credits: 0 | 1, work: Omit<Call, 'charge'> = {}): CallResult | Promise<CallResult> {
    const { caller, reply } = parties;
    const charge = this.#accounts.charge(caller, credits);
    const result = this.#stores.calls.run({ charge, reserve: work.reserve, read: work.read });
    if (result instanceof Promise) return result.then((late) => told(reply, this.#heard(charge, late)));
    return told(reply, this.#heard(charge, result));
  }

  /**
   * Like {@link run}, followed by work that may fail: the credit is then refunded, unless the caller disconnected.
   * @throws also what `then` throws.
   */
  async runThen<T>(
    parties: Parties,
    work: Omit<Call, 'charge'>,
    then: (result: CallResult) => T | Promise<T>,
  ): Promise<T> {
    const charge = this.#accounts.charge(parties.caller, 1);
    const result = told(parties.reply, this.#heard(charge, await this.#stores.calls.run({ charge, ...work })));
    try {
      return await then(result);
    } catch (error) {
      if ((error as Error).name !== 'AbortError') await this.#refund(charge);
      throw error;
    }
  }

  async #refund(charge: Charge): Promise<void> {
    try {
      await this.#stores.calls.refund(charge);
    } catch (error) {
      this.#log.warn(
        { event: 'credit_not_given_back', key: charge.keyId, error },
        'a failed call could not be refunded',
      );
    }
  }
}

/** The result of a call, with its limits set on the response. @throws like {@link Billing.run} when it was refused. */
function told(reply: AnswerFields, result: CallResult): CallResult {
  if (result.charge !== undefined) {
    tellLimits(reply, result.charge);
    assertCharged(result.charge);
  }
  return result;
}

/** RateLimit fields on every counted response, Retry-After on refusals. */
function tellLimits(reply: AnswerFields, { refused, rate }: ChargeResult): void {
  if (rate !== undefined) reply.headers(rateLimitFields(rate));
  if (refused !== 'credits') return;
  const now = new Date();
  reply.header('retry-after', String(Math.ceil((resetsAt(now).getTime() - now.getTime()) / 1000)));
}
