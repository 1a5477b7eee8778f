/**
 * The numbers that tokens have had, over all sessions in which a token must keep one meaning. A number is never given
 * twice, whatever happens to the session that had it, so that an old token cannot name a new value.
 */

/** Lines share counters beyond so many, in memory: numbers are then left out, never given again. 256 KiB for each name. */
const memoryLineBits = 16;
/** The same for stores, where a line uses space only once it is used. */
export const storeLineBits = 20;
/** Names with their own counters; further dictionary labels share some. */
const namesMax = 1_000;
/** Numbers are reserved in blocks of so many where they outlive the process; a power of two. */
const blockSize = 16;

/** Where numbers outlive the process. */
export type KeptNumbers = {
  /** The numbers of an earlier process: none up to `n` is free. */
  readonly earlier: Iterable<readonly [line: number, name: string, n: number]>;
  /** Called before a number is given: numbers up to `n` count as given from now on. */
  readonly keep: (line: number, name: string, n: number) => void;
};

/** The number of a line, below 2^bits (FNV-1a, Fowler et al., the upper bits folded in). */
export function lineNumber(line: string, bits: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < line.length; i++) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
  return ((hash >>> bits) ^ hash) & ((1 << bits) - 1);
}

/** Counters by line and name (`[EMAIL-`), of a fixed size. */
export class NumberLines {
  readonly #highest = new Map<string, Uint32Array>();
  readonly #keep: KeptNumbers['keep'] | undefined;

  constructor(kept?: KeptNumbers) {
    for (const [line, name, n] of kept?.earlier ?? []) this.#of(name).numbers[line] = n;
    this.#keep = kept?.keep;
  }

  /** The next number of a line that no token of this name has had. */
  next(line: string, name: string): number {
    const { key, numbers } = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    const n = (numbers[at] as number) + 1;
    if (n % blockSize === 1) this.#keep?.(at, key, endOfBlock(n));
    numbers[at] = n;
    return n;
  }

  /** Numbers up to `n` were given elsewhere. */
  raise(line: string, name: string, n: number): void {
    const { key, numbers } = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    const known = numbers[at] as number;
    if (n <= known) return;
    if (endOfBlock(n) > endOfBlock(known)) this.#keep?.(at, key, endOfBlock(n));
    numbers[at] = n;
  }

  /** All counters that have begun. */
  *entries(): Iterable<[line: number, name: string, n: number]> {
    for (const [name, numbers] of this.#highest) {
      for (let line = 0; line < numbers.length; line++) {
        const n = numbers[line] as number;
        if (n > 0) yield [line, name, n];
      }
    }
  }

  #of(name: string): { readonly key: string; readonly numbers: Uint32Array } {
    const own = this.#highest.get(name);
    if (own !== undefined) return { key: name, numbers: own };
    const key = this.#highest.size < namesMax ? name : '';
    const numbers = this.#highest.get(key) ?? new Uint32Array(2 ** memoryLineBits);
    this.#highest.set(key, numbers);
    return { key, numbers };
  }
}

/** The last number of the block with `n`: an earlier process may have used it. */
export function endOfBlock(n: number): number {
  return Math.ceil(n / blockSize) * blockSize;
}
