/** Several processes with one data folder: replicas that start for the first time, or that rotate, at the same moment. */
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CertificateAuthority } from '../../certs/ca.ts';
import { openAdminKey } from '../../gateway/stores/admin-key.ts';
import { tempFolder } from '../support/temp.ts';

const program = join(import.meta.dirname, '../support/first-start.ts');

/** The output of processes that start at the same moment. */
async function together<T>(dataDir: string, task: 'start' | 'rotate'): Promise<T[]> {
  const at = String(Date.now() + 1_500);
  const run = () => promisify(execFile)(process.execPath, [program, dataDir, at, task]);
  const ended = await Promise.all([run(), run(), run()]);
  return ended.map(({ stdout }) => JSON.parse(stdout) as T);
}

describe('processes that share a data folder', () => {
  test('first start at the same time: one root, and the displayed admin key works', async () => {
    const dataDir = tempFolder('together');
    const said = await together<{ key: string | null; root: string }>(dataDir, 'start');
    expect(new Set(said.map(({ root }) => root)).size).toBe(1);
    const shown = said.flatMap(({ key }) => key ?? []);
    expect(shown).toHaveLength(1);
    expect(openAdminKey({ dataDir }).verify(shown[0] as string)).toBe(true);
    expect(readdirSync(dataDir).sort()).toEqual(['admin-key.json', 'ca', 'ca.sha256']);
    expect(readdirSync(join(dataDir, 'ca')).sort()).toEqual(['root-key.pem', 'root.pem']);
  });

  test('wait briefly for the missing half of a root', () => {
    const [whole, half] = [tempFolder('together'), tempFolder('together')];
    const { fingerprint256 } = CertificateAuthority.open({ dir: whole, permittedDomains: null });
    copyFileSync(join(whole, 'root-key.pem'), join(half, 'root-key.pem'));
    // Opening does not return to the event loop, so another process provides the rest.
    const copy = `sleep 0.1; touch ${half}/root.pem; sleep 0.1; cp ${join(whole, 'root.pem')} ${half}`;
    spawn('sh', ['-c', copy], { stdio: 'ignore' });
    expect(CertificateAuthority.open({ dir: half, permittedDomains: null }).fingerprint256).toBe(fingerprint256);
  });

  test('rotate at the same time: all report the same next root, and no other remains in the folder', async () => {
    const dataDir = tempFolder('together');
    const open = () => CertificateAuthority.open({ dir: join(dataDir, 'ca'), permittedDomains: null });
    open();
    const said = await together<{ next: string }>(dataDir, 'rotate');
    expect(new Set(said.map(({ next }) => next))).toEqual(new Set([open().next?.root.fingerprint256]));
    expect(readdirSync(join(dataDir, 'ca'))).toHaveLength(6);
  });

  test('the lock of a killed process is reported, and taken over when old', () => {
    const dir = join(tempFolder('together'), 'ca');
    const ca = CertificateAuthority.open({ dir, permittedDomains: null });
    const lock = join(dir, 'rotation.lock');
    writeFileSync(lock, '');
    expect(() => ca.rotate(new Date())).toThrow(/Another process is changing the CA/);
    writeFileSync(lock, '');
    utimesSync(lock, new Date(0), new Date(0));
    expect(ca.rotate(new Date()).root.name).toMatch(/^root-/);
    expect(readdirSync(dir)).not.toContain('rotation.lock');
  });

  test.each([
    ['an empty folder, as a mounted volume', []],
    ['a folder with unrelated files', ['lost+found']],
  ])('%s becomes a CA', (_name, files) => {
    const dir = join(tempFolder('together'), 'ca');
    mkdirSync(dir);
    for (const file of files) writeFileSync(join(dir, file), '');
    const { fingerprint256 } = CertificateAuthority.open({ dir, permittedDomains: null });
    expect(CertificateAuthority.open({ dir, permittedDomains: null }).fingerprint256).toBe(fingerprint256);
    expect(readdirSync(join(dir, '..'))).toEqual(['ca', 'ca.sha256']);
  });
});
