/** HTTP/2 connections frame by frame (RFC 9113 §4.1), as started by clients. */
import { connect } from 'node:http2';
import { Duplex } from 'node:stream';
import { chat } from './fixture.ts';
import { secureHost } from './origins.ts';

export type Frame = {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
};

export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

/** A frame: a 9-byte head and a payload. */
export function encodeFrame({ type, flags, stream, payload }: Frame): Buffer {
  const head = Buffer.from([0, 0, 0, type, flags, 0, 0, 0, 0]);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The complete frames in the bytes. */
export function decodeFrames(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at + 9 <= bytes.length; ) {
    const end = at + 9 + bytes.readUIntBE(at, 3);
    if (end > bytes.length) break;
    const [type, flags] = [bytes[at + 3] as number, bytes[at + 4] as number];
    frames.push({
      type,
      flags,
      stream: bytes.readUInt32BE(at + 5) & 0x7fff_ffff,
      payload: bytes.subarray(at + 9, end),
    });
    at = end;
  }
  return frames;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Literal fields without indexing (RFC 7541 §6.2.2), latin1. */
export function fieldBlock(list: Fields): Buffer {
  return Buffer.concat(list.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]));
}

/** A string with its length; a length over seven bits is 127 and then groups of seven bits (RFC 7541 §5). */
function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes]);
  const length = [127];
  let rest = bytes.length - 127;
  for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128);
  return Buffer.concat([Buffer.from([...length, rest]), bytes]);
}

const frame = (type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Frame => ({
  type,
  flags,
  stream,
  payload,
});
const settings = frame(4, 0, 0);
const target: Fields = [
  [':scheme', 'https'],
  [':authority', secureHost],
  [':path', '/a'],
];
export const get: Fields = [[':method', 'GET'], ...target];
export const post: Fields = [[':method', 'POST'], ...target];
const webSocket: Fields = [[':method', 'CONNECT'], [':protocol', 'websocket'], ...target];
const more: Fields = [
  ['host', secureHost],
  ['te', 'trailers'],
  ['cookie', 'a=b'],
  ['cookie', 'c=d'],
  ['expect', '100-continue'],
];
const headers = (flags: number, stream: number, list: Fields) => frame(1, flags, stream, fieldBlock(list));
const abc = Buffer.from('abc');
const cancel = Buffer.from([0, 0, 0, 8]);
const repeated = (one: Frame) => Array.from({ length: 50 }, () => one);

/** Frames whose header blocks contain only literal fields. */
export const conversations: readonly (readonly Frame[])[] = [
  [settings, headers(5, 1, get)],
  [settings, headers(5, 1, [...get, ...more]), headers(5, 3, [...get, ['x-a', ''], ['x-long', 'a'.repeat(100)]])],
  [settings, headers(4, 1, [...post, ['content-length', '3']]), frame(0, 1, 1, abc)],
  [settings, headers(4, 1, post), frame(0, 0, 1, abc), headers(5, 1, [['x-t', '1']])],
  [
    settings,
    headers(4, 1, [...post, ['content-type', 'application/json']]),
    frame(0, 1, 1, Buffer.from(chat)),
    headers(5, 3, get),
  ],
  [
    settings,
    headers(1, 1, get.slice(0, 2)),
    frame(9, 0, 1, fieldBlock(get.slice(2, 3))),
    frame(9, 4, 1, fieldBlock(get.slice(3))),
  ],
  [settings, ...repeated(settings), ...repeated(frame(6, 0, 0, Buffer.alloc(8)))],
  [
    settings,
    ...Array.from({ length: 40 }, (_, i) => [headers(5, i * 2 + 1, get), frame(3, 0, i * 2 + 1, cancel)]).flat(),
  ],
  [
    settings,
    headers(4, 1, get),
    frame(8, 0, 1, Buffer.from([0x7f, 255, 255, 255])),
    frame(8, 0, 0, Buffer.alloc(4)),
    frame(2, 0, 1, Buffer.alloc(5)),
    frame(7, 0, 0, Buffer.alloc(8)),
  ],
  [settings, headers(4, 1, webSocket)],
];

/** Separators of frames, of fields, and of name and value, in frames as text. */
export const marks = { frame: '\0frame\0', field: '\x01', value: '\x02' } as const;

/** A field as text. */
export function fieldText([name, value]: Fields[number]): string {
  return `${marks.field}${name}${marks.value}${value}${marks.field}`;
}

const holdsFields = (type: number) => type === 1 || type === 9;

/** Frames as text without lengths: type, flags, stream, and payload or fields. */
export function looseFrames(frames: readonly Frame[]): Buffer {
  const texts = frames.map(({ type, flags, stream, payload }) => {
    const text = holdsFields(type) ? fieldsOf(payload).map(fieldText).join('') : payload.toString('latin1');
    return String.fromCharCode(type, flags, stream) + text;
  });
  return Buffer.from(texts.join(marks.frame), 'latin1');
}

/** Builds the connection for such a text. */
export function assembled(input: Buffer): Buffer {
  const frames = input.toString('latin1').split(marks.frame);
  return Buffer.concat([
    preface,
    ...frames.map((text) => {
      const [type = 0, flags = 0, stream = 0] = Buffer.from(text.slice(0, 3), 'latin1');
      const rest = text.slice(3);
      const fields = rest.split(marks.field).filter((field) => field !== '');
      const block = () =>
        fieldBlock(
          fields.map((field) => field.split(marks.value)).map(([name = '', ...value]) => [name, value.join('')]),
        );
      return encodeFrame(frame(type, flags, stream, holdsFields(type) ? block() : Buffer.from(rest, 'latin1')));
    }),
  ]);
}

/** The fields of a block of short literals. */
function fieldsOf(block: Buffer): Fields {
  const texts: string[] = [];
  for (let at = 0; at < block.length; at += 1 + (block[at] as number)) {
    // Each name is preceded by a byte with its encoding.
    if (texts.length % 2 === 0) at++;
    texts.push(block.toString('latin1', at + 1, at + 1 + (block[at] as number)));
  }
  return texts.flatMap((text, i) => (i % 2 === 0 ? [[text, texts[i + 1] ?? ''] as const] : []));
}

/** The bytes that a Node client sends for some requests. */
export async function recorded(): Promise<readonly Frame[]> {
  const pieces: Buffer[] = [];
  const socket = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      pieces.push(chunk);
      done();
    },
  });
  const session = connect(`https://${secureHost}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  const ask = (headers: Record<string, string>) => session.request(headers).on('error', () => undefined);
  ask({ ':path': '/a', accept: '*/*' }).end();
  ask({ ':method': 'POST', ':path': '/v1/chat', 'content-type': 'application/json' }).end(chat);
  ask({ ':path': '/c', cookie: 'a=b', 'x-long': 'a'.repeat(200) }).close(8);
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  session.destroy();
  return decodeFrames(Buffer.concat(pieces).subarray(preface.length));
}
