import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseUsers, putUser, readUsersFile, removeUser } from '../../../gateway/users/users-file.ts';
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
    [`ann:${sha}\nann:${other}`, [{ name: 'ann', hash: sha, groups: [] }], [/^line 2 names a user/]],
    ['ann', [], [/^line 1 is no "name:hash"/]],
    ['ann:rqXexS6ZhobKA', [], [/^line 1 has a hash of another kind/]],
    [`:${sha}`, [], [/^line 1 has a name/]],
  ])('%j', (text, users, problems) => {
    const parsed = parseUsers(text);
    expect(parsed.users).toEqual(users);
    expect(parsed.problems).toEqual(problems.map((problem) => expect.stringMatching(problem)));
  });
});

describe('changes', () => {
  test('touch the lines of one user only, and keep the rights of the file', () => {
    const file = join(tempFolder('users'), 'users');
    writeFileSync(file, `# by hand\nann:${sha}:a comment\nben:${other}\n`);
    chmodSync(file, 0o640);
    expect(putUser(file, { name: 'ann', groups: ['legal'] })).toBe(false);
    expect(putUser(file, { name: 'jürgen', hash: other })).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(
      `# by hand\nann:${sha}:groups=legal:a comment\nben:${other}\njürgen:${other}\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(putUser(file, { name: 'ann', hash: other })).toBe(false);
    expect(readUsersFile(file).users[0]).toEqual({ name: 'ann', hash: other, groups: ['legal'] });
    expect(putUser(file, { name: 'ann', groups: [] })).toBe(false);
    expect(readUsersFile(file).users[0]?.groups).toEqual([]);
    expect(removeUser(file, 'ben')).toBe(true);
    expect(removeUser(file, 'ben')).toBe(false);
    expect(readUsersFile(file).users.map((user) => user.name)).toEqual(['ann', 'jürgen']);
  });

  test.each(['', 'a:b', 'a\nb', '#a', 'x'.repeat(201)])('refuse the name %j', (name) => {
    const file = join(tempFolder('users'), 'users');
    expect(() => putUser(file, { name, hash: sha })).toThrow(/name of a user/);
  });

  test('a new file is for its owner only', () => {
    const file = join(tempFolder('users'), 'users');
    putUser(file, { name: 'ann', hash: sha });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
