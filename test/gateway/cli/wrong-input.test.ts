/** What commands say of files and values that they cannot use: a sentence each, never the system's words alone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CertificateAuthority } from '../../../certs/ca.ts';
import { runCli } from '../../../gateway/cli/index.ts';
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
writeFileSync(file('ca.yaml'), `upstream: { ca_file: ${file('bad.pem')} }\n`);

CertificateAuthority.open({ dir: file('data/ca'), permittedDomains: null });

async function privet(args: readonly string[], input: string | Uint8Array = '') {
  let [out, err] = ['', ''];
  const output = (take: (text: string) => void) => ({
    write(text: string, done?: () => void) {
      take(text);
      setImmediate(() => done?.());
    },
  });
  const stdin = (async function* () {
    yield input;
  })();
  const code = await runCli(args, {
    stdin,
    stdout: output((text) => (out += text)),
    stderr: output((text) => (err += text)),
    env: { PROXY_DATA_DIR: file('data') },
  });
  return { code, out, err };
}

test.each<[args: string[], code: number, says: string]>([
  [['config', 'check', file('sjis.yaml')], 2, 'sjis.yaml:3:35: is not UTF-8; save the file as UTF-8'],
  [['config', 'check', file('deep.yaml')], 2, 'deep.yaml:1:1: is nested too deeply'],
  [['config', 'check', file('ca.yaml')], 1, 'upstream.ca_file holds a damaged certificate'],
  [['env', '--ca', file('bad.pem')], 2, 'holds a damaged certificate'],
  [['env', '--ca', file('none.pem')], 1, `There is no ${file('none.pem')}; check its name.`],
  [['mask', '--map', folder], 1, 'is a folder; name a file.'],
  [['restore', '--map', file('none.json')], 1, `There is no ${file('none.json')}; check its name.`],
  [['doctor', '--proxy', 'http://u:geheim@h:99999'], 2, '--proxy must be a URL as http://proxy.example:3128'],
  [['doctor', '--proxy', 'ftp://u:geheim@h'], 2, '--proxy must be a URL as http://proxy.example:3128'],
  [['ca', 'rotate', '--activate-at', '2020-01-01'], 2, '--activate-at is in the past'],
])('privet %j', async (args, code, says) => {
  const result = await privet(args);
  expect(result.err).toContain(says);
  expect(result.code).toBe(code);
  expect(result.err + result.out).not.toMatch(/geheim|\n\s+at /);
});

test.each<[string, Uint8Array]>([
  ['a byte that is none', Buffer.from('geheim\xff\n', 'latin1')],
  ['a character that is cut off', Buffer.from('geheim\xe3\x83', 'latin1')],
])('a password with %s is refused, as its hash would fit others', async (_name, bytes) => {
  const { code, err } = await privet(['users', 'hash'], bytes);
  expect(err).toContain('the password is not UTF-8');
  expect(code).toBe(2);
});
