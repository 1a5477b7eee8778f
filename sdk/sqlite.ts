/** A vault in a file, with Node's built-in SQLite (22.13 and later): sessions survive restarts. */
import { DatabaseSync } from 'node:sqlite';
import { StoredVault, type StoredVaultOptions } from './stored-vault.ts';

export { type HashStore, StoredVault, type StoredVaultOptions } from './stored-vault.ts';

/** How long a writer waits for another process to finish. */
const busyMs = 5_000;

/** A vault with a file that can be closed. */
export type SqliteVault = StoredVault & { close(): void };

/**
 * Stores sessions in an SQLite file, which several processes may share.
 *
 * @example
 * const privet = createPrivet({ vault: sqliteVault('privet.db', { key: process.env.PRIVET_KEY }) });
 * @throws PrivetError `invalid_input` for a key that is too short, and SQLite's errors for the file
 */
export function sqliteVault(file: string, options: StoredVaultOptions): SqliteVault {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = ${busyMs};
    CREATE TABLE IF NOT EXISTS privet_sessions (session TEXT PRIMARY KEY, expires_at INTEGER) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS privet_fields (
      session TEXT NOT NULL REFERENCES privet_sessions ON DELETE CASCADE, field TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (session, field)) WITHOUT ROWID;`);
  database.exec('PRAGMA foreign_keys = ON');
  const run = {
    get: database.prepare('SELECT value FROM privet_fields WHERE session = ? AND field = ?'),
    all: database.prepare('SELECT field, value FROM privet_fields WHERE session = ?'),
    open: database.prepare('INSERT OR IGNORE INTO privet_sessions VALUES (?, NULL)'),
    add: database.prepare('INSERT OR IGNORE INTO privet_fields VALUES (?, ?, ?)'),
    count: database.prepare(`INSERT INTO privet_fields VALUES (?, ?, '1')
      ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`),
    expire: database.prepare('UPDATE privet_sessions SET expires_at = ? WHERE session = ?'),
    drop: database.prepare('DELETE FROM privet_sessions WHERE session = ?'),
    forget: database.prepare('DELETE FROM privet_sessions WHERE expires_at <= ?'),
  };
  /** Delete expired rows before every read. */
  const fresh = () => run.forget.run(Date.now());
  const vault = new StoredVault(
    {
      get(key, field) {
        fresh();
        return run.get.get(key, field)?.value as string | undefined;
      },
      setNew(key, field, value) {
        fresh();
        run.open.run(key);
        run.add.run(key, field, value);
        return String(run.get.get(key, field)?.value);
      },
      increment(key, field) {
        run.open.run(key);
        return Number(run.count.get(key, field)?.value);
      },
      all(key) {
        fresh();
        return Object.fromEntries(run.all.all(key).map(({ field, value }) => [String(field), String(value)]));
      },
      expire: (key, ttlMs) => void run.expire.run(ttlMs === 0 ? null : Date.now() + ttlMs, key),
      drop(key) {
        fresh();
        return run.drop.run(key).changes > 0;
      },
    },
    options,
  );
  return Object.assign(vault, { close: () => database.close() });
}
