/** What a process reads of records that another one changes in the same file. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { ChangeEmitter } from '../../../../gateway/stores/changes.ts';
import { SqliteDatabase } from '../../../../gateway/stores/sqlite/database.ts';
import { SqliteRecords } from '../../../../gateway/stores/sqlite/records.ts';
import { tempFolder } from '../../../support/temp.ts';

async function opened() {
  const file = join(tempFolder('sqlite'), 'privet.db');
  const database = await SqliteDatabase.at(file);
  const changes = new ChangeEmitter(() => true);
  const records = new SqliteRecords(database, changes);
  await records.write('account', new Map([['one', 'old']]));
  const other = new DatabaseSync(file);
  onTestFinished(() => {
    other.close();
    database.close();
  });
  const change = () => other.exec(`UPDATE records SET value = '"new"'; UPDATE revisions SET revision = revision + 1`);
  return { database, records, changes, change };
}

test.each(['get', 'list'] as const)('%s: never the old state with the new revision', async (way) => {
  const { database, records, change } = await opened();
  const prepare = database.prepare.bind(database);
  let statements = 0;
  // Another process writes between the two statements.
  database.prepare = (sql) => {
    if (++statements === 2) change();
    return prepare(sql);
  };
  const set = await (way === 'get' ? records.get('account', ['one']) : records.list('account'));
  const { revision } = set;
  expect(statements).toBe(2);
  await expect(records.write('account', new Map([['one', 'mine']]), { ifRevision: revision })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('writes of another process during an outage are reported', async () => {
  const { database, records, changes, change } = await opened();
  await records.poll();
  const heard: string[] = [];
  changes.onChange(({ kind }) => heard.push(kind));
  const fails = () => {
    throw new Error('disk I/O error');
  };
  await expect(database.write(fails)).rejects.toMatchObject({ code: 'unavailable' });
  change();
  await records.poll();
  expect(heard).toEqual(['account']);
});
