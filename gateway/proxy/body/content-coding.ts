/** Reads request and response bodies up to a limit, and decodes content codings (RFC 9110 §8.4). */
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { sizeText } from '../../../config/readable.ts';
import { PrivetError } from '../../../core/errors.ts';
import { DeflateData, hasZlibHeader } from './deflate-data.ts';

/** Decodes a complete body in one pass; also returns how much of the input was used. */
type Whole = (data: Uint8Array, options: zlib.ZlibOptions) => Promise<Decoded>;
type Decoded = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
type WithCallback = (data: Uint8Array, options: object, done: (error: Error | null, result: Buffer) => void) => void;

/** With `info`, zlib returns the engine next to the result. */
function whole(decode: WithCallback): Whole {
  const run = promisify(decode) as unknown as Whole;
  return (data, options) => run(data, { ...options, info: true });
}

const inflate = whole(zlib.inflate);
const inflateRaw = whole(zlib.inflateRaw);

/** Supported content codings; `x-gzip` is the old name of gzip (RFC 9110 §8.4.1.3). */
const decoders = {
  gzip: { whole: whole(zlib.gunzip), stream: () => zlib.createGunzip() },
  'x-gzip': { whole: whole(zlib.gunzip), stream: () => zlib.createGunzip() },
  deflate: { whole: inflateEither, stream: () => new DeflateData() },
  br: { whole: whole(zlib.brotliDecompress), stream: () => zlib.createBrotliDecompress() },
  zstd: { whole: whole(zlib.zstdDecompress), stream: () => new ZstdFrames() },
} as const;

type Coding = keyof typeof decoders;

/** Many clients send raw deflate data where zlib format is required; the first bytes tell them apart. */
async function inflateEither(data: Uint8Array, options: zlib.ZlibOptions): Promise<Decoded> {
  return (hasZlibHeader(data) ? inflate : inflateRaw)(data, options);
}

/** The codings of a Content-Encoding value in order of application; undefined if one is unknown. */
export function parseCodings(contentEncoding: string | undefined): readonly Coding[] | undefined {
  if (contentEncoding === undefined || contentEncoding === '') return [];
  const codings: Coding[] = [];
  for (const part of contentEncoding.toLowerCase().split(',')) {
    const name = part.trim();
    if (name === '' || name === 'identity') continue;
    if (!Object.hasOwn(decoders, name)) return undefined;
    codings.push(name as Coding);
  }
  // Real messages have one coding, rarely two; more is an attack on the decoder.
  return codings.length > 3 ? undefined : codings;
}

/** Maximum expansion of a decoded body, with a minimum for tiny bodies. */
const expansionMax = 200;
const expansionFloorBytes = 4 * 1024 * 1024;

/**
 * Decodes the content codings of a complete body. Throws PrivetError `undecodable_body` (unknown coding, invalid data)
 * or `body_too_large` (over `bytesMax`, or the expansion of a decompression bomb).
 */
export async function decodeBody(body: Buffer, contentEncoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const codings = parseCodings(contentEncoding);
  if (!codings) throw new PrivetError('undecodable_body', 'Step decode: the Content-Encoding of the body is unknown.');
  let data = body;
  const maxOutputLength = Math.min(bytesMax, Math.max(expansionFloorBytes, body.length * expansionMax));
  for (const coding of codings.toReversed()) {
    try {
      data = await decodeOne(coding, data, maxOutputLength);
    } catch (cause) {
      if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new PrivetError('body_too_large', 'Step decode: the body is too large when decompressed.', { cause });
      }
      throw new PrivetError('undecodable_body', `Step decode: the body is not valid ${coding} data.`, { cause });
    }
  }
  return data;
}

/** Decodes one coding. A zstd body may have several frames (RFC 8878 §3.1); others have no data after their end. */
async function decodeOne(coding: Coding, data: Buffer, maxOutputLength: number): Promise<Buffer> {
  const frames: Buffer[] = [];
  let size = 0;
  for (let rest = data; frames.length === 0 || rest.length > 0; ) {
    const { buffer, engine } = await decoders[coding].whole(rest, { maxOutputLength: maxOutputLength - size });
    frames.push(buffer);
    size += buffer.length;
    rest = rest.subarray(engine.bytesWritten);
    if (rest.length > 0 && (coding !== 'zstd' || engine.bytesWritten === 0 || size >= maxOutputLength)) {
      throw new Error('data after its end');
    }
    if (frames.length > framesMax) throw new Error('too many frames');
  }
  return frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames, size);
}

/** Decoder streams, outermost first; empty for an identity body, undefined for unknown codings. */
export function decodeStreams(contentEncoding: string | undefined): Transform[] | undefined {
  return parseCodings(contentEncoding)
    ?.toReversed()
    .map((coding) => decoders[coding].stream());
}

/** Reads a complete body. Rejects with `body_too_large` above `bytesMax`, `bad_request` if the client leaves early. */
export function readBody(stream: Readable, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) {
        stream.removeAllListeners('data');
        stream.pause();
        reject(tooLarge(bytesMax));
        return;
      }
      chunks.push(chunk);
    });
    stream.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)));
    stream.on('error', (cause) => reject(new PrivetError('bad_request', 'The body could not be read.', { cause })));
    stream.on('close', () => reject(new PrivetError('bad_request', 'The client disconnected during the body.')));
  });
}

/** The error for a body over `masking.max_body`. */
export function tooLarge(bytesMax: number): PrivetError {
  return new PrivetError(
    'body_too_large',
    `Step read: the body is over the limit of ${sizeText(bytesMax, ' ')} (masking.max_body).`,
  );
}

/** How long an unwanted body may take, in milliseconds. */
const discardMsMax = 10_000;

/** Reads and discards a body; resolves early if it is longer than `bytesMax` or takes too long. */
export function discardBody(body: Readable, bytesMax: number): Promise<void> {
  return new Promise((resolve) => {
    let size = 0;
    const done = () => {
      clearTimeout(timer);
      body.off('data', onData);
      resolve();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > bytesMax) done();
    };
    const timer = setTimeout(done, discardMsMax);
    body.on('data', onData);
    for (const event of ['end', 'close', 'error']) body.once(event, done);
    body.resume();
  });
}

/** Maximum number of frames. Encoders start one every few megabytes; many empty frames would be expensive. */
const framesMax = 1_024;

/** Decodes all frames of a zstd stream (RFC 8878 §3.1); Node's decoder stops after the first. */
class ZstdFrames extends Transform {
  #frames = 0;
  #frame = this.#open();

  #open(): zlib.ZstdDecompress {
    const frame = zlib.createZstdDecompress();
    this.#frames++;
    frame.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) frame.pause();
    });
    frame.on('error', (error) => this.destroy(error));
    return frame;
  }

  override _read(size: number): void {
    this.#frame.resume();
    super._read(size);
  }

  override _transform(bytes: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    const frame = this.#frame;
    const before = frame.bytesWritten;
    frame.write(bytes, () => {
      const taken = frame.bytesWritten - before;
      if (taken === bytes.length) return done();
      // The frame has ended; its pending output comes first.
      const goOn = () => {
        if (this.#frames === framesMax) return done(new Error('too many frames'));
        this.#frame = this.#open();
        this._transform(bytes.subarray(taken), encoding, done);
      };
      if (frame.readableEnded) goOn();
      else frame.once('end', goOn);
    });
  }

  override _flush(done: TransformCallback): void {
    this.#frame.once('end', () => done());
    this.#frame.end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#frame.destroy();
    done(error);
  }
}
