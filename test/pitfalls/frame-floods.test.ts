/** Cheap HTTP/2 frames in any number: the connection ends or they cost little, and other clients are served. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startGatewayProcess } from '../support/gateway-process.ts';
import { startOrigin } from '../support/origin.ts';
import { connectionWith, frame } from '../support/raw-http2.ts';
import { openHttp2, openTls } from '../support/tunnel.ts';
import { watchMemory } from '../support/usage.ts';

const host = 'api.openai.com';
const origin = await startOrigin({ names: [host] });
const gateway = await startGatewayProcess({ hosts: { [host]: origin } });
const bytesMax = 4_000_000;

const fieldsOf = (method: string, path: string) =>
  [
    [':method', method],
    [':scheme', 'https'],
    [':authority', host],
    [':path', path],
  ] as const;
const idle = connectionWith({ fields: fieldsOf('GET', '/v1/models') });
const uploading = connectionWith({ fields: fieldsOf('POST', '/v1/chat/completions'), data: [] });
const [data, priority, settings, ping, windowUpdate, continuation] = [0, 2, 4, 6, 8, 9];
const number = (value: number, size = 4): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(value);
  return bytes;
};

async function ask(): Promise<number> {
  const session = await openHttp2(gateway, `${host}:443`, { from: '127.0.0.7' });
  const [head] = (await once(session.request({ ':path': '/v1/models' }), 'response')) as [Record<string, unknown>];
  session.destroy();
  return Number(head[':status']);
}

test.each<[name: string, start: Buffer, more: Buffer]>([
  ['PING', idle, frame(ping, 0, 0, Buffer.alloc(8))],
  ['SETTINGS', idle, frame(settings, 0, 0, Buffer.from([0, 4, 0, 0, 0xff, 0xff]))],
  ['PRIORITY', idle, frame(priority, 0, 1_001, number(0, 5))],
  ['WINDOW_UPDATE', idle, frame(windowUpdate, 0, 0, number(1))],
  ['an unknown type', idle, frame(0x77, 0, 0, Buffer.alloc(8))],
  ['empty DATA', uploading, frame(data, 0, 1, Buffer.alloc(0))],
  ['DATA of one byte', uploading, frame(data, 0, 1, Buffer.from('x'))],
  ['empty CONTINUATION', headWithoutEnd(), frame(continuation, 0, 1, Buffer.alloc(0))],
  [
    'CONTINUATION',
    headWithoutEnd(),
    frame(continuation, 0, 1, Buffer.concat([Buffer.from([0, 1, 0x78, 100]), Buffer.alloc(100, 'a')])),
  ],
])('%s', async (_name, start, more) => {
  expect(await ask()).toBe(200);
  const growth = watchMemory(gateway.pid);
  const socket = await openTls(gateway, `${host}:443`, { protocols: ['h2'], from: '127.0.0.66' });
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(start);
  const many = Buffer.concat(Array<Buffer>(500).fill(more));
  const flood = (async () => {
    for (let sent = 0; sent < bytesMax && socket.writable; sent += many.length) {
      if (socket.write(many)) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.race(['drain', 'close'].map((event) => new Promise((resolve) => socket.once(event, resolve))));
    }
  })();
  while ((await Promise.race([flood.then(() => 'over'), ask()])) !== 'over');
  expect(await ask()).toBe(200);
  socket.destroy();
  expect(growth()).toBeLessThan(150);
});

/** A request whose head never ends. */
function headWithoutEnd(): Buffer {
  const bytes = Buffer.from(idle);
  // The flags of the second frame, after the preface of 24 bytes and the settings.
  bytes[24 + 9 + 4] = 0;
  return bytes;
}
