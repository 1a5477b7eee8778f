/** A JSON array written in pieces: every complete element is a frame. Any other document is one frame. */
import { type Emit, type Frame, PendingBytes } from './frame.ts';

/** A frame that may close the array: flush held text before it. */
export type ArrayFrame = Frame & { readonly closes?: boolean };

const none: Uint8Array = new Uint8Array(0);

/** A bracket scanner that understands strings and escapes. */
export class JsonArrayFraming {
  readonly #pending = new PendingBytes();
  #depth = 0;
  #inElement = false;
  #inString = false;
  #afterBackslash = false;
  #isArray: boolean | undefined;

  push(chunk: Uint8Array, emit: (frame: ArrayFrame) => void): void {
    let from = 0;
    const length = chunk.length;
    const complete = (to: number) => {
      this.#pending.finish(chunk.subarray(from, to), true, emit as Emit);
      from = to;
      this.#inElement = false;
    };
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
          if (this.#inElement) complete(at);
          else if (at > from) emit({ bytes: chunk.subarray(from, at), isEvent: false });
          emit({ bytes: chunk.subarray(at, at + 1), isEvent: false, closes: true });
          from = at + 1;
          continue;
        }
        if (this.#depth === (this.#isArray ? 1 : 0)) {
          complete(at + 1);
          continue;
        }
      }
      if (this.#inElement) {
        if (byte === 0x2c && this.#isArray && this.#depth === 1) complete(at);
      } else if (byte !== 0x2c && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        // An element starts: pass on what precedes it.
        if (at > from) emit({ bytes: chunk.subarray(from, at), isEvent: false });
        from = at;
        this.#inElement = true;
      }
    }
    if (from >= length) return;
    if (this.#inElement) this.#pending.add(chunk.subarray(from), emit as Emit);
    else emit({ bytes: chunk.subarray(from), isEvent: false });
  }

  end(emit: (frame: ArrayFrame) => void): void {
    this.#pending.finish(none, true, emit as Emit);
  }
}
