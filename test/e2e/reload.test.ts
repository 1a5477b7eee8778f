/** SIGHUP and POST /admin/reload: what is reloaded, at once and as a whole, while connections stay open. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { jsonPost } from '../support/json-post.ts';
import { startOrigin } from '../support/origin.ts';
import { exchangeRaw } from '../support/recorder.ts';
import { tempFolder } from '../support/temp.ts';
import { openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const host = 'ai.example.com';
const other = 'other.example.com';
const authority = new TestAuthority();
const folder = tempFolder('reload');
const registryFile = join(folder, 'services.yaml');

const services = (...entries: [name: string, domain: string, category: string][]) =>
  stringify({ services: entries.map(([service_name, domain, category]) => ({ service_name, domain, category })) });
const configOf = (over: object = {}) => ({
  policy: { registry: registryFile, unknown: 'allow' },
  egress: { allow: ['127.0.0.0/8'], ports: 'any' },
  upstream: { ca_file: authority.file, resolve: { [host]: origin.address, [other]: origin.address } },
  ...over,
});

const origin = await startOrigin({ authority, names: [host, other] });
writeFileSync(registryFile, services(['Some AI', host, 'approved']));
const gateway = await startGatewayProcess({ config: configOf() });
beforeEach(async () => {
  writeFileSync(registryFile, services(['Some AI', host, 'approved']));
  await reload(configOf());
  origin.reset();
});

/** Writes the configuration, sends SIGHUP and waits for the result. */
async function reload(config: object): Promise<Record<string, unknown>> {
  writeFileSync(join(gateway.dataDir, '../privet-test.yaml'), stringify(config));
  const before = gateway.events().length;
  process.kill(gateway.pid, 'SIGHUP');
  const isDone = (event: unknown) => event === 'config_reloaded' || event === 'config_reload_failed';
  await expect
    .poll(() =>
      gateway
        .events()
        .slice(before)
        .some((line) => isDone(line.event)),
    )
    .toBe(true);
  return (
    gateway
      .events()
      .slice(before)
      .find((line) => isDone(line.event)) ?? {}
  );
}

async function statusOf(name: string): Promise<number> {
  const tunnel = await openTunnel(gateway, `${name}:443`);
  tunnel.socket.destroy();
  return tunnel.status;
}

test('the registry file is reloaded, and open connections follow the new one', async () => {
  const socket = await openTls(gateway, `${host}:443`);
  const ask = () => sendRaw(socket, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect((await ask()).status).toBe(200);
  writeFileSync(registryFile, services(['Some AI', host, 'blocked'], ['Other AI', other, 'approved']));
  expect(await reload(configOf())).toMatchObject({ event: 'config_reloaded', services: 2 });
  expect((await ask()).status).toBe(403);
  socket.destroy();
  expect(await statusOf(host)).toBe(403);
  // A leaf can be signed for the new service.
  const second = await openTls(gateway, `${other}:443`);
  expect((await sendRaw(second, `GET / HTTP/1.1\r\nHost: ${other}\r\n\r\n`)).status).toBe(200);
  second.destroy();
  const check = await gateway.api('/shadow-ai/check', jsonPost({ url: `https://${host}/` }));
  expect(await check.json()).toMatchObject({ action: 'block' });
});

test('changes made over the API stay on top of the file', async () => {
  const made = await gateway.api(
    '/shadow-ai/services',
    jsonPost({ service_name: 'Own', domain: 'own.example.com', category: 'blocked' }),
  );
  expect(made.status).toBe(201);
  await reload(configOf());
  expect(await statusOf('own.example.com')).toBe(403);
});

test.each<[name: string, break_: () => object, says: RegExp]>([
  [
    'a registry file with an error',
    () => {
      writeFileSync(registryFile, services(['Some AI', host, 'nope']));
      return configOf();
    },
    /services\.yaml:\d+:\d+: services\[0\]\.category/,
  ],
  ['an unknown key', () => ({ ...configOf(), polcy: {} }), /did you mean "policy"/],
  [
    'a term of the dictionary',
    () => configOf({ masking: { dictionary: [{ label: 'X', pattern: '/(?=a)b/' }] } }),
    /dictionary\[0\]/,
  ],
  [
    'an audit file without a folder',
    () => configOf({ log: { audit: { file: '/nowhere/a' } } }),
    /log\.audit\.file: \/nowhere/,
  ],
  ['an unknown type', () => configOf({ masking: { types: { EMIAL: 'block' } } }), /did you mean "EMAIL"/],
])('%s changes nothing and is reported', async (_name, break_, says) => {
  const broken = break_();
  const told = await reload({ ...broken, auth: { clients: ['192.0.2.0/24'] } });
  expect(told).toMatchObject({ event: 'config_reload_failed', problems: [expect.stringMatching(says)] });
  expect(await statusOf(host)).toBe(200);
});

test('the API response lists every unusable file with its position', async () => {
  const { upstream } = configOf();
  const broken = configOf({
    log: { audit: { file: '/nowhere/a' } },
    listen: { proxy_tls: { listen: 3129, cert_file: '/nowhere/c', key_file: '/nowhere/k' } },
    upstream: { ...upstream, ca_file: '/nowhere/ca' },
    auth: { clients: ['192.0.2.0/24'] },
    wrokers: 2,
  });
  writeFileSync(join(gateway.dataDir, '../privet-test.yaml'), stringify(broken));
  const answer = await gateway.api('/admin/reload', { method: 'POST' });
  const { error } = (await answer.json()) as { error: { details: string[] } };
  expect(answer.status).toBe(422);
  expect(error.details.map((line) => /:\d+:\d+: (\S+): /.exec(line)?.[1])).toEqual([
    'upstream.ca_file',
    'log.audit.file',
    'listen.proxy_tls.cert_file',
    'listen.proxy_tls.key_file',
    'wrokers',
  ]);
  expect(await statusOf(host)).toBe(200);
});

test('client and egress settings are reloaded', async () => {
  const plain = () =>
    exchangeRaw(gateway.proxyPort, `GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n`, {
      until: (text) => text.includes('\r\n\r\n'),
    });
  expect(await plain()).toMatch(/^HTTP\/1\.1 502 /);
  await reload(configOf({ egress: { ports: 'any' } }));
  expect(await plain()).toMatch(/^HTTP\/1\.1 403 [\s\S]*egress_refused/);
  await reload(configOf({ auth: { clients: ['192.0.2.0/24'] } }));
  expect(await plain()).toMatch(/^HTTP\/1\.1 403 [\s\S]*client_refused/);
});

test('metrics and trusted proxy settings are reloaded', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' };
  const metrics = async () => (await fetch(`${gateway.apiUrl}/metrics`, { headers })).status;
  expect(await metrics()).toBe(200);
  await reload(configOf({ api: { metrics_allow: ['192.0.2.0/24'] } }));
  expect(await metrics()).toBe(403);
  await reload(configOf({ api: { metrics_allow: ['192.0.2.0/24'], trusted_proxies: ['loopback'] } }));
  expect(await metrics()).toBe(200);
  await reload(configOf());
  expect(await metrics()).toBe(200);
});

test('settings that need a restart are listed', async () => {
  const { upstream } = configOf();
  await reload(configOf({ upstream: { ...upstream, timeouts: { connect: '11s', drain: '31s' } } }));
  expect(await gateway.event((line) => line.event === 'config_needs_restart')).toMatchObject({
    keys: ['upstream.timeouts.drain'],
  });
});

test('the audit trail follows the new configuration', async () => {
  const file = join(folder, 'audit.log');
  await reload(configOf({ log: { audit: { file } } }));
  expect(await statusOf('10.0.0.1')).toBe(403);
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('"event":"decision"');
});
