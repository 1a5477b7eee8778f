/** Buffers for messages that are assembled and written in one piece. */

const roomBytes = 65_536;

/**
 * Hands out slices of large buffers. A separate buffer for each message over 4 KiB, which Node's pool does not serve,
 * takes ten times as long. Only for short-lived data: each slice keeps its buffer alive.
 */
export class WriteRoom {
  #buffer: Buffer | undefined;
  #used = 0;

  /** Uninitialised memory. */
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
