/**
 * The numbers that tokens have had, over all sessions in which a token must keep one meaning. A number is never given
 * twice, whatever happens to the session that had it, so that an old token cannot name a new value.
 */

/** Lines share counters beyond so many, in memory: numbers are then left out, never given again. 256 KiB for each name. */
const memoryLineBits = 16;
/** The same for stores, where a line takes room only once it is used. */
export const storeLineBits = 20;
/** Names with counters of their own; the labels of dictionaries beyond them share some. */
const namesMax = 1_000;

/** The number of a line, below 2^bits (FNV-1a, Fowler et al., the upper bits folded in). */
export function lineNumber(line: string, bits: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < line.length; i++) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
  return ((hash >>> bits) ^ hash) & ((1 << bits) - 1);
}

/** Counters by line and name (`[EMAIL-`), of a fixed size. */
export class NumberLines {
  readonly #highest = new Map<string, Uint32Array>();

  /** The next number of a line that no token of this name has had. */
  next(line: string, name: string): number {
    const numbers = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    numbers[at] = (numbers[at] as number) + 1;
    return numbers[at] as number;
  }

  /** Numbers up to `n` were given elsewhere. */
  raise(line: string, name: string, n: number): void {
    const numbers = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    numbers[at] = Math.max(numbers[at] as number, n);
  }

  #of(name: string): Uint32Array {
    const own = this.#highest.get(name);
    if (own !== undefined) return own;
    const key = this.#highest.size < namesMax ? name : '';
    const numbers = this.#highest.get(key) ?? new Uint32Array(2 ** memoryLineBits);
    this.#highest.set(key, numbers);
    return numbers;
  }
}
