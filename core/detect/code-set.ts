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

/** A test of code units, written as in the brackets of a pattern: `A-Za-z0-9_-`. */
export function codesOf(ranges: string): (code: number) => boolean {
  const codes: number[] = [];
  for (let i = 0; i < ranges.length; i++) {
    const first = ranges.charCodeAt(i);
    const isRange = ranges[i + 1] === '-' && i + 2 < ranges.length;
    if (isRange) i += 2;
    for (let code = first; code <= ranges.charCodeAt(i); code++) codes.push(code);
  }
  const set = new CodeSet(codes);
  return (code) => set.has(code);
}
