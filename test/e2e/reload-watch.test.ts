/** Changed files are reloaded automatically, replicas notify each other, and tunnels to blocked hosts may be closed. */

import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import WebSocket from 'ws';
import { stringify } from 'yaml';
import { hashPassword } from '../../gateway/users/password-hash.ts';
import { TestAuthority } from '../support/authority.ts';
import { startEcho } from '../support/echo.ts';
import { type Gateway, type LogEvent, startGateway } from '../support/gateway.ts';
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts';
import { listening } from '../support/listening.ts';
import { startOrigin } from '../support/origin.ts';
import { redisServer } from '../support/store-servers.ts';
import { tempFolder } from '../support/temp.ts';
import { openTls, openTunnel, type Tunnel } from '../support/tunnel.ts';

const host = 'ai.example.com';
const authority = new TestAuthority();

const noMore = { name: 'no more', when: { hosts: ['one.example'] }, then: { action: 'block' } };
const blockAll = { when: { hosts: [host] }, then: { action: 'block' } };
const services = (category: string) => stringify({ services: [{ service_name: 'Some AI', domain: host, category }] });
const configOf = (over: Record<string, unknown> = {}, policy: Record<string, unknown> = {}) =>
  stringify({
    policy: { unknown: 'allow', ...policy },
    egress: { allow: ['127.0.0.0/8'], ports: 'any' },
    upstream: { ca_file: authority.file, resolve: { [host]: origin.address } },
    ...over,
  });

const origin = await startOrigin({ authority, names: [host] });

async function start(file: string, env: Record<string, string> = {}): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({ env: { PROXY_CONFIG: file, ...env } });
  onTestFinished(async () => void (await gateway.stop()));
  return gateway;
}

async function statusOf(gateway: Gateway): Promise<number> {
  const { socket, status } = await openTunnel(gateway, `${host}:443`);
  socket.destroy();
  return status;
}

const causes = (gateway: Gateway) =>
  gateway.events().flatMap(({ event, cause }) => (event === 'config_reloaded' ? [cause] : []));

/** Replaces the text of a file as editors do. */
function rename(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

describe('a file that changes', () => {
  const folder = tempFolder('watch');
  const [registry, cert, key] = ['services.yaml', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const listen = { proxy_tls: { listen: '127.0.0.1:0', cert_file: cert, key_file: key } };
  const text = (policy: Record<string, unknown> = {}, over: Record<string, unknown> = {}) =>
    configOf({ listen, ...over }, { registry, ...policy });
  let versions = 0;
  /** Writes the configuration into a volume as Kubernetes does: a new folder, and a link to it that is swapped. */
  const swap = (config: string) => {
    const version = `v${++versions}`;
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'privet.yaml'), config);
    symlinkSync(version, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  const putCertificate = (name: string) => {
    const issued = authority.issue({ names: [name, '127.0.0.1'] });
    rename(key, issued.key);
    rename(cert, issued.cert);
  };
  const problems = async () => {
    const { config } = (await (await gateway.api('/admin/overview')).json()) as { config: { problems: string[] } };
    return config.problems;
  };
  let gateway: Gateway;
  beforeAll(async () => {
    writeFileSync(registry, services('approved'));
    putCertificate('first.example');
    swap(text());
    symlinkSync('..data/privet.yaml', join(folder, 'privet.yaml'));
    gateway = await startGateway({ env: { PROXY_CONFIG: join(folder, 'privet.yaml') } });
  });
  afterAll(() => gateway?.stop());

  test.each<[name: string, write: (file: string, text: string) => void]>([
    ['is written in place', (file, text) => writeFileSync(file, text)],
    ['is replaced by another one', rename],
  ])('applies when it %s', async (_name, write) => {
    expect(await statusOf(gateway)).toBe(200);
    write(registry, services('blocked'));
    await expect.poll(() => statusOf(gateway)).toBe(403);
    write(registry, services('approved'));
    await expect.poll(() => statusOf(gateway)).toBe(200);
    expect(causes(gateway).at(-1)).toBe('file');
  });

  test('applies when the links of a volume are swapped, as in Kubernetes', async () => {
    swap(text({ rules: [blockAll] }));
    await expect.poll(() => statusOf(gateway)).toBe(403);
    swap(text());
    await expect.poll(() => statusOf(gateway)).toBe(200);
  });

  test('with an error, or emptied, changes nothing, and the overview shows why until it is fixed', async () => {
    swap('');
    swap(text({ unknwon: 'allow' }, { auth: { clients: ['192.0.2.0/24'] } }));
    await expect.poll(problems).toEqual([expect.stringContaining('did you mean "unknown"')]);
    expect(await statusOf(gateway)).toBe(200);
    swap(text());
    await expect.poll(problems).toEqual([]);
    expect(await (await gateway.api('/metrics')).text()).toMatch(/privet_config_reloads_total\{result="failed"\} 1\b/);
  });

  test('emptied, applies to users but not to settings, not even on SIGHUP', async () => {
    const folder = tempFolder('emptied');
    const [file, users] = [join(folder, 'privet.yaml'), join(folder, 'users')];
    const hash = hashPassword('of ann, long');
    writeFileSync(users, `ann:${hash}\n`);
    writeFileSync(file, configOf({ auth: { proxy: { mode: 'basic', users_file: users } } }));
    const guarded = await start(file);
    const status = async (name?: string) => {
      const credentials = Buffer.from(`${name}:of ann, long`).toString('base64');
      const fields = name === undefined ? [] : [`Proxy-Authorization: Basic ${credentials}`];
      const { socket, status } = await openTunnel(guarded, `${host}:443`, fields);
      socket.destroy();
      return status;
    };
    expect([await status('ann'), await status()]).toEqual([200, 407]);
    writeFileSync(users, '');
    await expect.poll(() => status('ann')).toBe(407);
    writeFileSync(file, '# in the middle of being written\n');
    process.kill(guarded.pid, 'SIGHUP');
    await guarded.event(({ event }) => event === 'config_reload_failed');
    expect(await status()).toBe(407);
  });

  test('is a certificate of the listener: the next connection uses it', async () => {
    const { port } = await gateway.event((line) => line.listener === 'proxy_tls');
    const shown = async () => {
      const socket = connectTls({ port: Number(port), host: '127.0.0.1', ca: authority.pem });
      await once(socket, 'secureConnect');
      const { subjectaltname } = socket.getPeerCertificate() as PeerCertificate;
      socket.destroy();
      return subjectaltname;
    };
    expect(await shown()).toContain('first.example');
    putCertificate('second.example');
    await expect.poll(shown).toContain('second.example');
  });
});

test('a reload over the API of one replica makes the others reload their files, which they do not watch', async () => {
  const redis = await redisServer();
  await redis.start();
  onTestFinished(() => redis.kill());
  const env = { PROXY_STORE: 'redis', PROXY_STORE_URL: redis.url, PROXY_STORE_KEY: 'a key for two gateways' };
  const files = ['a.yaml', 'b.yaml'].map((name) => join(tempFolder('replicas'), name)) as [string, string];
  for (const file of files) writeFileSync(file, configOf({ reload: { watch: false } }));
  const [first, second] = [await start(files[0], env), await start(files[1], env)];
  for (const gateway of [first, second]) {
    await expect.poll(async () => (await fetch(`${gateway.apiUrl}/ready`)).status).toBe(200);
  }
  for (const file of files) rename(file, configOf({ reload: { watch: false } }, { unknown: 'block' }));
  expect((await first.api('/admin/reload', { method: 'POST', body: '{}' })).status).toBe(200);
  expect(await statusOf(first)).toBe(403);
  await expect.poll(() => statusOf(second)).toBe(403);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect([causes(first), causes(second)]).toEqual([['api'], ['replica']]);

  // With `watch: false` a changed file is ignored, until SIGHUP.
  rename(files[0], configOf({ reload: { watch: false } }));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect([await statusOf(first), causes(first)]).toEqual([403, ['api']]);
  process.kill(first.pid, 'SIGHUP');
  await expect.poll(() => statusOf(first)).toBe(200);
  await expect.poll(() => causes(first)).toEqual(['api', 'signal']);
});

describe('a tunnel to a newly blocked host', () => {
  const names = ['one.example', 'two.example'];
  let gateway: Gateway;
  beforeAll(async () => {
    const echo = createServer((socket) => socket.on('error', () => {}).pipe(socket));
    const address = `127.0.0.1:${await listening(echo)}`;
    const sockets = await startEcho({ authority, names: [host] });
    const hosts = { ...Object.fromEntries(names.map((name) => [name, address])), [host]: sockets };
    gateway = await startGateway({ authority, hosts });
  });

  /** Opens two tunnels through the gateway and blocks one of the hosts. */
  async function blockOne(closes: boolean) {
    const policy = { close_blocked_tunnels: closes };
    await gateway.configure({ policy });
    const [one, two] = await Promise.all(names.map((name) => openTunnel(gateway, `${name}:443`)));
    await gateway.configure({ policy: { ...policy, rules: [noMore] } });
    const answers = (socket: Socket) =>
      new Promise<boolean>((resolve) => {
        socket
          .once('data', () => resolve(true))
          .once('close', () => resolve(false))
          .resume();
        if (socket.destroyed) resolve(false);
        else socket.write('still there?');
      });
    const answered = await Promise.all([one, two].map((tunnel) => answers((tunnel as Tunnel).socket)));
    for (const tunnel of [one, two]) tunnel?.socket.destroy();
    return answered;
  }

  test('continues by default', async () => {
    expect(await blockOne(false)).toEqual([true, true]);
  });

  test('is closed with close_blocked_tunnels; others stay open', async () => {
    expect(await blockOne(true)).toEqual([false, true]);
    expect(await gateway.event((line) => line.event === 'tunnels_closed')).toMatchObject({ tunnels: 1 });
    const isBlocked = (line: LogEvent) => line.host === 'one.example' && line.error === 'blocked_by_policy';
    expect(await gateway.event(isBlocked)).toMatchObject({ event: 'decision', kind: 'tunnel' });
  });

  test('an inspected WebSocket is closed likewise', async () => {
    const registry = join(tempFolder('sockets'), 'services.yaml');
    writeFileSync(registry, services('approved'));
    const configure = (rules: unknown[]) =>
      gateway.configure({ policy: { registry, close_blocked_tunnels: true, rules } });
    await configure([]);
    const before = gateway.events();
    const socket = await openTls(gateway, `${host}:443`);
    const client = new WebSocket(`wss://${host}/ws`, { createConnection: () => socket as never });
    await once(client, 'open');
    client.send('hello');
    await once(client, 'message');
    const closed = once(client, 'close');
    await configure([blockAll]);
    await closed;
    const isNew = (line: LogEvent) => line.event === 'tunnels_closed' && !before.includes(line);
    expect(await gateway.event(isNew)).toMatchObject({ tunnels: 1 });
    expect(await gateway.event((line) => line.event === 'decision' && line.kind === 'websocket')).toMatchObject({
      error: 'blocked_by_policy',
    });
  });
});
