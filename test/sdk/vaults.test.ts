/** The vaults for Redis and SQLite: with the real server, and with a file that outlives its process. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { afterAll, describe, expect, test } from 'vitest';
import type { TokenVault } from '../../core/vault.ts';
import { createPrivet } from '../../sdk/index.ts';
import { redisVault } from '../../sdk/redis.ts';
import { sqliteVault } from '../../sdk/sqlite.ts';
import { redisServer } from '../support/store-servers.ts';
import { tempFolder } from '../support/temp.ts';

const key = 'a key that is long enough';
const mail = 'hanako@example.com';

const closes: (() => unknown)[] = [];

const server = await redisServer();
await server.start();
const client = createClient({ url: server.url });
await client.connect();
const file = join(tempFolder('vault'), 'privet.db');
afterAll(async () => {
  for (const close of closes) close();
  client?.destroy();
});

/** The vault as another process of the application opens it. */
function open(kind: string, vaultKey = key): TokenVault {
  if (kind === 'redis') return redisVault(client, { key: vaultKey });
  const vault = sqliteVault(file, { key: vaultKey });
  closes.push(() => vault.close());
  return vault;
}

describe.each(['redis', 'sqlite'])('%s', (kind) => {
  test('another process restores, and gives an equal value the same token', async () => {
    const [one, other] = [createPrivet({ vault: open(kind) }), createPrivet({ vault: open(kind) })];
    const options = { sessionId: 'shared', tokenFormat: 'counter' } as const;
    const text = `Write to ${mail}, then to [ben@example.com].`;
    const { masked } = await one.mask(text, options);
    expect(masked).toBe('Write to [EMAIL-1], then to [[EMAIL-2]].');
    expect((await other.restoreAll(masked, 'shared')).restored).toBe(text);
    expect((await other.mask(`${mail} and eve@example.com`, options)).masked).toBe('[EMAIL-1] and [EMAIL-3]');
    // A token in the text is not assigned to another value.
    expect((await one.mask('[EMAIL-4] is not zoe@example.com', options)).masked).toBe('[EMAIL-4] is not [EMAIL-5]');
    const secured = await one.mask(mail, { sessionId: 'shared' });
    expect((await other.restoreAll(secured.masked, 'shared')).restored).toBe(mail);
  });

  test('concurrent values never share a token', async () => {
    const privets = Array.from({ length: 4 }, () => createPrivet({ vault: open(kind) }));
    const options = { sessionId: 'race', tokenFormat: 'counter' } as const;
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => privets[i % 4]?.mask(`user${i % 10}@example.com`, options)),
    );
    const byValue = new Map<string, Set<string>>();
    for (const one of all) {
      for (const [token, value] of Object.entries(one?.tokenMap ?? {})) {
        byValue.set(value, (byValue.get(value) ?? new Set()).add(token));
      }
    }
    expect([...byValue.values()].every((tokens) => tokens.size === 1)).toBe(true);
    expect(new Set([...byValue.values()].flatMap((tokens) => [...tokens])).size).toBe(10);
  });

  test('sessions end: dropped, expired, unknown', async () => {
    const vault = open(kind);
    const brief = createPrivet({ vault, ttlMs: 50 });
    const { sessionId } = await brief.mask(mail);
    await expect.poll(() => brief.tokens(sessionId)).toBeUndefined();
    const privet = createPrivet({ vault, ttlMs: 0 });
    const next = await privet.mask(mail);
    expect((await privet.tokens(next.sessionId))?.size).toBe(1);
    await privet.forget(next.sessionId);
    await expect(privet.restoreAll('x', next.sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
  });

  test('values are encrypted, and another key cannot read them', async () => {
    const privet = createPrivet({ vault: open(kind) });
    const { masked } = await privet.mask(mail, { sessionId: 'sealed' });
    const stored =
      kind === 'redis'
        ? JSON.stringify(await client.hGetAll('privet:sealed'))
        : ['', '-wal'].map((end) => readFileSync(file + end, 'latin1')).join('');
    expect(stored).toContain(masked);
    expect(stored).not.toContain('hanako');
    const stranger = createPrivet({ vault: open(kind, 'another key of this length') });
    await expect(stranger.restoreAll(masked, 'sealed')).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => open(kind, 'short')).toThrow(/at least 16/);
  });
});

test('a non-client is refused', () => {
  expect(() => redisVault({}, { key })).toThrow(/the client has no hGet/);
});
