/** Token numbers in use, over all sessions of a line. A number is never reused, so no token gets a second value. */

/** In memory, lines share counters beyond this many (256 KiB per name). Sharing skips numbers, never reuses one. */
const memoryLineBits = 16;
/** The same for stores, where only used lines take space. */
export const storeLineBits = 20;
/** Names with counters of their own; further dictionary labels share counters. */
const namesMax = 1_000;
/** Persistent numbers are reserved in blocks of this size; a power of two. */
const blockSize = 16;

/** Numbers that outlive the process. */
export type KeptNumbers = {
  /** The numbers of an earlier process: all up to `n` are taken. */
  readonly earlier: Iterable<readonly [line: number, name: string, n: number]>;
  /** Called before a number is issued: numbers up to `n` are taken from now on. */
  readonly keep: (line: number, name: string, n: number) => void;
};

/** The hash of a line, below 2^bits (FNV-1a by Fowler et al., with the upper bits folded in). */
export function lineNumber(line: string, bits: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < line.length; i++) hash = Math.imul(hash ^ line.charCodeAt(i), 0x01000193);
  return ((hash >>> bits) ^ hash) & ((1 << bits) - 1);
}

/** Fixed-size counters by line and name (`[EMAIL-`). */
export class NumberLines {
  readonly #highest = new Map<string, Uint32Array>();
  readonly #keep: KeptNumbers['keep'] | undefined;

  constructor(kept?: KeptNumbers) {
    for (const [line, name, n] of kept?.earlier ?? []) this.#of(name).numbers[line] = n;
    this.#keep = kept?.keep;
  }

  /** The next unused number for a name in a line. */
  next(line: string, name: string): number {
    const { key, numbers } = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    const n = (numbers[at] as number) + 1;
    if (n % blockSize === 1) this.#keep?.(at, key, endOfBlock(n));
    numbers[at] = n;
    return n;
  }

  /** Marks numbers up to `n` as issued elsewhere. */
  raise(line: string, name: string, n: number): void {
    const { key, numbers } = this.#of(name);
    const at = lineNumber(line, memoryLineBits);
    const known = numbers[at] as number;
    if (n <= known) return;
    if (endOfBlock(n) > endOfBlock(known)) this.#keep?.(at, key, endOfBlock(n));
    numbers[at] = n;
  }

  /** All counters in use. */
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

/** The last number of the block that contains `n`; an earlier process may have used all of it. */
export function endOfBlock(n: number): number {
  return Math.ceil(n / blockSize) * blockSize;
}
