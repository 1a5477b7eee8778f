/** Frames of HTTP/2 inside a tunnel. */
import { connect as connectHttp2 } from 'node:http2';
import { Duplex } from 'node:stream';
import { seedOf } from '../../random.ts';
import type { FuzzTarget } from '../../target.ts';
import { chat, close, exchange, judge, open, origins, secureHost, secureTunnel } from './world.ts';

/** Every stream that was answered has ended, as far as the frames tell. */
function isQuiet(sofar: Buffer): boolean {
  let ended = 0;
  let begun = 0;
  for (let at = 0; at + 9 <= sofar.length; at += 9 + sofar.readUIntBE(at, 3)) {
    const [type, flags] = [sofar[at + 3], sofar[at + 4] as number];
    if (type === 7) return true;
    if (type === 1) begun++;
    if (type === 3 || ((type === 0 || type === 1) && (flags & 1) === 1)) ended++;
  }
  return begun > 0 && ended >= begun;
}

/** The frames that a client of node sends for some requests. */
async function recordedFrames(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk);
      done();
    },
  });
  const session = connectHttp2(`https://${secureHost}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  session
    .request({ ':path': '/a', accept: '*/*' })
    .on('error', () => undefined)
    .end();
  const post = session.request({ ':method': 'POST', ':path': '/v1/chat', 'content-type': 'application/json' });
  post.on('error', () => undefined).end(chat);
  session
    .request({ ':path': '/c', cookie: 'a=b', 'x-long': 'a'.repeat(200) })
    .on('error', () => undefined)
    .close(8);
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  session.destroy();
  return Buffer.concat(pieces);
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frame = (type: number, flags: number, stream: number, payload: Buffer) =>
  Buffer.concat([
    Buffer.from([payload.length >> 16, payload.length >> 8, payload.length, type, flags, 0, 0, 0, stream]),
    payload,
  ]);
const settings = frame(4, 0, 0, Buffer.alloc(0));
/** Literal fields without indexing (RFC 7541 §6.2.2). */
const fields = (...list: [string, string][]) =>
  Buffer.concat(
    list.map(([name, value]) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]),
    ),
  );
const get = fields([':method', 'GET'], [':scheme', 'https'], [':authority', secureHost], [':path', '/a']);
const post = fields(
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', secureHost],
  [':path', '/a'],
  ['content-length', '3'],
);
const repeated = (one: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => one));

/** HTTP/2 frames inside an intercepted tunnel. */
export const http2: FuzzTarget = {
  seeds: () => [
    Buffer.concat([preface, settings, frame(1, 5, 1, get)]),
    Buffer.concat([preface, settings, frame(1, 4, 1, post), frame(0, 1, 1, Buffer.from('abc'))]),
    Buffer.concat([
      preface,
      settings,
      frame(1, 0, 1, get.subarray(0, 20)),
      frame(9, 0, 1, get.subarray(20, 30)),
      frame(9, 4, 1, get.subarray(30)),
    ]),
    Buffer.concat([preface, settings, repeated(settings, 50), repeated(frame(6, 0, 0, Buffer.alloc(8)), 50)]),
    Buffer.concat([
      preface,
      settings,
      ...Array.from({ length: 40 }, (_, i) =>
        Buffer.concat([frame(1, 5, i * 2 + 1, get), frame(3, 0, i * 2 + 1, Buffer.from([0, 0, 0, 8]))]),
      ),
    ]),
    Buffer.concat([
      preface,
      settings,
      frame(1, 4, 1, get),
      frame(8, 0, 1, Buffer.from([0x7f, 255, 255, 255])),
      frame(8, 0, 0, Buffer.from([0, 0, 0, 0])),
      frame(2, 0, 1, Buffer.alloc(5)),
      frame(7, 0, 0, Buffer.alloc(8)),
    ]),
    Buffer.concat([
      preface,
      settings,
      frame(
        1,
        4,
        1,
        fields(
          [':method', 'CONNECT'],
          [':protocol', 'websocket'],
          [':scheme', 'https'],
          [':authority', secureHost],
          [':path', '/ws'],
        ),
      ),
    ]),
    recorded,
  ],
  words: [
    ...[
      settings,
      frame(1, 5, 3, get),
      frame(1, 4, 3, post),
      frame(0, 1, 3, Buffer.from('abc')),
      frame(3, 0, 1, Buffer.from([0, 0, 0, 8])),
      frame(9, 4, 1, get),
      frame(8, 0, 0, Buffer.from([0x7f, 255, 255, 255])),
      fields(['transfer-encoding', 'chunked']),
      fields(['content-length', '5']),
      fields([':path', '/b']),
      fields([':authority', 'other.example']),
      fields(['host', 'other.example']),
      fields(['x', 'a\r\nb: c']),
    ].map((one) => one.toString('latin1')),
    ':path',
    ':method',
    '\r\n',
    'cookie',
    'te',
  ],
  bytesMax: 6000,
  open,
  close,
  async run(input) {
    const answer = await exchange(await secureTunnel('h2'), input, seedOf(input) % 2 === 0 ? isQuiet : undefined);
    const kinds = new Set<number>();
    for (let at = 0; at + 9 <= answer.length; at += 9 + answer.readUIntBE(at, 3)) kinds.add(answer[at + 3] as number);
    const word = `${[...kinds].sort().join()} ${origins.heads.length}`;
    await judge();
    return word;
  },
};

const recorded = await recordedFrames();
