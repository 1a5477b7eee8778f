/**
 * How often an address may guess. Many people can share one, so that nobody is locked out: past the limit, attempts are
 * slowed down, and take turns by user name.
 */
import { LRUCache } from 'lru-cache';
import { networkOf } from '../client-network.ts';

/** Wrong passwords of one address that are answered at once, and how many it gets back in a minute. */
const failuresMax = 10;
/** How long an attempt waits past the limit, in milliseconds. */
const delayMs = 2_000;
/** User names of one address that may wait at the same time past the limit. */
const namesMax = 16;
/** Attempts of one address that may wait for those that run. */
const queueMax = 500;

/** `left`: failures that are allowed at `at`. `running`: attempts whose outcome is open; `queue`: those behind them. */
type State = { left: number; at: number; running: number; readonly queue: (() => void)[]; readonly names: Set<string> };

/** Counts wrong passwords by address; of IPv6 by /64, which one subscriber has whole (RFC 6177). */
export class SignInLimits {
  /** Those with attempts that run or wait. */
  private readonly busy = new Map<string, State>();
  private readonly idle = new LRUCache<string, State>({ max: 10_000 });

  /**
   * Waits for the turn of an attempt. No more run at once than may fail, else a thousand guesses at the same time would
   * all be answered. Resolves with what is to be called at the end of the attempt, or undefined when it is refused.
   */
  async enter(address: string, name: string): Promise<(() => void) | undefined> {
    const key = networkOf(address);
    const state = this.stateOf(key);
    this.busy.set(key, state);
    try {
      for (;;) {
        const left = Math.floor(leftOf(state));
        if (left < 1) break;
        if (state.running < left) {
          state.running++;
          return () => {
            state.running--;
            this.leave(key, state);
          };
        }
        if (state.queue.length >= queueMax) return undefined;
        await new Promise<void>((resolve) => state.queue.push(resolve));
      }
      if (state.names.has(name) || state.names.size >= namesMax) return undefined;
      state.names.add(name);
    } finally {
      this.leave(key, state);
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return () => {
      state.names.delete(name);
      this.leave(key, state);
    };
  }

  /** Counts a wrong password; false when the address was past its limit already. */
  fail(address: string): boolean {
    const key = networkOf(address);
    const state = this.stateOf(key);
    const left = leftOf(state);
    state.left = Math.max(0, left - 1);
    state.at = performance.now();
    if (!this.busy.has(key)) this.idle.set(key, state);
    return left >= 1;
  }

  private stateOf(key: string): State {
    const fresh = () => ({ left: failuresMax, at: 0, running: 0, queue: [], names: new Set<string>() });
    return this.busy.get(key) ?? this.idle.get(key) ?? fresh();
  }

  /** Lets those that wait look again, and keeps the state of an address for as long as it says something. */
  private leave(key: string, state: State): void {
    if (state.running === 0 && state.names.size === 0 && state.queue.length === 0) {
      this.busy.delete(key);
      if (leftOf(state) < failuresMax) this.idle.set(key, state);
      else this.idle.delete(key);
      return;
    }
    const left = Math.floor(leftOf(state));
    const turns = left < 1 ? state.queue.length : Math.max(0, left - state.running);
    for (const look of state.queue.splice(0, turns)) look();
  }
}

function leftOf({ left, at }: State): number {
  return Math.min(failuresMax, left + ((performance.now() - at) * failuresMax) / 60_000);
}
