/** `privet ca`, `privet env` and `privet doctor`: their output is evaluated, parsed and run by the real programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { CertificateAuthority } from '../../../certs/ca.ts';
import { certificatesOf } from '../../../certs/formats.ts';
import { assignment, type Shell } from '../../../gateway/cli/env.ts';
import { runPrivet } from '../../support/command.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { tempFolder } from '../../support/temp.ts';

const newData = () => {
  const dataDir = join(tempFolder("it's a folder"), 'data');
  CertificateAuthority.open({ dir: join(dataDir, 'ca'), permittedDomains: null });
  return dataDir;
};

describe('privet ca rotate', () => {
  test('creates the next root once, reschedules it, cancels it', async () => {
    const env = { PROXY_DATA_DIR: newData() };
    const first = await runPrivet(['ca', 'rotate'], env);
    expect(first.code).toBe(0);
    const print = /sha-256 +(\S+)/.exec(first.out)?.[1];
    const days = (Date.parse(/from (\S+)/.exec(first.out)?.[1] ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 1);
    const second = await runPrivet(['ca', 'rotate', '--activate-at', '2w'], env);
    expect(second).toMatchObject({ code: 2, err: expect.stringContaining('14d') });
    // After the end of the current root.
    expect((await runPrivet(['ca', 'rotate', '--activate-at', '2099-01-01T00:00:00Z'], env)).code).not.toBe(0);
    const day = `${new Date().getUTCFullYear() + 1}-12-01`;
    const moved = await runPrivet(['ca', 'rotate', '--activate-at', `${day}T00:00:00Z`], env);
    expect(moved.out).toContain(print);
    expect((await runPrivet(['ca', 'show'], env)).out).toContain(`next root from ${day}`);
    expect(certificatesOf((await runPrivet(['ca', 'export'], env)).out)).toHaveLength(2);
    expect((await runPrivet(['ca', 'rotate', '--cancel'], env)).out).toMatch(/cancelled/);
    expect((await runPrivet(['ca', 'show'], env)).out).not.toMatch(/next root/);
  });

  test('activates it at once with now', async () => {
    const env = { PROXY_DATA_DIR: newData() };
    const before = (await runPrivet(['ca', 'export'], env)).out;
    await runPrivet(['ca', 'rotate', '--activate-at', 'now'], env);
    const after = (await runPrivet(['ca', 'export'], env)).out;
    expect(after).not.toBe(before);
    expect(certificatesOf(after)).toHaveLength(1);
  });

  test.each(['pem', 'der', 'p7b', 'mobileconfig', 'bundle'])('export --format %s', async (format) => {
    const env = { PROXY_DATA_DIR: newData() };
    const file = join(env.PROXY_DATA_DIR, 'out');
    const result = await runPrivet(['ca', 'export', '--format', format, '--out', file], env);
    expect(result).toMatchObject({ code: 0, err: expect.stringContaining('SHA-256') });
    expect(readFileSync(file).length).toBeGreaterThan(300);
    if (format === 'der' || format === 'p7b')
      expect((await runPrivet(['ca', 'export', '--format', format], env)).err).toMatch(/--out/);
  });

  test('export --format der says that the next root is not in it', async () => {
    const env = { PROXY_DATA_DIR: newData() };
    const next = /sha-256 +(\S+)/.exec((await runPrivet(['ca', 'rotate'], env)).out)?.[1] ?? '-';
    const said = async (format: string) => {
      const { err } = await runPrivet(
        ['ca', 'export', '--format', format, '--out', join(env.PROXY_DATA_DIR, 'out')],
        env,
      );
      return [err.includes(next), /does not include the next root/.test(err)];
    };
    expect([await said('der'), await said('p7b')]).toEqual([
      [false, true],
      [true, false],
    ]);
  });
});

/** Available shells; PowerShell rarely is. */
const here = (command: string) => spawnSync(command, ['--version']).error === undefined;
const nasty = `a'b"c$HOME \`x\` \\ ’ é ; & | $(id)`;

describe('privet env', () => {
  test.each<[shell: Shell, command: string, args: (script: string) => string[]]>([
    ['bash', 'bash', (script) => ['-c', `${script}\nprintf %s "$PRIVET_TEST"`]],
    ['fish', 'fish', (script) => ['-c', `${script}\nprintf %s $PRIVET_TEST`]],
    ['pwsh', 'pwsh', (script) => ['-NoProfile', '-Command', `${script}\n[Console]::Out.Write($env:PRIVET_TEST)`]],
  ])('quotes every value for %s', (shell, command, args) => {
    const script = assignment(shell, 'PRIVET_TEST', nasty);
    const expected = {
      bash: `export PRIVET_TEST='a'\\''b"c$HOME \`x\` \\ ’ é ; & | $(id)'`,
      fish: `set -gx PRIVET_TEST 'a\\'b"c$HOME \`x\` \\\\ ’ é ; & | $(id)'`,
      pwsh: `$env:PRIVET_TEST = 'a''b"c$HOME \`x\` \\ ’’ é ; & | $(id)'`,
    };
    expect(script).toBe(expected[shell]);
    if (here(command)) expect(execFileSync(command, args(script), { encoding: 'utf8' })).toBe(nasty);
  });

  test('refers to existing files, and bash accepts its output', async () => {
    const dataDir = newData();
    const { code, out } = await runPrivet(['env', '--proxy', 'http://proxy.example:3128'], { PROXY_DATA_DIR: dataDir });
    expect(code).toBe(0);
    const names = 'HTTPS_PROXY NODE_EXTRA_CA_CERTS SSL_CERT_FILE REQUESTS_CA_BUNDLE JAVA_TOOL_OPTIONS'.split(' ');
    const script = `eval "$PRIVET"; for n in ${names.join(' ')}; do printf '%s\\n' "\${!n}"; done`;
    const [proxy, extra = '', bundle = '', requests, java = ''] = execFileSync('bash', ['-c', script], {
      encoding: 'utf8',
      env: { PRIVET: out, PATH: process.env.PATH ?? '' },
    }).split('\n');
    expect(proxy).toBe('http://proxy.example:3128');
    expect(requests).toBe(bundle);
    expect(extra).toBe(join(dataDir, 'client', 'ca.pem'));
    expect(certificatesOf(readFileSync(extra, 'utf8'))).toHaveLength(1);
    expect(certificatesOf(readFileSync(bundle, 'utf8')).length).toBeGreaterThan(100);
    const store = /"-Djavax\.net\.ssl\.trustStore=(.*)" -Djavax/.exec(java)?.[1] ?? '';
    expect(existsSync(store)).toBe(true);
    if (here('keytool')) {
      const listed = execFileSync('keytool', ['-list', '-keystore', store, '-storepass', 'changeit'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      expect(listed).toMatch(/privet-0, .*trustedCertEntry/);
    }
  });

  test('reads the root from a file, and unsets everything again', async () => {
    const file = join(tempFolder('root'), 'root.pem');
    writeFileSync(file, (await runPrivet(['ca', 'export'], { PROXY_DATA_DIR: newData() })).out);
    const dir = tempFolder('client');
    const args = ['env', '--ca', file, '--dir', dir];
    expect((await runPrivet(args, { PROXY_DATA_DIR: tempFolder('none') })).code).toBe(0);
    const [pem = ''] = certificatesOf(readFileSync(join(dir, 'ca.pem'), 'utf8'));
    expect(new X509Certificate(pem).subject).toMatch(/Privet root CA/);
    const set = (await runPrivet(args, {})).out.match(/^export \w+/gm) ?? [];
    const unset = (await runPrivet([...args, '--unset'], {})).out.match(/^unset \w+/gm) ?? [];
    expect(unset.map((line) => line.slice(6))).toEqual(set.map((line) => line.slice(7)));
  });

  test.each([[['--shell', 'zsh-ish']], [['--proxy', 'proxy.example:3128']]])('refuses %j', async (args) => {
    expect((await runPrivet(['env', ...args], { PROXY_DATA_DIR: newData() })).code).toBe(2);
  });
});

describe('privet doctor', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });

  const doctor = async (...args: string[]) => {
    const env = {
      PROXY_DATA_DIR: gateway.dataDir,
      PORT: new URL(gateway.apiUrl).port,
      GATEWAY_PORT: String(gateway.proxyPort),
    };
    const result = await runPrivet(['doctor', '--json', ...args], env);
    const { ok, findings } = JSON.parse(result.out) as {
      ok: boolean;
      findings: { check: string; state: string; text: string }[];
    };
    return { ...result, ok, states: Object.fromEntries(findings.map(({ check, state }) => [check, state])), findings };
  };

  test('finds no problem with a running gateway', async () => {
    const result = await doctor();
    expect(result).toMatchObject({ code: 0, ok: true, states: { ca: 'ok', proxy: 'ok', api: 'ok', clock: 'ok' } });
  });

  test.each(
    ['node', 'curl', 'python', 'java'].filter((name) => name === 'node' || here(name === 'python' ? 'python3' : name)),
  )('really runs %s, which does not trust this gateway as it is', async (client) => {
    const { code, findings } = await doctor('--client', client);
    const found = findings.find(({ check }) => check === client);
    expect(found).toMatchObject({
      state: 'warn',
      text: expect.stringMatching(/only with the variables.*(?:cert|PKIX)/i),
    });
    expect(code).toBe(0);
  });

  test.skipIf(!here('java'))('names the cause in Java if the proxy requires a user', async () => {
    const users = join(tempFolder('users'), 'users');
    writeFileSync(users, '');
    const strict = await startGateway({ config: { auth: { proxy: { mode: 'basic', users_file: users } } } });
    onTestFinished(() => void strict.stop());
    const signedIn = strict.proxyUrl.replace('//', '//ann:secret@');
    for (const [proxy, advice] of [
      [strict.proxyUrl, /^The proxy requires a user: --proxy /],
      [signedIn, /^Java reads no user from its options: .* java\.net\.Authenticator/],
    ] as const) {
      const args = ['doctor', '--json', '--proxy', proxy, '--ca', strict.caFile, '--client', 'java'];
      const { out } = await runPrivet(args, { PROXY_DATA_DIR: join(tempFolder('doctor'), 'data') });
      const found = (JSON.parse(out) as { findings: { check: string }[] }).findings.find(
        ({ check }) => check === 'java',
      );
      expect(found).toMatchObject({
        state: 'fail',
        text: 'cannot connect: the proxy requires a user (407)',
        advice: expect.stringMatching(advice),
      });
    }
  });

  test('with only the root, on a machine without the gateway', async () => {
    const elsewhere = { PROXY_DATA_DIR: join(tempFolder('doctor'), 'data') };
    const run = async (...args: string[]) => {
      const result = await runPrivet(['doctor', '--json', '--proxy', gateway.proxyUrl, ...args], elsewhere);
      const { findings } = JSON.parse(result.out) as { findings: { check: string; state: string; text: string }[] };
      return { code: result.code, states: Object.fromEntries(findings.map(({ check, state }) => [check, state])) };
    };
    expect(await run('--ca', gateway.caFile)).toEqual({ code: 0, states: { ca: 'ok', proxy: 'ok' } });
    const { code, states } = await run('--ca', gateway.caFile, '--client', 'node');
    expect([code, states.node]).toEqual([0, 'warn']);
    const foreign = await startGateway();
    onTestFinished(() => void foreign.stop());
    expect(await run('--ca', foreign.caFile)).toEqual({
      code: 1,
      states: { ca: 'ok', proxy: 'ok', 'proxy ca': 'fail' },
    });
    expect((await run('--ca', join(elsewhere.PROXY_DATA_DIR, 'none.pem'))).states.ca).toBe('fail');
  });

  test('reports problems, with exit code 1', async () => {
    const env = { PROXY_DATA_DIR: tempFolder('empty'), PORT: '1', GATEWAY_PORT: '2' };
    const { code, out } = await runPrivet(['doctor', '--client', 'node'], env);
    expect(code).toBe(1);
    expect(out).toMatch(/FAIL {2}ca .*contains no CA/);
    expect(out).toMatch(/FAIL {2}proxy .*does not answer \(connect ECONNREFUSED 127\.0\.0\.1:/);
    expect(out).toMatch(/→ Start the gateway/);
  });
});
