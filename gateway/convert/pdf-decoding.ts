/**
 * A limit of what PDF.js decodes. It has none of its own, so that a stream of a kilobyte becomes gigabytes, and it keeps its
 * decoders to itself: the class that they share is found when the first of them is made.
 */
import { createBrotliDecompress, createInflate } from 'node:zlib';
import { baseWith, onFirst } from './pdf-classes.ts';

/** What a decoder reads from: another decoder, or the bytes of the file. */
type Source = {
  readonly isAsync: boolean;
  /** Of bytes: where in the buffer they begin. */
  readonly start?: number;
  readonly bytes?: Uint8Array;
  /** Of a decoder; absent for one that joins what others have decoded. */
  readonly stream?: Source;
  reset(): void;
  getBytes(): Uint8Array;
  asyncGetBytes(): Promise<Uint8Array | null>;
};

/** A decoder as PDF.js has them (`DecodeStream`): one for each filter, cipher and list of contents. */
type Decoder = Source & {
  readonly buffer: Uint8Array;
  ensureBuffer(length: number): Uint8Array;
  asyncGetBytesFromDecompressionStream(
    coding: 'deflate' | 'brotli',
  ): Promise<{ decompressed: Uint8Array | null; compressed: Uint8Array | null }>;
};

/** The bytes that the streams of one document were decoded to. */
export class DecodedBytes {
  /** Whether there were more than the limit; from then on nothing is decoded. */
  isOver = false;
  readonly #bytesMax: number;
  #total = 0;
  /** What was counted of each stream: one that many pages show is decoded for each of them. */
  readonly #counted = new WeakMap<ArrayBufferLike, Map<string, number>>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Counts a decoder that is about to hold this many bytes. Throws when the document has more than it may. */
  add(decoder: Decoder, length: number): void {
    const { counted, key } = this.#placeOf(decoder);
    const before = counted.get(key) ?? 0;
    const more = Math.max(0, length - before);
    if (this.isOver || this.#total + more > this.#bytesMax) {
      this.isOver = true;
      throw new Error('The streams of the document are too large when decoded.');
    }
    // Joined contents are given up with their page.
    if (more === 0 || decoder.stream === undefined) return;
    this.#total += more;
    counted.set(key, length);
  }

  /** A stream is told by where it begins in the file, a decoder of it by how many others it reads through. */
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

/** Of the document that is being read; a thread reads one at a time. */
let current: DecodedBytes | undefined;

/** Limits what is decoded from now on, in this thread. */
export function limitDecoding(bytesMax: number): DecodedBytes {
  current = new DecodedBytes(bytesMax);
  onFirst<Decoder>('_rawMinBufferLength', (first) => countIn(baseWith(first, 'ensureBuffer')));
  return current;
}

/** The class of all decoders, given by its prototype, asks before it grows. */
function countIn(decoders: Decoder): void {
  const { ensureBuffer } = decoders;
  decoders.ensureBuffer = function (length) {
    if (length > this.buffer.byteLength) current?.add(this, length);
    return ensureBuffer.call(this, length);
  };
  // Decodes the same as the library's, which takes what comes until memory ends.
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
      // It is damaged: the library decodes what it can of it in another way.
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
