/**
 * A vault on top of any store with hashes, shared by the Redis and SQLite vaults. A session is one hash with a field
 * per value (named by its keyed hash) and one per token (its encrypted value), so several processes can reserve at the
 * same time without a lock.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { PrivetError } from '../core/errors.ts';
import { SessionTokens } from '../core/tokens/session-tokens.ts';
import {
  formatLabelToken,
  formatSecuredToken,
  formatSragToken,
  formatToken,
  randomTokenId,
} from '../core/tokens/token-format.ts';
import type { ReserveOptions, TokenFormat, TokenMap, TokenVault, VaultEntry } from '../core/vault.ts';

type Answer<T> = T | Promise<T>;

/** The required operations of a store. A missing hash has no fields. */
export interface HashStore {
  get(key: string, field: string): Answer<string | undefined>;
  /** Sets a field unless it exists; returns its value. */
  setNew(key: string, field: string, value: string): Answer<string>;
  /** Increments a field, starting at 0; returns the sum. */
  increment(key: string, field: string): Answer<number>;
  all(key: string): Answer<Readonly<Record<string, string>>>;
  /** Expires the hash after a number of milliseconds; 0 = never. */
  expire(key: string, ttlMs: number): Answer<void>;
  /** Returns whether it existed. */
  drop(key: string): Answer<boolean>;
}

/** Options of a stored vault. */
export type StoredVaultOptions = {
  /** Encrypts the stored values; at least 16 characters or bytes. They cannot be read with another key. */
  readonly key: string | Uint8Array;
  /** Prefix of the names in the store. Default `privet:`. */
  readonly prefix?: string;
};

/** Stores sessions in a {@link HashStore}. */
export class StoredVault implements TokenVault {
  readonly #store: HashStore;
  readonly #prefix: string;
  readonly #cipherKey: Buffer;
  readonly #hashKey: Buffer;

  /** @throws PrivetError `invalid_input` for a key that is too short */
  constructor(store: HashStore, { key, prefix = 'privet:' }: StoredVaultOptions) {
    if (key === undefined || key.length < 16) {
      throw new PrivetError('invalid_input', 'key: expected at least 16 characters or bytes.', {
        hint: 'Generate one with "openssl rand -base64 24" and keep it: the stored values cannot be read without it.',
      });
    }
    this.#store = store;
    this.#prefix = prefix;
    this.#cipherKey = createHash('sha256').update('privet cipher ').update(key).digest();
    this.#hashKey = createHash('sha256').update('privet hash ').update(key).digest();
  }

  async reserve(
    sessionId: string,
    entries: readonly VaultEntry[],
    { taken, ttlMs = 86_400_000, format = 'counter', create = true }: ReserveOptions = {},
  ): Promise<string[]> {
    const session = this.#prefix + sessionId;
    if (!create && (await this.#store.get(session, 'session')) === undefined) throw noSession();
    await this.#store.setNew(session, 'session', '1');
    const tokens: string[] = [];
    for (const entry of entries) {
      const token = await this.#tokenFor(session, entry, format, taken);
      if (entry.bracketed) await this.#store.setNew(session, `b ${token}`, '1');
      tokens.push(token);
    }
    await this.#store.expire(session, ttlMs);
    return tokens;
  }

  async tokens(sessionId: string): Promise<TokenMap | undefined> {
    const session = this.#prefix + sessionId;
    const fields = await this.#store.all(session);
    if (fields.session === undefined) return undefined;
    const map = new SessionTokens();
    for (const [field, sealed] of Object.entries(fields)) {
      if (!field.startsWith('t ')) continue;
      const token = field.slice(2);
      const bracketed = fields[`b ${token}`] !== undefined;
      map.add(token, { ...this.#open(session, token, sealed), ...(bracketed ? { bracketed } : {}) });
    }
    return map;
  }

  async drop(sessionId: string): Promise<boolean> {
    return this.#store.drop(this.#prefix + sessionId);
  }

  async #tokenFor(
    session: string,
    entry: VaultEntry,
    format: TokenFormat,
    taken: ReadonlySet<string> | undefined,
  ): Promise<string> {
    const { type, value, category = '' } = entry;
    const hash = createHmac('sha256', this.#hashKey).update(JSON.stringify([session, type, value, format, category]));
    const field = `v ${hash.digest('base64url')}`;
    const known = await this.#store.get(session, field);
    if (known !== undefined) return known;
    let token: string;
    do token = await this.#newToken(session, entry, format);
    while (taken?.has(token));
    // Store the value first: a token without one could never be restored.
    await this.#store.setNew(session, `t ${token}`, this.#seal(session, token, { type, value }));
    // Another process may have been faster; its token wins.
    return this.#store.setNew(session, field, token);
  }

  async #newToken(session: string, { type, label, category }: VaultEntry, format: TokenFormat): Promise<string> {
    if (format === 'secured') return formatSecuredToken(type, randomTokenId());
    if (format === 'srag') return formatSragToken(category ?? 'PII', type, randomTokenId());
    const n = await this.#store.increment(session, `n ${type}`);
    return label ? formatLabelToken(type, n) : formatToken(type, n);
  }

  /** AES-256-GCM, bound to token and session, so that values cannot be swapped. */
  #seal(session: string, token: string, entry: Pick<VaultEntry, 'type' | 'value'>): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#cipherKey, nonce).setAAD(Buffer.from(`${session} ${token}`));
    const body = Buffer.concat([cipher.update(JSON.stringify(entry)), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  #open(session: string, token: string, sealed: string): Pick<VaultEntry, 'type' | 'value'> {
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#cipherKey, bytes.subarray(0, 12));
      decipher.setAAD(Buffer.from(`${session} ${token}`)).setAuthTag(bytes.subarray(12, 28));
      return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString());
    } catch (cause) {
      throw new PrivetError('unavailable', 'A value in the store cannot be decrypted.', {
        hint: 'Use the key that it was stored with.',
        cause,
      });
    }
  }
}

function noSession(): PrivetError {
  return new PrivetError('session_not_found', 'The session does not exist or has expired.');
}
