import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareDataDir } from '../../gateway/data-folder.ts';
import { tempFolder } from '../support/temp.ts';

test('temporary files of a killed process are removed, those in use are not', () => {
  const dir = tempFolder('data-folder');
  const old = Date.now() / 1000 - 7_200;
  mkdirSync(join(dir, 'ca'));
  mkdirSync(join(dir, 'ca.0123456789ab.tmp'));
  writeFileSync(join(dir, 'ca.0123456789ab.tmp', 'root-key.pem'), 'key');
  const files = ['store.key', 'store.key.0123456789ab.tmp', 'ca/rotation.json.0123456789ab.tmp', 'notes.tmp'];
  for (const name of files) writeFileSync(join(dir, name), 'x');
  for (const name of [...files, 'ca.0123456789ab.tmp']) utimesSync(join(dir, name), old, old);
  writeFileSync(join(dir, 'pin.json.abcdefabcdef.tmp'), 'x');
  prepareDataDir(dir);
  expect(readdirSync(dir).sort()).toEqual(['ca', 'notes.tmp', 'pin.json.abcdefabcdef.tmp', 'store.key']);
  expect(readdirSync(join(dir, 'ca'))).toEqual([]);
});
