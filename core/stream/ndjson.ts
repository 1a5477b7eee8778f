/** Lines of JSON: one document per LF-terminated line; the last may lack its LF. */
import { type Emit, PendingBytes } from './frame.ts';

const none: Uint8Array = new Uint8Array(0);

/** True for an empty line, which services send as a keep-alive. */
const isBlank = (line: Uint8Array) => line.length <= 2 && (line.length === 1 || line[0] === 0x0d);

/** Splits a stream into lines; a frame includes its line end. */
export class NdjsonFraming {
  readonly #pending = new PendingBytes();

  push(chunk: Uint8Array, emit: Emit): void {
    let from = 0;
    let end = chunk.indexOf(0x0a);
    while (end >= 0) {
      const piece = chunk.subarray(from, end + 1);
      this.#pending.finish(piece, !this.#pending.isEmpty || !isBlank(piece), emit);
      from = end + 1;
      end = chunk.indexOf(0x0a, from);
    }
    if (from < chunk.length) this.#pending.add(chunk.subarray(from), emit);
  }

  end(emit: Emit): void {
    this.#pending.finish(none, true, emit);
  }
}
