import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Inlet } from '../../gateway/proxy/listen/inlet.ts';
import { Tunnel, type TunnelResult } from '../../gateway/proxy/tunnel/tunnel.ts';
import { listening } from '../support/listening.ts';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  return listening(server);
}

/** A proxy port that tunnels to `upstreamPort`; resolves with the byte counts of the next tunnel. */
async function startTunnel(upstreamPort: number): Promise<{ port: number; result: Promise<TunnelResult> }> {
  const { promise, resolve } = Promise.withResolvers<TunnelResult>();
  const port = await listen((client) => {
    const inlet = new Inlet(client);
    const tunnel = new Tunnel(resolve);
    const upstream = net.connect({ port: upstreamPort, allowHalfOpen: true, onread: tunnel.upstreamOnread });
    upstream.once('connect', () => {
      tunnel.startDown(upstream, inlet);
      tunnel.startUp();
    });
  });
  return { port, result: promise };
}

/** Everything that a socket receives until its end, read slowly on request. */
async function receive(socket: Socket, slow: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if (slow && chunks.length % 16 === 0) await pause(1);
  }
  return Buffer.concat(chunks);
}

test.each([
  ['less than a bulk upload', 300_000, false],
  ['a bulk upload', 9_000_000, false],
  ['a bulk upload to a slow reader', 9_000_000, true],
])('%s arrives complete, as does simultaneous data in the other direction', async (_name, size, slow) => {
  const up = randomBytes(size);
  const down = randomBytes(3_000_000);
  const { promise: arrived, resolve } = Promise.withResolvers<Buffer>();
  const upstreamPort = await listen((socket) => {
    socket.write(down);
    void receive(socket, slow).then((bytes) => {
      resolve(bytes);
      // The client has half-closed; the response still reaches it.
      socket.end('end');
    });
  });
  const { port, result } = await startTunnel(upstreamPort);
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const received = receive(client, slow);
  // In pieces with turns in between, so that the tunnel sees many reads.
  for (let at = 0; at < up.length; at += 100_000) {
    if (!client.write(up.subarray(at, at + 100_000))) await once(client, 'drain');
  }
  client.end();
  expect(hashOf(await arrived)).toBe(hashOf(up));
  expect(hashOf(await received)).toBe(hashOf(Buffer.concat([down, Buffer.from('end')])));
  expect(await result).toEqual({ bytesUp: up.length, bytesDown: down.length + 3 });
});
