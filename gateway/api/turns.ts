/**
 * Calls that arrive together are worked on together, instead of each on its way from the HTTP parser to the socket: with
 * eight connections a call of /mask with three values then costs 75 µs in place of 124 (measured in one run; clients are
 * woken less often, and code is used again while it is warm).
 */
export class Turns {
  #next: Promise<void> | undefined;
  #end: Promise<void> | undefined;

  /** Resolves when everything has been read that has arrived by now. */
  next(): Promise<void> {
    this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#next = undefined;
        resolve();
      });
    });
    return this.#next;
  }

  /** Resolves when all that can be done now is done: answers that are ready by then leave in a row. */
  end(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#end = undefined;
        resolve();
      });
    });
    return this.#end;
  }
}
