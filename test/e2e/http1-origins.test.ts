/** HTTP/2 clients whose origin speaks HTTP/1.1, temporarily or on only some of its servers. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import http2, { type ClientHttp2Session, type Http2SecureServer } from 'node:http2';
import net, { type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { TestAuthority } from '../support/authority.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { listening } from '../support/listening.ts';
import { openHttp2 } from '../support/tunnel.ts';

const approved = 'api.openai.com';
const authority = new TestAuthority();
/** The protocol that the origin chooses; it refuses a handshake that does not offer it. */
let speaks: 'h2' | 'http/1.1';
/** If set, withheld from the origin until it is called. */
let holdBack: ((socket: Socket, connect: () => void) => void) | undefined;
let origin: Http2SecureServer;
let front: Server;
let gateway: Gateway;
let session: ClientHttp2Session;
const sockets = new Set<Socket>();
/** Ends the answer to `/slow`. */
let finish: () => void;

beforeAll(async () => {
  origin = http2.createSecureServer(
    {
      ...authority.issue({ names: [approved] }),
      allowHTTP1: true,
      ALPNCallback: ({ protocols }) => (protocols.includes(speaks) ? speaks : undefined),
    },
    (request, response) => {
      const answer = () => response.end(JSON.stringify([request.httpVersion, request.headers.te ?? null]));
      if (request.url === '/slow') finish = answer;
      else answer();
    },
  );
  const originPort = await listening(origin);
  front = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    const connect = () => {
      const behind = net.connect(originPort, '127.0.0.1');
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    };
    if (holdBack === undefined) connect();
    else holdBack(socket, connect);
  });
  const address = `127.0.0.1:${await listening(front)}`;
  gateway = await startGateway({ authority, hosts: { [approved]: address } });
  session = await openHttp2(gateway, `${approved}:443`);
});
beforeEach(() => {
  speaks = 'http/1.1';
  holdBack = undefined;
});
afterAll(async () => {
  session?.destroy();
  for (const socket of sockets) socket.destroy();
  front?.close();
  origin?.close();
});

/** The status, and what the origin saw: version and TE. */
async function ask(path: string, fields: Record<string, string> = {}): Promise<unknown[]> {
  const stream = session.request({ ':path': path, ...fields });
  const [head] = await once(stream, 'response');
  const body = Buffer.concat(await stream.toArray()).toString();
  return head[':status'] === 200 ? [200, ...JSON.parse(body)] : [head[':status'], body];
}

test('only `trailers` of TE is forwarded', async () => {
  expect(await ask('/', { 'accept-language': 'te', te: 'trailers' })).toEqual([200, '1.1', 'trailers']);
  expect(await ask('/', { te: 'trailers', 'accept-language': 'te' })).toEqual([200, '1.1', 'trailers']);
});

test('HTTP/2 is offered again once no HTTP/1.1 connection is left', async () => {
  expect(await ask('/')).toEqual([200, '1.1', null]);
  speaks = 'h2';
  const closed = [...sockets].map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
  await expect.poll(() => ask('/')).toEqual([200, '2.0', null]);
});

test('an origin server that refuses HTTP/1.1 is requested over HTTP/2', async () => {
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => ask('/')).toEqual([200, '1.1', null]);
  const slow = ask('/slow');
  await expect.poll(() => typeof finish).toBe('function');
  speaks = 'h2';
  expect(await ask('/')).toEqual([200, '2.0', null]);
  finish();
  expect(await slow).toEqual([200, '1.1', null]);
});

test('a connection opened under other settings is not kept', async () => {
  const begun = new Promise<[Socket, () => void]>((resolve) => {
    holdBack = (...both) => resolve(both);
  });
  // Connections opened earlier are not used for a new connection of the client, whose settings differ by then.
  await reload('9s');
  const first = ask('/');
  const [socket, connect] = await begun;
  await reload('8s');
  holdBack = undefined;
  connect();
  expect(await first).toEqual([200, '1.1', null]);
  await expect.poll(() => sockets.has(socket)).toBe(false);
});

async function reload(connect: string): Promise<void> {
  const file = join(gateway.dataDir, '../privet-test.yaml');
  const config = parse(readFileSync(file, 'utf8'));
  writeFileSync(file, stringify({ ...config, upstream: { ...config.upstream, timeouts: { connect } } }));
  expect((await gateway.api('/admin/reload', { method: 'POST' })).status).toBe(200);
}
