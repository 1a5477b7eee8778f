/** Unavailable stores: at the start, during use, and without warning. */
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PrivetError } from '../../../core/errors.ts';
import { openSoon, openStores } from '../../../gateway/stores/open-stores.ts';
import type { Stores } from '../../../gateway/stores/stores.ts';
import { freePort } from '../../support/free-port.ts';
import { listening } from '../../support/listening.ts';
import type { StoreServer } from '../../support/store-servers.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from './silent-log.ts';
import { storeKey, storeUnderTest } from './stores-under-test.ts';

type Answer = readonly [session: string, token: string, value: string];

const mail = (value: string) => ({ type: 'EMAIL', value });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Every value with a token must be found under it, and no token may be assigned twice. */
async function expectAllKept(stores: Stores, answers: readonly Answer[]): Promise<void> {
  expect(answers.length).toBeGreaterThan(50);
  const bySession = Map.groupBy(answers, ([session]) => session);
  for (const [session, given] of bySession) {
    const map = await stores.vault.tokens(session);
    expect(given.filter(([, token, value]) => map?.get(token) !== value)).toEqual([]);
    expect(new Set(given.map(([, token]) => token)).size).toBe(given.length);
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(20);
}

describe.each(['redis', 'postgres'] as const)('%s', (kind) => {
  const under = storeUnderTest(kind);

  test('killed under load: acknowledged data is kept, the rest failed as unavailable', async () => {
    const stores = await under.open();
    const server = under.server() as StoreServer;
    const answers: Answer[] = [];
    const failures: unknown[] = [];
    let isOver = false;
    const write = async (writer: number) => {
      for (let i = 0; !isOver; i++) {
        const session = `${kind}-${writer}-${i % 5}`;
        const value = `user${writer}-${i}@mail.example`;
        try {
          const [token = ''] = await stores.vault.reserve(session, [mail(value)]);
          answers.push([session, token, value]);
        } catch (error) {
          failures.push(error);
          await sleep(10);
        }
      }
    };
    const writers = Array.from({ length: 8 }, (_, writer) => write(writer));
    await until(() => answers.length > 200);
    await server.kill();
    // Each connection notices the end separately.
    await until(() => failures.length > 0 && !stores.isReady() && !stores.changes.isLive);
    await server.start();
    const before = answers.length;
    await until(() => answers.length > before + 50 && stores.isReady() && stores.changes.isLive);
    isOver = true;
    await Promise.all(writers);
    expect(failures.filter((error) => !(error instanceof PrivetError) || error.status !== 503)).toEqual([]);
    await expectAllKept(stores, answers);
  });

  test('notifications resume after an outage', async () => {
    const [stores, others] = [await under.open(), await under.open()];
    const server = under.server() as StoreServer;
    await server.kill();
    await until(() => !others.changes.isLive);
    const kinds: string[] = [];
    others.changes.onChange(({ kind: changed, ids }) => kinds.push(`${changed} ${ids?.join() ?? 'all'}`));
    await server.start();
    await until(() => kinds.includes('account all') && stores.isReady());
    await stores.records.write('service', new Map([['x', 1]]));
    await until(() => kinds.includes('service x'));
  });
});

describe('redis', () => {
  const under = storeUnderTest('redis');

  test('cut off while subscribing, it subscribes again', async () => {
    const { hostname, port } = new URL((under.server() as StoreServer).url);
    let cuts = 0;
    const relay = createServer((client) => {
      const server = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        from.on('error', () => {});
        from.on('close', () => to.destroy());
      }
      server.pipe(client);
      client.on('data', (bytes) => {
        if (cuts > 0 || !/\bsubscribe\b/i.test(bytes.toString('latin1'))) server.write(bytes);
        else if (++cuts === 1) client.destroy();
      });
    });
    const near = await under.open({ storeUrl: `redis://127.0.0.1:${await listening(relay)}/0` });
    const others = await under.open();
    const heard = new Promise<string>((resolve) => {
      near.changes.onChange(({ kind, ids }) => kind === 'service' && ids !== undefined && resolve(ids.join()));
    });
    await until(() => near.changes.isLive);
    await others.records.write('service', new Map([['x', 1]]));
    expect(await heard).toBe('x');
    expect(cuts).toBe(1);
  });

  test('without permission to subscribe it does not start', async () => {
    const { url } = under.server() as StoreServer;
    const admin = createClient({ url });
    await admin.connect();
    await admin.sendCommand(['ACL', 'SETUSER', 'deaf', 'on', '>secret', '~*', '+@all', 'resetchannels']);
    admin.destroy();
    const told: string[] = [];
    const log = { ...silentLog, error: (_fields: object, text: string) => told.push(text) };
    const stores = await openStores(
      {
        store: 'redis',
        storeUrl: url.replace('//', '//deaf:secret@'),
        storeKey,
        dataDir: tempFolder('deaf'),
        tokenTtlMs: 0,
      },
      { log: log as unknown as typeof silentLog },
    );
    onTestFinished(() => stores.close());
    await until(() => told.length > 0);
    expect(told[0]).toMatch(/^The store redis does not answer \(NOPERM\)/);
    expect(stores.isReady()).toBe(false);
  });
});

test.each([
  ['redis', 'redis://127.0.0.1'],
  ['postgres', 'postgres://nobody@127.0.0.1'],
] as const)(
  '%s unavailable at start-up: reported in one sentence, retried, and 503 until then',
  async (store, address) => {
    const told: string[] = [];
    const log = {
      ...silentLog,
      error: (fields: object, text: string) => told.push(`${JSON.stringify(fields)} ${text}`),
    };
    const storeUrl = `${address}:${await freePort()}/0`;
    const stores = await openStores(
      { store, storeUrl, storeKey, dataDir: tempFolder('away'), tokenTtlMs: 0 },
      { log: log as unknown as typeof silentLog },
    );
    onTestFinished(() => stores.close());
    await until(() => told.length > 0);
    expect(told[0]).toContain('store_away');
    expect(told[0]).toContain(`The store ${store} does not answer`);
    expect(told[0]).toContain('Retrying');
    expect(stores.isReady()).toBe(false);
    await expect(async () => stores.vault.reserve('s', [mail('a')])).rejects.toMatchObject({ status: 503 });
    await expect(stores.records.list('account')).rejects.toMatchObject({ status: 503 });
  },
);

test('start-up waits briefly for the store', async () => {
  const settings = { storeKey, dataDir: tempFolder('soon'), tokenTtlMs: 0 };
  const near = await openStores({ ...settings, store: 'sqlite' }, { log: silentLog });
  onTestFinished(() => near.close());
  expect(near.isReady()).toBe(false);
  await openSoon(near);
  expect(near.isReady()).toBe(true);
  const storeUrl = `redis://127.0.0.1:${await freePort()}/0`;
  const away = await openStores({ ...settings, store: 'redis', storeUrl }, { log: silentLog });
  onTestFinished(() => away.close());
  await openSoon(away);
  expect(away.isReady()).toBe(false);
});

test('postgres: a URL with an unusable option is reported in one sentence', async () => {
  const storeUrl = 'postgres://nobody:secret@127.0.0.1/x?sslrootcert=/nowhere/ca.pem';
  const settings = { store: 'postgres', storeUrl, storeKey, dataDir: tempFolder('wrong'), tokenTtlMs: 0 } as const;
  await expect(openStores(settings, { log: silentLog })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'PROXY_STORE_URL has an option that cannot be used (ENOENT).',
  });
});

test('sqlite: killed under load, acknowledged data is kept', async () => {
  const file = join(tempFolder('killed'), 'privet.db');
  const script = join(import.meta.dirname, 'writer-process.ts');
  const child = spawn(process.execPath, [script, file, storeKey], { stdio: ['ignore', 'pipe', 'inherit'] });
  const answers: Answer[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // The last line may be truncated.
    if (line.endsWith('"]')) answers.push(JSON.parse(line) as Answer);
    if (answers.length === 500) child.kill('SIGKILL');
  });
  await new Promise((resolve) => lines.once('close', resolve));
  const stores = await openStores(
    { store: 'sqlite', storeUrl: file, storeKey, dataDir: tempFolder('killed-data'), tokenTtlMs: 0 },
    { log: silentLog },
  );
  onTestFinished(() => stores.close());
  await stores.opened;
  await expectAllKept(stores, answers);
});

describe('postgres', () => {
  const under = storeUnderTest('postgres');

  test('replicas that start together on an empty database create the schema once', async () => {
    const replicas = await Promise.all([under.open(), under.open(), under.open(), under.open()]);
    const sessions = await Promise.all(replicas.map((stores) => stores.vault.reserve('s', [mail('a')])));
    expect(sessions).toEqual(replicas.map(() => ['[EMAIL-1]']));
    expect(new Set(replicas.map((stores) => stores.secret().toString('hex'))).size).toBe(1);
  });

  test('the owner of the schema needs no privileges on the database', async () => {
    const { url } = under.server() as StoreServer;
    const own = url.replace(/\/postgres$/, '/shared');
    const run = async (at: string, ...statements: string[]) => {
      const admin = new pg.Client({ connectionString: at });
      await admin.connect();
      for (const statement of statements) await admin.query(statement);
      await admin.end();
    };
    await run(url, 'CREATE ROLE app LOGIN', 'CREATE DATABASE shared');
    await run(own, 'CREATE SCHEMA privet AUTHORIZATION app');
    const stores = await under.open({ storeUrl: own.replace('//postgres@', '//app@') });
    expect(await stores.vault.reserve('s', [mail('a')])).toEqual(['[EMAIL-1]']);
  });
});
