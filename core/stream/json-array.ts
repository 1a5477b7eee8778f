/**
 * One JSON array that is written piece by piece (Gemini without `alt=sse`): every element is a frame as soon as it is
 * complete, what stands between them goes on at once. A document that is no array is one frame.
 */
import { type Frame, joinBytes } from './sse.ts';

const empty = new Uint8Array(0);

/** A frame that may close the array: what is still held must be written before it. */
export type ArrayFrame = Frame & { readonly closes?: boolean };

/** A bracket scanner that knows strings and escapes; state: depth, in a string, after a backslash. */
export class JsonArrayFraming {
  #rest: Uint8Array = empty;
  #depth = 0;
  #inString = false;
  #afterBackslash = false;
  #isArray: boolean | undefined;

  push(chunk: Uint8Array, emit: (frame: ArrayFrame) => void): void {
    let from = 0;
    let inElement = this.#rest.length > 0;
    const length = chunk.length;
    for (let at = 0; at < length; at++) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        if (this.#afterBackslash) this.#afterBackslash = false;
        else if (byte === 0x5c) this.#afterBackslash = true;
        else if (byte === 0x22) this.#inString = false;
        continue;
      }
      if (byte === 0x22) {
        this.#inString = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
        if (this.#isArray === undefined) {
          this.#isArray = byte === 0x5b;
          if (this.#isArray) continue;
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        if (this.#isArray && this.#depth === 0) {
          this.#emit(chunk.subarray(from, at), inElement, emit);
          emit({ bytes: chunk.subarray(at, at + 1), isEvent: false, closes: true });
          from = at + 1;
          inElement = false;
          continue;
        }
        if (this.#depth === (this.#isArray ? 1 : 0)) {
          this.#emit(chunk.subarray(from, at + 1), true, emit);
          from = at + 1;
          inElement = false;
          continue;
        }
      }
      const isSeparator =
        !inElement && (byte === 0x2c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
      if (!isSeparator && !inElement) {
        // An element starts: what stood before it goes on.
        if (at > from) emit({ bytes: chunk.subarray(from, at), isEvent: false });
        from = at;
        inElement = true;
      } else if (byte === 0x2c && this.#isArray && this.#depth === 1 && inElement) {
        this.#emit(chunk.subarray(from, at), true, emit);
        from = at;
        inElement = false;
      }
    }
    if (from >= length) return;
    if (inElement) this.#rest = joinBytes([this.#rest, chunk.slice(from)]);
    else emit({ bytes: chunk.subarray(from), isEvent: false });
  }

  end(emit: (frame: ArrayFrame) => void): void {
    if (this.#rest.length > 0) emit({ bytes: this.#rest, isEvent: true });
    this.#rest = empty;
  }

  #emit(piece: Uint8Array, isEvent: boolean, emit: (frame: ArrayFrame) => void): void {
    const bytes = this.#rest.length > 0 ? joinBytes([this.#rest, piece]) : piece;
    this.#rest = empty;
    if (bytes.length > 0) emit({ bytes, isEvent });
  }
}
