/**
 * Sets of code units, one bit for each there is: asked for every other character of a text, where a `Set` of numbers would
 * hash each of them.
 */

/** A fixed set of code units, 0 not among them: what is behind a text, which is no number, is taken for that. */
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
