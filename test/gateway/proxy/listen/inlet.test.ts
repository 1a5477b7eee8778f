import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Inlet } from '../../../../gateway/proxy/listen/inlet.ts';
import { listening } from '../../../support/listening.ts';

/** Both ends of a connection; the second is served, half-open like those of the listener. */
async function connection(): Promise<{ client: Socket; served: Socket }> {
  const server = net.createServer({ allowHalfOpen: true });
  const client = net.connect({ port: await listening(server), host: '127.0.0.1', noDelay: true });
  const [served] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    client.destroy();
    served.destroy();
    server.close();
  });
  return { client, served };
}

/** A reader that records its events. */
function reader() {
  const told: string[] = [];
  let wake = () => {};
  const note = (what: string) => {
    told.push(what);
    wake();
  };
  return {
    told,
    data: (bytes: Buffer) => note(bytes.toString('latin1')),
    end: () => note('(end)'),
    /** Resolves when the recorded events equal this text. */
    async until(text: string): Promise<void> {
      while (told.join('') !== text)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

/** Waits until a socket has read this many bytes. */
async function arrived(socket: Socket, bytes: number): Promise<void> {
  while (socket.bytesRead < bytes) await turn();
}

test('data goes to the current reader, and earlier data is not lost', async () => {
  const { client, served } = await connection();
  const inlet = new Inlet(served);
  const [first, second] = [reader(), reader()];
  inlet.read(first);
  client.write('one');
  await first.until('one');
  inlet.hold();
  client.write('two');
  await arrived(served, 6);
  client.end('three');
  await turn();
  inlet.read(second);
  await second.until('twothree(end)');
  expect(first.told).toEqual(['one']);
});

test('an earlier end is reported to each new reader', async () => {
  const { client, served } = await connection();
  const inlet = new Inlet(served);
  client.end();
  await once(served, 'end');
  const [first, second] = [reader(), reader()];
  inlet.read(first);
  inlet.read(second);
  const late = reader();
  new Inlet(served).read(late);
  expect([first.told, second.told, late.told]).toEqual([['(end)'], ['(end)'], ['(end)']]);
});

test('a released socket is paused, and yields the returned bytes first', async () => {
  const { client, served } = await connection();
  const inlet = new Inlet(served);
  const first = reader();
  inlet.read(first);
  client.write('head');
  await first.until('head');
  inlet.hold();
  client.write('waits');
  await arrived(served, 9);
  const socket = inlet.release(Buffer.from('back'));
  expect([socket.isPaused(), socket.listenerCount('data'), socket.listenerCount('end')]).toEqual([true, 0, 1]);
  client.end('more');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('backwaitsmore');
});
