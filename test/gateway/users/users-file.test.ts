import { execFile } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseUsers, putUsers, readUsersFile, removeUser } from '../../../gateway/users/users-file.ts';
import { plainEnv } from '../../support/run.ts';
import { tempFolder } from '../../support/temp.ts';

const sha = '{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=';
const other = '$apr1$r31cAbCd$Pr1sGUojmZh8nDY3OOdl20';

describe('parseUsers', () => {
  test.each<[text: string, users: unknown[], problems: RegExp[]]>([
    ['', [], []],
    [`# ann:${sha}\n\nann:${sha}\n`, [{ name: 'ann', hash: sha, groups: [] }], []],
    [`\uFEFFann:${sha}\r\n`, [{ name: 'ann', hash: sha, groups: [] }], []],
    [`ann:${sha}:groups=legal, staff`, [{ name: 'ann', hash: sha, groups: ['legal', 'staff'] }], []],
    [`ann:${sha}:a comment of nginx`, [{ name: 'ann', hash: sha, groups: [] }], []],
    [`ann:${sha}\nann:${other}`, [{ name: 'ann', hash: sha, groups: [] }], [/^line 2 repeats a user/]],
    ['ann', [], [/^line 1 is not in the form "name:hash"/]],
    ['ann:rqXexS6ZhobKA', [], [/^line 1 has an unsupported hash/]],
    [`:${sha}`, [], [/^line 1 has a name/]],
  ])('%j', (text, users, problems) => {
    const parsed = parseUsers(text);
    expect(parsed.users).toEqual(users);
    expect(parsed.problems).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('changes', () => {
  test('change the lines of one user only, and keep the permissions of the file', async () => {
    const file = join(tempFolder('users'), 'users');
    writeFileSync(file, `# by hand\nann:${sha}:a comment\nben:${other}\n`);
    chmodSync(file, 0o640);
    expect(await putUsers(file, [{ name: 'ann', groups: ['legal'] }])).toBe(0);
    expect(await putUsers(file, [{ name: 'jürgen', hash: other }])).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(
      `# by hand\nann:${sha}:groups=legal:a comment\nben:${other}\njürgen:${other}\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(await putUsers(file, [{ name: 'ann', hash: other }])).toBe(0);
    expect(readUsersFile(file).users[0]).toEqual({ name: 'ann', hash: other, groups: ['legal'] });
    expect(await putUsers(file, [{ name: 'ann', groups: [] }])).toBe(0);
    expect(readUsersFile(file).users[0]?.groups).toEqual([]);
    expect(await removeUser(file, 'ben')).toBe(true);
    expect(await removeUser(file, 'ben')).toBe(false);
    expect(readUsersFile(file).users.map((user) => user.name)).toEqual(['ann', 'jürgen']);
  });

  test.each(['', 'a:b', 'a\nb', '#a', ' #a', 'a ', '\uFEFFa', 'a\uD800', 'a\uFFFD', 'x'.repeat(201)])(
    'refuse the name %j',
    async (name) => {
      const file = join(tempFolder('users'), 'users');
      await expect(putUsers(file, [{ name, hash: sha }])).rejects.toThrow(/name of a user/);
    },
  );

  test('a link stays a link', async () => {
    const folder = tempFolder('users');
    writeFileSync(join(folder, 'real'), `ann:${sha}\n`);
    symlinkSync('real', join(folder, 'users'));
    await putUsers(join(folder, 'users'), [{ name: 'ben', hash: sha }]);
    expect(lstatSync(join(folder, 'users')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe(`ann:${sha}\nben:${sha}\n`);
  });

  test('a file in another encoding is unchanged', async () => {
    const file = join(tempFolder('users'), 'users');
    const bytes = Buffer.from(`j\u00fcrgen:${sha}\nann:${sha}\n`, 'latin1');
    writeFileSync(file, bytes);
    expect(readUsersFile(file)).toMatchObject({ users: [{ name: 'ann' }], problems: ['line 1 is not UTF-8'] });
    await expect(putUsers(file, [{ name: 'ben', hash: sha }])).rejects.toThrow(/not UTF-8/);
    await expect(removeUser(file, 'ann')).rejects.toThrow(/not UTF-8/);
    expect(readFileSync(file)).toEqual(bytes);
  });

  test('thousands of users are imported in one step', async () => {
    const file = join(tempFolder('users'), 'users');
    const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `user ${i}`, hash: sha }));
    expect(await putUsers(file, many)).toBe(20_000);
    expect(await putUsers(file, [...many.slice(5), { name: 'ann', hash: other }])).toBe(1);
    expect(readUsersFile(file).users).toHaveLength(20_001);
  });

  test('changes by several programs at the same time are all kept', async () => {
    const file = join(tempFolder('users'), 'users');
    const main = join(import.meta.dirname, '../../../gateway/main.ts');
    const names = Array.from({ length: 6 }, (_, i) => `user${i}`);
    const add = (name: string) =>
      promisify(execFile)(process.execPath, [main, 'users', 'add', name, '--generate', '--file', file], {
        env: plainEnv(),
      });
    const own = Array.from({ length: 60 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, 40 * i));
      await putUsers(file, [{ name: `own${i}`, hash: sha }]);
    });
    await Promise.all([...names.map(add), ...own]);
    const found = readUsersFile(file).users.map(({ name }) => name);
    expect(found.sort()).toEqual([...names, ...own.map((_, i) => `own${i}`)].sort());
    expect(readdirSync(join(file, '..'))).toEqual(['users']);
  });

  test('a stale lock expires', async () => {
    const file = join(tempFolder('users'), 'users');
    writeFileSync(`${file}.lock`, '');
    utimesSync(`${file}.lock`, 0, 0);
    expect(await putUsers(file, [{ name: 'ann', hash: sha }])).toBe(1);
  });

  test('a new file is private', async () => {
    const file = join(tempFolder('users'), 'users');
    await putUsers(file, [{ name: 'ann', hash: sha }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
