/** Work that blocks the main thread for some ten milliseconds: one piece at a time, with a pause for everybody else behind it. */

/** From the end of one turn to the next, at least: parsing 10 MiB takes half as long, and longer on a busy machine. */
const pauseMs = 60;

/** Runs such work in the order in which it was given. */
export class LargeTurns {
  readonly #waiting: (() => void)[] = [];
  #isTurn = false;

  /** Does the work when it is its turn; rejects with its error. */
  turn<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (!this.#isTurn) this.#next();
    });
  }

  readonly #next = (): void => {
    const next = this.#waiting.shift();
    this.#isTurn = next !== undefined;
    if (next === undefined) return;
    const started = performance.now();
    next();
    setTimeout(this.#next, Math.max(pauseMs, 2 * (performance.now() - started)));
  };
}
