import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../certs/folders.ts';
import { tempFolder } from '../support/temp.ts';

test('a folder with those that it is in', () => {
  const dir = join(tempFolder('folders'), 'a', 'b');
  makeFolder(dir);
  makeFolder(dir);
  expect(existsSync(dir)).toBe(true);
});

test.runIf(process.platform === 'linux')('a place that the system refuses is an error, and nothing waits', () => {
  expect(() => makeFolder('/proc/privet/a')).toThrow(/ENOENT/);
});
