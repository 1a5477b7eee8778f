/** The tokens of one session. Sessions are many and small, so only larger ones get lookup tables. */

import { ownCopy } from '../own-copy.ts';
import { formatLabelToken, formatSecuredToken, formatSragToken, formatToken, randomTokenId } from './token-format.ts';
import type { TokenFormat, TokenMap, VaultEntry } from './token-map.ts';

/** Number of pairs up to which a list scan is as fast as a table, at a third of the memory. */
const pairsWithoutTable = 8;
/** Slots per pair: token, value, type. */
const stride = 3;

/** Separates the parts of packed pairs. */
const partEnd = '\0';

/** Bytes per pair besides its characters: three list slots and two string headers. */
const pairBytes = 64;

type Tables = {
  /** Index in the list of a token's or value's pair. */
  readonly byToken: Map<string, number>;
  readonly byValue: Map<string, number>;
  /** Highest number issued per type or label. */
  readonly counters: Map<string, number>;
  readonly names: TokenNames;
};

/** The pairs of one session: values by token, tokens by value, counters, and which partial spellings may continue. */
export class SessionTokens implements TokenMap {
  #pairs: string[] = [];
  #tables: Tables | undefined;
  /** Tokens whose value was between the user's own brackets. */
  #bracketed: Set<string> | undefined;
  /** The pairs from before the session was full: still restorable, but no longer issued. */
  #earlier: SessionTokens | undefined;
  /** Highest number per type or label among earlier pairs. */
  #counted: ReadonlyMap<string, number> | undefined;
  #bytes = 0;
  readonly #own: (text: string) => string;

  /** With `isForPacking` the pairs may be slices of the original text until they are packed. */
  constructor(options: { readonly isForPacking?: boolean } = {}) {
    this.#own = options.isForPacking ? (text) => text : ownCopy;
  }

  /**
   * All pairs as one independent string. This halves a session's memory, and the garbage collector moves and marks one
   * object instead of ten: most sessions are created by one call and read at most once.
   */
  pack(): string {
    const pairs = this.#pairs;
    // With cold caches, as in single calls, this takes a third of the time of JSON.
    if (this.#bracketed === undefined && !pairs.some((part) => part.includes(partEnd))) return pairs.join(partEnd);
    return JSON.stringify([pairs, [...(this.#bracketed ?? [])]]);
  }

  /** Restores the pairs of a {@link pack}. */
  static unpack(packed: string): SessionTokens {
    // No token starts like JSON.
    const [pairs, bracketed]: [string[], string[]] = packed.startsWith('[[')
      ? JSON.parse(packed)
      : [packed === '' ? [] : packed.split(partEnd), []];
    const tokens = new SessionTokens();
    for (let at = 0; at < pairs.length; at += stride) {
      const [token = '', value = '', type = ''] = pairs.slice(at, at + stride);
      tokens.#keep(token, value, type);
    }
    for (const token of bracketed) tokens.#bracket(token);
    return tokens;
  }

  get size(): number {
    return this.sizeNow + (this.#earlier?.sizeNow ?? 0);
  }

  /** Number of pairs since the session was last full. */
  get sizeNow(): number {
    return this.#pairs.length / stride;
  }

  /** Estimated memory of the pairs, in bytes. */
  get bytes(): number {
    return this.#bytes + (this.#earlier?.bytes ?? 0);
  }

  /** Starts a new generation of pairs. The current one stays restorable and replaces the previous one. */
  rollOver(): void {
    const earlier = new SessionTokens();
    earlier.#pairs = this.#pairs;
    earlier.#tables = this.#tables;
    earlier.#bracketed = this.#bracketed;
    earlier.#bytes = this.#bytes;
    const counted = new Map(this.#counted);
    for (let at = 0; at < this.#pairs.length; at += stride) {
      const type = this.#text(at + 2);
      counted.set(type, Math.max(counted.get(type) ?? 0, numberOf(this.#text(at))));
    }
    this.#earlier = earlier;
    this.#counted = counted;
    this.#pairs = [];
    this.#tables = undefined;
    this.#bracketed = undefined;
    this.#bytes = 0;
  }

  get(token: string): string | undefined {
    const at = this.#find(token);
    if (at !== undefined) return this.#pairs[at + 1];
    if (!token.startsWith('[[') || !this.#bracketed?.has(token.slice(1, -1))) return this.#earlier?.get(token);
    return `[${this.get(token.slice(1, -1))}]`;
  }

  *entries(): Iterable<[token: string, value: string]> {
    if (this.#earlier) yield* this.#earlier.entries();
    for (let at = 0; at < this.#pairs.length; at += stride) yield [this.#text(at), this.#text(at + 1)];
  }

  hasPrefix(partial: string): boolean {
    if (this.#earlier?.hasPrefix(partial)) return true;
    return (this.#tables?.names ?? new TokenNames(this.#tokens())).hasPrefix(partial, this.#tokens());
  }

  /** Passes the highest number of each name, such as `[EMAIL-`. */
  eachHighest(visit: (name: string, n: number) => void): void {
    for (let at = 0; at < this.#pairs.length; at += stride) {
      const token = this.#text(at);
      const n = numberOf(token);
      if (n > 0) visit(nameOf(token), n);
    }
    this.#earlier?.eachHighest(visit);
  }

  /** Adds a known pair. */
  add(token: string, entry: VaultEntry): void {
    this.#keep(this.#own(token), this.#own(entry.value), entry.type);
    if (entry.bracketed) this.#bracket(token);
  }

  #keep(token: string, value: string, type: string): void {
    const at = this.#pairs.length;
    this.#pairs.push(token, value, type);
    this.#bytes += pairBytes + token.length + 2 * value.length;
    if (this.#tables !== undefined) addTo(this.#tables, this.#pairs, at);
    else if (this.sizeNow > pairsWithoutTable) this.#buildTables();
  }

  /** True if a value has a token. */
  has(entry: VaultEntry, format: TokenFormat = 'counter'): boolean {
    return this.#tokenOf(entry, format) !== undefined;
  }

  /** The token of a value, issued if the value is new. `next` supplies numbers in place of the session's own. */
  tokenFor(
    entry: VaultEntry,
    taken: ReadonlySet<string> | undefined,
    format: TokenFormat = 'counter',
    next?: (name: string) => number,
  ): string {
    const known = this.#tokenOf(entry, format);
    if (known !== undefined) {
      if (entry.bracketed) this.#bracket(known);
      return known;
    }
    let token: string;
    const name = next && format === 'counter' ? nameOf(spell(entry, format, 1)) : '';
    let n = name === '' && format === 'counter' ? this.#numberMax(entry.type) : 0;
    do token = spell(entry, format, next && name !== '' ? next(name) : ++n);
    while (taken?.has(token) || this.#find(token) !== undefined);
    this.add(token, entry);
    return token;
  }

  #tokenOf(entry: VaultEntry, format: TokenFormat): string | undefined {
    if (this.#tables !== undefined) {
      const at = this.#tables.byValue.get(valueKey(entry.type, entry.value, format));
      return at === undefined ? undefined : this.#pairs[at];
    }
    for (let at = 0; at < this.#pairs.length; at += stride) {
      if (this.#pairs[at + 1] !== entry.value || this.#pairs[at + 2] !== entry.type) continue;
      if (formatOf(this.#text(at)) === format) return this.#pairs[at];
    }
    return undefined;
  }

  #find(token: string): number | undefined {
    if (this.#tables !== undefined) return this.#tables.byToken.get(token);
    for (let at = 0; at < this.#pairs.length; at += stride) if (this.#pairs[at] === token) return at;
    return undefined;
  }

  #numberMax(type: string): number {
    let max = this.#counted?.get(type) ?? 0;
    if (this.#tables !== undefined) return Math.max(max, this.#tables.counters.get(type) ?? 0);
    for (let at = 0; at < this.#pairs.length; at += stride) {
      if (this.#pairs[at + 2] === type) max = Math.max(max, numberOf(this.#text(at)));
    }
    return max;
  }

  #bracket(token: string): void {
    this.#bracketed ??= new Set();
    this.#bracketed.add(token);
  }

  #buildTables(): void {
    this.#tables = { byToken: new Map(), byValue: new Map(), counters: new Map(), names: new TokenNames([]) };
    for (let at = 0; at < this.#pairs.length; at += stride) addTo(this.#tables, this.#pairs, at);
  }

  *#tokens(): Iterable<string> {
    for (let at = 0; at < this.#pairs.length; at += stride) yield this.#text(at);
  }

  #text(at: number): string {
    return this.#pairs[at] as string;
  }
}

function addTo(tables: Tables, pairs: readonly string[], at: number): void {
  const [token = '', value = '', type = ''] = pairs.slice(at, at + stride);
  tables.byToken.set(token, at);
  tables.byValue.set(valueKey(type, value, formatOf(token)), at);
  tables.counters.set(type, Math.max(numberOf(token), tables.counters.get(type) ?? 0));
  tables.names.add(token);
}

function valueKey(type: string, value: string, format: TokenFormat): string {
  return `${format}\u0000${type}\u0000${value}`;
}

/** Creates a token for an entry; `n` is the number of a counter token. */
export function spell(entry: VaultEntry, format: TokenFormat, n: number): string {
  if (format === 'secured') return formatSecuredToken(entry.type, randomTokenId());
  if (format === 'srag') return formatSragToken(entry.category ?? 'PII', entry.type, randomTokenId());
  return entry.label ? formatLabelToken(entry.type, n) : formatToken(entry.type, n);
}

/** The format of a canonical token. */
export function formatOf(token: string): TokenFormat {
  if (token.startsWith('[SECURED:')) return 'secured';
  return token.startsWith('[SRAG:') ? 'srag' : 'counter';
}

/** A counter token without its number: `[EMAIL-`. */
export function nameOf(token: string): string {
  return token.replace(/[0-9]+\]$/, '');
}

/** The number of a counter token; 0 for other formats. */
export function numberOf(token: string): number {
  return Number(/[-_]([0-9]+)\]$/.exec(token)?.[1] ?? 0);
}

/** Tells which partial spellings may still become an issued token. */
export class TokenNames {
  /** Highest number per name without separators: `EMAIL` → 3. */
  readonly #numberMax = new Map<string, number>();

  constructor(tokens: Iterable<string>) {
    for (const token of tokens) this.add(token);
  }

  /** Adds a canonical token. */
  add(token: string): void {
    const counter = /^\[([A-Z0-9_]+)[-_]([0-9]+)\]$/.exec(token);
    const name = counter === null ? token.slice(1).replace(/:.*/, '') : (counter[1] ?? '').replaceAll('_', '');
    const n = counter === null ? 0 : Number(counter[2]);
    this.#numberMax.set(name, Math.max(n, this.#numberMax.get(name) ?? 0));
  }

  /** See {@link TokenMap.hasPrefix}; `tokens` are the added tokens, scanned only for spellings with parameters. */
  hasPrefix(partial: string, tokens: Iterable<string>): boolean {
    if (this.#numberMax.size === 0) return false;
    const parts = /^\[([A-Z0-9_]*?)(?:[-_]*([0-9]+))?$/.exec(partial);
    if (parts === null) {
      for (const token of tokens) if (token.startsWith(partial)) return true;
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
}
