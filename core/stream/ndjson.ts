/** Lines of JSON: one document per LF line, the last may lack its LF. */
import { type Frame, joinBytes } from './sse.ts';

const empty = new Uint8Array(0);

/** Collects lines over reads; a frame holds its line end. */
export class NdjsonFraming {
  #rest: Uint8Array = empty;

  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    if (chunk.length === 0) return;
    let from = 0;
    let end = chunk.indexOf(0x0a);
    while (end >= 0) {
      const piece = chunk.subarray(from, end + 1);
      const bytes = this.#rest.length > 0 ? joinBytes([this.#rest, piece]) : piece;
      this.#rest = empty;
      emit({ bytes, isEvent: bytes.length > 2 });
      from = end + 1;
      end = chunk.indexOf(0x0a, from);
    }
    if (from < chunk.length) this.#rest = joinBytes([this.#rest, chunk.slice(from)]);
  }

  end(emit: (frame: Frame) => void): void {
    if (this.#rest.length > 0) emit({ bytes: this.#rest, isEvent: true });
    this.#rest = empty;
  }
}
