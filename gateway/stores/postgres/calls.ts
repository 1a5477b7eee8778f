/** Sessions, credits and rate limits in PostgreSQL. */
import type { SessionPage } from '../../../core/vault.ts';
import { type KeptRate, type RateRule, type RateState, rateState } from '../../../policy/rate-limits.ts';
import { type Charge, chargeResult, type KeptCharge } from '../calls.ts';
import { withoutEarlier } from '../earlier-key.ts';
import type { Meter } from '../meter.ts';
import {
  type SealedBackend,
  type SealedCall,
  type SealedCallResult,
  type SealedHit,
  type SealedPair,
  sessionPage,
} from '../sealed-vault.ts';
import type { PostgresClient } from './client.ts';

type RunResult = {
  charge?: KeptCharge;
  tokens?: string[];
  session?: { pairs: SealedPair[]; keys: Record<string, string> };
};

/** The back end of vault, calls and meter. */
export class PostgresCalls implements SealedBackend, Meter {
  readonly #client: PostgresClient;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  async run(call: SealedCall): Promise<SealedCallResult> {
    const rows = await this.#client.query('privet_run', 'SELECT privet.run($1) AS result', [JSON.stringify(call)]);
    const { charge, tokens, session } = (rows[0] as { result: RunResult }).result;
    return {
      charge: charge && chargeResult(call.charge, charge),
      tokens,
      session: session && { pairs: session.pairs, keys: new Map(Object.entries(session.keys)) },
    };
  }

  async refund(charge: Charge): Promise<void> {
    await this.#client.query('privet_refund', 'SELECT privet.refund($1)', [JSON.stringify(charge)]);
  }

  async resolve(tenant: string, tokens: readonly string[]): Promise<SealedHit[]> {
    const rows = await this.#client.query('privet_resolve', 'SELECT * FROM privet.resolve($1, $2)', [tenant, tokens]);
    return rows.map((row) => {
      const { session, keys, ...pair } = row as SealedPair & { session: string; keys: Record<string, string> };
      return { session: withoutEarlier(session), pair, keys: new Map(Object.entries(keys)) };
    });
  }

  async sessions(options: { tenant?: string; after?: string; limit: number }): Promise<SessionPage> {
    const { tenant = null, after = '', limit } = options;
    const rows = await this.#client.query(
      'privet_sessions',
      `SELECT key, tokens, expires_at FROM privet.sessions WHERE ($1::text IS NULL OR tenant = $1)
       AND key COLLATE "C" > $2 AND right(key, 1) <> chr(1) AND (expires_at IS NULL OR expires_at > privet.now_ms())
       ORDER BY key COLLATE "C" LIMIT $3`,
      [tenant, after, limit + 1],
    );
    return sessionPage(rows, limit);
  }

  async drop(session: string): Promise<boolean> {
    const rows = await this.#client.query(
      'privet_drop',
      `DELETE FROM privet.sessions WHERE key IN ($1, privet.earlier_key($1))
       RETURNING key = $1 AND (expires_at IS NULL OR expires_at > privet.now_ms()) AS live`,
      [session],
    );
    return rows.some(({ live }) => live === true);
  }

  /**
   * Removes expired sessions, at most `max`; returns the number removed. Replicas that sweep at the same time share the
   * work.
   */
  async sweep(max: number): Promise<number> {
    await this.#client.query('privet_sweep_rates', 'DELETE FROM privet.rates WHERE ends_at < privet.now_ms()', []);
    const rows = await this.#client.query(
      'privet_sweep',
      `DELETE FROM privet.sessions WHERE id IN (SELECT id FROM privet.sessions WHERE expires_at <= privet.now_ms()
       LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING 1 AS one`,
      [max],
    );
    return rows.length;
  }

  async used(tenant: string, month: string): Promise<number> {
    const sql = `SELECT used FROM privet.usage WHERE month = $1 AND kind = 'tenant' AND id = $2`;
    return Number((await this.#client.query('privet_used', sql, [month, tenant]))[0]?.used ?? 0);
  }

  async usedByKey(keyIds: readonly string[], month: string): Promise<Map<string, number>> {
    const sql = `SELECT id, used FROM privet.usage WHERE month = $1 AND kind = 'key' AND id = ANY ($2)`;
    const rows = await this.#client.query('privet_used_by_key', sql, [month, keyIds]);
    return new Map(rows.map(({ id, used }) => [String(id), Number(used)]));
  }

  async usedByAll(month: string): Promise<number> {
    const sql = `SELECT coalesce(sum(used), 0) AS used FROM privet.usage WHERE month = $1 AND kind = 'tenant'`;
    return Number((await this.#client.query('privet_used_by_all', sql, [month]))[0]?.used);
  }

  async takeRate(id: string, rule: RateRule): Promise<RateState> {
    // Encodes arbitrary text as one that the database accepts.
    const name = `own:${Buffer.from(id).toString('base64url')}`;
    const sql = 'SELECT privet.take_rate($1, $2, $3) AS rate';
    const rows = await this.#client.query('privet_take_rate', sql, [name, rule.limit, rule.windowMs]);
    return rateState(rule, rows[0]?.rate as KeptRate);
  }
}
