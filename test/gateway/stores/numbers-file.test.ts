import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NumberLines } from '../../../core/tokens/number-lines.ts';
import { NumbersFile } from '../../../gateway/stores/numbers-file.ts';
import { tempFolder } from '../../support/temp.ts';
import { silentLog } from './silent-log.ts';

const open = (folder: string) => {
  const file = NumbersFile.open(folder, silentLog);
  return { file, lines: new NumberLines(file), path: join(folder, 'token-numbers.txt') };
};
const take = (lines: NumberLines, count: number) =>
  Array.from({ length: count }, () => lines.next('ann', '[EMAIL-')).at(-1) as number;

test('after a clean end the next number follows, after a crash a later one, never an earlier one', () => {
  const folder = tempFolder('numbers');
  let { file, lines } = open(folder);
  expect(take(lines, 5)).toBe(5);
  const { secret } = file;
  file.close(lines.entries());
  ({ file, lines } = open(folder));
  expect(file.secret).toEqual(secret);
  expect(take(lines, 1)).toBe(6);
  // Crashes at every count from here on.
  for (let count = 1, last = 6; count < 40; count++) {
    ({ lines } = open(folder));
    expect(take(lines, 1)).toBeGreaterThan(last);
    last = take(lines, count);
  }
});

test('a raised counter is kept', () => {
  const folder = tempFolder('numbers');
  open(folder).lines.raise('ann', '[EMAIL-', 1_000);
  expect(take(open(folder).lines, 1)).toBeGreaterThan(1_000);
});

test('the file stays small', () => {
  const folder = tempFolder('numbers');
  const { lines, path } = open(folder);
  const last = take(lines, 16 * 50_010);
  expect(readFileSync(path, 'utf8').length).toBeLessThan(1_000);
  expect(take(open(folder).lines, 1)).toBeGreaterThan(last);
});

test('a damaged file is replaced, a damaged line is skipped', () => {
  const folder = tempFolder('numbers');
  const { file, lines, path } = open(folder);
  take(lines, 20);
  file.close(lines.entries());
  writeFileSync(path, `${readFileSync(path, 'utf8')}70000 4 [EMAIL-\nx\n12 4`);
  expect(take(open(folder).lines, 1)).toBe(21);
  writeFileSync(path, '\0\0\0');
  expect(take(open(folder).lines, 1)).toBe(1);
});
