import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { ReadRoom } from '../../../gateway/http1/read-room.ts';
import { listening } from '../../support/listening.ts';

/** A client, and its connection on the server. */
async function pair(): Promise<{ client: Socket; socket: Socket }> {
  const server = createServer({ allowHalfOpen: true });
  const client = connect({ port: await listening(server), host: '127.0.0.1', noDelay: true });
  const [socket] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
    server.close();
  });
  return { client, socket };
}

/** The data of a connection, as text. */
function reader(room: ReadRoom, socket: Socket) {
  const seen = { text: '', shared: new Set<ArrayBufferLike>() };
  room.read(socket, (bytes) => {
    seen.text += bytes.toString('latin1');
    seen.shared.add(bytes.buffer);
  });
  return seen;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('connections share one read buffer without mixing, and their ends are reported', async () => {
  const room = new ReadRoom();
  const [one, other] = [await pair(), await pair()];
  const seen = [one, other].map(({ socket }) => reader(room, socket));
  for (let i = 0; i < 20; i++) {
    one.client.write('a');
    other.client.write('b');
    await until(() => seen.every(({ text }) => text.length === i + 1));
  }
  expect(seen.map(({ text }) => text)).toEqual(['a'.repeat(20), 'b'.repeat(20)]);
  // Fails when Node changes the internals that this relies on: calls would then be read the slower way.
  expect(new Set(seen.flatMap(({ shared }) => [...shared])).size).toBe(1);
  const big = 'x'.repeat(300_000);
  one.client.end(big);
  await once(one.socket, 'end');
  expect(seen[0]?.text).toBe('a'.repeat(20) + big);
});

test('nothing is read while a connection is paused, not even its end', async () => {
  const { client, socket } = await pair();
  const seen = reader(new ReadRoom(), socket);
  let hasEnded = false;
  socket.on('end', () => {
    hasEnded = true;
  });
  client.write('a');
  await until(() => seen.text === 'a');
  socket.pause();
  client.end('b');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([seen.text, hasEnded]).toEqual(['a', false]);
  socket.resume();
  await until(() => hasEnded);
  expect(seen.text).toBe('ab');
});

test('a released connection yields data like any other, in its own buffers', async () => {
  const room = new ReadRoom();
  const [{ client, socket }, other] = [await pair(), await pair()];
  const seen = reader(room, socket);
  const others = reader(room, other.socket);
  client.write('a');
  await until(() => seen.text === 'a');
  room.release(socket);
  const data: Buffer[] = [];
  socket.on('data', (bytes) => data.push(bytes));
  client.write('first');
  await until(() => Buffer.concat(data).length === 5);
  other.client.write('second');
  await until(() => others.text === 'second');
  client.end('third');
  await once(socket, 'end');
  expect([seen.text, Buffer.concat(data).toString()]).toEqual(['a', 'firstthird']);
});

test('a non-Node stream yields data', async () => {
  const room = new ReadRoom();
  const stream = new PassThrough();
  const seen = reader(room, stream as unknown as Socket);
  stream.write('a');
  await until(() => seen.text === 'a');
  room.release(stream as unknown as Socket);
  stream.write('b');
  await new Promise(setImmediate);
  expect(seen.text).toBe('a');
});
