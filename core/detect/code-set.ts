/** Bit sets of code units, for tests on nearly every character, where a `Set` would hash each one. */

/** A set of code units. It never contains 0, which stands for the end of the text. */
export class CodeSet {
  readonly #bits = new Int32Array(65_536 >> 5);

  /** @param codes code units, or a text of them */
  constructor(codes: string | Iterable<number>) {
    if (typeof codes === 'string') for (let i = 0; i < codes.length; i++) this.add(codes.charCodeAt(i));
    else for (const code of codes) this.add(code);
  }

  has(code: number): boolean {
    return (((this.#bits[code >>> 5] as number) >>> (code & 31)) & 1) !== 0;
  }

  /** Adds the codes of a range. */
  add(first: number, last = first): void {
    const bits = this.#bits;
    const [start, end] = [first >>> 5, last >>> 5];
    const [head, tail] = [-1 << (first & 31), -1 >>> (31 - (last & 31))];
    if (start === end) bits[start] = (bits[start] as number) | (head & tail);
    else {
      bits[start] = (bits[start] as number) | head;
      bits[end] = (bits[end] as number) | tail;
      bits.fill(-1, start + 1, end);
    }
  }
}

/** A test of code units, written as in the brackets of a pattern: `A-Za-z0-9_-`. */
export function codesOf(ranges: string): (code: number) => boolean {
  const set = new CodeSet('');
  for (let i = 0; i < ranges.length; i++) {
    const first = ranges.charCodeAt(i);
    const isRange = ranges[i + 1] === '-' && i + 2 < ranges.length;
    if (isRange) i += 2;
    set.add(first, ranges.charCodeAt(i));
  }
  return (code) => set.has(code);
}
