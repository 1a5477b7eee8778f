/**
 * The vault keeps value ↔ token, in sessions. This file holds the interface and the form that lives in memory;
 * durable stores implement the same interface.
 */
import { PrivetError } from './errors.ts';
import { formatLabelToken, formatToken } from './tokens.ts';

/** A value that wants a token. */
export type VaultEntry = {
  readonly type: string;
  readonly value: string;
  /** The type is a label of the custom dictionary: its tokens are `[LABEL_n]`. */
  readonly label?: boolean;
  /**
   * The value stands directly between `[` and `]` in the text. The vault then also answers for the doubled spelling
   * `[[EMAIL-1]]` with `[value]`, so that the user's own brackets are not taken for ones that a model added.
   */
  readonly bracketed?: boolean;
};

/** What a session has issued; read-only view. */
export interface TokenMap {
  /** The original value of a canonical token, e.g. `[EMAIL-1]`. */
  get(token: string): string | undefined;
  readonly size: number;
  /** True when some issued token may start with this canonical partial spelling, e.g. `[EMA` or `[EMAIL-1`. */
  hasPrefix?(partial: string): boolean;
  entries(): Iterable<[token: string, value: string]>;
}

/** Options of {@link TokenVault.reserve}. */
export type ReserveOptions = {
  /** Canonical tokens that stand in the text already; they are never given to a new value. */
  readonly taken?: ReadonlySet<string>;
  /** Lifetime of the session since its last use, in milliseconds; 0 = no expiry. */
  readonly ttlMs?: number;
};

/** Keeps the tokens of sessions. Answers may be immediate or promised: `await` both. */
export interface TokenVault {
  /**
   * Tokens for the entries, in the same order. Equal values of one type get equal tokens in a session, and a token in
   * `taken` is never given to a new value.
   */
  reserve(sessionId: string, entries: readonly VaultEntry[], options?: ReserveOptions): string[] | Promise<string[]>;
  /** What a session has issued; undefined when the session is unknown or has expired. */
  tokens(sessionId: string): TokenMap | undefined | Promise<TokenMap | undefined>;
  /** Forgets a session. */
  drop(sessionId: string): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** The tokens of one session: values by token, tokens by value, the counters, and which partial spellings may continue. */
export class SessionTokens implements TokenMap {
  readonly #values = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  readonly #doubled = new Map<string, string>();
  /** Highest number per name without separators; `EMAIL` → 3. */
  readonly #numberMax = new Map<string, number>();
  readonly #counters = new Map<string, number>();

  get size(): number {
    return this.#values.size;
  }

  get(token: string): string | undefined {
    return this.#values.get(token) ?? this.#doubled.get(token);
  }

  entries(): Iterable<[token: string, value: string]> {
    return this.#values.entries();
  }

  hasPrefix(partial: string): boolean {
    if (this.#values.size === 0) return false;
    const parts = /^\[([A-Z0-9_]*?)(?:[-_]*([0-9]+))?$/.exec(partial);
    if (parts === null) {
      for (const token of this.#values.keys()) if (token.startsWith(partial)) return true;
      return false;
    }
    const squeezed = partial.replace(/[^A-Z0-9]/g, '');
    const digits = parts[2];
    for (const [name, numberMax] of this.#numberMax) {
      if (name.startsWith(squeezed)) return true;
      if (digits !== undefined && squeezed.startsWith(name) && /^[0-9]+$/.test(squeezed.slice(name.length))) {
        if (Number(squeezed.slice(name.length)) <= numberMax) return true;
      }
    }
    return false;
  }

  /** Adds a known pair, as a durable store does when it loads a session. */
  add(token: string, entry: VaultEntry): void {
    this.#values.set(token, entry.value);
    this.#tokens.set(valueKey(entry), token);
    const name = /^\[([A-Z0-9_]+)[-_]([0-9]+)\]$/.exec(token);
    const squeezed = name === null ? token.slice(1).replace(/:.*/, '') : (name[1] ?? '').replaceAll('_', '');
    const n = name === null ? 0 : Number(name[2]);
    this.#numberMax.set(squeezed, Math.max(n, this.#numberMax.get(squeezed) ?? 0));
    if (name !== null) this.#counters.set(entry.type, Math.max(n, this.#counters.get(entry.type) ?? 0));
    if (entry.bracketed) this.#doubled.set(`[${token}]`, `[${entry.value}]`);
  }

  /** The token of a value, a new one when the value is new. */
  tokenFor(entry: VaultEntry, taken: ReadonlySet<string> | undefined): string {
    const known = this.#tokens.get(valueKey(entry));
    if (known !== undefined) {
      if (entry.bracketed) this.#doubled.set(`[${known}]`, `[${entry.value}]`);
      return known;
    }
    const format = entry.label ? formatLabelToken : formatToken;
    let n = (this.#counters.get(entry.type) ?? 0) + 1;
    let token = format(entry.type, n);
    while (taken?.has(token) || this.#values.has(token)) token = format(entry.type, ++n);
    this.add(token, entry);
    return token;
  }
}

function valueKey(entry: VaultEntry): string {
  return `${entry.type}\u0000${entry.value}`;
}

type Session = { tokens: SessionTokens; ttlMs: number; expiresAt: number };

/** Options of {@link MemoryVault}. */
export type MemoryVaultOptions = {
  /** Lifetime of a session since its last use; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** When passed, the session that was used longest ago is forgotten. Default 100,000. */
  readonly sessionsMax?: number;
  /** When passed, `reserve` throws `unavailable`. Default 100,000. */
  readonly tokensPerSessionMax?: number;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
};

/** Keeps sessions in this process; they are gone after a restart. */
export class MemoryVault implements TokenVault {
  readonly #ttlMs: number;
  readonly #sessionsMax: number;
  readonly #tokensPerSessionMax: number;
  readonly #now: () => number;
  /** In order of last use: the first is the oldest. */
  readonly #sessions = new Map<string, Session>();

  constructor(options: MemoryVaultOptions = {}) {
    this.#ttlMs = options.ttlMs ?? 86_400_000;
    this.#sessionsMax = options.sessionsMax ?? 100_000;
    this.#tokensPerSessionMax = options.tokensPerSessionMax ?? 100_000;
    this.#now = options.now ?? Date.now;
  }

  /** Number of live and not yet swept sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** @throws PrivetError `unavailable` when the session is full. */
  reserve(sessionId: string, entries: readonly VaultEntry[], options: ReserveOptions = {}): string[] {
    const session = this.#use(sessionId) ?? this.#open(sessionId, options.ttlMs ?? this.#ttlMs);
    if (options.ttlMs !== undefined && options.ttlMs !== session.ttlMs) {
      session.ttlMs = options.ttlMs;
      session.expiresAt = options.ttlMs > 0 ? this.#now() + options.ttlMs : Number.POSITIVE_INFINITY;
    }
    if (session.tokens.size + entries.length > this.#tokensPerSessionMax) {
      throw new PrivetError('unavailable', 'The session holds too many masked values.', {
        hint: 'Start a new session.',
      });
    }
    return entries.map((entry) => session.tokens.tokenFor(entry, options.taken));
  }

  tokens(sessionId: string): TokenMap | undefined {
    return this.#use(sessionId)?.tokens;
  }

  drop(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  close(): void {
    this.#sessions.clear();
  }

  /** The live session, moved to the end of the order of use. */
  #use(sessionId: string): Session | undefined {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return undefined;
    this.#sessions.delete(sessionId);
    const now = this.#now();
    if (session.expiresAt <= now) return undefined;
    if (session.ttlMs > 0) session.expiresAt = now + session.ttlMs;
    this.#sessions.set(sessionId, session);
    return session;
  }

  #open(sessionId: string, ttlMs: number): Session {
    const now = this.#now();
    for (const [id, session] of this.#sessions) {
      if (this.#sessions.size < this.#sessionsMax && session.expiresAt > now) break;
      this.#sessions.delete(id);
    }
    const session = {
      tokens: new SessionTokens(),
      ttlMs,
      expiresAt: ttlMs > 0 ? now + ttlMs : Number.POSITIVE_INFINITY,
    };
    this.#sessions.set(sessionId, session);
    return session;
  }
}
