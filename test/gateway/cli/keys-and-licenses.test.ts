import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPrivet } from '../../support/command.ts';
import { tempFolder } from '../../support/temp.ts';

describe('keys', () => {
  const env = { PROXY_DATA_DIR: tempFolder('cli-keys'), PROXY_STORE: 'sqlite' };
  test('created, listed, revoked', async () => {
    const made = await runPrivet(['keys', 'create', '--name', 'ana', '--plan', 'business'], env);
    expect([made.code, made.out]).toEqual([0, expect.stringMatching(/^pvt_live_\w{32}\n$/)]);
    const [id = '', , tenant = ''] = made.err.split(/\s+/);
    const second = await runPrivet(['keys', 'create', '--name', 'ben', '--tenant', tenant, '--test'], env);
    expect(second.out).toMatch(/^pvt_test_/);
    const listed = await runPrivet(['keys', 'list', '--tenant', tenant], env);
    expect(listed.out.split('\n')).toHaveLength(4);
    expect(listed.out).toMatch(new RegExp(`^${id} +${tenant} +business +user +0 +live +ana$`, 'm'));
    expect((await runPrivet(['keys', 'revoke', id], env)).code).toBe(0);
    expect((await runPrivet(['keys', 'list'], env)).out).toMatch(new RegExp(`^${id} .*revoked +ana$`, 'm'));
  });
  test.each<[args: string[], code: number, says: RegExp]>([
    [['keys', 'create'], 2, /--name is required/],
    [['keys', 'create', '--name', 'a\u202eb'], 2, /--name contains control characters/],
    [['keys', 'create', '--name', 'a', '--plan', 'gold'], 2, /--plan must be one of free/],
    [['keys', 'create', 'x', '--name', 'a'], 2, /takes no id/],
    [['keys', 'revoke'], 2, /needs the id/],
    [['keys', 'lsit'], 2, /did you mean "list"/],
    [['keys', 'revoke', 'key_0'], 1, /no key with this id/],
    [['keys', 'create', '--name', 'a', '--tenant', 'x'], 1, /tenant does not exist/],
  ])('%j: exit %i', async (args, code, says) => {
    const result = await runPrivet(args, env);
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(says)]);
  });
  test('the memory store has no keys outside the process', async () => {
    const result = await runPrivet(['keys', 'list'], { PROXY_DATA_DIR: tempFolder('cli-memory') });
    expect([result.code, result.err]).toEqual([
      1,
      expect.stringMatching(/in the running gateway only.*POST \/admin\/keys/),
    ]);
  });
});

describe('license', () => {
  const dataDir = tempFolder('cli-license');
  const env = { PROXY_DATA_DIR: dataDir };
  const issue = (...args: string[]) => runPrivet(['license', 'issue', '--customer', 'Example', ...args], env);
  test('issued and verified, also from a file and with only the public key', async () => {
    const out = join(dataDir, 'license.jwt');
    const issued = await issue('--days', '30', '--plan', 'business', '--out', out);
    expect([issued.code, issued.out]).toEqual([0, '']);
    expect(statSync(join(dataDir, 'license', 'issuer.key.pem')).mode & 0o077).toBe(0);
    const publicKey = join(dataDir, 'license', 'issuer.pem');
    const text = readFileSync(out, 'utf8').trim();
    const elsewhere = { PROXY_DATA_DIR: tempFolder('cli-elsewhere') };
    for (const [args, at] of [
      [[out], env],
      [[text], env],
      [[], { ...env, PROXY_LICENSE_KEY: text }],
      [[], { ...env, PROXY_LICENSE_FILE: out }],
      [[out, '--issuer', publicKey], elsewhere],
      [[out], { ...elsewhere, PROXY_LICENSE_ISSUER: publicKey }],
    ] as [string[], Record<string, string>][]) {
      const verified = await runPrivet(['license', 'verify', ...args], at);
      expect([verified.code, verified.err]).toEqual([0, '']);
      expect(verified.out).toMatch(/^customer +Example$/m);
      expect(verified.out).toMatch(/^plan +business$/m);
    }
    const foreign = await runPrivet(['license', 'verify', out], elsewhere);
    expect([foreign.code, foreign.err]).toEqual([1, expect.stringMatching(/^LICENSE ERROR: .*does not trust/)]);
  });
  test.each<[args: string[], code: number, says: RegExp]>([
    [['license', 'issue'], 2, /--customer is required/],
    [['license', 'issue', '--customer', 'x', '--days', '0'], 2, /--days must be/],
    [['license', 'issue', '--customer', 'x', '--plan', 'gold'], 2, /--plan must be/],
    [['license', 'verify'], 2, /give a license/],
    [['license', 'verify', '/nowhere/license.jwt'], 1, /does not exist/],
    [['license', 'isue'], 2, /did you mean "issue"/],
  ])('%j: exit %i', async (args, code, says) => {
    const result = await runPrivet(args, env);
    expect([result.code, result.err]).toEqual([code, expect.stringMatching(says)]);
  });
});
