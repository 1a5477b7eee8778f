import { Transform, type TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/** Maximum number of frames. Encoders start one every few megabytes; many empty frames would be expensive. */
export const framesMax = 1_024;

/** Decodes all frames of a zstd stream (RFC 8878 §3.1); Node's decoder stops after the first. */
export class ZstdFrames extends Transform {
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
