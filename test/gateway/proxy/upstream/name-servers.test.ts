/** Which answer of the name servers counts, and how long they are waited for. */
import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { lookUpBy } from '../../../../gateway/proxy/upstream/name-servers.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A server that answers each query with one address after a delay; undefined: never. */
async function server(delayMs: number | undefined): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (query, from) => {
    if (delayMs === undefined) return;
    const isA = query[query.length - 3] === 1 || query.includes(Buffer.from([0, 1, 0, 1]));
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0])]);
    const end = query.indexOf(0, 12) + 5;
    const address = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 1]);
    const answer = Buffer.concat([head, query.subarray(12, end), isA ? address : Buffer.alloc(0)]);
    setTimeout(() => sockets.includes(socket) && socket.send(answer, from.port, from.address), delayMs);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

const found = [{ address: '192.0.2.1', family: 4 }];

test('a slow response counts until the timeout', async () => {
  expect(await lookUpBy([await server(1_600)], 2_000)('slow.example')).toEqual(found);
});

test('silent servers are skipped within the timeout', async () => {
  const silent = [await server(undefined), await server(undefined), await server(undefined)];
  expect(await lookUpBy([...silent, await server(0)], 2_000)('x.example')).toEqual(found);
});
