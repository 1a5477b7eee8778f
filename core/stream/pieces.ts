/** Number of consecutive small pieces that are joined. */
const smallCount = 64;
const smallBytes = 1_024;

/**
 * Collects pieces of bytes in order. Small ones are joined on the way, so data that arrives byte by byte does not take
 * a hundred times its size; empty ones are dropped.
 */
export class Pieces<Bytes extends Uint8Array> {
  readonly #join: (parts: readonly Bytes[]) => Bytes;
  #parts: Bytes[] = [];
  #size = 0;
  /** Number of small parts at the end. */
  #small = 0;

  constructor(join: (parts: readonly Bytes[]) => Bytes) {
    this.#join = join;
  }

  /** Total number of bytes. */
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

  /** Returns the parts and clears the collection. */
  take(): readonly Bytes[] {
    const parts = this.#parts;
    this.#parts = [];
    this.#size = 0;
    this.#small = 0;
    return parts;
  }

  /** Returns everything as one array and clears the collection. */
  takeWhole(): Bytes {
    const parts = this.take();
    return parts.length === 1 ? (parts[0] as Bytes) : this.#join(parts);
  }
}
