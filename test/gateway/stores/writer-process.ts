/** A process that masks into a SQLite file until it is killed, and prints every answer. Arguments: file, key. */
import { dirname } from 'node:path';
import { openStores } from '../../../gateway/stores/open-stores.ts';
import { silentLog } from './silent-log.ts';

const [file = '', storeKey = ''] = process.argv.slice(2);
const stores = await openStores(
  { store: 'sqlite', storeUrl: file, storeKey, dataDir: dirname(file), tokenTtlMs: 0 },
  { log: silentLog },
);
await stores.opened;

async function write(writer: number): Promise<never> {
  for (let i = 0; ; i++) {
    const session = `s${writer}-${i % 5}`;
    const value = `user${writer}-${i}@mail.example`;
    const [token] = await stores.vault.reserve(session, [{ type: 'EMAIL', value }]);
    process.stdout.write(`${JSON.stringify([session, token, value])}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
