/** The behaviour of a process while another one writes to the same file. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteDatabase } from '../../../../gateway/stores/sqlite/database.ts';
import { tempFolder } from '../../../support/temp.ts';

async function opened() {
  const file = join(tempFolder('sqlite'), 'privet.db');
  const database = await SqliteDatabase.at(file);
  await database.write(() => {});
  const other = new DatabaseSync(file);
  onTestFinished(() => {
    other.close();
    database.close();
  });
  return { database, other };
}

test('blocked writes do not block the process, and are committed together afterwards', async () => {
  const { database, other } = await opened();
  other.exec('BEGIN IMMEDIATE');
  let isDone = false;
  const writes = [1, 2].map((one) => database.write(() => one));
  const done = Promise.all(writes).finally(() => (isDone = true));
  // If the process were blocked, these turns would take the two seconds after which the writes fail.
  for (let turns = 0; turns < 500; turns++) await turn();
  expect(isDone).toBe(false);
  const late = database.write(() => 3);
  other.exec('COMMIT');
  expect(await done).toEqual([1, 2]);
  expect(await late).toBe(3);
});

test('a write that waits too long fails, and the next one works', async () => {
  const { database, other } = await opened();
  other.exec('BEGIN IMMEDIATE');
  await expect(database.write(() => 1)).rejects.toMatchObject({ code: 'unavailable' });
  other.exec('COMMIT');
  expect(await database.write(() => 2)).toBe(2);
});

test('reopening a file does not wait for writers', async () => {
  const { database, other } = await opened();
  other.exec('BEGIN IMMEDIATE');
  await expect(database.write(() => 1)).rejects.toMatchObject({ code: 'unavailable' });
  // If opening the file blocked the process, these turns would take two seconds and the write would have failed.
  let isDone = false;
  const write = database.write(() => 2).finally(() => (isDone = true));
  for (let turns = 0; turns < 500; turns++) await turn();
  expect(isDone).toBe(false);
  expect(database.connections).toBe(2);
  other.exec('COMMIT');
  expect(await write).toBe(2);
});

test('a read of a locked file is retried after the writes', async () => {
  const { database } = await opened();
  let reads = 0;
  const value = await database.read(() => {
    // A short-lived error while another process closes or repairs the file (sqlite.org/rescode.html,
    // SQLITE_BUSY_RECOVERY).
    if (++reads === 1) throw Object.assign(new Error('database is locked'), { errcode: 261 });
    return reads;
  });
  expect(value).toBe(2);
});

test('a read beside a write that no longer fits succeeds', async () => {
  const { database } = await opened();
  const write = database.write(() => {
    database.prepare('PRAGMA max_page_count = 1').get();
    database.prepare('CREATE TABLE t AS SELECT zeroblob(1000000)').run();
  });
  const read = database.read(() => database.prepare('SELECT count(*) AS n FROM records').get()?.n);
  await expect(write).rejects.toMatchObject({ message: 'The store does not answer (database or disk is full).' });
  expect(await read).toBe(0);
  expect(database.isReady).toBe(false);
});

test('pending writes are completed at close', async () => {
  const { database } = await opened();
  const write = database.write(() => 1);
  database.close();
  expect(await write).toBe(1);
});
