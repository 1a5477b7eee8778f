/** HTTP/2 inside a tunnel: as arbitrary bytes, and as frames with correct lengths. */
import { seedOf } from '../../random.ts';
import type { FuzzTarget } from '../../target.ts';
import { close, exchange, judge, mustNotStay, open, origins, secureTunnel } from './fixture.ts';
import {
  assembled,
  conversations,
  decodeFrames,
  encodeFrame,
  fieldBlock,
  fieldText,
  get,
  looseFrames,
  marks,
  post,
  preface,
  recorded,
} from './http2-frames.ts';
import { faultOf, streamsOf } from './http2-judge.ts';
import { secureHost } from './origins.ts';

/** Time limit for a due response while nothing else arrives. */
const quietMs = 500;

/** True if all streams that the client ended, or all streams, have ended. */
function isAnswered(sofar: Buffer, streams: number): boolean {
  const frames = decodeFrames(sofar);
  const isEnd = (type: number, flags: number) => type === 3 || ((type === 0 || type === 1) && (flags & 1) === 1);
  const ended = new Set(frames.filter(({ type, flags }) => isEnd(type, flags)).map(({ stream }) => stream));
  return ended.size >= streams || frames.some(({ type }) => type === 7);
}

/** Sends the bytes and checks the outcome. Returns the kinds of frames received. */
async function tryBytes(bytes: Buffer): Promise<string> {
  const due = streamsOf(bytes).filter(({ isWhole, isReset }) => isWhole && !isReset).length;
  const send = async () => {
    const tunnel = await secureTunnel('h2');
    // Some clients leave at once.
    if (seedOf(bytes) % 8 === 0) return exchange(tunnel, bytes);
    return due === 0
      ? exchange(tunnel, bytes, () => false)
      : exchange(tunnel, bytes, (sofar) => isAnswered(sofar, due), quietMs);
  };
  const answer = await send();
  await mustNotStay(() => faultOf(bytes, origins), send);
  const kinds = new Set(decodeFrames(answer).map(({ type }) => type));
  const word = `${[...kinds].sort().join()} ${origins.heads.map(({ fields: all }) => all.length).join()}`;
  await judge();
  return word;
}

const oddFields = [
  ['transfer-encoding', 'chunked'],
  ['content-length', '5'],
  ['content-length', '3'],
  ['connection', 'close'],
  ['te', 'trailers'],
  ['te', 'gzip'],
  [':path', '/b'],
  [':authority', 'other.example'],
  ['host', 'other.example'],
  ['host', secureHost],
  ['x', 'a\r\nb: c'],
  ['x\r\nb', 'c'],
  ['X', 'c'],
  ['expect', '100-continue'],
  ['cookie', 'a=b'],
] as const;
const names = [':path', ':method', '\r\n', 'cookie', 'te', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'];
const base = { open, close, bytesMax: 6000 };
const fromNode = await recorded();

/** Any bytes. */
export const http2: FuzzTarget = {
  ...base,
  seeds: () => [...conversations, fromNode].map((frames) => Buffer.concat([preface, ...frames.map(encodeFrame)])),
  words: [
    { type: 4, flags: 0, stream: 0, payload: Buffer.alloc(0) },
    { type: 1, flags: 5, stream: 3, payload: fieldBlock(get) },
    { type: 1, flags: 4, stream: 3, payload: fieldBlock(post) },
    { type: 0, flags: 1, stream: 3, payload: Buffer.from('abc') },
    { type: 3, flags: 0, stream: 1, payload: Buffer.from([0, 0, 0, 8]) },
    { type: 9, flags: 4, stream: 1, payload: fieldBlock(get) },
    { type: 8, flags: 0, stream: 0, payload: Buffer.from([0x7f, 255, 255, 255]) },
  ]
    .map((one) => encodeFrame(one).toString('latin1'))
    .concat(
      oddFields.map((field) => fieldBlock([field]).toString('latin1')),
      names,
    ),
  run: tryBytes,
};

/** Frames and fields with correct lengths. */
export const http2Frames: FuzzTarget = {
  ...base,
  seeds: () => conversations.map(looseFrames),
  words: [
    ...[get, post].map((list) => list.map(fieldText).join('')),
    ...oddFields.map(fieldText),
    ...names,
    ...Object.values(marks),
    ...[
      '\x01\x05\x03',
      '\x01\x04\x03',
      '\x01\x05\x01',
      '\x00\x00\x01abc',
      '\x00\x01\x01abc',
      '\x03\x00\x01\0\0\0\x08',
    ].map((begin) => marks.frame + begin),
  ],
  run: (input) => tryBytes(assembled(input)),
};
