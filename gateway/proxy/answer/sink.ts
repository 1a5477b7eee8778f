/** Where a restored body goes. */

/**
 * Receives output for the client; `write` returns false if the client is slow. `total` is the length of a document. `fail` ends a response that is truncated
 * or cannot be decoded: its data is sent, but it never looks complete.
 */
export type Sink = {
  write(bytes: Uint8Array, total?: number): boolean;
  end(): void;
  fail(): void;
  /** Ends a rejected response. `body` replaces a document. */
  refuse?(body?: Uint8Array): void;
};
