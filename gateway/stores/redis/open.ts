/** The stores in Redis 7 or later, for replicas that share them. */
import { ChangeEmitter } from '../changes.ts';
import { EventLog } from '../events.ts';
import { SealedVault } from '../sealed-vault.ts';
import type { Backend, StoreOptions } from '../stores.ts';
import { RedisCalls } from './calls.ts';
import { RedisClient } from './client.ts';
import { RedisEvents } from './events.ts';
import { RedisRecords } from './records.ts';

/** Prefix of all our keys in the database. */
const prefix = 'privet:';

const sweepMs = 30_000;

/** The stores at the address `options.url`. */
export async function openRedis(options: StoreOptions): Promise<Backend> {
  const changes: ChangeEmitter = new ChangeEmitter(() => client.isListening);
  const client = new RedisClient({
    url: options.url,
    onError: options.onError,
    onMissed: () => changes.emitAll(),
  });
  const calls = new RedisCalls(client, prefix);
  const events = new EventLog(new RedisEvents(client, prefix), options);
  const sweeping = setInterval(() => client.isReady && events.sweep().catch(() => {}), sweepMs).unref();
  const vault = new SealedVault({ ...options, backend: calls });
  return {
    vault,
    calls: vault,
    meter: calls,
    records: new RedisRecords(client, prefix, changes),
    events,
    changes,
    isReady: () => client.isReady,
    connect: () =>
      client.connect(`${prefix}changes`, (message) => {
        changes.hear(message);
      }),
    async close() {
      clearInterval(sweeping);
      client.close();
    },
  };
}
