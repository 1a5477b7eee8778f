/** Bit sets of code units, for tests on nearly every character, where a `Set` would hash each one. */

/** A fixed set of code units. It never contains 0, which stands for the end of the text. */
export class CodeSet {
  readonly #bits = new Int32Array(65_536 >> 5);

  /** @param codes code units, or a text of them */
  constructor(codes: string | Iterable<number>) {
    if (typeof codes === 'string') for (let i = 0; i < codes.length; i++) this.#add(codes.charCodeAt(i));
    else for (const code of codes) this.#add(code);
  }

  has(code: number): boolean {
    return (((this.#bits[code >>> 5] as number) >>> (code & 31)) & 1) !== 0;
  }

  #add(code: number): void {
    const index = code >>> 5;
    this.#bits[index] = (this.#bits[index] as number) | (1 << (code & 31));
  }
}
