/**
 * Records which tokens of a session stand for JSON numbers, so that a later answer has numbers again: a model that keeps
 * the conversation itself, the separate stream of an MCP client, a resumed stream.
 */
import type { TokenVault } from '../../../core/vault.ts';
import { boundedCache } from '../../bounded-cache.ts';
import type { MaskingResult } from './masking-types.ts';

type Known = {
  readonly tokens: Set<string>;
  /** When the vault was read last; other processes may add tokens. */
  readAt: number;
  /** The first reading while it is under way: without it, nothing is known of an earlier process. */
  first?: Promise<ReadonlySet<string>> | undefined;
};

/** Maximum number in this process, over all sessions; those least recently used are read again. 20 MB when full. */
const knownMax = 200_000;
/** Maximum number per session; further ones are known only in their own exchange. */
const ofSessionMax = 10_000;
const refreshMs = 1_000;
const none: ReadonlySet<string> = new Set();

/** Tokens of JSON numbers. The vault keeps them for other processes and restarts. */
export class NumberTokens {
  readonly #vault: TokenVault;
  readonly #ttlMs: number;
  readonly #known = boundedCache<string, Known>(knownMax);

  /** @param ttlMs lifetime of the records, at least that of the tokens; 0 = no expiry */
  constructor(vault: TokenVault, ttlMs: number) {
    this.#vault = vault;
    this.#ttlMs = ttlMs;
  }

  /** Records tokens that a request contains in place of numbers. */
  remember(session: string, tokens: ReadonlySet<string> = none): void {
    if (tokens.size === 0) return;
    const known = this.#of(session);
    const added = [...tokens].filter((token) => !known.tokens.has(token));
    if (added.length === 0 || known.tokens.size + added.length > ofSessionMax) return;
    this.#add(session, known, added);
    void this.#keep(session, added);
  }

  /** The tokens recorded for a session. */
  of(session: string): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    const known = this.#of(session);
    const now = performance.now();
    if (now - known.readAt < refreshMs) return known.first ?? known.tokens;
    const isFirst = known.readAt === Number.NEGATIVE_INFINITY;
    known.readAt = now;
    const reading = this.#read(session, known);
    if (isFirst) known.first = reading.finally(() => (known.first = undefined));
    return reading;
  }

  #add(session: string, known: Known, tokens: Iterable<string>): void {
    const { size } = known.tokens;
    for (const token of tokens) known.tokens.add(token);
    if (known.tokens.size === size) return;
    // An entry that is only set again would keep its size.
    this.#known.delete(session);
    this.#known.set(session, known, { size: 1 + known.tokens.size });
  }

  #of(session: string): Known {
    let known = this.#known.get(session);
    if (known === undefined) {
      known = { tokens: new Set(), readAt: Number.NEGATIVE_INFINITY };
      this.#known.set(session, known);
    }
    return known;
  }

  async #read(session: string, known: Known): Promise<ReadonlySet<string>> {
    // Without the store, the known ones are restored.
    const kept = await Promise.resolve(this.#vault.tokens(idOf(session))).catch(() => undefined);
    this.#add(session, known, [...(kept?.entries() ?? [])].map(([, token]) => token).slice(0, ofSessionMax));
    return known.tokens;
  }

  async #keep(session: string, tokens: readonly string[]): Promise<void> {
    const entries = tokens.map((value) => ({ type: 'NUMBER', value, label: true }));
    try {
      await this.#vault.reserve(idOf(session), entries, { ttlMs: this.#ttlMs });
    } catch {
      // Then only this process knows them.
    }
  }
}

const anyToken = /\[[A-Z][A-Z_]*-\d+\]/g;
/** Maximum length of a request that is searched for tokens; tokens after it count as new in the answer. */
const saidBytesMax = 4 * 1024 * 1024;

/** The tokens to be restored as numbers during an exchange or a connection. */
export class ExchangeNumbers {
  readonly tokens = new Set<string>();
  /** Tokens in its own requests. What is a string there is likely to be one in the answer. */
  readonly #said = new Set<string>();

  /** Adds those of a request. */
  note({ numbers = none, body, changed }: Pick<MaskingResult, 'numbers' | 'body' | 'changed'>): void {
    if (changed)
      for (const [token] of body.toString('latin1', 0, saidBytesMax).matchAll(anyToken)) this.#said.add(token);
    for (const token of numbers) this.tokens.add(token);
  }

  /** Adds those of the session's other requests. */
  add(tokens: ReadonlySet<string>): void {
    for (const token of tokens) if (!this.#said.has(token)) this.tokens.add(token);
  }
}

/** The session id in the vault, next to that of the tokens. */
function idOf(session: string): string {
  return `${session}-numbers`;
}
