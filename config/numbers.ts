/** A growable list of whole numbers below 2^32, four bytes each. */
export class Numbers {
  #all: Uint32Array;
  #length = 0;

  /** `expected`: expected number of entries, if known. */
  constructor(expected: number) {
    this.#all = new Uint32Array(Math.max(16, expected));
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#all.length) {
      const wider = new Uint32Array(this.#all.length * 2);
      wider.set(this.#all);
      this.#all = wider;
    }
    this.#all[this.#length++] = value;
  }

  /** The numbers in an array of exactly the right size. */
  done(): Uint32Array {
    return this.#all.slice(0, this.#length);
  }
}
