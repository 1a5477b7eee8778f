/** Sessions, credits and rate limits in SQLite. */
import { setImmediate } from 'node:timers/promises';
import { type SessionPage, sessionUnknown } from '../../../core/vault.ts';
import { type RateCount, type RateRule, type RateState, takeRate } from '../../../policy/rate-limits.ts';
import type { Charge, ChargeResult } from '../calls.ts';
import { earlierKey, withoutEarlier } from '../earlier-key.ts';
import type { Meter } from '../meter.ts';
import {
  type SealedBackend,
  type SealedCall,
  type SealedCallResult,
  type SealedEntry,
  type SealedHit,
  type SealedPair,
  type SealedReserve,
  type SealedSession,
  sessionPage,
} from '../sealed-vault.ts';
import type { SqliteDatabase } from './database.ts';

type SessionRow = { id: number; ttl_ms: number; tokens: number; rolled: number };
type PairRow = { token: string; hash: string; data: string; bracketed: number };

/** Tokens read per query. */
const pageMax = 2_000;
/** Tokens looked up before others get a turn: each is a query. */
const resolvedMax = 100;
/** Tokens removed per query. */
const sweptTokensMax = 1_000;

/** The back end of vault, calls and meter. */
export class SqliteCalls implements SealedBackend, Meter {
  readonly #db: SqliteDatabase;
  readonly #now: () => number;

  constructor(db: SqliteDatabase, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  async run(call: SealedCall): Promise<SealedCallResult> {
    let toRead: readonly number[] = [];
    const result: SealedCallResult = await this.#db.write(() => {
      const ids = call.read === undefined ? undefined : this.#idsOf(call.read);
      if (call.read !== undefined && ids === undefined) throw sessionUnknown();
      toRead = ids ?? [];
      const { reserve } = call;
      const row = reserve && this.#use(reserve.session, reserve.resetsTtl ? reserve.ttlMs : undefined);
      if (reserve !== undefined && row === undefined && !reserve.create) throw sessionUnknown();
      const charge = call.charge && this.#charge(call.charge);
      if (charge?.refused !== undefined) return { charge };
      return { charge, tokens: reserve && this.#reserve(row ?? this.#create(reserve), reserve) };
    });
    if (result.charge?.refused !== undefined || toRead.length === 0) return result;
    return { ...result, session: await this.#read(toRead) };
  }

  refund({ month, tenant, keyId, credits }: Charge): Promise<void> {
    return this.#db.write(() => {
      const giveBack = this.#db.prepare(
        'UPDATE usage SET used = max(0, used - ?) WHERE month = ? AND kind = ? AND id = ?',
      );
      giveBack.run(credits, month, 'tenant', tenant);
      giveBack.run(credits, month, 'key', keyId);
    });
  }

  async resolve(tenant: string, tokens: readonly string[]): Promise<SealedHit[]> {
    const hits: SealedHit[] = [];
    for (let from = 0; from < tokens.length; from += resolvedMax) {
      if (from > 0) await setImmediate();
      hits.push(...(await this.#db.read(() => this.#resolve(tenant, tokens.slice(from, from + resolvedMax)))));
    }
    return hits;
  }

  sessions(options: { tenant?: string; after?: string; limit: number }): Promise<SessionPage> {
    const { tenant = null, after = '', limit } = options;
    return this.#db.read(() => {
      const rows = this.#db
        .prepare(
          `SELECT key, tokens, expires_at FROM sessions WHERE (?1 IS NULL OR tenant = ?1) AND key > ?2
           AND key NOT LIKE '%' || char(1) AND (expires_at IS NULL OR expires_at > ?3) ORDER BY key LIMIT ?4`,
        )
        .all(tenant, after, this.#now(), limit + 1);
      return sessionPage(rows, limit);
    });
  }

  async drop(session: string): Promise<boolean> {
    const isLive = await this.#db.write(() => {
      const found = this.#find(session) !== undefined;
      for (const key of [session, earlierKey(session)]) this.#retire(key);
      return found;
    });
    while ((await this.sweep(1)) > 0);
    return isLive;
  }

  /**
   * Removes expired sessions, at most `max`; returns the number removed, or at least one if more remain. A session with
   * many tokens is removed in parts, because this blocks everything else.
   */
  sweep(max: number): Promise<number> {
    return this.#db.write(() => {
      const now = this.#now();
      this.#db.prepare('DELETE FROM rates WHERE ends_at < ?').run(now);
      const expired = this.#db.prepare('SELECT id FROM sessions WHERE expires_at <= ? LIMIT ?').all(now, max);
      let left = sweptTokensMax;
      let removed = 0;
      for (const { id } of expired as { id: number }[]) {
        const tokens = this.#db
          .prepare(
            'DELETE FROM tokens WHERE session = ?1 AND token IN (SELECT token FROM tokens WHERE session = ?1 LIMIT ?2)',
          )
          .run(id, left);
        left -= Number(tokens.changes);
        if (left <= 0) return Math.max(1, removed);
        this.#db.prepare('DELETE FROM sessions WHERE id = ?').run(id);
        removed++;
      }
      return removed;
    });
  }

  used(tenant: string, month: string): Promise<number> {
    return this.#db.read(() => this.#used(tenant, month));
  }

  usedByKey(keyIds: readonly string[], month: string): Promise<Map<string, number>> {
    return this.#db.read(() => {
      const wanted = new Set(keyIds);
      const rows = this.#db.prepare(`SELECT id, used FROM usage WHERE month = ? AND kind = 'key'`).all(month);
      return new Map(rows.flatMap(({ id, used }) => (wanted.has(String(id)) ? [[String(id), Number(used)]] : [])));
    });
  }

  usedByAll(month: string): Promise<number> {
    const sql = `SELECT coalesce(sum(used), 0) AS used FROM usage WHERE month = ? AND kind = 'tenant'`;
    return this.#db.read(() => Number(this.#db.prepare(sql).get(month)?.used));
  }

  takeRate(id: string, rule: RateRule): Promise<RateState> {
    return this.#db.write(() => this.#take(`own:${id}`, rule));
  }

  #resolve(tenant: string, tokens: readonly string[]): readonly SealedHit[] {
    // Read with their tokens: a session may get another key before the next part.
    const keysOf = new Map<number, ReadonlyMap<string, string>>();
    const find = this.#db.prepare(
      `SELECT s.key, s.id, t.token, t.hash, t.data, t.bracketed FROM tokens t JOIN sessions s ON s.id = t.session
       WHERE t.tenant = ? AND t.token = ? AND (s.expires_at IS NULL OR s.expires_at > ?) LIMIT 2`,
    );
    return tokens.flatMap((token) => {
      const rows = find.all(tenant, token, this.#now()) as (PairRow & { key: string; id: number })[];
      const [row, another] = rows;
      if (row === undefined || another !== undefined) return [];
      const keys = keysOf.get(row.id) ?? this.#sessionKeys(row.id);
      keysOf.set(row.id, keys);
      return [{ session: withoutEarlier(row.key), pair: pairOf(row), keys }];
    });
  }

  #charge(charge: Charge): ChargeResult {
    const rate = charge.rate && this.#take(`tenant:${charge.tenant}`, charge.rate);
    const used = this.#used(charge.tenant, charge.month);
    if (rate?.allowed === false) return { refused: 'rate', used, rate };
    if (charge.credits === 0) return { used, rate };
    if (charge.creditsMax !== null && used + charge.credits > charge.creditsMax) {
      return { refused: 'credits', used, rate };
    }
    const count = this.#db.prepare(
      `INSERT INTO usage (month, kind, id, used) VALUES (?, ?, ?, ?)
       ON CONFLICT (month, kind, id) DO UPDATE SET used = used + excluded.used`,
    );
    count.run(charge.month, 'tenant', charge.tenant, charge.credits);
    count.run(charge.month, 'key', charge.keyId, charge.credits);
    return { used: used + charge.credits, rate };
  }

  #used(tenant: string, month: string): number {
    const row = this.#db
      .prepare(`SELECT used FROM usage WHERE month = ? AND kind = 'tenant' AND id = ?`)
      .get(month, tenant);
    return Number(row?.used ?? 0);
  }

  #take(id: string, rule: RateRule): RateState {
    const kept = this.#db.prepare('SELECT taken, ends_at AS endsAt FROM rates WHERE id = ?').get(id);
    const { state, count } = takeRate(rule, kept as RateCount | undefined, this.#now());
    this.#db
      .prepare(
        `INSERT INTO rates (id, taken, ends_at) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET taken = excluded.taken, ends_at = excluded.ends_at`,
      )
      .run(id, count.taken, count.endsAt);
    return state;
  }

  #find(session: string): SessionRow | undefined {
    return this.#db
      .prepare(
        'SELECT id, ttl_ms, tokens, rolled FROM sessions WHERE key = ? AND (expires_at IS NULL OR expires_at > ?)',
      )
      .get(session, this.#now()) as SessionRow | undefined;
  }

  /** The live session; restarts its lifetime. */
  #use(session: string, ttlMs?: number): SessionRow | undefined {
    const row = this.#find(session);
    if (row === undefined) return undefined;
    const ttl = ttlMs ?? row.ttl_ms;
    const expiry = this.#expiry(ttl);
    this.#db.prepare('UPDATE sessions SET ttl_ms = ?, expires_at = ? WHERE id = ?').run(ttl, expiry, row.id);
    if (row.rolled > 0) {
      this.#db.prepare('UPDATE sessions SET expires_at = ? WHERE key = ?').run(expiry, earlierKey(session));
    }
    return row;
  }

  #create(reserve: SealedReserve): SessionRow {
    // An expired one may still exist.
    for (const key of [reserve.session, earlierKey(reserve.session)]) this.#retire(key);
    return this.#insert(reserve, reserve.ttlMs, 0);
  }

  #insert({ session, tenant }: SealedReserve, ttlMs: number, rolled: number): SessionRow {
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO sessions (key, tenant, ttl_ms, expires_at, rolled) VALUES (?, ?, ?, ?, ?)')
      .run(session, tenant, ttlMs, this.#expiry(ttlMs), rolled);
    return { id: Number(lastInsertRowid), ttl_ms: ttlMs, tokens: 0, rolled };
  }

  /** Detaches the session from its key; its rows are removed step by step. */
  #retire(key: string): void {
    this.#db.prepare('UPDATE sessions SET key = char(2) || id, expires_at = 0 WHERE key = ?').run(key);
  }

  /** A full session becomes the earlier part of a new one. */
  #rollOver(row: SessionRow, reserve: SealedReserve): SessionRow {
    const earlier = earlierKey(reserve.session);
    this.#retire(earlier);
    this.#db.prepare('UPDATE sessions SET key = ? WHERE id = ?').run(earlier, row.id);
    const next = this.#insert(reserve, row.ttl_ms, 1);
    this.#db
      .prepare('INSERT INTO counters (session, prefix, n) SELECT ?, prefix, n FROM counters WHERE session = ?')
      .run(next.id, row.id);
    return next;
  }

  #reserve(session: SessionRow, reserve: SealedReserve): string[] {
    let row = session;
    const { entries, key } = reserve;
    const taken = new Set(reserve.taken);
    const insert = this.#db.prepare(
      'INSERT INTO tokens (session, token, tenant, hash, data, bracketed) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const countAdded = (added: number) => {
      if (added === 0) return;
      this.#db.prepare('UPDATE sessions SET tokens = tokens + ? WHERE id = ?').run(added, row.id);
      if (key === undefined) return;
      this.#db
        .prepare('INSERT INTO session_keys (session, id, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
        .run(row.id, key.id, key.wrapped);
    };
    let added = 0;
    const tokens = entries.map((entry) => {
      const known = this.#knownToken(row.id, entry);
      if (known !== undefined) return known;
      if (row.tokens + added >= reserve.tokensMax) {
        countAdded(added);
        added = 0;
        row = this.#rollOver(row, reserve);
      }
      added++;
      const token = entry.token ?? this.#number(row.id, reserve.line, entry.prefix as string, taken);
      insert.run(row.id, token, reserve.tenant, entry.hashes[0] as string, entry.data, entry.bracketed ? 1 : 0);
      return token;
    });
    countAdded(added);
    return tokens;
  }

  #knownToken(session: number, entry: SealedEntry): string | undefined {
    for (const hash of entry.hashes) {
      const row = this.#db
        .prepare('SELECT token, bracketed FROM tokens WHERE session = ? AND hash = ?')
        .get(session, hash) as { token: string; bracketed: number } | undefined;
      if (row === undefined) continue;
      if (entry.bracketed && row.bracketed === 0) {
        this.#db.prepare('UPDATE tokens SET bracketed = 1 WHERE session = ? AND token = ?').run(session, row.token);
      }
      return row.token;
    }
    return undefined;
  }

  /** A token with the next number of the line, or of the session if there is no line. */
  #number(session: number, line: number | undefined, prefix: string, taken: ReadonlySet<string>): string {
    const [table, column, of] = line === undefined ? ['counters', 'session', session] : ['numbers', 'line', line];
    const kept = this.#db.prepare(`SELECT n FROM ${table} WHERE ${column} = ? AND prefix = ?`).get(of, prefix);
    const isUsed = this.#db.prepare('SELECT 1 FROM tokens WHERE session = ? AND token = ?');
    let n = Number(kept?.n ?? 0);
    let token: string;
    do token = `${prefix}${++n}]`;
    while (taken.has(token) || isUsed.get(session, token) !== undefined);
    this.#db
      .prepare(
        `INSERT INTO ${table} (${column}, prefix, n) VALUES (?, ?, ?)
         ON CONFLICT (${column}, prefix) DO UPDATE SET n = excluded.n`,
      )
      .run(of, prefix, n);
    return token;
  }

  /** The rows of a session, including its earlier part; restarts its lifetime. */
  #idsOf(session: string): number[] | undefined {
    const row = this.#use(session);
    if (row === undefined) return undefined;
    const earlier = row.rolled > 0 ? this.#find(earlierKey(session)) : undefined;
    return earlier === undefined ? [row.id] : [row.id, earlier.id];
  }

  /** The content of sessions, in pages: a large one would block others for too long. */
  async #read(ids: readonly number[]): Promise<SealedSession> {
    const pairs: SealedPair[] = [];
    const keys = new Map<string, string>();
    for (const id of ids) {
      let after: string | undefined = '';
      while (after !== undefined) {
        const from: string = after;
        const rows: PairRow[] = await this.#db.read(() => {
          if (from === '') for (const [keyId, wrapped] of this.#sessionKeys(id)) keys.set(keyId, wrapped);
          return this.#db
            .prepare(
              'SELECT token, hash, data, bracketed FROM tokens WHERE session = ? AND token > ? ORDER BY token LIMIT ?',
            )
            .all(id, from, pageMax) as unknown as PairRow[];
        });
        pairs.push(...rows.map(pairOf));
        after = rows.length < pageMax ? undefined : rows.at(-1)?.token;
        if (after !== undefined) await setImmediate();
      }
    }
    return { pairs, keys };
  }

  #sessionKeys(session: number): Map<string, string> {
    const rows = this.#db.prepare('SELECT id, wrapped FROM session_keys WHERE session = ?').all(session);
    return new Map(rows.map(({ id, wrapped }) => [String(id), String(wrapped)]));
  }

  #expiry(ttlMs: number): number | null {
    return ttlMs > 0 ? this.#now() + ttlMs : null;
  }
}

function pairOf({ token, hash, data, bracketed }: PairRow): SealedPair {
  return { token, hash, data, bracketed: bracketed === 1 };
}
