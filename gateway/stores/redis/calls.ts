/** Sessions, credits and rate limits in Redis. */
import { type SessionPage, type SessionSummary, sessionUnknown, splitSessionKey } from '../../../core/vault.ts';
import { type KeptRate, type RateRule, type RateState, rateState } from '../../../policy/rate-limits.ts';
import { type Charge, chargeResult, type KeptCharge } from '../calls.ts';
import { withoutEarlier } from '../earlier-key.ts';
import type { Meter } from '../meter.ts';
import type {
  SealedBackend,
  SealedCall,
  SealedCallResult,
  SealedHit,
  SealedPair,
  SealedSession,
} from '../sealed-vault.ts';
import { type RedisClient, type Reply, script } from './client.ts';
import { dropScript, rateScript, refundScript, resolveScript, runScript } from './scripts.ts';

const run = script(runScript);
const refund = script(refundScript);
const resolve = script(resolveScript);
const drop = script(dropScript);
const rate = script(rateScript);

/** Keys per step of a listing, and maximum steps per page. */
const scanCount = '1000';
const scanStepsMax = 100;

/** The back end of vault, calls and meter. */
export class RedisCalls implements SealedBackend, Meter {
  readonly #client: RedisClient;
  readonly #prefix: string;

  constructor(client: RedisClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  async run(call: SealedCall): Promise<SealedCallResult> {
    const { charge, reserve, read } = call;
    const readTenant = read === undefined ? '' : splitSessionKey(read).tenant;
    const json = JSON.stringify({ ...call, readTenant });
    const reply = (await this.#client.run(run, this.#prefix, [json])) as [string, string, string[], string[]];
    const [status, charged, tokens, fields] = reply;
    if (status === 'unknown') throw sessionUnknown();
    const result = charge && chargeResult(charge, JSON.parse(charged) as KeptCharge);
    if (result?.refused !== undefined) return { charge: result };
    return {
      charge: result,
      tokens: reserve && tokens,
      session: read === undefined ? undefined : sessionOf(fields),
    };
  }

  async refund({ month, tenant, keyId, credits }: Charge): Promise<void> {
    await this.#client.run(refund, this.#prefix, [month, tenant, keyId, String(credits)]);
  }

  async resolve(tenant: string, tokens: readonly string[]): Promise<SealedHit[]> {
    const hits = (await this.#client.run(resolve, this.#prefix, [tenant, ...tokens])) as string[][];
    return hits.map(([token = '', session = '', pair = '', keyId = '', wrapped = '']) => ({
      session,
      pair: pairOf(token, pair),
      keys: new Map(wrapped === '' ? [] : [[keyId, wrapped]]),
    }));
  }

  /** Page sizes are approximate: Redis returns keys in groups. */
  async sessions(options: { tenant?: string; after?: string; limit: number }): Promise<SessionPage> {
    const start = `${this.#prefix}s:`;
    const { tenant } = options;
    const isWanted = (key: string) =>
      tenant === undefined || splitSessionKey(key.slice(start.length)).tenant === tenant;
    const pattern = `${escapeGlob(tenant ? `${start}${tenant}:` : start)}*`;
    const keys = new Set<string>();
    let cursor = options.after ?? '0';
    for (let step = 0; step < scanStepsMax && keys.size < options.limit; step++) {
      const reply = await this.#client.send('SCAN', cursor, 'MATCH', pattern, 'COUNT', scanCount);
      const [next, found] = reply as [string, string[]];
      for (const key of found) if (isWanted(key) && withoutEarlier(key) === key) keys.add(key);
      cursor = next;
      if (cursor === '0') break;
    }
    const sessions = await Promise.all([...keys].map((key) => this.#summary(key, start.length)));
    const page = { sessions: sessions.filter((session) => session !== undefined) };
    return cursor === '0' ? page : { ...page, next: cursor };
  }

  async drop(session: string): Promise<boolean> {
    return (await this.#client.run(drop, this.#prefix, [session, splitSessionKey(session).tenant])) === 1;
  }

  async used(tenant: string, month: string): Promise<number> {
    return Number((await this.#client.send('HGET', this.#usage(month, 'tenant'), tenant)) ?? 0);
  }

  async usedByKey(keyIds: readonly string[], month: string): Promise<Map<string, number>> {
    if (keyIds.length === 0) return new Map();
    const found = (await this.#client.send('HMGET', this.#usage(month, 'key'), ...keyIds)) as (string | null)[];
    return new Map(found.flatMap((used, i) => (used === null ? [] : [[keyIds[i] as string, Number(used)]])));
  }

  async usedByAll(month: string): Promise<number> {
    const all = (await this.#client.send('HVALS', this.#usage(month, 'tenant'))) as string[];
    return all.reduce((sum, used) => sum + Number(used), 0);
  }

  async takeRate(id: string, rule: RateRule): Promise<RateState> {
    const args = [`own:${id}`, String(rule.limit), String(rule.windowMs)];
    return rateState(rule, JSON.parse((await this.#client.run(rate, this.#prefix, args)) as string) as KeptRate);
  }

  async #summary(key: string, prefixLength: number): Promise<SessionSummary | undefined> {
    const [count, ttl] = await Promise.all([this.#client.send('HGET', key, 'c'), this.#client.send('PTTL', key)]);
    if (ttl === -2) return undefined;
    const expiresAt = ttl === -1 ? null : Date.now() + Number(ttl);
    return { ...splitSessionKey(key.slice(prefixLength)), tokens: Number(count ?? 0), expiresAt };
  }

  #usage(month: string, kind: 'tenant' | 'key'): string {
    return `${this.#prefix}u:${month}:${kind}`;
  }
}

/** Parses the fields of a session's hash, given as alternating names and values. */
function sessionOf(fields: readonly Reply[]): SealedSession {
  const pairs: SealedPair[] = [];
  const keys = new Map<string, string>();
  for (let i = 0; i < fields.length; i += 2) {
    const name = String(fields[i]);
    const value = String(fields[i + 1]);
    if (name.startsWith('t:')) pairs.push(pairOf(name.slice(2), value));
    else if (name.startsWith('k:')) keys.set(name.slice(2), value);
  }
  return { pairs, keys };
}

/** A pair is stored as one text: a mark, 8 characters for its key, 22 for its hash, then the sealed value. */
function pairOf(token: string, kept: string): SealedPair {
  return { token, bracketed: kept.startsWith('1'), hash: kept.slice(9, 31), data: kept.slice(31) };
}

function escapeGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}
