/** The stores in Redis 7 or later, for replicas that share them. */
import { ChangeEmitter } from '../changes.ts';
import type { RecordKind } from '../records.ts';
import { SealedVault } from '../sealed-vault.ts';
import type { Backend, StoreOptions } from '../stores.ts';
import { RedisCalls } from './calls.ts';
import { RedisClient } from './client.ts';
import { RedisEvents, RedisRecords } from './records.ts';

/** Everything of ours in the database begins with it. */
const prefix = 'privet:';

/** The stores at the address that `options.url` names. */
export async function openRedis(options: StoreOptions): Promise<Backend> {
  const changes: ChangeEmitter = new ChangeEmitter(() => client.isListening);
  const client = new RedisClient({
    url: options.url,
    onError: options.onError,
    onMissed: () => changes.emitAll(),
  });
  const calls = new RedisCalls(client, prefix);
  const vault = new SealedVault({ ...options, backend: calls });
  return {
    vault,
    calls: vault,
    meter: calls,
    records: new RedisRecords(client, prefix, changes),
    events: new RedisEvents(client, prefix),
    changes,
    isReady: () => client.isReady,
    connect: () =>
      client.connect(`${prefix}changes`, (message) => {
        changes.emit(JSON.parse(message) as { kind: RecordKind; ids: string[] });
      }),
    async close() {
      client.close();
    },
  };
}
