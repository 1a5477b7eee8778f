import { once } from 'node:events';
import http2, { type ServerHttp2Session } from 'node:http2';
import net, { type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { closeWhenDead } from '../../../../gateway/proxy/listen/quiet-sessions.ts';
import { listening } from '../../../support/listening.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
const ping = 6;
const acknowledged = 1;

/** A client that answers this many pings, by hand (RFC 9113 §6.7), and its session on a server. */
async function connected(answers: number) {
  const server = http2.createServer();
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  const port = await listening(server);
  const client = net.connect(port, '127.0.0.1');
  let asked = 0;
  let bytes = Buffer.alloc(0);
  client.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      const frame = Buffer.from(bytes.subarray(0, 9 + bytes.readUIntBE(0, 3)));
      bytes = bytes.subarray(frame.length);
      if (frame[3] !== ping) continue;
      frame[4] = acknowledged;
      if (asked++ < answers) client.write(frame);
    }
  });
  client.write(preface);
  const [session] = (await once(server, 'session')) as [ServerHttp2Session];
  const [socket] = sockets as [Socket];
  const ended = Promise.all([once(session, 'close'), once(socket, 'close')]);
  closeWhenDead(session, socket, 50);
  onTestFinished(() => {
    client.destroy();
    server.close();
  });
  return { session, ended, asked: () => asked };
}

test('a quiet client is probed repeatedly and stays connected', async () => {
  const { session, asked } = await connected(Number.POSITIVE_INFINITY);
  await expect.poll(asked).toBeGreaterThan(4);
  expect(session.destroyed).toBe(false);
});

test.each([0, 1, 2])('a client that disappears after %i responses is detected', async (answers) => {
  const { ended, asked } = await connected(answers);
  await ended;
  expect(asked()).toBe(answers + 1);
});

test('a client with occasional traffic is not probed', async () => {
  const server = http2.createServer();
  let asked = 0;
  server.on('session', (session) => {
    const ping = session.ping.bind(session) as (onAnswer: () => void) => boolean;
    session.ping = (onAnswer: unknown) => {
      asked++;
      return ping(onAnswer as () => void);
    };
    closeWhenDead(session, undefined, 900);
  });
  server.on('stream', async (stream) => {
    for (let i = 0; i < 15; i++) {
      stream.write('x');
      await sleep(220);
    }
    stream.end();
  });
  const port = await listening(server);
  const client = http2.connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => {
    client.close();
    server.close();
  });
  const request = client.request();
  await once(request.resume(), 'end');
  // If the machine stalls, several pauses may look like one long pause.
  expect(asked).toBeLessThan(2);
});
