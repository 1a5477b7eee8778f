import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyPassword } from '../../../gateway/users/password-hash.ts';
import { readUsersFile } from '../../../gateway/users/users-file.ts';
import { runPrivet } from '../../support/command.ts';
import { tempFolder } from '../../support/temp.ts';

test('check shows the parent proxy of a request, without its password', async () => {
  const config = join(tempFolder('cli-users'), 'privet.yaml');
  const url = `http://user:${'secret'}@proxy.example:3128`;
  writeFileSync(config, `upstream: { parents: [{ url: '${url}' }, { url: direct }], no_proxy: [b.example] }\n`);
  const { out } = await runPrivet(['check', 'a.example', '--config', config]);
  expect(out).toMatch(/sent through the parent proxy http:\/\/proxy\.example:3128, else direct$/m);
  expect(out).not.toContain('secret');
  expect((await runPrivet(['check', 'www.b.example', '--config', config])).out).not.toContain('parent');
});

test.each<[name: string, yaml: string, code: number, says: RegExp]>([
  ['no users', 'auth: { proxy: { mode: basic } }', 0, /nobody can sign in/],
  [
    'no file',
    'auth: { proxy: { mode: basic, users_file: /none/users } }',
    0,
    /users_file \/none\/users: there is no such/,
  ],
  ['a bad line', 'auth: { proxy: { mode: basic, users_file: USERS } }', 0, /USERS: line 1 has an unsupported hash/],
  [
    'a plain password',
    'auth: { proxy: { users: [{ name: a, password_hash: secret }] } }',
    2,
    /1:52: .*password_hash: must be scrypt/,
  ],
  [
    'no certificate',
    'listen: { proxy_tls: { listen: 3129, cert_file: NONE, key_file: NONE } }',
    2,
    /cert_file: NONE cannot be read: there is no such file/,
  ],
  [
    'no CA',
    'listen: { proxy_tls: { listen: 3129, cert_file: a, key_file: a, client_cert: required } }',
    2,
    /needs client_ca_file/,
  ],
  [
    'no key',
    'upstream: { client_certs: [{ host: a.example, cert_file: NONE, key_file: NONE }] }',
    2,
    /cert_file: NONE cannot be read: there is no such file/,
  ],
  ['a path', 'upstream: { parent: "http://proxy.example:3128/path" }', 2, /must have no path/],
  ['no address', 'upstream: { dns: [ns.example] }', 2, /must be the address of a name server/],
])('config check finds %s', async (_name, yaml, code, says) => {
  const folder = tempFolder('cli-users');
  const file = join(folder, 'privet.yaml');
  writeFileSync(join(folder, 'USERS'), 'ann:rqXexS6ZhobKA\n');
  writeFileSync(file, yaml.replace('USERS', join(folder, 'USERS')));
  const result = await runPrivet(['config', 'check', file]);
  expect([result.code, result.err]).toEqual([code, expect.stringMatching(says)]);
});

describe('users', () => {
  test('added, listed, changed, removed', async () => {
    const file = join(tempFolder('cli-users'), 'users');
    const added = await runPrivet(
      ['users', 'add', 'ann', '--groups', 'legal,staff', '--file', file],
      {},
      'first:pass\nrest',
    );
    expect([added.code, added.err]).toEqual([0, `added ann to ${file}\n`]);
    const [ann] = readUsersFile(file).users;
    expect(ann).toMatchObject({ name: 'ann', groups: ['legal', 'staff'] });
    expect(verifyPassword('first:pass', ann?.hash ?? '')).toBe(true);
    expect((await runPrivet(['users', 'add', 'ann', '--file', file], {}, 'x\n')).err).toMatch(/in .* already/);

    const made = await runPrivet(['users', 'passwd', 'ann', '--generate', '--file', file]);
    const changed = readUsersFile(file).users[0];
    expect(changed?.groups).toEqual(['legal', 'staff']);
    expect(verifyPassword(made.out.trim(), changed?.hash ?? '')).toBe(true);

    const listed = await runPrivet(['users', 'list', '--file', file]);
    expect(listed.out).toMatch(/^NAME +SOURCE +GROUPS\nann +file +legal, staff\n$/);
    expect(listed.out).not.toContain('$scrypt');
    expect((await runPrivet(['users', 'remove', 'ann', '--file', file])).code).toBe(0);
    expect(readUsersFile(file).users).toEqual([]);
  });

  test('import merges an htpasswd file and reports what it skipped', async () => {
    const folder = tempFolder('cli-users');
    const source = join(folder, 'htpasswd');
    writeFileSync(source, `ann:{SHA}VBPuJHI7uixaa6LQGWx4s+5GKNE=\nold:rqXexS6ZhobKA\n`);
    const file = join(folder, 'users');
    const result = await runPrivet(['users', 'import', source, '--groups', 'staff', '--file', file]);
    expect(result.err).toMatch(/line 2 has an unsupported hash[\s\S]*1 added to .*, 0 changed, 1 skipped/);
    expect(readUsersFile(file).users).toMatchObject([{ name: 'ann', groups: ['staff'] }]);
  });

  test('the file is that of the configuration, and "check" knows its groups', async () => {
    const folder = tempFolder('cli-users');
    const config = join(folder, 'privet.yaml');
    const file = join(folder, 'users');
    writeFileSync(
      config,
      `auth: { proxy: { mode: basic, users_file: ${file} }, networks: { 10.1.0.0/16: branch } }
policy: { rules: [{ when: { groups: [legal], hosts: [x.example] }, then: { action: block } }] }\n`,
    );
    const env = { PROXY_CONFIG: config, PROXY_DATA_DIR: join(folder, 'data') };
    expect((await runPrivet(['users', 'add', 'ann', '--groups', 'legal'], env, 'secret\n')).code).toBe(0);
    expect(existsSync(file)).toBe(true);
    const ann = await runPrivet(['check', 'x.example', '--user', 'ann', '--from', '10.1.2.3'], env);
    expect(ann.out).toMatch(/^decision +block$/m);
    expect(ann.out).toMatch(/subject: ann, groups: legal, branch \(by 10\.1\.0\.0\/16\)/);
    const nobody = await runPrivet(['check', 'x.example', '--from', '10.1.2.3'], env);
    expect(nobody.out).toMatch(/^decision +allow/m);
    expect(nobody.out).toMatch(/responds 407/);
  });

  test.each<[args: string[], code: number, says: RegExp]>([
    [['users', 'add'], 2, /add needs the name of a user/],
    [['users', 'list', 'x'], 2, /takes no name/],
    [['users', 'ad', 'x'], 2, /did you mean "add"/],
    [['users', 'add', 'x'], 2, /no users file/],
    [['users', 'hash'], 2, /the password is empty/],
    [['users', 'add', 'a:b', '--generate', '--file', '/tmp/privet-none'], 1, /^[^\n]*must not contain a colon/],
    [['users', 'add', ' a', '--generate', '--file', '/tmp/privet-none'], 1, /^[^\n]*without spaces around it/],
    [['users', 'add', '#a', '--generate', '--file', '/tmp/privet-none'], 1, /^[^\n]*must not begin with "#"/],
    [
      ['users', 'add', 'a', '--groups', 'b:c', '--generate', '--file', '/tmp/privet-none'],
      1,
      /^[^\n]*must not contain a colon/,
    ],
    [['users', 'list', '--file', '/tmp/privet-none'], 1, /There is no file \/tmp\/privet-none/],
    [['users', 'remove', 'x', '--file', '/tmp/privet-none'], 1, /no user "x"/],
  ])('%j: exit %i', async (args, code, says) => {
    const result = await runPrivet(args);
    expect([result.code, result.err, result.out]).toEqual([code, expect.stringMatching(says), '']);
  });

  test('hash prints a value for the configuration', async () => {
    const { out } = await runPrivet(['users', 'hash'], {}, 'secret\n');
    expect(verifyPassword('secret', out.trim())).toBe(true);
    expect(readFileSync('config/default.yaml', 'utf8')).toContain('privet users hash');
  });
});
