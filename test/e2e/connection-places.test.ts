/** Places of connections, as limits and gauges count them: none is given back early, and none is kept. */
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { openTunnel } from '../support/tunnel.ts';

const authority = new TestAuthority();
const silent = 'api.openai.com';
const sink = net.createServer((socket) => socket.on('error', () => {}).resume());
const limit = 4;
let gateway: Gateway;

beforeAll(async () => {
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(sink.address() as AddressInfo).port}`;
  gateway = await startGateway({
    authority,
    hosts: { 'unknown.example': address, [silent]: address },
    config: { auth: { limits: { client_connections: limit } } },
  });
});
afterAll(async () => {
  await gateway.stop();
  sink.close();
});

async function connections(kind: string): Promise<number> {
  const text = await (await gateway.api('/metrics')).text();
  return Number(new RegExp(`privet_connections\\{kind="${kind}"\\} (\\d+)`).exec(text)?.[1]);
}

test('a tunnel that has uploaded much keeps its place, and gives it back at its end', async () => {
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
    // The next bytes find nothing that waits, and the connection is moved to a socket of its own.
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

test('a client of RSA that leaves while its key is made leaves nothing behind', async () => {
  const before = await connections('client');
  const options = { ciphers: 'ECDHE-RSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2', sigalgs: 'RSA+SHA256' } as const;
  for (let i = 0; i < limit; i++) {
    const { socket } = await openTunnel(gateway, `${silent}:443`);
    const secured = tls.connect({ socket, servername: silent, ca: gateway.ca, ...options });
    secured.on('error', () => {});
    setTimeout(() => socket.destroy(), 10);
  }
  await expect.poll(() => connections('client'), { timeout: 5_000 }).toBeLessThanOrEqual(before);
  const codes = () =>
    gateway
      .events()
      .filter(({ event }) => event === 'tls_client_reject')
      .map(({ code }) => code);
  expect(codes().length).toBeGreaterThan(0);
  expect(codes()).not.toContain('TIMEOUT');
});
