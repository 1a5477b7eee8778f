/**
 * docs/hardening.md names existing tests, at least one per row, by file and title; decisions that name tests name
 * existing ones.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { variants } from '../pitfalls/smuggling-variants.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const rows = read('docs/hardening.md')
  .split('\n')
  .filter((line) => /^\|(?! attack \||---)/.test(line))
  .map((line) => line.split('|').slice(1, -1));

test('each row has an attack, an answer and a test', () => {
  // The last table also says how each attack was tried.
  const incomplete = rows.filter((cells) => {
    return (
      cells.length < 3 || cells.length > 4 || cells.some((cell) => !cell.trim()) || namedIn(cells.at(-1)).length === 0
    );
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(incomplete).toEqual([]);
});

test('each listed test exists', () => {
  const named = rows.flatMap((cells) => namedIn(cells.at(-1)));
  expect(named.filter(isLost)).toEqual([]);
});

test('each test listed in a decision exists', () => {
  const files = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  // In prose, only a quote directly after the file name is a title.
  const named = files.flatMap((decision) =>
    [...read(decision).matchAll(/`(test\/[^`]+)`(?:\s+"([^"]+)")?/g)].map(([, file = '', title]) => ({
      decision,
      file,
      title: title?.replace(/\s+/g, ' '),
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(isLost)).toEqual([]);
});

test('the number of ways to smuggle is the number of those tried', () => {
  const count = /(\d+) variants over plain http/.exec(read('docs/hardening.md'))?.[1];
  expect(Number(count)).toBe(Object.values(variants).flat().length);
});

/** `file` may also be a folder, which has no titles. */
function isLost({ file, title }: { readonly file: string; readonly title: string | undefined }): boolean {
  if (!existsSync(join(root, file))) return true;
  if (title === undefined) return false;
  const source = read(file);
  return !["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}

/** References as `` `test/file.test.ts` "title", "another" ``; a file without a title refers to all of it. */
function namedIn(cell = ''): { file: string; title: string | undefined }[] {
  return cell.split(/(?=`test\/)/).flatMap((part) => {
    const file = /^`(test\/[\w./-]+\.test\.ts)`/.exec(part)?.[1];
    if (file === undefined) return [];
    const titles = [...part.matchAll(/"([^"]+)"/g)].map(([, title]) => title);
    return titles.length === 0 ? [{ file, title: undefined }] : titles.map((title) => ({ file, title }));
  });
}
