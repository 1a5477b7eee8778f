/** A vault in Redis, shared by all processes of an application. */
import { PrivetError } from '../core/errors.ts';
import { type HashStore, StoredVault, type StoredVaultOptions } from './stored-vault.ts';

export { type HashStore, StoredVault, type StoredVaultOptions } from './stored-vault.ts';

/** A connected client of `redis` (4 and later) or `ioredis`. */
export type RedisClient = object;

type Call = (...args: (string | number)[]) => Promise<unknown>;

/**
 * Stores sessions in Redis, which expires them. The caller connects and closes the client.
 *
 * @example
 * const privet = createPrivet({ vault: redisVault(client, { key: process.env.PRIVET_KEY }) });
 * @throws PrivetError `invalid_input` for anything but a Redis client, or a key that is too short
 */
export function redisVault(client: RedisClient, options: StoredVaultOptions): StoredVault {
  const command = (name: string): Call => {
    const commands = client as Record<string, Call | undefined>;
    // `ioredis` has lower-case method names.
    const call = commands[name] ?? commands[name.toLowerCase()];
    if (typeof call !== 'function') {
      throw new PrivetError('invalid_input', `redisVault: the client has no ${name}.`, {
        hint: "Use a client of the package 'redis' or 'ioredis'.",
      });
    }
    return call.bind(client);
  };
  const [hGet, hSetNX, hIncrBy, hGetAll] = [command('hGet'), command('hSetNX'), command('hIncrBy'), command('hGetAll')];
  const [pExpire, persist, del] = [command('pExpire'), command('persist'), command('del')];
  const store: HashStore = {
    get: async (key, field) => ((await hGet(key, field)) as string | null) ?? undefined,
    async setNew(key, field, value) {
      // `true` or 1 when it was set.
      if (await hSetNX(key, field, value)) return value;
      return ((await hGet(key, field)) as string | null) ?? value;
    },
    increment: async (key, field) => Number(await hIncrBy(key, field, 1)),
    all: async (key) => (await hGetAll(key)) as Record<string, string>,
    async expire(key, ttlMs) {
      await (ttlMs === 0 ? persist(key) : pExpire(key, ttlMs));
    },
    drop: async (key) => Number(await del(key)) > 0,
  };
  return new StoredVault(store, options);
}
