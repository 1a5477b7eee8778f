import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dayMs } from '../../gateway/durations.ts';
import { IssuerKey, openLicense } from '../../gateway/license.ts';
import { LicenseState } from '../../gateway/license-state.ts';
import { openStores } from '../../gateway/stores/open-stores.ts';
import { issueLicense } from '../../policy/license.ts';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { refusedStart } from '../support/refused-start.ts';
import { tempFolder } from '../support/temp.ts';
import { silentLog } from './stores/silent-log.ts';

const issuedAt = new Date(Date.now() - dayMs);

/** A license under the issuer key of a data folder. */
function licenseIn(dataDir: string, fields: { days?: number; plan?: 'business' | 'enterprise' } = {}) {
  const { days = 30, plan = 'enterprise' } = fields;
  const expiresAt = new Date(issuedAt.getTime() + days * dayMs);
  return issueLicense({ customer: 'Example', plan, issuedAt, expiresAt }, new IssuerKey(dataDir).private());
}

describe('openLicense', () => {
  test('the first start issues an evaluation license for a year; later starts keep it', async () => {
    const dataDir = tempFolder('evaluation');
    const first = await openLicense({ dataDir });
    expect(first).toMatchObject({ mode: 'evaluation', evaluation: true, plan: 'enterprise' });
    expect(Math.round((first.expiresAt.getTime() - Date.now()) / dayMs)).toBe(365);
    expect((await openLicense({ dataDir })).token).toBe(first.token);
    const nextYear = new Date(Date.now() + 366 * dayMs);
    await expect(openLicense({ dataDir }, nextYear)).rejects.toThrowError(/expired/);
  });
  test('a key, a file, and both', async () => {
    const dataDir = tempFolder('license');
    const licenseKey = await licenseIn(dataDir);
    const licenseFile = join(dataDir, 'license.jwt');
    writeFileSync(licenseFile, `${licenseKey}\n`);
    expect((await openLicense({ dataDir, licenseKey })).mode).toBe('jwt');
    expect((await openLicense({ dataDir, licenseFile })).mode).toBe('file');
    await expect(openLicense({ dataDir, licenseFile, licenseKey })).rejects.toThrowError(/set one of them/);
    const elsewhere = tempFolder('license-elsewhere');
    await expect(openLicense({ dataDir: elsewhere, licenseKey })).rejects.toThrowError(/does not trust/);
    const licenseIssuer = new IssuerKey(dataDir).publicFile;
    expect((await openLicense({ dataDir: elsewhere, licenseKey, licenseIssuer })).customer).toBe('Example');
  });
});

describe('the start', () => {
  test.each<[name: string, env: (dataDir: string) => Promise<Record<string, string>>, says: RegExp]>([
    [
      'expired',
      async (dataDir) => ({ PROXY_LICENSE_KEY: await licenseIn(dataDir, { days: 0.5 }) }),
      /^LICENSE ERROR: The license expired on/m,
    ],
    [
      'foreign',
      async () => ({ PROXY_LICENSE_KEY: await licenseIn(tempFolder('issuer')) }),
      /^LICENSE ERROR: .*does not trust/m,
    ],
    ['a folder', async (dataDir) => ({ PROXY_LICENSE_FILE: dataDir }), /^LICENSE ERROR: The file .* cannot be read/m],
    ['no file', async () => ({ PROXY_LICENSE_FILE: '/nowhere/license.jwt' }), /^LICENSE ERROR: .*does not exist/m],
    [
      'postgres without enterprise',
      async (dataDir) => ({
        PROXY_LICENSE_KEY: await licenseIn(dataDir, { plan: 'business' }),
        PROXY_STORE: 'postgres',
        PROXY_STORE_URL: 'postgres://127.0.0.1:1/none',
      }),
      /^LICENSE ERROR: The store postgres needs the Enterprise plan/m,
    ],
  ])('%s: one line, exit 1', async (_, env, says) => {
    const dataDir = tempFolder('license-start');
    const start = { PORT: '0', GATEWAY_PORT: '0', PROXY_DATA_DIR: dataDir, ...(await env(dataDir)) };
    const result = await refusedStart({ folder: dataDir, env: start });
    expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });
});

/** An endpoint for reports that fails the first `failures` times. */
async function reportServer(failures = 0) {
  const bodies: string[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      if (++asked <= failures) return response.writeHead(500).end();
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}/usage`, bodies, asked: () => asked };
}

describe('the usage report', () => {
  async function state(mode: 'jwt' | 'file', url: string | undefined, dataDir = tempFolder('report')) {
    const token = await licenseIn(dataDir);
    const file = join(dataDir, 'license.jwt');
    writeFileSync(file, token);
    const license = await openLicense({ dataDir, ...(mode === 'jwt' ? { licenseKey: token } : { licenseFile: file }) });
    const stores = await openStores({ store: 'memory', dataDir, tokenTtlMs: 0 }, { log: silentLog });
    const charge = {
      tenant: 't',
      keyId: 'k',
      month: new Date().toISOString().slice(0, 7),
      credits: 1,
      creditsMax: null,
    };
    for (let i = 0; i < 7; i++) await stores.calls.run({ charge });
    const made = new LicenseState({
      license,
      stores,
      dataDir,
      version: '1.2.3',
      log: silentLog,
      ...(url === undefined ? {} : { reportUrl: url }),
    });
    onTestFinished(async () => {
      made.close();
      await stores.close();
    });
    return { made, token, dataDir };
  }

  test('contains exactly three figures, and is sent once a month, also after a restart', async () => {
    const server = await reportServer();
    const { made, token, dataDir } = await state('jwt', server.url);
    await expect.poll(() => server.bodies.length).toBe(1);
    const { createHash } = await import('node:crypto');
    expect(JSON.parse(server.bodies[0] ?? '')).toEqual({
      license_key_hash: `sha256:${createHash('sha256').update(token).digest('hex')}`,
      api_calls_this_month: 7,
      proxy_version: '1.2.3',
    });
    await expect
      .poll(() => readFileSync(join(dataDir, 'license', 'last-report'), 'utf8'))
      .toBe(`${new Date().toISOString().slice(0, 7)}\n`);
    made.close();
    const again = await state('jwt', server.url, dataDir);
    expect(await again.made.refresh()).toMatchObject({ status: 'valid', mode: 'jwt', reported: true });
    expect(server.bodies).toHaveLength(2);
  });
  test('is sent by one of the replicas that start together', async () => {
    const server = await reportServer();
    const dataDir = tempFolder('report-replicas');
    const token = await licenseIn(dataDir);
    const license = await openLicense({ dataDir, licenseKey: token });
    const open = () => openStores({ store: 'sqlite', dataDir, tokenTtlMs: 0 }, { log: silentLog });
    const first = await open();
    const replicas = [first, await open(), await open()];
    await Promise.all(replicas.map(({ opened }) => opened));
    const states = replicas.map(
      (stores) =>
        new LicenseState({ license, stores, dataDir, version: '1.2.3', log: silentLog, reportUrl: server.url }),
    );
    onTestFinished(async () => {
      for (const state of states) state.close();
      await Promise.all(replicas.map((stores) => stores.close()));
    });
    const reported = async () => {
      const { records } = await first.records.get('document', ['usage-report']);
      return records.get('usage-report');
    };
    await expect.poll(reported).toEqual({ month: new Date().toISOString().slice(0, 7) });
    expect(server.bodies).toHaveLength(1);
  });

  test('is retried until it arrives', async () => {
    const server = await reportServer(1);
    await state('jwt', server.url);
    await expect.poll(() => server.bodies.length).toBe(1);
    expect(server.asked()).toBe(2);
  });
  test('that cannot be sent is not an error', async () => {
    const { made } = await state('jwt', 'http://127.0.0.1:9/');
    expect(await made.refresh()).toMatchObject({ status: 'valid', reported: false });
  });
  test('is never sent in air-gapped mode, or without an address', async () => {
    const server = await reportServer();
    const { made } = await state('file', server.url);
    expect(await made.refresh()).toMatchObject({ mode: 'file', reported: false });
    const silent = await state('jwt', undefined);
    expect(await silent.made.refresh()).toMatchObject({ mode: 'jwt', reported: false });
    expect(server.asked()).toBe(0);
  });
});

test('a gateway with a key reports by itself', async () => {
  const server = await reportServer();
  const issuer = tempFolder('report-issuer');
  const gateway = await startGateway({
    env: {
      PROXY_LICENSE_KEY: await licenseIn(issuer),
      PROXY_LICENSE_ISSUER: new IssuerKey(issuer).publicFile,
      PROXY_LICENSE_REPORT_URL: server.url,
    },
  });
  onTestFinished(async () => void (await gateway.stop()));
  await expect.poll(() => server.bodies.length).toBe(1);
});
