import { Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/** True for a zlib header (RFC 1950 §2.2), which no raw encoder's first byte resembles. */
export function hasZlibHeader(data: Uint8Array): boolean {
  const [first = 0, second] = data;
  return (first & 0x0f) === 8 && (second === undefined || ((first << 8) | second) % 31 === 0);
}

/** Decodes `deflate` as a stream, in zlib format or raw, as many peers send it (RFC 9110 §8.4.1.2). */
export class DeflateData extends Transform {
  #decoder: zlib.Inflate | zlib.InflateRaw | undefined;

  #open(first: Buffer): zlib.Inflate | zlib.InflateRaw {
    const decoder = hasZlibHeader(first) ? zlib.createInflate() : zlib.createInflateRaw();
    decoder.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) decoder.pause();
    });
    decoder.on('error', (error) => this.destroy(error));
    this.#decoder = decoder;
    return decoder;
  }

  override _read(size: number): void {
    this.#decoder?.resume();
    super._read(size);
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    (this.#decoder ?? this.#open(bytes)).write(bytes, () => done());
  }

  override _flush(done: TransformCallback): void {
    const decoder = this.#decoder ?? this.#open(Buffer.alloc(0));
    decoder.once('end', () => done());
    decoder.end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#decoder?.destroy();
    done(error);
  }
}
