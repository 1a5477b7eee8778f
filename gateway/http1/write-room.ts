/** Memory for messages that are put together to be written in one piece. */

const roomBytes = 65_536;

/**
 * Hands out pieces of one large buffer after another. A buffer of its own for each message of more than 4 KiB, where
 * Node's pool ends, takes ten times as long. The pieces are for what leaves soon: each keeps all of its buffer alive.
 */
export class WriteRoom {
  #buffer: Buffer | undefined;
  #used = 0;

  /** Memory that holds anything until it is written to. */
  take(bytes: number): Buffer {
    if (bytes > roomBytes / 4) return Buffer.allocUnsafe(bytes);
    if (this.#buffer === undefined || this.#used + bytes > roomBytes) {
      this.#buffer = Buffer.allocUnsafeSlow(roomBytes);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += bytes;
    return this.#buffer.subarray(from, this.#used);
  }
}
