/**
 * The vault of every durable store: it seals values and passes tokens, hashes and ciphertexts to a back end, which
 * numbers them and never sees plain text.
 */
import { LRUCache } from 'lru-cache';
import { PrivetError } from '../../core/errors.ts';
import { lineNumber, storeLineBits } from '../../core/tokens/number-lines.ts';
import { nameOf, spell, TokenNames } from '../../core/tokens/session-tokens.ts';
import {
  lineOf,
  type ReserveOptions,
  type SessionPage,
  type SessionVault,
  sessionUnknown,
  splitSessionKey,
  type TokenMap,
  tooManyValues,
  type VaultEntry,
} from '../../core/vault.ts';
import { dayMs } from '../durations.ts';
import type { Call, CallResult, CallStore, Charge, ChargeResult } from './calls.ts';
import type { SessionKey, StoreKeys } from './sealing.ts';

/** Maximum number of taken tokens: a back end skips each of them while numbering, and others wait meanwhile. */
const takenMax = 20_000;

/** A value that needs a token, as the back end sees it. */
export type SealedEntry = {
  /** The token without number and bracket, `[EMAIL-`; the back end adds the number. Absent when `token` is given. */
  readonly prefix?: string;
  /** A token with a random id. */
  readonly token?: string;
  /** The value is known if any of these is; a new value is stored under the first. */
  readonly hashes: readonly string[];
  readonly data: string;
  readonly bracketed: boolean;
};

/** A reservation, as the back end sees it. Entries are distinct. */
export type SealedReserve = {
  readonly session: string;
  readonly tenant: string;
  /** Lifetime of a new session; 0 = no expiry. */
  readonly ttlMs: number;
  /** An existing session takes this lifetime too. */
  readonly resetsTtl: boolean;
  readonly create: boolean;
  /** The line that assigns the numbers (core/tokens/number-lines.ts); absent when the session numbers its own. */
  readonly line?: number;
  /**
   * A session with this many tokens continues as a new one with the same counters; the earlier tokens remain readable.
   */
  readonly tokensMax: number;
  readonly taken: readonly string[];
  readonly entries: readonly SealedEntry[];
  /** A session key to store with the new values sealed under it, if it is not stored yet. */
  readonly key?: { readonly id: string; readonly wrapped: string };
};

export type SealedPair = {
  readonly token: string;
  readonly hash: string;
  readonly data: string;
  readonly bracketed: boolean;
};

/** What a back end stores for a session. */
export type SealedSession = { readonly pairs: readonly SealedPair[]; readonly keys: ReadonlyMap<string, string> };

export type SealedCall = { readonly charge?: Charge; readonly reserve?: SealedReserve; readonly read?: string };
export type SealedCallResult = {
  readonly charge?: ChargeResult;
  readonly tokens?: readonly string[];
  readonly session?: SealedSession;
};

/** A pair that exactly one live session of a tenant contains, with all keys of that session. */
export type SealedHit = {
  readonly session: string;
  readonly pair: SealedPair;
  readonly keys: ReadonlyMap<string, string>;
};

/** The operations of a durable store: each atomic, and safe with concurrent processes. */
export interface SealedBackend {
  /** In one round trip. @throws PrivetError like {@link CallStore.run}. */
  run(call: SealedCall): Promise<SealedCallResult>;
  refund(charge: Charge): Promise<void>;
  resolve(tenant: string, tokens: readonly string[]): Promise<SealedHit[]>;
  sessions(options: {
    readonly tenant?: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<SessionPage>;
  drop(session: string): Promise<boolean>;
}

/** Number of cached session keys, so that a session's values share one. */
const sessionKeysMax = 10_000;
const sessionIdLengthMax = 300;
/**
 * Values numbered per round trip: they block the store, and this process while it encrypts them. A larger call takes
 * several round trips.
 */
const entriesMax = 250;
/** A hundred years: databases limit the range of dates. */
const ttlMsMax = 100 * 366 * dayMs;

/** Vault and calls on top of a back end. */
export class SealedVault implements SessionVault, CallStore {
  readonly #backend: SealedBackend;
  readonly #keys: StoreKeys;
  readonly #ttlMs: number;
  readonly #tokensMax: number;
  readonly #isOpen: () => boolean;
  readonly #sessionKeys = new LRUCache<string, SessionKey>({ max: sessionKeysMax });

  constructor(options: {
    backend: SealedBackend;
    keys: StoreKeys;
    ttlMs: number;
    tokensPerSessionMax: number;
    isOpen: () => boolean;
  }) {
    this.#tokensMax = options.tokensPerSessionMax;
    this.#backend = options.backend;
    this.#isOpen = options.isOpen;
    this.#keys = options.keys;
    this.#ttlMs = options.ttlMs;
  }

  async run({ charge, reserve, read }: Call): Promise<CallResult> {
    if (!this.#isOpen()) throw new PrivetError('unavailable', 'The store has not been opened yet.');
    if (read !== undefined && !isStorable(read)) throw sessionUnknown();
    const asked = reserve && this.#ask(reserve.session, reserve.entries, reserve.options ?? {});
    const result = await this.#backend.run({ charge, reserve: asked?.part(0), read });
    const tokens = result.tokens && [...result.tokens];
    if (asked !== undefined && tokens !== undefined) {
      try {
        for (let from = entriesMax; from < asked.count; from += entriesMax) {
          tokens.push(...((await this.#backend.run({ reserve: asked.part(from) })).tokens ?? []));
        }
      } catch (error) {
        // If the refund fails too, report why the call failed.
        if (charge !== undefined) await this.refund(charge).catch(() => {});
        throw error;
      }
    }
    return {
      charge: result.charge,
      tokens: tokens && asked?.order.map((i) => tokens[i] as string),
      map: result.session && new SealedTokens(this.#keys, read as string, result.session),
    };
  }

  refund(charge: Charge): Promise<void> {
    return this.#backend.refund(charge);
  }

  async reserve(sessionId: string, entries: readonly VaultEntry[], options: ReserveOptions = {}): Promise<string[]> {
    const { tokens } = await this.run({ reserve: { session: sessionId, entries, options } });
    return tokens as string[];
  }

  async tokens(sessionId: string): Promise<TokenMap | undefined> {
    try {
      return (await this.run({ read: sessionId })).map;
    } catch (error) {
      if (error instanceof PrivetError && error.code === 'session_not_found') return undefined;
      throw error;
    }
  }

  async resolve(tenant: string, tokens: readonly string[]): Promise<Map<string, string>> {
    const hits = await this.#backend.resolve(tenant, [...new Set(tokens)].filter(isStorable));
    return new Map(
      hits.flatMap(({ session, pair, keys }) => {
        const value = new SealedTokens(this.#keys, session, { pairs: [pair], keys }).get(pair.token);
        return value === undefined ? [] : [[pair.token, value]];
      }),
    );
  }

  sessions(options: {
    readonly tenant?: string;
    readonly after?: string;
    readonly limit?: number;
  }): Promise<SessionPage> {
    return this.#backend.sessions({ ...options, limit: options.limit ?? 100 });
  }

  async drop(sessionId: string): Promise<boolean> {
    this.#sessionKeys.delete(sessionId);
    return isStorable(sessionId) && (await this.#backend.drop(sessionId));
  }

  /**
   * Splits a reservation into parts, each sealed when it is sent. Duplicate entries are sent once; `order` maps the
   * original entries to them.
   */
  #ask(
    session: string,
    entries: readonly VaultEntry[],
    options: ReserveOptions,
  ): { part: (from: number) => SealedReserve; count: number; order: number[] } {
    if (!isStorable(session)) {
      if (options.create === false) throw sessionUnknown();
      throw new PrivetError('invalid_input', 'The session id is too long or contains control characters.');
    }
    const { format = 'counter', protection = 'envelope' } = options;
    const key = protection === 'envelope' && entries.length > 0 ? this.#sessionKey(session) : undefined;
    const known = new Map<string, number>();
    const unique: VaultEntry[] = [];
    /** The token prefix of each type. */
    const kinds = new Map<string, string>();
    const order = entries.map((entry) => {
      const name = `${entry.type}\0${entry.value}`;
      const at = known.get(name);
      if (at !== undefined) {
        if (entry.bracketed) unique[at] = { ...(unique[at] as VaultEntry), bracketed: true };
        return at;
      }
      known.set(name, unique.length);
      if (!kinds.has(entry.type)) kinds.set(entry.type, nameOf(spell(entry, format, 1)));
      return unique.push(entry) - 1;
    });
    if (unique.length > this.#tokensMax) throw tooManyValues(this.#tokensMax);
    const names = format === 'counter' ? [...kinds.values()] : [];
    const taken = [...(options.taken ?? [])].filter((token) => names.some((name) => token.startsWith(name)));
    if (taken.length > takenMax) {
      throw new PrivetError('body_too_large', `The text contains more than ${takenMax} tokens of its own.`, {
        hint: 'Send it in parts.',
      });
    }
    const line = options.isFresh ? undefined : lineOf(session);
    const reserve = {
      session,
      tenant: splitSessionKey(session).tenant,
      ttlMs: Math.min(options.ttlMs ?? this.#ttlMs, ttlMsMax),
      resetsTtl: options.ttlMs !== undefined,
      create: options.create !== false,
      line: line === undefined ? undefined : lineNumber(line, storeLineBits),
      tokensMax: this.#tokensMax,
      taken,
      key: key && { id: key.id, wrapped: key.wrapped },
    };
    const seal = (entry: VaultEntry): SealedEntry => {
      const hashes = this.#keys.hashes(session, `${format} ${entry.type}`, entry.value);
      const context = `${session}\u0000${hashes[0]}`;
      const data = key ? this.#keys.sealUnder(key, entry.value, context) : this.#keys.seal(entry.value, context);
      const token = spell(entry, format, 1);
      const name = format === 'counter' ? { prefix: nameOf(token) } : { token };
      return { ...name, hashes, data, bracketed: entry.bracketed === true };
    };
    const part = (from: number) => ({ ...reserve, entries: unique.slice(from, from + entriesMax).map(seal) });
    return { part, count: unique.length, order };
  }

  #sessionKey(session: string): SessionKey {
    let key = this.#sessionKeys.get(session);
    if (key === undefined) {
      key = this.#keys.newSessionKey(session);
      this.#sessionKeys.set(session, key);
    }
    return key;
  }
}

/**
 * The tokens of a sealed session; values are decrypted on access. One that cannot be decrypted, because its key is no
 * longer listed, counts as unknown: its token stays a token.
 */
class SealedTokens implements TokenMap {
  readonly #keys: StoreKeys;
  readonly #session: string;
  readonly #sealed: SealedSession;
  readonly #pairs: ReadonlyMap<string, SealedPair>;
  readonly #values = new Map<string, string>();
  #names: TokenNames | undefined;

  constructor(keys: StoreKeys, session: string, sealed: SealedSession) {
    this.#keys = keys;
    this.#session = session;
    this.#sealed = sealed;
    this.#pairs = new Map(sealed.pairs.map((pair) => [pair.token, pair]));
  }

  get size(): number {
    return this.#pairs.size;
  }

  get(token: string): string | undefined {
    const pair = this.#pairs.get(token);
    if (pair !== undefined) return this.#open(pair);
    const inner = token.startsWith('[[') ? this.#pairs.get(token.slice(1, -1)) : undefined;
    const value = inner?.bracketed ? this.#open(inner) : undefined;
    return value === undefined ? undefined : `[${value}]`;
  }

  *entries(): Iterable<[token: string, value: string]> {
    for (const pair of this.#pairs.values()) {
      const value = this.#open(pair);
      if (value !== undefined) yield [pair.token, value];
    }
  }

  hasPrefix(partial: string): boolean {
    this.#names ??= new TokenNames(this.#pairs.keys());
    return this.#names.hasPrefix(partial, this.#pairs.keys());
  }

  #open({ token, hash, data }: SealedPair): string | undefined {
    const known = this.#values.get(token);
    if (known !== undefined) return known;
    try {
      const wrapped = (id: string) => this.#sealed.keys.get(id);
      const value = this.#keys.open(data, `${this.#session}\u0000${hash}`, this.#session, wrapped);
      this.#values.set(token, value);
      return value;
    } catch {
      return undefined;
    }
  }
}

/** Databases do not accept NUL, and none of our ids is long. */
function isStorable(id: string): boolean {
  return id.length <= sessionIdLengthMax && /^[^\p{Cc}\p{Cs}]*$/u.test(id);
}

/** A page of session rows in order of their keys, of which one more than `limit` were read. */
export function sessionPage(rows: readonly Readonly<Record<string, unknown>>[], limit: number): SessionPage {
  const sessions = rows.slice(0, limit).map(({ key, tokens, expires_at }) => ({
    ...splitSessionKey(String(key)),
    tokens: Number(tokens),
    expiresAt: expires_at === null ? null : Number(expires_at),
  }));
  return rows.length > limit ? { sessions, next: String(rows[limit - 1]?.key) } : { sessions };
}
