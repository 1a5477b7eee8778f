/** Bytes that are kept until they are whole. */

/** So many pieces in a row that are smaller than this are made one. */
const smallCount = 64;
const smallBytes = 1_024;

/**
 * Pieces in the order in which they come. Small ones are joined on the way, and empty ones are none, so that what comes
 * byte by byte does not take a hundred times its size.
 */
export class Pieces<Bytes extends Uint8Array> {
  readonly #join: (parts: readonly Bytes[]) => Bytes;
  #parts: Bytes[] = [];
  #size = 0;
  /** How many of the last parts are small. */
  #small = 0;

  /** `join` makes one of several. */
  constructor(join: (parts: readonly Bytes[]) => Bytes) {
    this.#join = join;
  }

  /** All bytes. */
  get size(): number {
    return this.#size;
  }

  push(piece: Bytes): void {
    if (piece.length === 0) return;
    this.#parts.push(piece);
    this.#size += piece.length;
    this.#small = piece.length < smallBytes ? this.#small + 1 : 0;
    if (this.#small < smallCount) return;
    this.#small = 0;
    this.#parts.push(this.#join(this.#parts.splice(-smallCount)));
  }

  /** Hands out what there is, and forgets it. */
  take(): readonly Bytes[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#size = 0;
    this.#small = 0;
    return parts;
  }

  /** The same as one. */
  takeWhole(): Bytes {
    const parts = this.take();
    return parts.length === 1 ? (parts[0] as Bytes) : this.#join(parts);
  }
}
