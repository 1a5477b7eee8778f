/** The configured durable store, for commands that use it while gateways run. */
import { join } from 'node:path';
import { errorCodes, PrivetError } from '../../core/errors.ts';
import { createLog, type Log } from '../observe/log.ts';
import { openStores, type StoreSettings } from '../stores/open-stores.ts';
import type { Stores } from '../stores/stores.ts';

/** Timeout for servers. A file that cannot be opened is not retried. */
const serverMs = 5_000;

/**
 * Opens the store, passes it to `work`, and closes it.
 * @throws PrivetError with the store that cannot be opened, the reason, and what to do
 */
export async function withStores<T>(
  settings: StoreSettings,
  work: (stores: Stores, silent: Log) => Promise<T>,
): Promise<T> {
  const { log } = createLog({ level: 'silent', sink: { write: () => true } });
  const told = (error: unknown) => {
    throw faultOf(error, settings);
  };
  const stores = await openStores(settings, { log, tryMs: settings.store === 'sqlite' ? 0 : serverMs }).catch(told);
  try {
    await stores.opened.catch(told);
    return await work(stores, log);
  } finally {
    await stores.close();
  }
}

/** The same error with the name and location of the store; a URL is shown without its password. */
function faultOf(error: unknown, { store, storeUrl, dataDir }: StoreSettings): unknown {
  if (!(error instanceof PrivetError)) return error;
  const { code, message } = error;
  const isFile = store === 'sqlite';
  const place = isFile ? (storeUrl ?? join(dataDir, 'privet.db')) : URL.parse(storeUrl ?? '')?.host;
  const name = `The store ${store}${place ? ` at ${place}` : ''}`;
  const begin = /^The store (?:.* )?(?=does not answer|was written|cannot be opened)/;
  const hint = isFile
    ? 'Check the file and its permissions, or choose another with PROXY_STORE_URL.'
    : 'Check the server and PROXY_STORE_URL.';
  return new PrivetError(code, begin.test(message) ? message.replace(begin, () => `${name} `) : `${name}: ${message}`, {
    hint: error.hint === errorCodes[code].hint ? hint : error.hint,
    cause: error,
  });
}
