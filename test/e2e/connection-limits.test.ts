/** Connection limits and gauges: every connection is counted until it ends, and none after that. */
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { openTunnel } from '../support/tunnel.ts';

const silent = 'api.openai.com';
const sink = net.createServer((socket) => socket.on('error', () => {}).resume());
const limit = 4;

const address = `127.0.0.1:${await listening(sink)}`;
const gateway = await startGateway({
  hosts: { 'unknown.example': address, [silent]: address },
  config: { auth: { limits: { client_connections: limit } } },
});
afterAll(async () => {
  sink.close();
});

/** The value of a series; NaN if it does not exist. */
async function figure(series: string): Promise<number> {
  const lines = (await (await gateway.api('/metrics')).text()).split('\n');
  return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length));
}

const connections = (kind: string) => figure(`privet_connections{kind="${kind}"}`);

test('a tunnel with a large upload counts until it ends', async () => {
  const before = await connections('client');
  const sockets: net.Socket[] = [];
  for (let i = 0; i < limit; i++) {
    const { socket, status } = await openTunnel(gateway, 'unknown.example:443', [], '127.0.0.2');
    expect(status).toBe(200);
    sockets.push(socket);
    socket.on('error', () => {});
    socket.resume();
    socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(2_000_000)]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    // The next bytes find no pending read, and the connection is moved to a socket of its own.
    await new Promise((resolve) => socket.write('more', resolve));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await connections('client')).toBeGreaterThanOrEqual(before + limit);
  await expect(openTunnel(gateway, 'unknown.example:443', [], '127.0.0.2').then((one) => one.status)).resolves.toBe(
    429,
  );
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => connections('client')).toBeLessThanOrEqual(before);
  const { socket, status } = await openTunnel(gateway, 'unknown.example:443', [], '127.0.0.2');
  expect(status).toBe(200);
  socket.destroy();
});

test('an RSA client that disconnects during key generation leaves nothing behind', async () => {
  const before = await connections('client');
  const options = { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', sigalgs: 'RSA+SHA256' } as const;
  for (let i = 0; i < limit; i++) {
    const { socket } = await openTunnel(gateway, `${silent}:443`);
    const secured = tls.connect({ socket, servername: silent, ca: gateway.ca, ...options });
    secured.on('error', () => {});
    setTimeout(() => socket.destroy(), 10);
  }
  await expect.poll(() => connections('client')).toBeLessThanOrEqual(before);
  const codes = () =>
    gateway
      .events()
      .filter(({ event }) => event === 'tls_client_reject')
      .map(({ code }) => code);
  await expect.poll(() => codes().length).toBeGreaterThan(0);
  expect(codes()).not.toContain('TIMEOUT');
});

test('the connection limit, its use and rejections are shown', async () => {
  const file = join(gateway.dataDir, '../privet-test.yaml');
  const before = readFileSync(file, 'utf8');
  const limits = { connections: 30, client_connections: 5, tunnels: 4, client_tunnels: 2 };
  const refused = await figure('privet_blocked_total{reason="limit_exceeded"}');
  const opened: net.Socket[] = [];
  const status = async (from: string) => {
    const { socket, status } = await openTunnel(gateway, 'unknown.example:443', [], from);
    opened.push(socket);
    return status;
  };
  try {
    writeFileSync(file, stringify({ ...parse(before), auth: { limits } }));
    expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
    expect(await figure('privet_connections_max{kind="connection"}')).toBe(30);
    expect(await figure('privet_connections_max{kind="tunnel"}')).toBe(4);
    for (const from of ['127.0.0.2', '127.0.0.2', '127.0.0.3', '127.0.0.3']) expect(await status(from)).toBe(200);
    expect(await figure('privet_connections_taken{kind="tunnel"}')).toBe(4);
    // Each has a connection on either side; others of this test may still be closing.
    expect(await figure('privet_connections_taken{kind="connection"}')).toBeGreaterThanOrEqual(8);
    expect(await status('127.0.0.4')).toBe(503);
    opened.shift()?.destroy();
    await expect.poll(() => figure('privet_connections_taken{kind="tunnel"}')).toBe(3);
    expect(await status('127.0.0.3')).toBe(429);
    // Before a request is read, and many within the second in which the audit trail reports only one.
    const held = Array.from({ length: 12 }, () => net.connect({ port: gateway.proxyPort, localAddress: '127.0.0.9' }));
    opened.push(...held);
    for (const socket of held) socket.on('error', () => {}).resume();
    await expect.poll(() => held.filter(({ closed }) => closed).length).toBe(7);
    await expect.poll(() => figure('privet_blocked_total{reason="limit_exceeded"}')).toBe(refused + 9);
    expect(await figure('privet_blocked_total{reason="too_many_requests"}')).toBeNaN();
  } finally {
    for (const socket of opened) socket.destroy();
    writeFileSync(file, before);
    await gateway.api('/admin/reload', { method: 'POST' });
  }
});
