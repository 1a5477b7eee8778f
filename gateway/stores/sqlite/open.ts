/** The stores in one SQLite file, for one machine: durable, and safe for several processes. */
import { ChangeEmitter } from '../changes.ts';
import { EventLog } from '../events.ts';
import { SealedVault } from '../sealed-vault.ts';
import type { Backend, StoreOptions } from '../stores.ts';
import { SqliteCalls } from './calls.ts';
import { SqliteDatabase } from './database.ts';
import { SqliteEvents } from './events.ts';
import { sqliteFile } from './file-name.ts';
import { SqliteRecords } from './records.ts';

const pollMs = 250;
const sweepMs = 30_000;
const sweptAtOnce = 1_000;

/** The stores in the file of `options.url`. */
export async function openSqlite(options: StoreOptions): Promise<Backend> {
  const db = await SqliteDatabase.at(sqliteFile(options.url));
  const changes = new ChangeEmitter(() => true);
  const calls = new SqliteCalls(db, options.now);
  const records = new SqliteRecords(db, changes);
  const events = new EventLog(new SqliteEvents(db), options);
  const vault = new SealedVault({ ...options, backend: calls });
  let isSweeping = false;
  const sweep = async () => {
    if (isSweeping) return;
    isSweeping = true;
    try {
      while ((await calls.sweep(sweptAtOnce)) > 0);
    } finally {
      isSweeping = false;
    }
  };
  // Ignore failures here: the next request reports them.
  const timers = [
    setInterval(() => records.poll().catch(() => {}), pollMs),
    setInterval(() => sweep().catch(() => {}), sweepMs),
    setInterval(() => events.sweep().catch(() => {}), sweepMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    connect: () => records.poll(),
    vault,
    calls: vault,
    meter: calls,
    records,
    events,
    changes,
    isReady: () => db.isReady,
    async close() {
      for (const timer of timers) clearInterval(timer);
      db.close();
    },
  };
}
