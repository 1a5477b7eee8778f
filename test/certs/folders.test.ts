import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../certs/folders.ts';
import { tempFolder } from '../support/temp.ts';

test('creates a folder and its parents', () => {
  const dir = join(tempFolder('folders'), 'a', 'b');
  makeFolder(dir);
  makeFolder(dir);
  expect(existsSync(dir)).toBe(true);
});

test.runIf(process.platform === 'linux')('a path refused by the system is an error, without waiting', () => {
  expect(() => makeFolder('/proc/privet/a')).toThrow(/ENOENT/);
});
