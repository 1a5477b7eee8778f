/**
 * The data that a call reads in PostgreSQL grows linearly with its values, whatever the planner knew about the table
 * when it made its cached plans. Counted by the server in rows and blocks.
 */
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sessionKey } from '../../../core/vault.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { mail, newId, storeUnderTest } from './stores-under-test.ts';

const under = storeUnderTest('postgres');
const few = 1_000;
const values = (n: number) => Array.from({ length: n }, (_, i) => mail(`user${i}@mail.example`));

/** A connection for inspection. */
async function observer() {
  // Stores wait until the server accepts connections.
  await (await under.open()).close();
  const client = new pg.Client({ connectionString: under.server()?.url ?? '' });
  await client.connect();
  onTestFinished(() => client.end());
  const number = async (sql: string) => Number((await client.query(sql)).rows[0]?.n);
  return {
    run: (sql: string) => client.query(sql),
    ended: () =>
      expect.poll(() => number(`SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'privet'`)).toBe(0),
    /** Rows and blocks read so far from the tokens table and its indexes. */
    read: () =>
      number(`SELECT t.seq_tup_read + b.heap_blks_read + b.heap_blks_hit + b.idx_blks_read + b.idx_blks_hit
        + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relid = t.relid) AS n
        FROM pg_stat_user_tables t JOIN pg_statio_user_tables b USING (relid) WHERE t.relname = 'tokens'`),
  };
}

const modes = ['auto', 'force_generic_plan'] as const;
/** The URL for connections with the given planner setting. */
const urlOf = (mode: string) => `${under.server()?.url}?options=-c%20plan_cache_mode%3D${mode}`;

describe.each(modes)('plans: %s', (mode) => {
  /** Expects that twice as many values read about twice as much; `steps` prepare the table. */
  async function expectLinear(
    steps: readonly string[],
    work: (vault: Stores['vault'], session: string, n: number) => Promise<void>,
  ): Promise<void> {
    const { run, read, ended } = await observer();
    const readFor = async (n: number) => {
      // The planner has no statistics for a truncated table.
      await run('TRUNCATE privet.sessions CASCADE');
      for (const step of steps) await run(step);
      const before = await read();
      const stores = await under.open({ storeUrl: urlOf(mode) });
      await work(stores.vault, sessionKey('t', newId()), n);
      // The server counts a connection's reads at its end at the latest.
      await stores.close();
      await ended();
      return (await read()) - before;
    };
    const [once, twice] = [await readFor(few), await readFor(2 * few)];
    expect(once).toBeGreaterThan(few);
    expect(twice / once).toBeLessThan(2.7);
  }

  const fill = `INSERT INTO privet.sessions (key, tenant, ttl_ms) VALUES ('x', 't', 0);
    INSERT INTO privet.tokens SELECT s.id, 'x' || n, 't', 'x' || n, '', false
      FROM privet.sessions s, generate_series(1, 60) AS n`;
  test.each<[table: string, steps: readonly string[]]>([
    ['as it was made', []],
    ['known to be empty', ['VACUUM ANALYZE privet.tokens']],
    ['known to be small', [...fill.split(';'), 'VACUUM ANALYZE privet.tokens']],
  ])('new values, and then the same in brackets, in a table %s', async (_name, steps) => {
    await expectLinear(steps, async (vault, session, n) => {
      await vault.reserve(session, values(n));
      await vault.reserve(
        session,
        values(n).map((one) => ({ ...one, bracketed: true })),
      );
      expect((await vault.tokens(session))?.size).toBe(n);
    });
  });

  test('a query plan made for a small token table is not kept for a large one', async () => {
    await expectLinear(['VACUUM ANALYZE privet.tokens'], async (vault, session, n) => {
      // More often than the server replans by itself.
      for (let i = 0; i < 12; i++) await vault.resolve('t', ['[EMAIL-1]']);
      const tokens = await vault.reserve(session, values(n));
      expect((await vault.resolve('t', tokens)).size).toBe(n);
    });
  });
});

test('a statement timeout is reported with advice', async () => {
  const stores = await under.open();
  const { run } = await observer();
  await run('BEGIN');
  await run('LOCK TABLE privet.tokens');
  await expect(async () => stores.vault.reserve(newId(), [mail('a')])).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The store postgres took longer than 5 s and was stopped.',
    hint: expect.stringMatching(/^Send a smaller document/),
  });
  await run('ROLLBACK');
  expect(await stores.vault.reserve(newId(), [mail('a')])).toEqual(['[EMAIL-1]']);
});
