/** HTTP/2 by hand (RFC 9113, RFC 7541): heads that no client library would send. */
import type { Socket } from 'node:net';

/** Fields in the order in which they are written, unchecked. */
export type RawField = readonly [name: string, value: string];

/** One request. `data`: if absent, the head ends the stream. `trailers` follow it. */
export type RawRequest = {
  readonly fields: readonly RawField[];
  readonly data?: readonly string[];
  readonly trailers?: readonly RawField[];
};

const frameTypes = { data: 0, headers: 1, reset: 3, settings: 4, goaway: 7 } as const;
const endStream = 1;
const endHeaders = 4;

/** The bytes of a connection that carries this request on stream 1. */
export function connectionWith({ fields, data, trailers }: RawRequest): Buffer {
  const last = (isLast: boolean): number => (isLast ? endStream : 0);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
    frame(frameTypes.headers, endHeaders | last(!data && !trailers), 1, block(fields)),
    ...(data ?? []).map((part, i) =>
      frame(frameTypes.data, last(!trailers && i === (data?.length ?? 0) - 1), 1, Buffer.from(part, 'latin1')),
    ),
    ...(trailers ? [frame(frameTypes.headers, endHeaders | endStream, 1, block(trailers))] : []),
  ]);
}

/** The bytes of a connection that opens `count` streams to a host and resets each at once. */
export function resetsWith(host: string, count: number): Buffer {
  const head = block([
    [':method', 'GET'],
    [':scheme', 'https'],
    [':authority', host],
    [':path', '/'],
  ]);
  const cancel = Buffer.from([0, 0, 0, 8]);
  return Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    frame(frameTypes.settings, 0, 0, Buffer.alloc(0)),
    ...Array.from({ length: count }, (_, i) => [
      frame(frameTypes.headers, endHeaders | endStream, 2 * i + 1, head),
      frame(frameTypes.reset, 0, 2 * i + 1, cancel),
    ]).flat(),
  ]);
}

/** Resolves when the stream or the connection has ended in any way. */
export function streamEnded(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      while (bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
        const [type, flags] = [bytes[3], bytes[4] ?? 0];
        const isEnd = (type === frameTypes.data || type === frameTypes.headers) && (flags & endStream) !== 0;
        if (isEnd || type === frameTypes.reset || type === frameTypes.goaway) resolve();
        bytes = bytes.subarray(9 + bytes.readUIntBE(0, 3));
      }
    });
  });
}

/** A frame, whatever it contains. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Every field as a literal without indexing and without Huffman coding. */
function block(fields: readonly RawField[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => [Buffer.from([0]), ...field.map(text)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  const prefix: number[] = [];
  if (bytes.length < 127) prefix.push(bytes.length);
  else {
    prefix.push(127);
    let rest = bytes.length - 127;
    for (; rest >= 128; rest = Math.floor(rest / 128)) prefix.push((rest % 128) | 128);
    prefix.push(rest);
  }
  return Buffer.concat([Buffer.from(prefix), bytes]);
}
