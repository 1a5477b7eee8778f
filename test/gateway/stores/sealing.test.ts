import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sessionKey } from '../../../core/vault.ts';
import { openStores } from '../../../gateway/stores/open-stores.ts';
import { StoreKeys } from '../../../gateway/stores/sealing.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { anyCharacter } from '../../support/any-text.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from './silent-log.ts';

const [first, second] = ['the first key of this store', 'the second key of this store'];
const none = () => undefined;

async function open(dataDir: string, storeKey?: string): Promise<Stores> {
  const settings = {
    store: 'sqlite',
    dataDir,
    tokenTtlMs: 0,
    ...(storeKey === undefined ? {} : { storeKey }),
  } as const;
  const stores = await openStores(settings, { log: silentLog });
  onTestFinished(() => stores.close());
  await stores.opened;
  return stores;
}

describe('keys', () => {
  const keys = StoreKeys.parse(first);
  test('any sealed text can be opened', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (value, context) => {
        expect(keys.open(keys.seal(value, context), context, 's', none)).toBe(value);
      }),
    );
  });
  test('under a session key, only with that key, session and position', () => {
    const own = keys.newSessionKey('s');
    const sealed = keys.sealUnder(own, 'value', 'place');
    const wrapped = (id: string) => (id === own.id ? own.wrapped : undefined);
    expect(keys.open(sealed, 'place', 's', wrapped)).toBe('value');
    for (const open of [
      () => keys.open(sealed, 'other place', 's', wrapped),
      () => keys.open(sealed, 'place', 'other session', wrapped),
      () => keys.open(sealed, 'place', 's', none),
      () => StoreKeys.parse(second).open(sealed, 'place', 's', wrapped),
      () => keys.open(`${sealed.slice(0, -2)}AA`, 'place', 's', wrapped),
      () => keys.open('', 'place', 's', wrapped),
    ]) {
      expect(open).toThrowError(/cannot be decrypted/);
    }
  });
  test('equal values are sealed differently and hashed alike, in their session only', () => {
    expect(keys.seal('a', 'x')).not.toBe(keys.seal('a', 'x'));
    expect(keys.hashes('s', 'EMAIL', 'a')).toEqual(keys.hashes('s', 'EMAIL', 'a'));
    expect(keys.hashes('s', 'EMAIL', 'a')).not.toEqual(keys.hashes('t', 'EMAIL', 'a'));
    expect(keys.hashes('s', 'EMAIL', 'a')).not.toEqual(keys.hashes('s', 'PHONE', 'a'));
  });
  test.each(['', 'short', `${first},short`])('too short: "%s"', (text) => {
    expect(() => StoreKeys.parse(text)).toThrowError(/PROXY_STORE_KEY is too short/);
  });
});

test('the file contains no value and no key, and is private', async () => {
  const dataDir = tempFolder('sealed');
  const stores = await open(dataDir, first);
  const canary = 'canary.value@mail.example';
  for (const protection of ['process', 'envelope'] as const) {
    await stores.vault.reserve(`s-${protection}`, [{ type: 'EMAIL', value: canary }], { protection });
    expect((await stores.vault.tokens(`s-${protection}`))?.get('[EMAIL-1]')).toBe(canary);
  }
  const files = readdirSync(dataDir).map((name) => join(dataDir, name));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(statSync(file).mode & 0o077).toBe(0);
    for (const secret of [canary, first]) expect(readFileSync(file).includes(secret)).toBe(false);
  }
  const database = new DatabaseSync(join(dataDir, 'privet.db'), { readOnly: true });
  // Sessions of the free plan have no key of their own.
  expect(database.prepare('SELECT count(*) AS n FROM session_keys').get()?.n).toBe(1);
  database.close();
});

test('a key is replaced by listing both for some time', async () => {
  const dataDir = tempFolder('rotated');
  const session = sessionKey('t', 's');
  const mail = (value: string) => ({ type: 'EMAIL', value });
  const before = await open(dataDir, first);
  await before.vault.reserve(session, [mail('a')]);
  await before.vault.reserve(session, [mail('b')], { protection: 'process' });
  const secret = before.secret().toString('hex');
  await before.close();

  const both = await open(dataDir, `${second}, ${first}`);
  expect(await both.vault.reserve(session, [mail('b'), mail('a'), mail('c')])).toEqual([
    '[EMAIL-2]',
    '[EMAIL-1]',
    '[EMAIL-3]',
  ]);
  expect(Object.fromEntries((await both.vault.tokens(session))?.entries() ?? [])).toEqual({
    '[EMAIL-1]': 'a',
    '[EMAIL-2]': 'b',
    '[EMAIL-3]': 'c',
  });
  await both.close();

  const after = await open(dataDir, second);
  expect(after.secret().toString('hex')).toBe(secret);
  const map = await after.vault.tokens(session);
  expect(['[EMAIL-1]', '[EMAIL-2]', '[EMAIL-3]'].map((token) => map?.get(token))).toEqual([undefined, undefined, 'c']);
});

test('a store written under another key is not opened', async () => {
  const dataDir = tempFolder('foreign');
  await (await open(dataDir, first)).close();
  await expect(open(dataDir, second)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('another key'),
  });
});

test('without a key, one is created in the data folder, once', async () => {
  const dataDir = tempFolder('own-key');
  const stores = await open(dataDir);
  await stores.vault.reserve('s', [{ type: 'EMAIL', value: 'a' }]);
  await stores.close();
  expect((await (await open(dataDir)).vault.tokens('s'))?.get('[EMAIL-1]')).toBe('a');
});

test('the file of a newer version is not changed', async () => {
  const dataDir = tempFolder('newer');
  await (await open(dataDir, first)).close();
  const database = new DatabaseSync(join(dataDir, 'privet.db'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  await expect(open(dataDir, first)).rejects.toMatchObject({ code: 'not_supported' });
});
