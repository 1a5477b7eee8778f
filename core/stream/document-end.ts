/**
 * Finds the end of a JSON text over several pieces by following its brackets. State: depth, in a string, after a
 * backslash.
 */
export class DocumentEnd {
  #depth = 0;
  #inString = false;
  #afterBackslash = false;

  /** The position after the bracket that closes the document; -1 while it continues. Do not call again after that. */
  find(chunk: Uint8Array): number {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#inString) {
        if (this.#afterBackslash) this.#afterBackslash = false;
        else if (byte === 0x5c) this.#afterBackslash = true;
        else if (byte === 0x22) this.#inString = false;
      } else if (byte === 0x22) {
        this.#inString = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        this.#depth++;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        if (this.#depth === 0) return at + 1;
      }
    }
    return -1;
  }
}
