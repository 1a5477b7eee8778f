/** How commands report unusable files and values: one sentence each, not only the system's message. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../certs/ca.ts';
import { TestAuthority } from '../../support/authority.ts';
import { runPrivet } from '../../support/command.ts';
import { listening } from '../../support/listening.ts';
import { refusedStart } from '../../support/refused-start.ts';
import { run } from '../../support/run.ts';
import { tempFolder } from '../../support/temp.ts';

const folder = tempFolder('wrong-input');
const file = (name: string) => join(folder, name);
writeFileSync(
  file('sjis.yaml'),
  // プロジェクト in Shift_JIS.
  Buffer.concat([
    Buffer.from('masking:\n  dictionary:\n    - { label: PROJECT, pattern: "'),
    Buffer.from('8376838d83578346834e8367', 'hex'),
    Buffer.from('" }\n'),
  ]),
);
writeFileSync(file('deep.yaml'), `a: ${'['.repeat(20_000)}`);
writeFileSync(file('bad.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');

CertificateAuthority.open({ dir: file('data/ca'), permittedDomains: null });

const privet = (args: readonly string[], env: Record<string, string> = {}, input: readonly Uint8Array[] = []) =>
  runPrivet(args, { PROXY_DATA_DIR: file('data'), ...env }, input);

test.each<[args: string[], code: number, says: string]>([
  [['config', 'check', file('sjis.yaml')], 2, 'sjis.yaml:3:35: is not UTF-8; save the file as UTF-8'],
  [['config', 'check', file('deep.yaml')], 2, 'deep.yaml:1:1: is nested too deeply'],
  [['env', '--ca', file('bad.pem')], 2, 'contains a damaged certificate'],
  [['env', '--ca', file('none.pem')], 1, `There is no ${file('none.pem')}; check its name.`],
  [['mask', '--map', folder], 1, 'is a directory; name a file.'],
  [['restore', '--map', file('none.json')], 1, `There is no ${file('none.json')}; check its name.`],
  [['doctor', '--proxy', 'http://u:geheim@h:99999'], 2, '--proxy must be a URL like http://proxy.example:3128'],
  [['doctor', '--proxy', 'ftp://u:geheim@h'], 2, '--proxy must be a URL like http://proxy.example:3128'],
  [['ca', 'rotate', '--activate-at', '2020-01-01'], 2, '--activate-at is in the past'],
])('privet %j', async (args, code, says) => {
  const result = await privet(args);
  expect(result.err).toContain(says);
  expect(result.code).toBe(code);
  expect(result.err + result.out).not.toMatch(/geheim|\n\s+at /);
});

test.each<[string, Uint8Array]>([
  ['an invalid byte', Buffer.from('geheim\xff\n', 'latin1')],
  ['a truncated character', Buffer.from('geheim\xe3\x83', 'latin1')],
])('a password with %s is refused, because its hash would match others', async (_name, bytes) => {
  const { code, err } = await privet(['users', 'hash'], {}, [bytes]);
  expect(err).toContain('the password is not UTF-8');
  expect(code).toBe(2);
});

/** A port used by another program. */
const other = createServer();
let taken = 0;
taken = await listening(other);

const elsewhere = '203.0.113.1';
const pair = new TestAuthority().issue({ names: ['localhost'] });
writeFileSync(file('cert.pem'), pair.cert);
writeFileSync(file('key.pem'), pair.key);
const tls = (listen: string) =>
  `listen: { proxy_tls: { listen: "${listen}", cert_file: ${file('cert.pem')}, key_file: ${file('key.pem')} } }\n`;
const check = 'check listen.proxy, listen.api and listen.proxy_tls.';

test.each<[what: string, start: () => { yaml?: string; env?: Record<string, string> }, says: () => string]>([
  [
    'the port of listen.proxy_tls in use',
    () => ({ yaml: tls(`127.0.0.1:${taken}`) }),
    () => `Port ${taken} is in use by another program; choose another with listen.proxy_tls.listen.`,
  ],
  [
    'the same with workers',
    () => ({ yaml: tls(`127.0.0.1:${taken}`), env: { WORKERS: '2' } }),
    () => `Port ${taken} is in use by another program; choose another with listen.proxy_tls.listen.`,
  ],
  [
    'a proxy on an address of another machine',
    () => ({ env: { GATEWAY_HOST: elsewhere } }),
    () => `${elsewhere} does not belong to this machine; ${check}`,
  ],
  [
    'an API on an address of another machine',
    () => ({ env: { HOST: elsewhere } }),
    () => `${elsewhere} does not belong to this machine; ${check}`,
  ],
  [
    'a TLS listener on an address of another machine',
    () => ({ yaml: tls(`${elsewhere}:0`) }),
    () => `${elsewhere} does not belong to this machine; ${check}`,
  ],
  [
    'a data folder that is a file',
    () => ({ env: { PROXY_DATA_DIR: file('cert.pem') } }),
    () => `The data folder ${file('cert.pem')} cannot be written; choose another with PROXY_DATA_DIR.`,
  ],
])('a start with %s ends with one sentence and exit code 1', async (_what, start, says) => {
  const { yaml = '', env } = start();
  const home = tempFolder('wrong-start');
  writeFileSync(join(home, 'privet.yaml'), yaml);
  const base = { PORT: '0', GATEWAY_PORT: '0', PROXY_CONFIG: 'privet.yaml', PROXY_DATA_DIR: join(home, 'data') };
  const main = resolve(import.meta.dirname, '../../../gateway/main.ts');
  // A worker writes to the streams of its parent, so that start has a process of its own.
  const result = await (env?.WORKERS === undefined
    ? refusedStart({ folder: home, env: { ...base, ...env } })
    : run(process.execPath, [main, 'serve'], { cwd: home, env: { ...base, ...env } }));
  expect(result.stderr).toBe(`privet: ${says()}\n`);
  expect(result.code).toBe(1);
});

writeFileSync(file('faults.yaml'), 'masking:\n  typs: {}\nworkers: -1\n');
const faults = [/faults\.yaml:2:3: masking\.typs: unknown key; did you mean/, /faults\.yaml:3:10: workers: must be/];

describe('all errors of the environment are reported, with those of the file', () => {
  const storeKey = /^environment: PROXY_STORE_KEY: must be keys of at least 16 characters/;
  test.each<[args: string[], env: Record<string, string>, says: RegExp[]]>([
    [['config', 'check'], { PROXY_STORE_KEY: 'geheim' }, [storeKey]],
    [['config', 'check'], { PROXY_STORE_KEY: 'long enough to be one,geheim' }, [storeKey]],
    [['config', 'check', file('faults.yaml')], { PROXY_STORE_KEY: 'geheim' }, [...faults, storeKey]],
    [
      ['mcp'],
      {
        SERVICE_LANG: 'fr',
        SERVICE_BASE_URL: 'ftp://u:geheim@h',
        SERVICE_KEY: 'geheim',
        PROXY_TOKEN_TTL: '1h',
      },
      [
        /^environment: SERVICE_LANG: must be en or ja$/,
        /^environment: SERVICE_BASE_URL: must be an address like https:/,
        /^environment: SERVICE_KEY: must have 24 to 512 characters$/,
        /^environment: PROXY_TOKEN_TTL: must be a whole number of milliseconds/,
      ],
    ],
    [
      ['mcp', '--config', file('faults.yaml')],
      { SERVICE_KEY: 'geheim', PROXY_TOKEN_TTL: '-1' },
      [/^environment: SERVICE_KEY: /, /^environment: PROXY_TOKEN_TTL: /, ...faults],
    ],
  ])('privet %j with %j', async (args, env, says) => {
    const { code, out, err } = await privet(args, env);
    const lines = err.trim().split('\n');
    expect(lines).toEqual(says.map((one) => expect.stringMatching(one)));
    expect(code).toBe(2);
    expect(err + out).not.toMatch(/geheim|\n\s+at /);
  });
});

test('an unusable dictionary term is reported by privet mcp with its line', async () => {
  writeFileSync(file('term.yaml'), 'masking:\n  dictionary:\n    - { label: A, pattern: "/(?=a)b/" }\n');
  const { code, err } = await privet(['mcp', '--config', file('term.yaml')]);
  expect(err).toMatch(/^\S*term\.yaml:3:7: masking\.dictionary\[0\]: pattern .*\n$/);
  expect(code).toBe(2);
});

test('privet mcp --http with a port in use', async () => {
  const { code, err } = await privet(['mcp', '--http', '--port', String(taken)]);
  expect(err).toBe(`privet mcp: Port ${taken} is in use by another program; choose another with --port.\n`);
  expect(code).toBe(1);
});

test.each([
  [['--port', '1'], /--port needs --http/],
  [['--http', '--port', 'x'], /0 to 65535/],
])('privet mcp %j', async (args, says) => {
  const { code, out, err } = await privet(['mcp', ...args]);
  expect([code, out, err]).toEqual([2, '', expect.stringMatching(says)]);
});

describe('an unusable store is reported with reason and advice', () => {
  const ofFile = 'Check the file and its permissions, or choose another with PROXY_STORE_URL.';
  const ofServer = 'Check the server and PROXY_STORE_URL.';
  const key = 'a key for tests of 32 characters!';
  beforeAll(async () => {
    mkdirSync(file('folder'));
    await privet(['keys', 'list'], {
      PROXY_STORE: 'sqlite',
      PROXY_STORE_URL: file('kept.db'),
      PROXY_STORE_KEY: key,
    });
    const newer = new DatabaseSync(file('newer.db'));
    newer.exec('PRAGMA user_version = 9999');
    newer.close();
  });

  const stores: [what: string, env: Record<string, string>, says: string][] = [
    [
      'a folder',
      { PROXY_STORE: 'sqlite', PROXY_STORE_URL: file('folder') },
      `The store sqlite at ${file('folder')} cannot be opened (EISDIR). ${ofFile}`,
    ],
    [
      'a file of another kind',
      { PROXY_STORE: 'sqlite', PROXY_STORE_URL: file('bad.pem') },
      `The store sqlite at ${file('bad.pem')} cannot be opened (file is not a database). ${ofFile}`,
    ],
    [
      'one of a newer version',
      { PROXY_STORE: 'sqlite', PROXY_STORE_URL: file('newer.db') },
      `The store sqlite at ${file('newer.db')} was written by a newer version of Privet; start that one. ${ofFile}`,
    ],
    [
      'one under another key',
      { PROXY_STORE: 'sqlite', PROXY_STORE_URL: file('kept.db'), PROXY_STORE_KEY: `geheim and ${key}` },
      `The store sqlite at ${file('kept.db')} was written under another key than PROXY_STORE_KEY. Give every replica`,
    ],
    [
      'an unreachable Redis',
      { PROXY_STORE: 'redis', PROXY_STORE_URL: 'redis://u:geheim@127.0.0.1:1/0', PROXY_STORE_KEY: key },
      `The store redis at 127.0.0.1:1 does not answer (ECONNREFUSED). ${ofServer}`,
    ],
    [
      'an unreachable PostgreSQL',
      { PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@127.0.0.1:1/x', PROXY_STORE_KEY: key },
      `The store postgres at 127.0.0.1:1 does not answer (ECONNREFUSED). ${ofServer}`,
    ],
  ];
  const commands = [['keys', 'list'], ['report']];

  test.each([
    ['keys', `The store sqlite at ${file('bad.pem')}/privet.db: The file ${file('bad.pem')}/store.key`],
    ['report', `The file ${file('bad.pem')}/registry-changes.json`],
  ])('privet %s: a data folder that is a file', async (name, what) => {
    const env = { PROXY_STORE: 'sqlite', PROXY_DATA_DIR: file('bad.pem') };
    const { code, err } = await privet(name === 'keys' ? ['keys', 'list'] : [name], env);
    const hint = 'Check its path, its permissions and the free space on its disk.';
    expect(err).toBe(`privet ${name}: ${what} cannot be read (ENOTDIR). ${hint}\n`);
    expect(code).toBe(1);
  });

  test.concurrent.each(commands.flatMap((args) => stores.map((store) => [args, ...store] as const)))(
    'privet %j: %s',
    async (args, _what, env, says) => {
      const { code, out, err } = await privet(args, env);
      expect(err).toContain(`privet ${args[0]}: ${says}`);
      expect(err.split('\n')).toHaveLength(2);
      expect(code).toBe(1);
      expect(err + out).not.toMatch(/geheim|\n\s+at /);
    },
  );
});
