/**
 * The memory that a connection uses as long as it lives. Node cuts small buffers from a shared slab, which stays in
 * memory as long as one of them does: a few bytes kept by a connection may retain much more.
 */
import { createServer } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestAuthority } from '../support/authority.ts';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { openHttp2, openTls, openTunnel, sendRaw } from '../support/tunnel.ts';

const host = 'api.openai.com';
const authority = new TestAuthority();
/** Answers a POST; a GET waits as long as its connections live. */
const origin = createServer(authority.issue({ names: [host] }), (request, response) => {
  request.resume();
  if (request.method === 'POST') response.setHeader('content-type', 'application/json').end('{}');
});
const echo = net.createServer((socket) => socket.on('error', () => {}).pipe(socket));
const count = 40;
const parts = 4;

for (const server of [origin, echo]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const [originAt, echoAt] = [origin, echo].map((one) => `127.0.0.1:${(one.address() as AddressInfo).port}`);
const gateway = await startGatewayProcess({
  authority,
  hosts: { [host]: originAt as string, 'unknown.example': echoAt as string },
  // Do not wait for unanswered requests at the end.
  config: { upstream: { timeouts: { drain: '1s' } } },
  env: { NODE_OPTIONS: `--expose-gc --import ${new URL('../support/memory-probe.mjs', import.meta.url)}` },
});
beforeAll(async () => {
  // The tables of the detector are loaded with the first text that needs them.
  const socket = await openTls(gateway, `${host}:443`);
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
  await sendRaw(socket, `${head}Content-Length: ${Buffer.byteLength(chat)}\r\n\r\n${chat}`);
  socket.destroy();
});
afterAll(async () => {
  origin.closeAllConnections();
  origin.close();
  echo.close();
});

let probes = 0;
/** Bytes of the gateway's buffers in use. */
async function bufferBytes(): Promise<number> {
  const number = ++probes;
  process.kill(gateway.pid, 'SIGUSR2');
  return Number((await gateway.event((one) => one.event === 'memory_probe' && one.number === number)).array_buffers);
}

/** What each of these steps leaves in memory, with much traffic through a tunnel after each. */
async function keptBytes(step: (i: number) => Promise<unknown>): Promise<number> {
  const { socket: busy } = await openTunnel(gateway, 'unknown.example:443');
  const pass = (bytes: number) =>
    new Promise<void>((resolve) => {
      let left = bytes;
      busy.on('data', function onData(chunk) {
        left -= chunk.length;
        if (left === 0) resolve(void busy.off('data', onData));
      });
      busy.resume();
      busy.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(bytes - 11, 'x')]));
    });
  await pass(10_000);
  const counts = [await bufferBytes()];
  for (let i = 0; i < count; i++) {
    await step(i);
    for (let k = 0; k < 10; k++) await pass(10_000);
    if ((i + 1) % (count / parts) === 0) counts.push(await bufferBytes());
  }
  busy.destroy();
  // The process loads tables of several megabytes once, some time after its start, which does not affect every part.
  return Math.min(...counts.slice(1).map((after, i) => after - (counts[i] ?? 0))) / (count / parts);
}

test('tunnels whose content is not yet known', async () => {
  const echoed = (socket: Socket) =>
    new Promise((resolve) => {
      socket.once('data', resolve).resume();
      socket.write('?');
    });
  const open = async () => {
    const { socket } = await openTunnel(gateway, 'unknown.example:443');
    await echoed(socket);
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: count }, open));
  const bytes = await keptBytes((i) => echoed(sockets[i] as Socket));
  expect(bytes).toBeLessThan(8_000);
  for (const socket of sockets) socket.destroy();
});

const chat = JSON.stringify({ messages: [{ role: 'user', content: 'Write to ana.lopez@example.com, please.' }] });

test.each([
  [
    'waiting exchanges',
    async () => {
      const socket = await openTls(gateway, `${host}:443`);
      const arrived = new Promise((resolve) => origin.once('request', resolve));
      socket.write(`GET /v1/models HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await arrived;
    },
  ],
  [
    'connections of clients that have received their answer',
    async () => {
      const fields = `Content-Type: application/json\r\nContent-Length: ${chat.length}`;
      const request = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n\r\n${chat}`;
      expect((await sendRaw(await openTls(gateway, `${host}:443`), request)).status).toBe(200);
    },
  ],
  [
    'the same over HTTP/2',
    async () => {
      const session = await openHttp2(gateway, `${host}:443`);
      const fields = { ':method': 'POST', ':path': '/v1/chat/completions', 'content-type': 'application/json' };
      const stream = session.request(fields);
      stream.end(chat);
      const answered = new Promise((resolve) => stream.once('response', resolve));
      expect(await answered).toMatchObject({ ':status': 200 });
      await new Promise((resolve) => stream.resume().once('close', resolve));
    },
  ],
])('%s', async (_name, open) => {
  const bytes = await keptBytes(open);
  expect(bytes).toBeLessThan(8_000);
});
