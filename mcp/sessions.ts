/** The sessions of the tool server: core's memory vault, and what is needed to list sessions without opening them. */
import { MemoryVault, type ReserveOptions, type TokenMap, type TokenVault, type VaultEntry } from '../core/vault.ts';

/** Options of {@link Sessions}. */
export type SessionsOptions = {
  /** Lifetime of a session since its last use, in milliseconds; 0 = no expiry. */
  readonly ttlMs: number;
  /** When passed, the session that was used longest ago is forgotten. Default 10,000. */
  readonly sessionsMax?: number;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
};

/** What is known of a live session without its values. Times are milliseconds since 1970. */
export type SessionSummary = {
  readonly id: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly tokens: number;
};

type Session = { createdAt: number; usedAt: number; map: TokenMap };

/** A vault that lives in this process and can be asked what it holds. Looking at a session does not lengthen its life. */
export class Sessions implements TokenVault {
  readonly ttlMs: number;
  readonly #vault: MemoryVault;
  readonly #now: () => number;
  readonly #sessionsMax: number;
  /** In order of last use, as in the vault: the first is the oldest. */
  readonly #live = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.ttlMs = options.ttlMs;
    this.#now = options.now ?? Date.now;
    this.#sessionsMax = options.sessionsMax ?? 10_000;
    this.#vault = new MemoryVault({ ttlMs: options.ttlMs, sessionsMax: this.#sessionsMax, now: this.#now });
  }

  reserve(sessionId: string, entries: readonly VaultEntry[], options?: ReserveOptions): string[] {
    const tokens = this.#vault.reserve(sessionId, entries, options);
    this.#touch(sessionId);
    return tokens;
  }

  /** Starts a session that has no tokens yet, so that it can be named before anything was found. */
  open(sessionId: string): void {
    this.reserve(sessionId, []);
  }

  tokens(sessionId: string): TokenMap | undefined {
    const map = this.#vault.tokens(sessionId);
    if (map === undefined) this.#live.delete(sessionId);
    else this.#touch(sessionId);
    return map;
  }

  /** Issued tokens of a live session, without counting as a use of it. */
  peek(sessionId: string): TokenMap | undefined {
    this.#sweep();
    return this.#live.get(sessionId)?.map;
  }

  drop(sessionId: string): void {
    this.#live.delete(sessionId);
    this.#vault.drop(sessionId);
  }

  /** All live sessions, the one used last first. */
  list(): SessionSummary[] {
    this.#sweep();
    const all = [...this.#live].map(([id, { createdAt, usedAt, map }]) => ({
      id,
      createdAt,
      usedAt,
      tokens: map.size,
    }));
    return all.reverse();
  }

  #touch(id: string): void {
    const map = this.#vault.tokens(id);
    const known = this.#live.get(id);
    this.#live.delete(id);
    if (map === undefined) return;
    const usedAt = this.#now();
    this.#live.set(id, { createdAt: known?.map === map ? known.createdAt : usedAt, usedAt, map });
    for (const first of this.#live.keys()) {
      if (this.#live.size <= this.#sessionsMax) break;
      this.#live.delete(first);
    }
  }

  #sweep(): void {
    if (this.ttlMs <= 0) return;
    const limit = this.#now() - this.ttlMs;
    for (const [id, session] of this.#live) {
      if (session.usedAt > limit) break;
      this.drop(id);
    }
  }
}
