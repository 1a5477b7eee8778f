import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../../../gateway/stores/file-lock.ts';
import { tempFolder } from '../../support/temp.ts';

test.each([
  ['an hour ago', -3_600],
  ['in an hour, from before the clock was set back', 3_600],
])('a stale lock %s delays nobody', async (_when, seconds) => {
  const file = join(tempFolder('lock'), 'users');
  const made = Date.now() / 1000 + seconds;
  writeFileSync(`${file}.lock`, '');
  utimesSync(`${file}.lock`, made, made);
  expect(await withLock(file, () => 'done')).toBe('done');
  expect(existsSync(`${file}.lock`)).toBe(false);
});
