/**
 * The ends of streams over HTTP/2, each in a separate process: without our workaround one hangs and the other keeps
 * everything.
 */
import { describe, expect, test } from 'vitest';
import { run } from '../../../support/run.ts';

const ours = `
  import { workAroundHttp2Streams } from '${new URL('../../../../gateway/proxy/listen/http2-streams.ts', import.meta.url)}';
  workAroundHttp2Streams();
`;

/** This pair of calls is what undici makes; the body waits for the origin's flow control. */
const givenUp = `
  import http2 from 'node:http2';
  ${ours}
  const server = http2.createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.pause();
    stream.once('close', () => {
      console.log('reset with', stream.rstCode);
      process.exit();
    });
    setTimeout(() => stream.session.setLocalWindowSize(1_000_000), 200);
    setTimeout(() => stream.resume(), 200);
  });
  server.listen(0, '127.0.0.1', () => {
    const session = http2.connect('http://127.0.0.1:' + server.address().port);
    const stream = session.request({ ':method': 'POST' });
    stream.on('error', () => {});
    stream.end(Buffer.alloc(500_000));
    setTimeout(() => {
      stream.close();
      stream.destroy();
    }, 100);
  });
`;

/** An upload whose client leaves after a part has arrived; the origin parses frames by hand (RFC 9113 §4.1). */
const cutOff = (end: string) => `
  import http2 from 'node:http2';
  import net from 'node:net';
  ${ours}
  const seen = [];
  const origin = net.createServer((socket) => {
    socket.write(Buffer.from('000000040000000000', 'hex'));
    let bytes = Buffer.alloc(0);
    let at = 24;
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= at + 9 && bytes.length >= at + 9 + bytes.readUIntBE(at, 3)) {
        const [type, flags] = [bytes[at + 3], bytes[at + 4]];
        if (type === 0) seen.push(flags & 1 ? 'the end' : 'a part');
        if (type === 3) seen.push('reset ' + bytes.readUInt32BE(at + 9));
        at += 9 + bytes.readUIntBE(at, 3);
      }
      if (/end|reset/.test(seen.at(-1))) setTimeout(() => process.exit(console.log(seen.join(', '))), 100);
    });
  });
  origin.listen(0, '127.0.0.1', () => {
    const stream = http2.connect('http://127.0.0.1:' + origin.address().port).request({ ':method': 'POST' });
    stream.on('error', () => {});
    stream.write('first', () => {
      ${end}
    });
  });
`;

/** A response that the origin ends with these frames after a part has arrived, written by hand. */
const brokenOff = (prepare: string, frames: string) => `
  import http2 from 'node:http2';
  import net from 'node:net';
  ${prepare}
  const origin = net.createServer((socket) => {
    // Settings; ':status: 200' and a piece of the body on stream 1.
    socket.write(Buffer.from('000000040000000000' + '000001010400000001' + '88' + '000002000000000001' + '6869', 'hex'));
    setTimeout(() => socket.write(Buffer.from('${frames}', 'hex')), 50);
  });
  origin.listen(0, '127.0.0.1', () => {
    const stream = http2.connect('http://127.0.0.1:' + origin.address().port).request();
    const seen = [];
    stream.on('data', (chunk) => seen.push(String(chunk)));
    stream.on('error', () => {});
    stream.on('end', () => seen.push('the end'));
    stream.on('close', () => {
      if (seen.at(-1) !== 'the end') seen.push('broken off');
      process.exit(console.log(seen.join(', ')));
    });
  });
`;

/** Whether a stream that ended in this way is forgotten. */
const heldStream = (prepare: string, end: string) => `
  import http2 from 'node:http2';
  import { setTimeout as wait } from 'node:timers/promises';
  ${prepare}
  const server = http2.createServer();
  server.on('stream', (stream) => stream.on('error', () => {}).respond() ?? stream.end('answer'));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = http2.connect('http://127.0.0.1:' + server.address().port);
  session.on('error', () => {});
  async function ask() {
    const stream = session.request();
    stream.on('error', () => {});
    await new Promise((resolve) => stream.once('response', resolve));
    stream.pause();
    const closed = new Promise((resolve) => stream.once('close', resolve));
    ${end}
    await closed;
    return new WeakRef(stream);
  }
  const held = await ask();
  for (let i = 0; i < 10 && held.deref(); i++) {
    await wait(20);
    globalThis.gc();
  }
  console.log(held.deref() ? 'kept' : 'forgotten');
  process.exit();
`;

/** The response ends while it is paused, and is then resumed. */
const endedWhilePaused = `
  stream.setTimeout(0);
  while (!stream.closed) await wait(5);
  stream.setTimeout(600_000);
  stream.resume();
`;

/**
 * A response that ends with these frames and is hardly read before it is complete; sent by hand, received by undici.
 */
const readLate = (prepare: string, frames: string) => `
  import net from 'node:net';
  import { Readable } from 'node:stream';
  import { setTimeout as wait } from 'node:timers/promises';
  import { H2CClient } from 'undici';
  ${prepare}
  const origin = net.createServer((socket) => {
    // Settings; ':status: 200' and two pieces of the body on stream 1.
    socket.write(Buffer.from('000000040000000000' + '000001010400000001' + '88', 'hex'));
    for (const part of ['000002000000000001' + '6869', '000002000000000001' + '686f', '${frames}'])
      setTimeout(() => socket.write(Buffer.from(part, 'hex')), 50);
  });
  await new Promise((resolve) => origin.listen(0, '127.0.0.1', resolve));
  const client = new H2CClient('http://127.0.0.1:' + origin.address().port);
  const upload = new Readable({ read() {} });
  const { body, trailers } = await client.request({ path: '/', method: 'POST', body: upload, highWaterMark: 1 });
  await wait(200);
  console.log(await body.text(), JSON.stringify(trailers));
  process.exit();
`;

async function outputOf(program: string): Promise<string> {
  const { text } = await run(process.execPath, ['--expose-gc', '--input-type=module', '-e', program]);
  return text.trim();
}

describe('a stream over HTTP/2', { timeout: 60_000 }, () => {
  test('an aborted stream is reset at the origin', async () => {
    expect(await outputOf(givenUp)).toBe('reset with 8');
  });

  test.each([
    ['stream.close(); stream.destroy();', 'a part, reset 8'],
    ['stream.destroy(new Error());', 'a part, reset 2'],
    ['stream.end();', 'a part, the end'],
  ])('a stream that ends by %s is complete at the origin only if its body was', async (end, seen) => {
    expect(await outputOf(cutOff(end))).toBe(seen);
  });

  test.each([
    ['END_STREAM', '000000000100000001', 'hi, the end'],
    ['END_STREAM, followed by RST_STREAM (NO_ERROR)', '00000000010000000100000403000000000100000000', 'hi, the end'],
    ['RST_STREAM (NO_ERROR)', '00000403000000000100000000', 'hi, broken off'],
    ['RST_STREAM (CANCEL)', '00000403000000000100000008', 'hi, broken off'],
    ['RST_STREAM (INTERNAL_ERROR)', '00000403000000000100000002', 'hi, broken off'],
  ])('a response that ends with %s is complete only with END_STREAM', async (_name, frames, seen) => {
    expect(await outputOf(brokenOff(ours, frames))).toBe(seen);
  });

  test('a reset response is complete in unpatched Node, else our workaround is obsolete', async () => {
    expect(await outputOf(brokenOff('', '00000403000000000100000008'))).toBe('hi, the end');
  });

  // The trailer 'a: b' with END_STREAM; END_STREAM; RST_STREAM (NO_ERROR).
  test.each([
    ['trailers', '000005010500000001' + '0001610162', 'hiho {"a":"b"}'],
    [
      'trailers and NO_ERROR',
      '000005010500000001' + '0001610162' + '000004030000000001' + '00000000',
      'hiho {"a":"b"}',
    ],
    ['NO_ERROR', '000000000100000001' + '000004030000000001' + '00000000', 'hiho {}'],
  ])(
    'a late reader gets the complete response before its %s, which plain undici truncates',
    async (_name, frames, seen) => {
      expect(await outputOf(readLate(ours, frames))).toBe(seen);
      expect(await outputOf(readLate('', frames))).not.toContain('hiho');
    },
  );

  test.each([
    ['ended while it was paused', endedWhilePaused],
    ['is destroyed', 'stream.setTimeout(600_000); stream.destroy();'],
    ['is destroyed with an error', 'stream.setTimeout(600_000); stream.destroy(new Error());'],
    ['ended with its connection', 'stream.setTimeout(600_000); session.socket.destroy();'],
  ])('a stream that %s leaves no timer, unlike in plain Node', async (_name, end) => {
    expect(await outputOf(heldStream(ours, end))).toBe('forgotten');
    expect(await outputOf(heldStream('', end))).toBe('kept');
  });
});
