/** `config check` rejects what start-up rejects: all errors at once, each at its position in the file. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CertificateAuthority } from '../../../certs/ca.ts';
import { TestAuthority } from '../../support/authority.ts';
import { runPrivet } from '../../support/command.ts';
import { refusedStart } from '../../support/refused-start.ts';
import { tempFolder } from '../../support/temp.ts';

const folder = tempFolder('config-check');
const inFolder = (name: string, text?: string) => {
  const file = join(folder, name);
  if (text !== undefined) writeFileSync(file, text);
  return file;
};
const authority = new TestAuthority();
const [own, other] = [authority.issue({ names: ['a.example'] }), new TestAuthority().issue({ names: ['a.example'] })];
const cert = inFolder('cert.pem', own.cert);
const key = inFolder('key.pem', own.key);
const otherKey = inFolder('other.pem', other.key);
const bad = inFolder('bad.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
const none = inFolder('none.pem');
const gone = inFolder('gone');
mkdirSync(inFolder('folder'));
execFileSync('mkfifo', [inFolder('pipe')]);
symlinkSync(`${gone}/a.jsonl`, inFolder('dangling.jsonl'));
symlinkSync('made.jsonl', inFolder('to-be-made.jsonl'));

const noFile = 'cannot be read: there is no such file';
const unusable = 'it is damaged, the key does not match, or the passphrase is wrong';

const privet = (args: readonly string[], env: Record<string, string> = {}) =>
  runPrivet(args, { PROXY_DATA_DIR: inFolder('data'), ...env });

const check = (yaml: string, env: Record<string, string> = {}) =>
  privet(['config', 'check', inFolder('privet.yaml', yaml)], env);
/** The lines without the file name. */
const lines = (err: string) =>
  err
    .trim()
    .replaceAll(`${inFolder('privet.yaml')}:`, '')
    .split('\n');

test.each<[name: string, yaml: string, says: string]>([
  [
    'a recognizer whose pattern is not a regular expression',
    'masking:\n  recognizers: [{ type: EMPLOYEE_ID, forms: ["/E-(?=x)/"] }]\n',
    '2:17: masking.recognizers[0]: forms[0]: at position 3 uses look-around, which is not supported.',
  ],
  [
    'a recognizer of an invalid type',
    'masking:\n  recognizers: [{ type: Employee, forms: [x] }]\n',
    '2:17: masking.recognizers[0]: type: must be a label.',
  ],
  [
    'an audit file without a folder',
    `log:\n  audit:\n    file: ${gone}/a.jsonl\n`,
    `3:11: log.audit.file: ${gone}/a.jsonl cannot be written: there is no folder ${gone}`,
  ],
  [
    'an audit file that is a folder',
    `log: { audit: { sinks: [{ to: file, path: ${inFolder('folder')} }] } }\n`,
    `1:43: log.audit.sinks[0].path: ${inFolder('folder')} cannot be written: it is a directory`,
  ],
  [
    'an audit file below a file',
    `log: { audit: { file: ${cert}/a.jsonl } }\n`,
    `1:23: log.audit.file: ${cert}/a.jsonl cannot be created: ${cert} is not a directory`,
  ],
  [
    'a certificate of a sink',
    `log: { audit: { sinks: [{ to: syslog, url: "syslog+tls://siem.example", ca_file: ${none} }] } }\n`,
    `1:82: log.audit.sinks[0].ca_file: ${none} ${noFile}`,
  ],
  [
    'an audit file that is a dangling link',
    `log: { audit: { file: ${inFolder('dangling.jsonl')} } }\n`,
    `1:23: log.audit.file: ${gone}/a.jsonl cannot be written: there is no folder ${gone}`,
  ],
  [
    'a pipe',
    `upstream: { ca_file: ${inFolder('pipe')} }\n`,
    `1:22: upstream.ca_file: ${inFolder('pipe')} cannot be read: it is a pipe`,
  ],
  ['an authority', `upstream: { ca_file: ${none} }\n`, `1:22: upstream.ca_file: ${none} ${noFile}`],
  [
    'an invalid authority',
    `upstream: { ca_file: ${key} }\n`,
    `1:22: upstream.ca_file: ${key} contains no PEM certificate`,
  ],
  ['a damaged one', `upstream: { ca_file: ${bad} }\n`, `1:22: upstream.ca_file: ${bad} contains a damaged certificate`],
  [
    'a client certificate',
    `upstream: { client_certs: [{ host: a.example, cert_file: ${none}, key_file: ${key} }] }\n`,
    `1:58: upstream.client_certs[0].cert_file: ${none} ${noFile}`,
  ],
  [
    'a client certificate with the key of another',
    `upstream: { client_certs: [{ host: a.example, cert_file: ${cert}, key_file: ${otherKey} }] }\n`,
    `1:28: upstream.client_certs[0]: the certificate for a.example cannot be used: ${unusable}`,
  ],
  [
    'a passphrase that the environment lacks',
    `upstream: { client_certs: [{ host: a.example, passphrase_env: NOT_SET, cert_file: ${cert}, key_file: ${key} }] }\n`,
    '1:63: upstream.client_certs[0].passphrase_env: the environment has no NOT_SET',
  ],
  [
    'a listener with the key of another certificate',
    `listen: { proxy_tls: { listen: 3129, cert_file: ${cert}, key_file: ${otherKey} } }\n`,
    '1:22: listen.proxy_tls: certificate and key are damaged or do not belong together',
  ],
  [
    'a registry that is a pipe',
    `policy: { registry: ${inFolder('pipe')} }\n`,
    `1:21: policy.registry: ${inFolder('pipe')} cannot be read: it is a pipe`,
  ],
  ['a registry', 'policy:\n  registry: nope.yaml\n', `2:13: policy.registry: nope.yaml ${noFile}`],
  [
    'users',
    `auth: { proxy: { users_file: ${inFolder('folder')} } }\n`,
    `1:30: auth.proxy.users_file: ${inFolder('folder')} cannot be read: it is a directory`,
  ],
  [
    'a type',
    'masking: { types: { EMIAL: block } }\n',
    '1:21: masking.types.EMIAL: is not a known type; did you mean "EMAIL"?',
  ],
  [
    'a type of a rule',
    'policy:\n  rules:\n    - { when: {}, then: { types: { EMAIL: block, PHON: block } } }\n',
    '3:50: policy.rules[0].then.types.PHON: is not a known type; did you mean "PHONE"?',
  ],
])('%s that cannot be used is reported with its position', async (_name, yaml, says) => {
  const { code, out, err } = await check(yaml);
  expect([lines(err), out, code]).toEqual([[says], '', 2]);
});

/** Errors of every kind, also in lists where other entries are invalid. */
const everything = `workers: 99999
polcy: {}
log:
  level: lod
  audit:
    file: ${gone}/a.jsonl
    sinks:
      - { to: file, path: 5 }
      - { to: syslog, url: "syslog+tls://s.example", key_file: ${none} }
upstream:
  ca_file: ${none}
  client_certs:
    - { host: "a b", cert_file: ${cert}, key_file: ${key} }
    - { host: a.example, cert_file: ${none}, key_file: ${key} }
policy:
  registry: nope.yaml
  rules:
    - { when: {}, then: { typs: 1, types: { EMIAL: block } } }
listen:
  proxy_tls: { listen: 3129, cert_file: ${none}, key_file: ${key} }
masking:
  types: { PHON: off }
auth:
  proxy: { users: [{ nmae: a }, { name: b, password_hash: c }] }
`;
const allFaults = [
  /^1:10: workers: must be at most 256$/,
  /^2:1: polcy: unknown key; did you mean "policy"\?$/,
  /^4:10: log\.level: must be one of/,
  /^6:11: log\.audit\.file: .* cannot be written/,
  /^8:27: log\.audit\.sinks\[0\]\.path: must be/,
  /^9:\d+: log\.audit\.sinks\[1\]\.key_file: .* cannot be read/,
  /^11:12: upstream\.ca_file: .* cannot be read/,
  /^13:15: upstream\.client_certs\[0\]\.host: must be/,
  /^14:37: upstream\.client_certs\[1\]\.cert_file: .* cannot be read/,
  /^16:13: policy\.registry: nope\.yaml cannot be read/,
  /^18:27: policy\.rules\[0\]\.then\.typs: unknown key/,
  /^18:45: policy\.rules\[0\]\.then\.types\.EMIAL: is not a known type/,
  /^20:41: listen\.proxy_tls\.cert_file: .* cannot be read/,
  /^22:12: masking\.types\.PHON: is not a known type/,
  /^24:\d+: auth\.proxy\.users\[0\]\./,
  /^24:\d+: auth\.proxy\.users\[0\]\./,
  /^24:\d+: auth\.proxy\.users\[0\]\.nmae: unknown key/,
  /^24:59: auth\.proxy\.users\[1\]\.password_hash: must be scrypt/,
].map((line) => expect.stringMatching(line));

test('unreadable files are reported with all other errors, also at start-up', async () => {
  const { code, err } = await check(everything);
  expect(lines(err)).toEqual(allFaults);
  expect(code).toBe(2);
  const env = { PROXY_CONFIG: inFolder('privet.yaml'), PROXY_DATA_DIR: inFolder('started') };
  const started = await refusedStart({ folder, env: { PORT: '0', GATEWAY_PORT: '0', ...env } });
  expect([started.stderr, started.code]).toEqual([err, 2]);
});

test('an incomplete entry does not hide the errors of others', async () => {
  const { err } = await check(
    `upstream:\n  client_certs:\n    - {}\n    - { host: a.example, cert_file: ${none}, key_file: ${key} }\n`,
  );
  expect(lines(err).at(-1)).toBe(`4:37: upstream.client_certs[1].cert_file: ${none} ${noFile}`);
});

test('a list refused as a whole causes no further errors', async () => {
  const yaml =
    'masking:\n  dictionary: [{ label: PROJECT, pattern: "/(/" }]\n  types: { PROJECT: block }\nauth: { clients: [any], proxy: { mode: basik } }\n';
  const { err } = await check(yaml, { GATEWAY_HOST: '0.0.0.0' });
  expect(lines(err).map((line) => line.split(': ')[1])).toEqual([
    'masking.dictionary[0].pattern',
    'auth.clients[0]',
    'auth.proxy.mode',
  ]);
});

test('an error elsewhere in the section does not hide an unknown type', async () => {
  const rule = '{ when: {}, then: { types: { PHON: block } } }';
  const yaml = `masking:\n  max_body: many\n  hints: [""]\n  types: { EMIAL: block }\npolicy: { rules: [${rule}] }\n`;
  expect(lines((await check(yaml)).err).map((line) => line.split(': ')[1])).toEqual([
    'masking.max_body',
    'masking.hints[0]',
    'masking.types.EMIAL',
    'policy.rules[0].then.types.PHON',
  ]);
});

test.each<[what: string, env: Record<string, string>, listen: string, auth: string]>([
  ['in the environment', { LOG_LEVEL: 'loud' }, '', ''],
  ['next to auth.clients', {}, '', ', proxy: { realm: "" }'],
  ['of the other listener', {}, ', api: nowhere:x', ''],
])('an error %s does not hide an open proxy', async (_what, env, listen, auth) => {
  const yaml = `listen: { proxy: 0.0.0.0:3128${listen} }\nauth: { clients: [0.0.0.0/0]${auth} }\n`;
  const { code, err } = await check(yaml, env);
  expect([lines(err).filter((line) => line.includes('open proxy')), lines(err).length, code]).toEqual([
    [expect.stringMatching(/^2:19: auth\.clients\[0\]: would make an open proxy/)],
    2,
    2,
  ]);
});

test('labels of the dictionary are types', async () => {
  const yaml = 'masking: { dictionary: [{ label: PROJECT, pattern: Apollo }], types: { PROJECT: block } }\n';
  expect(await check(yaml)).toMatchObject({ code: 0, err: '' });
});

test('nothing is created, and a file that could be created is fine', async () => {
  const file = inFolder('audit.jsonl');
  expect(await check(`log: { audit: { file: ${file} } }\n`)).toMatchObject({ code: 0, err: '' });
  const link = inFolder('to-be-made.jsonl');
  expect(await check(`log: { audit: { file: ${link} } }\n`)).toMatchObject({ code: 0, err: '' });
  expect([existsSync(file), existsSync(inFolder('data'))]).toEqual([false, false]);
});

test('files that start-up can do without cause a warning', async () => {
  const yaml = `feeds:
  - { name: a, file: nope.csv }
  - { name: b, url: "https://a.example/x", public_key: nope.pem }
  - { name: c, url: "https://a.example/x", public_key: ${bad} }
log: { audit: { sinks: [{ to: syslog, url: "syslog+tls://s.example", cert_file: ${cert}, key_file: ${otherKey} },
  { to: syslog, url: "syslog+tls://s.example", ca_file: ${key} }] } }
`;
  const { code, err } = await check(yaml);
  const file = inFolder('privet.yaml');
  expect(err.trim().split('\n')).toEqual([
    `warning: ${file}:2:22: feeds[0].file: nope.csv ${noFile}`,
    `warning: ${file}:3:56: feeds[1].public_key: nope.pem ${noFile}`,
    `warning: ${file}:4:56: feeds[2].public_key: must be PEM, or 32 bytes of an Ed25519 key in base64`,
    expect.stringContaining(':5:25: log.audit.sinks[0]: a certificate or key is damaged'),
    `warning: ${file}:6:57: log.audit.sinks[1].ca_file: ${key} contains no PEM certificate; nothing can be sent`,
  ]);
  expect(code).toBe(0);
  expect((await privet(['config', 'check', '--strict', file])).code).toBe(1);
});

test.each<[env: Record<string, string>, says: RegExp]>([
  [{ WORKERS: '2', PROXY_STORE: 'memory' }, /^environment: PROXY_STORE: workers cannot share the store memory/],
  [{ PORT: '39377', GATEWAY_PORT: '39377' }, /^environment: PORT: .* because GATEWAY_PORT uses 127\.0\.0\.1:39377/],
  [{ HOST: 'no such host' }, /^environment: HOST: must be an address/],
  [
    { PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u:geheim@h:99999/x' },
    /^environment: PROXY_STORE_URL: must/,
  ],
  [
    { PROXY_STORE: 'sqlite', PROXY_STORE_URL: inFolder('folder') },
    /^environment: PROXY_STORE_URL: .*folder cannot be read: it is a directory/,
  ],
  [
    { PROXY_STORE: 'postgres', PROXY_STORE_URL: 'postgres://u@h/x?sslrootcert=/nope' },
    /^environment: PROXY_STORE_URL: \/nope cannot be read: there is no such file/,
  ],
  [
    { PROXY_STORE: 'sqlite', PROXY_STORE_URL: `sqlite://${cert}/a.db` },
    /PROXY_STORE_URL: .* its path is not a directory/,
  ],
  [{ PROXY_LICENSE_FILE: '/nope' }, /^environment: PROXY_LICENSE_FILE: .* does not exist/],
  [{ PROXY_LICENSE_KEY: 'x', PROXY_LICENSE_ISSUER: '/nope' }, /^environment: PROXY_LICENSE_ISSUER: .* no public key/],
])('%j is reported with the name of the variable', async (env, says) => {
  const { code, err } = await check('{}\n', env);
  expect([lines(err), code]).toEqual([[expect.stringMatching(says)], 2]);
});

/** A data folder with a CA whose key has this mode. */
function dataFolder(name: string, keyMode: number): string {
  mkdirSync(inFolder(`${name}/ca`), { recursive: true });
  CertificateAuthority.open({ dir: inFolder(`${name}/ca`), permittedDomains: null });
  chmodSync(inFolder(`${name}/ca/root-key.pem`), keyMode);
  return inFolder(name);
}

test.each<[what: string, dataDir: () => string, says: RegExp]>([
  ['below a file', () => `${cert}/data`, /^environment: PROXY_DATA_DIR: The data folder .* cannot be written/],
  ['that is a file', () => cert, /^environment: PROXY_DATA_DIR: The data folder .* cannot be written/],
  [
    'with a key that others can read',
    () => dataFolder('readable', 0o644),
    /^environment: PROXY_DATA_DIR: The CA key .* can be read by other users: run "chmod 600/,
  ],
  [
    'whose CA is missing',
    () => {
      const dir = dataFolder('lost', 0o600);
      rmSync(join(dir, 'ca'), { recursive: true });
      return dir;
    },
    /^environment: PROXY_DATA_DIR: The CA of .* is gone/,
  ],
])('a data folder %s is also refused at start-up', async (_what, dataDir, says) => {
  const dir = dataDir();
  const { code, err } = await check('{}\n', { PROXY_DATA_DIR: dir });
  expect([lines(err), code]).toEqual([[expect.stringMatching(says)], 2]);
  const env = { PORT: '0', GATEWAY_PORT: '0', PROXY_DATA_DIR: dir };
  const started = await refusedStart({ folder, env });
  const [, message = 'none'] = /PROXY_DATA_DIR: (.*)/.exec(err) ?? [];
  expect([started.stderr.includes(message), started.code]).toEqual([true, expect.toSatisfy((code) => code > 0)]);
});

test('a valid data folder is unchanged', async () => {
  const dir = dataFolder('ordered', 0o600);
  const names = () => readdirSync(dir, { recursive: true }).sort();
  const before = names();
  expect(await check('{}\n', { PROXY_DATA_DIR: dir })).toMatchObject({ code: 0, err: '' });
  expect(names()).toEqual(before);
});

test('config show does not need the files', async () => {
  const { code, out } = await privet(['config', 'show', inFolder('shown.yaml', `upstream: { ca_file: ${none} }\n`)]);
  expect([code, out]).toEqual([0, expect.stringContaining(none)]);
});
