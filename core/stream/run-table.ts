/** The runs of one stream, in order of their first event. */
import type { Run } from './run.ts';

// More concurrent runs than this are not a conversation; the oldest without held text are evicted.
const runsMax = 1_000;
/** Total length of the texts that runs keep: a stream may have many texts of several megabytes. */
const keptMax = 16 * 1024 * 1024;

/** Keeps runs while they fit. */
export class RunTable {
  readonly #runs = new Map<string, Run>();
  #kept = 0;

  get(key: string): Run | undefined {
    return this.#runs.get(key);
  }

  has(key: string): boolean {
    return this.#runs.has(key);
  }

  keys(): MapIterator<string> {
    return this.#runs.keys();
  }

  [Symbol.iterator](): MapIterator<Run> {
    return this.#runs.values();
  }

  /** Adds a run; the oldest one without held text may have to go. */
  add(run: Run): void {
    if (this.#runs.size >= runsMax) this.#evict(run);
    this.#runs.set(run.key, run);
  }

  delete(run: Run): void {
    if (this.#runs.delete(run.key)) this.#kept -= run.kept;
  }

  /** Counts what the run keeps after an event. */
  weigh(run: Run): void {
    const kept = run.previous.length + run.whole.length;
    this.#kept += kept - run.kept;
    run.kept = kept;
    while (this.#kept > keptMax && this.#evict(run));
  }

  /** Removes the oldest run without held text, other than this one; false if there is none. */
  #evict(current: Run): boolean {
    for (const run of this.#runs.values()) {
      if (run.held || run === current) continue;
      this.delete(run);
      return true;
    }
    return false;
  }
}
