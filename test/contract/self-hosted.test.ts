/**
 * The self-hosted proxy of the contract: license, usage report, registry, token storage; docs/contract.md has the
 * table.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dayMs } from '../../gateway/durations.ts';
import { IssuerKey } from '../../gateway/license.ts';
import { issueLicense } from '../../policy/license.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { refusedStart } from '../support/refused-start.ts';
import { tempFolder } from '../support/temp.ts';

const issuers = tempFolder('contract-issuer');
const issuer = new IssuerKey(issuers);

function license(days: number, reportUrl?: string): Promise<string> {
  const issuedAt = new Date(Date.now() - dayMs);
  const expiresAt = new Date(issuedAt.getTime() + days * dayMs);
  const more = reportUrl === undefined ? {} : { reportUrl };
  return issueLicense({ customer: 'Contract', plan: 'business', issuedAt, expiresAt, ...more }, issuer.private());
}

async function start(options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await startGateway(options);
  onTestFinished(async () => void (await gateway.stop()));
  return gateway;
}

const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, unknown>;

describe('5.5 and 7 an invalid license prevents start-up with LICENSE ERROR:', () => {
  test.each<[name: string, token: () => Promise<string>]>([
    ['expired', () => license(0.5)],
    [
      'issued by another key',
      async () => {
        const other = new IssuerKey(tempFolder('contract-other'));
        const issuedAt = new Date(Date.now() - dayMs);
        const expiresAt = new Date(Date.now() + dayMs);
        return issueLicense({ customer: 'X', plan: 'business', issuedAt, expiresAt }, other.private());
      },
    ],
    ['tampered', async () => (await license(30)).replace(/\.[^.]{6}/, '.eyJzdW')],
  ])('%s', async (_name, token) => {
    const dataDir = tempFolder('contract-start');
    const result = await refusedStart({
      folder: dataDir,
      env: {
        PORT: '0',
        GATEWAY_PORT: '0',
        PROXY_DATA_DIR: dataDir,
        PROXY_LICENSE_KEY: await token(),
        PROXY_LICENSE_ISSUER: issuer.publicFile,
      },
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^LICENSE ERROR: /);
  });
});

/** Receives usage reports. */
async function reportServer() {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(204).end();
    });
  });
  return { url: `http://127.0.0.1:${await listening(server)}/usage`, bodies };
}

test('2.9, 2.10, 6: key mode says jwt and its plan, and reports three figures, immediately on POST /license/refresh', async () => {
  const server = await reportServer();
  const token = await license(30, server.url);
  const gateway = await start({ env: { PROXY_LICENSE_KEY: token, PROXY_LICENSE_ISSUER: issuer.publicFile } });
  expect(await json(fetch(`${gateway.apiUrl}/health`))).toMatchObject({
    status: 'ok',
    license: { mode: 'jwt' },
    plan: 'business',
    api_calls_this_month: 0,
  });
  for (let i = 0; i < 3; i++) await gateway.api('/mask', { method: 'POST', body: '{"text":"zoe.report@example.com"}' });
  await expect.poll(() => server.bodies.length).toBeGreaterThan(0);
  const before = server.bodies.length;
  expect(await json(gateway.api('/license/refresh', { method: 'POST' }))).toMatchObject({ reported: true });
  expect(server.bodies).toHaveLength(before + 1);
  expect(JSON.parse(server.bodies.at(-1) ?? '')).toEqual({
    license_key_hash: `sha256:${createHash('sha256').update(token).digest('hex')}`,
    api_calls_this_month: 3,
    proxy_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect((await json(fetch(`${gateway.apiUrl}/health`))).api_calls_this_month).toBe(3);
  // Metadata only, at any level.
  expect(gateway.output()).not.toContain('zoe.report');
  expect(gateway.output()).not.toContain(token);
});

test('6 nothing is reported in air-gapped mode', async () => {
  const server = await reportServer();
  const file = join(issuers, 'license.jwt');
  writeFileSync(file, await license(365, server.url));
  const gateway = await start({ env: { PROXY_LICENSE_FILE: file, PROXY_LICENSE_ISSUER: issuer.publicFile } });
  expect(await json(fetch(`${gateway.apiUrl}/health`))).toMatchObject({ license: { mode: 'file' } });
  expect(await json(gateway.api('/license/refresh', { method: 'POST' }))).toMatchObject({ reported: false });
  expect(server.bodies).toEqual([]);
});

describe('3.1 and 3.3 what survives a restart', () => {
  const service = { service_name: 'Kept AI', domain: 'kept-ai.example', category: 'blocked', is_blocked: true };

  /** Adds a service and masks a value, restarts in another process with the same data folder, and returns what remains. */
  async function restarted(store: 'memory' | 'sqlite') {
    const env = { PROXY_STORE: store, PROXY_DATA_DIR: tempFolder(`contract-${store}`), LOG_LEVEL: 'debug' };
    const first = await startGateway({ env });
    const made = await json(first.api('/shadow-ai/services', { method: 'POST', body: JSON.stringify(service) }));
    const masked = await json(first.api('/mask', { method: 'POST', body: '{"text":"zoe.kept@example.com"}' }));
    const { services } = (await json(first.api('/shadow-ai/services'))) as { services: unknown[] };
    // Reloading the configuration does not count as a restart.
    expect((await first.api('/admin/reload', { method: 'POST' })).status).toBe(200);
    expect((await first.api(`/shadow-ai/services/${made.id}`)).status).toBe(200);
    expect(first.output()).not.toContain('zoe.kept');
    await first.stop();
    const second = await start({ env, replica: 2 });
    const again = (await json(second.api('/shadow-ai/services'))) as { services: unknown[] };
    const body = JSON.stringify({ text: masked.masked, sessionId: masked.sessionId });
    return {
      added: again.services.length - services.length,
      service: (await second.api(`/shadow-ai/services/${made.id}`)).status,
      restore: (await second.api('/restore', { method: 'POST', body })).status,
    };
  }

  test('memory: the registry is reset, and tokens are gone', async () => {
    expect(await restarted('memory')).toEqual({ added: -1, service: 404, restore: 404 });
  });

  test('a durable store keeps both', async () => {
    expect(await restarted('sqlite')).toEqual({ added: 0, service: 200, restore: 200 });
  });
});

test('3.3, 8.5 tokens expire after PROXY_TOKEN_TTL', async () => {
  const gateway = await start({ env: { PROXY_TOKEN_TTL: '1' } });
  const masked = await json(gateway.api('/mask', { method: 'POST', body: '{"text":"zoe@example.com"}' }));
  const body = JSON.stringify({ text: masked.masked, sessionId: masked.sessionId });
  await expect.poll(async () => (await gateway.api('/restore', { method: 'POST', body })).status).toBe(404);
});

describe('8 the log', () => {
  test('at debug, a call has its time, status and duration', async () => {
    const gateway = await start({ env: { LOG_LEVEL: 'debug' } });
    const { status } = await gateway.api('/mask', { method: 'POST', body: '{"text":"zoe.logged@example.com"}' });
    const lines = () =>
      gateway
        .output()
        .split('\n')
        .filter((line) => line.includes('"api_request"'));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] as string)).toEqual({
      level: 'debug',
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: 'api_request',
      method: 'POST',
      route: '/mask',
      status,
      durationMs: expect.any(Number),
      requestId: expect.any(String),
      msg: expect.any(String),
    });
  });

  test('at error, the ports are still there', async () => {
    const gateway = await start({ env: { LOG_LEVEL: 'error' } });
    expect((await fetch(`${gateway.apiUrl}/health`)).status).toBe(200);
    expect((await gateway.api('/admin/keys', { method: 'POST', body: '{"name":"quiet"}' })).status).toBe(201);
    expect(gateway.output()).not.toContain('key_created');
  });
});
