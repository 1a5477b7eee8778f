/** Commands for texts, the CA and lists of services; the program as others start it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../../certs/ca.ts';
import { plainEnv } from '../../support/run.ts';
import { env, fileOf, folder, privet, rows } from './privet-command.ts';

const main = join(import.meta.dirname, '../../../gateway/main.ts');

test('registry lint', async () => {
  expect(await privet(['registry', 'lint'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('789 services (12 approved, 557 monitoring, 220 blocked)'),
  });
  const file = fileOf(
    'twice.yaml',
    'services:\n  - { service_name: A, domain: a.example, category: blocked }\n  - { service_name: B, domain: a.example, category: blocked }\n',
  );
  expect(await privet(['registry', 'lint', file])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${file}:3:5: services[1].domain`),
  });
  expect(await privet(['registry', 'lint', join(folder, 'none')])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no'),
  });
});

describe('ca', () => {
  test('without a CA, none is created', async () => {
    const dataDir = join(folder, 'no-ca');
    const result = await privet(['ca', 'show'], { env: { PROXY_DATA_DIR: dataDir } });
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(() => statSync(dataDir)).toThrow();
  });

  test('shows and exports the root, never the key', async () => {
    const dataDir = join(folder, 'with-ca');
    const authority = CertificateAuthority.open({ dir: join(dataDir, 'ca'), permittedDomains: null });
    const options = { env: { PROXY_DATA_DIR: dataDir } };
    const shown = await privet(['ca', 'show'], options);
    expect(rows(shown, 'sha-256')).toEqual([authority.fingerprint256]);
    expect((await privet(['ca', 'export'], options)).out).toBe(authority.root.pem);
    const out = join(folder, 'root.pem');
    expect((await privet(['ca', 'export', '--out', out], options)).code).toBe(0);
    expect(readFileSync(out, 'utf8')).toBe(authority.root.pem);
    expect(shown.out + authority.root.pem).not.toContain('PRIVATE KEY');
  });
});

describe('mask, restore, detect', () => {
  const text = 'Write to ann@corp.example and bob@corp.example, then ann@corp.example.\r\n';

  test('mask then restore gives the text back', async () => {
    const map = join(folder, 'map.json');
    const masked = await privet(['mask', '--map', map], { input: text });
    expect(masked).toEqual({ code: 0, out: 'Write to [EMAIL-1] and [EMAIL-2], then [EMAIL-1].\r\n', err: '' });
    expect(statSync(map).mode & 0o777).toBe(0o600);
    expect(await privet(['restore', '--map', map], { input: masked.out })).toEqual({ code: 0, out: text, err: '' });
  });

  test('a map file is continued and kept private', async () => {
    const map = join(folder, 'continued.json');
    await privet(['mask', '--map', map], { input: 'ann@corp.example' });
    chmodSync(map, 0o644);
    const second = await privet(['mask', '--map', map], { input: 'bob@corp.example, ann@corp.example' });
    expect(second.out).toBe('[EMAIL-2], [EMAIL-1]');
    expect(statSync(map).mode & 0o777).toBe(0o600);
    expect((await privet(['restore', '--map', map], { input: '[EMAIL-1] [EMAIL-2] [EMAIL-3]' })).out).toBe(
      'ann@corp.example bob@corp.example [EMAIL-3]',
    );
  });

  test('without a map file it warns that nothing can be restored', async () => {
    expect(await privet(['mask'], { input: 'ann@corp.example' })).toMatchObject({
      code: 0,
      out: '[EMAIL-1]',
      err: expect.stringContaining('--map'),
    });
    expect(await privet(['mask'], { input: 'nothing here' })).toEqual({ code: 0, out: 'nothing here', err: '' });
  });

  test('an action by type, and recognizers of the configuration', async () => {
    const config = join(folder, 'actions.yaml');
    writeFileSync(
      config,
      'masking:\n  types: { CREDIT_CARD: mask }\n  recognizers: [{ type: EMPLOYEE_ID, forms: ["/E-[0-9]{6}/"] }]\n',
    );
    const input = 'ann@corp.example, bob@corp.example, card 4242 4242 4242 4242, E-123456';
    const actions = ['--action', 'EMAIL=redact', '--action', 'EMPLOYEE_ID=replace:a colleague'];
    const { out } = await privet(['mask', '--config', config, ...actions], { input });
    expect(out).toBe('[EMAIL], [EMAIL], card ****4242, a colleague');
    const key = { PRIVET_HASH_KEY: 'a key of sixteen bytes or more' };
    const hashed = await privet(['mask', '--action', 'EMAIL=hash'], { input, env: key });
    expect(hashed.out).toMatch(/^\[EMAIL#[0-9a-f]{16}\], \[EMAIL#[0-9a-f]{16}\], card \[CREDIT_CARD-1\]/);
    expect((await privet(['mask', '--action', 'EMAIL=hash'], { input, env: key })).out).toBe(hashed.out);
    expect(await privet(['mask', '--action', 'EMAIL=block'], { input })).toMatchObject({ code: 1, out: '' });
    const found = await privet(['detect', '--config', config, '--type', 'EMPLOYEE_ID'], { input });
    expect(JSON.parse(found.out)).toMatchObject({ detections: [{ type: 'EMPLOYEE_ID', value: 'E-123456' }] });
  });

  test('detect prints what is found and where', async () => {
    const { out } = await privet(['detect'], { input: '😀 ann@corp.example' });
    expect(JSON.parse(out)).toMatchObject({
      detections: [{ type: 'EMAIL', value: 'ann@corp.example', start: 3, end: 19 }],
    });
  });

  test('types by option and by configuration, and the dictionary', async () => {
    const input = 'the falcon build; ann@corp.example, 10.20.30.40';
    const types = async (args: string[]) =>
      (
        JSON.parse((await privet(['detect', ...args], { input })).out) as { detections: { type: string }[] }
      ).detections.map((d) => d.type);
    expect(await types([])).toEqual(['EMAIL', 'IP_ADDRESS']);
    expect(await types(['--type', 'email'])).toEqual(['EMAIL']);
    const config = fileOf(
      'masking.yaml',
      'masking: { types: { EMAIL: off }, dictionary: [{ label: PROJECT, pattern: falcon }] }\n',
    );
    expect(await types(['--config', config])).toEqual(['PROJECT', 'IP_ADDRESS']);
    const map = join(folder, 'labels.json');
    const masked = await privet(['mask', '--config', config, '--map', map], { input });
    expect(masked.out).toContain('[PROJECT_1]');
    expect((await privet(['restore', '--map', map], { input: masked.out })).out).toBe(input);
  });

  test('a character split between two chunks is decoded', async () => {
    const bytes = Buffer.from('\ufeffåß🎉 ann@corp.example');
    const { out } = await privet(['mask'], { input: [...bytes].map((byte) => Uint8Array.of(byte)) });
    expect(out).toBe('\ufeffåß🎉 [EMAIL-1]');
  });

  test.each([
    ['text that is not UTF-8', ['mask'], [Uint8Array.of(0xff, 0xfe)]],
    ['an invalid map', ['restore', '--map', fileOf('none.json', '[1]')], ''],
    ['a map that is not JSON', ['restore', '--map', fileOf('text.json', 'x')], ''],
  ])('refuses %s', async (_name, args, input) => {
    expect(await privet(args, { input })).toMatchObject({ code: 2, out: '' });
  });

  test('a missing map file', async () => {
    expect(await privet(['restore', '--map', join(folder, 'gone.json')])).toMatchObject({ code: 1, out: '' });
  });
});

test('as a program: exit code and streams', () => {
  const run = (args: string[], input = '') =>
    spawnSync(process.execPath, [main, ...args], { input, encoding: 'utf8', env: { ...plainEnv(), ...env } });
  const words = 'word '.repeat(40_000);
  const masked = run(['mask', '--type', 'EMAIL'], `${words}ann@corp.example`);
  expect([masked.status, masked.stdout.length, masked.stdout.slice(-14)]).toEqual([
    0,
    words.length + 9,
    'word [EMAIL-1]',
  ]);
  const wrong = run(['chek']);
  expect([wrong.status, wrong.stdout, wrong.stderr]).toEqual([
    2,
    '',
    'privet: unknown command "chek". Did you mean "check"?\n',
  ]);
});

test('a reader that closes early ends the program silently', () => {
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `"$0" "$1" config show | true; echo done`, process.execPath, main],
    {
      encoding: 'utf8',
      env: { ...plainEnv(), ...env },
    },
  );
  expect([stdout, stderr]).toEqual(['done\n', '']);
});
