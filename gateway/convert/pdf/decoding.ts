/**
 * Limits how much PDF.js decodes. The library has no limit, so a kilobyte can become gigabytes. Its decoders are
 * private: their common class is captured when the first one is created.
 */
import { createBrotliDecompress, createInflate } from 'node:zlib';
import { baseWith, onFirst } from './classes.ts';

/** A decoder's input: another decoder, or the bytes of the file. */
type Source = {
  readonly isAsync: boolean;
  /** For bytes: their offset in the buffer. */
  readonly start?: number;
  readonly bytes?: Uint8Array;
  /** For a decoder; absent for one that joins the output of others. */
  readonly stream?: Source;
  reset(): void;
  getBytes(): Uint8Array;
  asyncGetBytes(): Promise<Uint8Array | null>;
};

/** A PDF.js decoder (`DecodeStream`): one per filter, cipher and list of contents. */
type Decoder = Source & {
  readonly buffer: Uint8Array;
  ensureBuffer(length: number): Uint8Array;
  asyncGetBytesFromDecompressionStream(
    coding: 'deflate' | 'brotli',
  ): Promise<{ decompressed: Uint8Array | null; compressed: Uint8Array | null }>;
};

/** Counts the decoded bytes of one document. */
export class DecodedBytes {
  /** True if the limit was exceeded; nothing more is decoded then. */
  isOver = false;
  readonly #bytesMax: number;
  #total = 0;
  /** Bytes counted per stream: a stream shown on many pages is decoded for each of them. */
  readonly #counted = new WeakMap<ArrayBufferLike, Map<string, number>>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Counts a decoder that is about to grow to this size. Throws if the document exceeds its limit. */
  add(decoder: Decoder, length: number): void {
    const { counted, key } = this.#placeOf(decoder);
    const before = counted.get(key) ?? 0;
    const more = Math.max(0, length - before);
    if (this.isOver || this.#total + more > this.#bytesMax) {
      this.isOver = true;
      throw new Error('The streams of the document are too large when decoded.');
    }
    // Joined contents are released with their page.
    if (more === 0 || decoder.stream === undefined) return;
    this.#total += more;
    counted.set(key, length);
  }

  /** Identifies a stream by its offset in the file, and a decoder by the number of decoders below it. */
  #placeOf(decoder: Decoder): { readonly counted: Map<string, number>; readonly key: string } {
    let depth = 0;
    let source: Source = decoder;
    for (; source.stream !== undefined; depth++) source = source.stream;
    const { bytes, start = 0 } = source;
    const counted = (bytes && this.#counted.get(bytes.buffer)) ?? new Map<string, number>();
    if (bytes) this.#counted.set(bytes.buffer, counted);
    return { counted, key: `${(bytes?.byteOffset ?? 0) + start} ${depth}` };
  }
}

/** The document being read; a thread reads one at a time. */
let current: DecodedBytes | undefined;

/** Limits all decoding in this thread from now on. */
export function limitDecoding(bytesMax: number): DecodedBytes {
  current = new DecodedBytes(bytesMax);
  onFirst<Decoder>('_rawMinBufferLength', (first) => countIn(baseWith(first, 'ensureBuffer')));
  return current;
}

/** Hooks into the decoders' base class to check the limit before they grow. */
function countIn(decoders: Decoder): void {
  const { ensureBuffer } = decoders;
  decoders.ensureBuffer = function (length) {
    if (length > this.buffer.byteLength) current?.add(this, length);
    return ensureBuffer.call(this, length);
  };
  // Same result as the library's version, which has no limit.
  decoders.asyncGetBytesFromDecompressionStream = async function (coding) {
    const source = this.stream as Source;
    source.reset();
    const compressed = source.isAsync ? await source.asyncGetBytes() : source.getBytes();
    const unpacked = coding === 'brotli' ? createBrotliDecompress() : createInflate();
    const parts: Uint8Array[] = [];
    let length = 0;
    try {
      unpacked.end(compressed);
      for await (const part of unpacked as AsyncIterable<Uint8Array>) {
        length += part.length;
        current?.add(this, length);
        parts.push(part);
      }
    } catch (cause) {
      if (current?.isOver) throw cause;
      // Damaged data: the library then decodes what it can.
      return { decompressed: null, compressed };
    }
    const decompressed = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      decompressed.set(part, at);
      at += part.length;
    }
    return { decompressed, compressed };
  };
}
