/** The stores in PostgreSQL 13 or later, for replicas that share them. */
import { ChangeEmitter } from '../changes.ts';
import { EventLog } from '../events.ts';
import { SealedVault } from '../sealed-vault.ts';
import type { Backend, StoreOptions } from '../stores.ts';
import { PostgresCalls } from './calls.ts';
import { PostgresClient } from './client.ts';
import { PostgresEvents } from './events.ts';
import { PostgresRecords } from './records.ts';

const sweepMs = 30_000;
const sweptAtOnce = 5_000;

/** The stores in the database of `options.url`, in the schema `privet`. */
export async function openPostgres(options: StoreOptions): Promise<Backend> {
  const client = new PostgresClient(options);
  const changes = new ChangeEmitter(() => client.isListening);
  const calls = new PostgresCalls(client);
  const events = new EventLog(new PostgresEvents(client), options);
  const vault = new SealedVault({ ...options, backend: calls });
  const sweep = async () => {
    while ((await calls.sweep(sweptAtOnce)) === sweptAtOnce);
    await events.sweep();
  };
  // Ignore failures here: the next request reports them.
  const sweeping = setInterval(() => client.isListening && sweep().catch(() => {}), sweepMs).unref();
  return {
    vault,
    calls: vault,
    meter: calls,
    records: new PostgresRecords(client, changes),
    events,
    changes,
    isReady: () => client.isListening,
    async connect() {
      await client.createSchema();
      client.listen(
        (payload) => changes.hear(payload),
        () => changes.emitAll(),
      );
    },
    async close() {
      clearInterval(sweeping);
      await client.close();
    },
  };
}
