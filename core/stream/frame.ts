import { Pieces } from './pieces.ts';

/** One frame of a stream: its raw bytes, and whether its content needs reading. */
export type Frame = {
  readonly bytes: Uint8Array;
  /** False for comments, blank lines, separators, and pieces of an oversized event, which pass immediately. */
  readonly isEvent: boolean;
  /** True for the first piece of an event too large, or bytes too broken, to be read. */
  readonly isTooLarge?: boolean;
};

/** Receives the frames in order. */
export type Emit = (frame: Frame) => void;

/**
 * A larger event is not collected: its bytes pass unrestored as they arrive. The largest events with text that
 * providers send (the last event of a Responses stream with images) are smaller.
 */
export const eventBytesMax = 8 * 1024 * 1024;

const empty = new Uint8Array(0);

/** The pieces of an unfinished event. */
export class PendingBytes {
  readonly #pieces = new Pieces(joinBytes);
  #isPassing = false;

  /** True if nothing is pending and no oversized event is in progress. */
  get isEmpty(): boolean {
    return this.#pieces.size === 0 && !this.#isPassing;
  }

  /** True while an oversized event passes. */
  get isPassing(): boolean {
    return this.#isPassing;
  }

  /** Adds a copy of a piece (the caller may reuse its buffer); passes everything on once the event is too large. */
  add(piece: Uint8Array, emit: Emit): void {
    if (piece.length === 0) return;
    if (this.#isPassing) {
      emit({ bytes: piece, isEvent: false });
      return;
    }
    // `slice` of a Node Buffer would share the caller's memory.
    this.#pieces.push(new Uint8Array(piece));
    if (this.#pieces.size <= eventBytesMax) return;
    const bytes = this.#pieces.takeWhole();
    this.#isPassing = true;
    emit({ bytes, isEvent: false, isTooLarge: true });
  }

  /** Completes the event. */
  finish(piece: Uint8Array, isEvent: boolean, emit: Emit): void {
    if (this.#isPassing) {
      this.#isPassing = false;
      if (piece.length > 0) emit({ bytes: piece, isEvent: false });
      return;
    }
    let bytes = piece;
    if (this.#pieces.size > 0) {
      this.#pieces.push(piece);
      bytes = this.#pieces.takeWhole();
    }
    if (bytes.length > eventBytesMax) emit({ bytes, isEvent: false, isTooLarge: true });
    else if (bytes.length > 0) emit({ bytes, isEvent });
  }
}

/** Joins several arrays. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 0) return empty;
  if (pieces.length === 1) return pieces[0] ?? empty;
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
