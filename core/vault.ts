/**
 * The vault maps values to tokens, in sessions. This file has the interface and the in-memory vault; durable stores
 * implement the same interface.
 */

import { ownCopy } from './own-copy.ts';
import { type KeptNumbers, NumberLines } from './tokens/number-lines.ts';
import { bytesOf, heldOf, mayHold, type Session, tokensOf } from './tokens/session.ts';
import { lineOf, sessionKey, splitSessionKey } from './tokens/session-keys.ts';
import { sessionUnknown, tokensPerSessionMax, tooManyValues } from './tokens/session-limits.ts';
import { SessionOrder } from './tokens/session-order.ts';
import { nameOf, numberOf, SessionTokens } from './tokens/session-tokens.ts';
import type { TokenFormat, TokenMap, VaultEntry } from './tokens/token-map.ts';
import { tokenWithId } from './tokens/token-reference.ts';
import { isTokenType } from './tokens/token-types.ts';

export { lineOf, proxySessionKey, sessionKey, splitSessionKey } from './tokens/session-keys.ts';
export { sessionUnknown, tokensPerSessionMax, tooManyValues } from './tokens/session-limits.ts';
export { SessionTokens } from './tokens/session-tokens.ts';
export type { TokenFormat, TokenMap, VaultEntry } from './tokens/token-map.ts';

/** Options of {@link TokenVault.reserve}. */
export type ReserveOptions = {
  /** Canonical tokens already in the text; they are never given to a new value. */
  readonly taken?: ReadonlySet<string>;
  /** Lifetime of the session since its last use, in milliseconds; 0 = no expiry. */
  readonly ttlMs?: number;
  /** Default `counter`. */
  readonly format?: TokenFormat;
  /** False: throws `session_not_found` if the session is unknown or has expired. Default true. */
  readonly create?: boolean;
  /** The id was made for this call and is new, so its numbers begin at 1. */
  readonly isFresh?: boolean;
  /**
   * How a durable store encrypts new values: under a key of the session, itself encrypted (`envelope`, the default), or
   * directly under the key of the process.
   */
  readonly protection?: 'envelope' | 'process';
};

/** Stores the tokens of sessions. Results may be promises. */
export interface TokenVault {
  /**
   * Tokens for the entries, in the same order. Equal values of one type and format get equal tokens in a session, and a
   * token in `taken` is never given to a new value.
   */
  reserve(sessionId: string, entries: readonly VaultEntry[], options?: ReserveOptions): string[] | Promise<string[]>;
  /** What a session has issued; undefined when the session is unknown or has expired. */
  tokens(sessionId: string): TokenMap | undefined | Promise<TokenMap | undefined>;
  /** Forgets a session; returns whether it existed. */
  drop(sessionId: string): boolean | Promise<boolean>;
}

/** A live session; `id` without its tenant. */
export type SessionSummary = {
  readonly id: string;
  readonly tenant: string;
  /** Number of pairs. */
  readonly tokens: number;
  /** Unix time in milliseconds at which it expires unless it is used before; null = never. */
  readonly expiresAt: number | null;
};

/** A page of sessions; `next` is the `after` of the following page, absent on the last one. */
export type SessionPage = { readonly sessions: readonly SessionSummary[]; readonly next?: string };

/** A vault whose sessions belong to tenants: the session ids given to it come from {@link sessionKey}. */
export interface SessionVault extends TokenVault {
  /**
   * The values of tokens that exactly one live session of the tenant has issued. Tokens of several sessions are ambiguous
   * and left out.
   */
  resolve(tenant: string, tokens: readonly string[]): Map<string, string> | Promise<Map<string, string>>;
  /** The live sessions of a tenant, or of all. `limit` is 100 by default. */
  sessions(options: {
    readonly tenant?: string;
    readonly after?: string;
    readonly limit?: number;
  }): SessionPage | Promise<SessionPage>;
}

/** Options of {@link MemoryVault}. */
export type MemoryVaultOptions = {
  /** Lifetime of a session since its last use; 0 = no expiry. Default 24 hours. */
  readonly ttlMs?: number;
  /** Above this, sessions of the owner with the largest share are evicted (core/tokens/session-order.ts). Default 100,000. */
  readonly sessionsMax?: number;
  /** The same for the estimated memory of all sessions. Default 256 MiB. */
  readonly bytesMax?: number;
  /** Above this, the session continues as a new one. Default {@link tokensPerSessionMax}. */
  readonly tokensPerSessionMax?: number;
  /** Called with the number of live sessions that were evicted before they expired. */
  readonly onEvicted?: (sessions: number) => void;
  /** The clock, in milliseconds. */
  readonly now?: () => number;
  /** Keeps the numbers of lines beyond this process (core/tokens/number-lines.ts). Default: not kept. */
  readonly keptNumbers?: KeptNumbers;
};

/** Higher numbers of foreign tokens in a request are not skipped: a client could use up all numbers. */
const foreignNumberMax = 10_000;

/** Bytes per session besides its pairs and id. */
const sessionBytes = 200;
/** New sessions with up to this many pairs are packed. */
const packedPairsMax = 64;

/** Keeps sessions in memory; they are lost at a restart. */
export class MemoryVault implements SessionVault {
  readonly #ttlMs: number;
  readonly #tokensPerSessionMax: number;
  readonly #onEvicted: (sessions: number) => void;
  readonly #now: () => number;
  readonly #sessions = new Map<string, Session>();
  // Lists keep the order of use. In a Map, entries that are deleted and set again stay in the chain of their key until it
  // grows: a session in constant use then cost tens of microseconds among 30,000 others.
  readonly #order: SessionOrder<Session>;
  readonly #lines: NumberLines;

  constructor(options: MemoryVaultOptions = {}) {
    const { sessionsMax = 100_000, bytesMax = 256 * 1024 * 1024 } = options;
    this.#ttlMs = options.ttlMs ?? 86_400_000;
    this.#order = new SessionOrder({ sessionsMax, bytesMax });
    this.#tokensPerSessionMax = options.tokensPerSessionMax ?? tokensPerSessionMax;
    this.#onEvicted = options.onEvicted ?? (() => {});
    this.#now = options.now ?? Date.now;
    this.#lines = new NumberLines(options.keptNumbers);
  }

  /** Number of live and not yet swept sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Estimated memory of all sessions, in bytes. */
  get bytes(): number {
    return this.#order.bytes;
  }

  /** @throws PrivetError `body_too_large` for too many values at once, `session_not_found` with `create: false`. */
  reserve(sessionId: string, entries: readonly VaultEntry[], options: ReserveOptions = {}): string[] {
    const known = this.#use(sessionId);
    if (known === undefined && options.create === false) throw sessionUnknown();
    if (known === undefined) return this.#reserveNew(sessionId, entries, options);
    const session = known;
    if (options.ttlMs !== undefined && options.ttlMs !== session.ttlMs) {
      session.ttlMs = options.ttlMs;
      session.expiresAt = expiry(options.ttlMs, this.#now());
    }
    const tokens = this.#unpack(session);
    const before = tokens.bytes;
    const reserved = this.#reserveIn(tokens, entries, options, session.isFresh ? undefined : lineOf(session.id));
    this.#order.grow(session, tokens.bytes - before);
    this.#evict(session);
    return reserved;
  }

  #reserveNew(sessionId: string, entries: readonly VaultEntry[], options: ReserveOptions): string[] {
    const isForPacking = entries.length <= packedPairsMax;
    const isFresh = options.isFresh === true;
    const tokens = new SessionTokens({ isForPacking });
    const reserved = this.#reserveIn(tokens, entries, options, isFresh ? undefined : lineOf(sessionId));
    // The text cannot contain tokens of a session that was made for this call.
    const id = isFresh ? sessionId : ownCopy(sessionId);
    const ttlMs = options.ttlMs ?? this.#ttlMs;
    this.#evict(this.#open({ id, isFresh, tokens: isForPacking ? tokens.pack() : tokens, ttlMs }));
    return reserved;
  }

  /** The tokens of the entries; `line`: where their numbers come from when they are not the session's own. */
  #reserveIn(
    tokens: SessionTokens,
    entries: readonly VaultEntry[],
    { taken, format }: ReserveOptions,
    line: string | undefined,
  ): string[] {
    this.#makeRoom(tokens, entries, format);
    if (line !== undefined) this.#passOver(line, taken);
    const next = line === undefined ? undefined : (name: string) => this.#lines.next(line, name);
    return entries.map((entry) => tokens.tokenFor(entry, taken, format, next));
  }

  /** An unknown token may come from a process whose numbers are lost, so its number is skipped. */
  #passOver(line: string, taken: ReadonlySet<string> | undefined): void {
    for (const token of taken ?? []) {
      const n = numberOf(token);
      const name = nameOf(token);
      if (n > 0 && n <= foreignNumberMax && isTokenType(name.slice(1, -1))) this.#lines.raise(line, name, n);
    }
  }

  /** Before entries are reserved in parts. @throws PrivetError `body_too_large` when a session cannot hold them all */
  checkRoom(entries: readonly VaultEntry[]): void {
    const max = this.#tokensPerSessionMax;
    if (entries.length <= max) return;
    const all = new Set(entries.map(({ type, value }) => `${type}\0${value}`));
    if (all.size > max) throw tooManyValues(max);
  }

  /** A text may repeat values any number of times: if the total could be too much, only new ones are counted. */
  #makeRoom(tokens: SessionTokens, entries: readonly VaultEntry[], format: TokenFormat | undefined): void {
    const max = this.#tokensPerSessionMax;
    if (tokens.sizeNow + entries.length <= max) return;
    const all = new Set<string>();
    const fresh = new Set<string>();
    for (const entry of entries) {
      const key = `${entry.type}\0${entry.value}`;
      all.add(key);
      if (!tokens.has(entry, format)) fresh.add(key);
    }
    if (all.size > max) throw tooManyValues(max);
    if (tokens.sizeNow + fresh.size > max) tokens.rollOver();
  }

  tokens(sessionId: string): TokenMap | undefined {
    const session = this.#use(sessionId);
    return session && this.#unpack(session);
  }

  resolve(tenant: string, tokens: readonly string[]): Map<string, string> {
    const open = new Set(tokens);
    const found = new Map<string, string>();
    const now = this.#now();
    for (const session of this.#sessionsOf(tenant)) {
      if (open.size === 0) break;
      if (session.expiresAt <= now) continue;
      for (const token of heldOf(session, open)) {
        const value = tokensOf(session).get(token);
        if (value === undefined) continue;
        // Issued by a second session: ambiguous without the session.
        if (found.delete(token)) open.delete(token);
        else found.set(token, value);
      }
    }
    return found;
  }

  /** The tokens with an id, in the live sessions of a tenant; ids are random, so usually at most one. */
  tokensWithId(tenant: string, id: string): string[] {
    const now = this.#now();
    const tokens: string[] = [];
    for (const session of this.#sessionsOf(tenant)) {
      if (session.expiresAt <= now || !mayHold(session, id)) continue;
      const found = tokenWithId(tokensOf(session), id);
      if (found !== undefined) tokens.push(found);
    }
    return tokens;
  }

  *#sessionsOf(tenant: string): Iterable<Session> {
    yield* this.#order.of(`${tenant}:`);
    // Sessions without a tenant.
    if (tenant === '') yield* this.#order.of('');
  }

  sessions(options: { readonly tenant?: string; readonly after?: string; readonly limit?: number }): SessionPage {
    const { tenant: wanted, after, limit = 100 } = options;
    const now = this.#now();
    const keys = [...this.#sessions.keys()]
      .filter((key) => wanted === undefined || splitSessionKey(key).tenant === wanted)
      .filter((key) => after === undefined || key > after)
      .sort();
    const sessions: SessionSummary[] = [];
    for (const key of keys) {
      const session = this.#sessions.get(key);
      if (session === undefined || session.expiresAt <= now) continue;
      const { tenant, id } = splitSessionKey(key);
      const expiresAt = session.expiresAt === Number.POSITIVE_INFINITY ? null : session.expiresAt;
      sessions.push({ id, tenant, tokens: tokensOf(session).size, expiresAt });
      if (sessions.length >= limit) return { sessions, next: key };
    }
    return { sessions };
  }

  drop(sessionId: string): boolean {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return false;
    this.#forget(session);
    return session.expiresAt > this.#now();
  }

  /** The numbers of all lines so far. */
  numbers(): Iterable<[line: number, name: string, n: number]> {
    return this.#lines.entries();
  }

  /** Removes expired sessions; unused ones would otherwise stay until their memory is needed. */
  sweep(): void {
    const now = this.#now();
    for (const session of this.#sessions.values()) if (session.expiresAt <= now) this.#forget(session);
  }

  close(): void {
    this.#sessions.clear();
    this.#order.clear();
  }

  /** The live session, moved to the end of the order of use. */
  #use(sessionId: string): Session | undefined {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return undefined;
    const now = this.#now();
    if (session.expiresAt <= now) {
      this.#forget(session);
      return undefined;
    }
    if (session.ttlMs > 0) session.expiresAt = now + session.ttlMs;
    this.#order.use(session);
    return session;
  }

  /** The pairs of a session that is used. */
  #unpack(session: Session): SessionTokens {
    const tokens = tokensOf(session);
    const before = bytesOf(session);
    session.tokens = tokens;
    this.#order.grow(session, bytesOf(session) - before);
    return tokens;
  }

  #open(opened: Pick<Session, 'id' | 'isFresh' | 'tokens' | 'ttlMs'>): Session {
    const { id, ttlMs } = opened;
    const session: Session = {
      ...opened,
      owner: this.#order.ownerOf(ownerOf(id), id.includes(':')),
      expiresAt: expiry(ttlMs, this.#now()),
      older: undefined,
      newer: undefined,
    };
    this.#sessions.set(id, session);
    this.#order.add(session, sessionBytes + id.length + bytesOf(session));
    return session;
  }

  /** Evicts sessions until the limits are met, except the one in use. */
  #evict(inUse: Session): void {
    const now = this.#now();
    const isExpired = (session: Session) => session.expiresAt <= now;
    for (let { oldest } = inUse.owner; oldest && isExpired(oldest); oldest = inUse.owner.oldest) this.#forget(oldest);
    let evicted = 0;
    while (this.#order.isOver) {
      const session = this.#order.next(inUse);
      if (session === undefined) break;
      if (!isExpired(session)) evicted++;
      this.#forget(session);
    }
    if (evicted > 0) this.#onEvicted(evicted);
  }

  #forget(session: Session): void {
    const { id, isFresh } = session;
    this.#sessions.delete(id);
    this.#order.remove(session, sessionBytes + id.length + bytesOf(session));
    const line = isFresh ? lineOf(id) : undefined;
    // A client that has kept the id may open it again.
    if (line !== undefined) tokensOf(session).eachHighest((name, n) => this.#lines.raise(line, name, n));
  }
}

/** The owner whose share of the memory a session uses: its tenant, its proxy owner, or one for all others. */
function ownerOf(id: string): string {
  const colon = id.indexOf(':');
  if (colon >= 0) return id.slice(0, colon + 1);
  return id.slice(0, Math.max(0, id.indexOf('.')));
}

function expiry(ttlMs: number, now: number): number {
  return ttlMs > 0 ? now + ttlMs : Number.POSITIVE_INFINITY;
}
