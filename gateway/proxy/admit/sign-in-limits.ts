/** Limits guessing per address. Users may share one, so attempts past the limit are delayed, not locked out. */
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../client-network.ts';

/** Wrong passwords per address that are answered at once, and how many are regained per minute. */
const failuresMax = 10;
/** Delay of an attempt past the limit, in milliseconds. */
const delayMs = 2_000;
/** User names per address that may wait at the same time past the limit. */
const namesMax = 16;
/** Attempts per address that may wait for running ones. */
const queueMax = 500;

/** `left`: failures allowed as of `at`. `running`: attempts in progress; `queue`: those waiting for them. */
type State = { left: number; at: number; running: number; readonly queue: (() => void)[]; readonly names: Set<string> };

/** Counts wrong passwords by address; for IPv6 by /64, which belongs to one subscriber (RFC 6177). */
export class SignInLimits {
  /** Addresses with running or waiting attempts. */
  private readonly busy = new Map<string, State>();
  private readonly idle = new LRUCache<string, State>({ max: 10_000 });

  /**
   * Waits for an attempt's turn. Only as many run concurrently as may fail; otherwise a thousand parallel guesses would
   * all be answered. Resolves with a function to call at the end of the attempt, or undefined if it is rejected.
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

  /** Counts a wrong password; false if the address was already past its limit. */
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

  /** Wakes waiting attempts, and keeps an address's state as long as needed. */
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
