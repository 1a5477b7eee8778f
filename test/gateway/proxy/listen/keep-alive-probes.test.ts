import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { Probes, probeDelayMs } from '../../../../gateway/proxy/listen/keep-alive-probes.ts';
import { listening } from '../../../support/listening.ts';

test('whole seconds from 20 to 40, each of them', () => {
  const drawn = new Set(Array.from({ length: 5_000 }, probeDelayMs));
  expect([...drawn].sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, i) => 20_000 + 1_000 * i));
});

/** Seconds until the kernel probes the connection from `port` to `peer` (proc_net_tcp: timer 2); undefined when it does not. */
function secondsToProbe(port: number, peer: number): number | undefined {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  const line = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(`:${hex(port)}`) && remote?.endsWith(`:${hex(peer)}`));
  const [timer, ticks = ''] = line?.[5]?.split(':') ?? [];
  return timer === '02' ? Number.parseInt(ticks, 16) / 100 : undefined;
}

test.skipIf(!existsSync('/proc/net/tcp'))('a long-lived connection is probed, and keeps its properties', async () => {
  const server = net.createServer();
  const port = await listening(server);
  const accepted = new Promise<net.Socket>((resolve) => server.once('connection', resolve));
  const client = net.connect(port, '127.0.0.1');
  const socket = await accepted;
  try {
    const peer = socket.remotePort as number;
    const probes = new Probes();
    probes.add(socket);
    const before = Reflect.ownKeys(socket);
    expect(secondsToProbe(port, peer)).toBeUndefined();
    await vi.waitFor(() => expect(secondsToProbe(port, peer)).toBeGreaterThan(15), { timeout: 60_000 });
    expect(secondsToProbe(port, peer)).toBeLessThanOrEqual(41);
    expect(Reflect.ownKeys(socket)).toEqual(before);
    // A registered connection that has closed is not an error.
    probes.add(socket);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
});
