/** Finds the end of a JSON text that arrives in pieces by counting its brackets. */
export class DocumentEnd {
  #depth = 0;
  #inString = false;
  #afterBackslash = false;

  /** The offset after the bracket that closes the document; -1 while it continues. Do not call again after that. */
  find(chunk: Uint8Array): number {
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#endOfString(chunk, at);
        continue;
      }
      const byte = chunk[at];
      if (byte === 0x22) {
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

  /** The offset of the quote that ends the string; the piece's length while the string continues. */
  #endOfString(chunk: Uint8Array, from: number): number {
    let at = this.#afterBackslash ? from + 1 : from;
    this.#afterBackslash = false;
    while (at < chunk.length) {
      const quote = chunk.indexOf(0x22, at);
      const end = quote < 0 ? chunk.length : quote;
      let start = end;
      while (start > at && chunk[start - 1] === 0x5c) start--;
      const isEscaped = (end - start) % 2 === 1;
      if (quote < 0) this.#afterBackslash = isEscaped;
      else if (!isEscaped) {
        this.#inString = false;
        return quote;
      }
      at = end + 1;
    }
    return chunk.length;
  }
}
