/** The four stores on their real servers, for suites that run against each. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Retention } from '../../../gateway/stores/events.ts';
import { openStores, type StoreSettings } from '../../../gateway/stores/open-stores.ts';
import type { StoreKind, Stores } from '../../../gateway/stores/stores.ts';
import { postgresServer, redisServer, type StoreServer } from '../../support/store-servers.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from './silent-log.ts';

/** A store that a suite can open any number of times. */
export type StoreUnderTest = {
  readonly kind: StoreKind;
  /** Undefined without a server. */
  readonly server: () => StoreServer | undefined;
  /** Another process's view of the same data; closed after the suite. */
  open(settings?: Partial<StoreSettings>, retention?: () => Retention): Promise<Stores>;
};

/** The key of all stores under test. */
export const storeKey = 'a key for tests of 32 characters!';

/** An address to be masked. */
export const mail = (value: string) => ({ type: 'EMAIL', value });
/** A unique id. */
export const newId = () => randomBytes(8).toString('hex');
export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Prepares a store of a kind for the tests of the calling file. */
export function storeUnderTest(kind: StoreKind): StoreUnderTest {
  let server: StoreServer | undefined;
  let dataDir = '';
  const opened: Stores[] = [];
  beforeAll(async () => {
    dataDir = tempFolder(`store-${kind}`);
    if (kind === 'redis') server = await redisServer();
    if (kind === 'postgres') server = await postgresServer();
    await server?.start();
  });
  afterAll(async () => {
    await Promise.all(opened.map((stores) => stores.close()));
    await server?.kill();
  });
  return {
    kind,
    server: () => server,
    async open(settings = {}, retention) {
      const url = kind === 'sqlite' ? join(dataDir, 'privet.db') : server?.url;
      const stores = await openStores(
        {
          store: kind,
          ...(url === undefined ? {} : { storeUrl: url }),
          storeKey,
          dataDir,
          tokenTtlMs: 86_400_000,
          ...settings,
        },
        { log: silentLog, ...(retention && { retention }) },
      );
      opened.push(stores);
      await stores.opened;
      return stores;
    },
  };
}
