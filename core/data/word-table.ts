/**
 * A set of words, or a map of words to small numbers, in a few bits a word: a static function over three hashes (Botelho,
 * Pagh and Ziviani, "Simple and Space-Efficient Minimal Perfect Hash Functions", 2007; the same structure as an xor filter).
 * Words that are not in it are taken for one of it once in 2 to the power of `fingerprintBits`.
 */

/** What a table needs to be read. `cells` holds three equal blocks of little-endian cells of one or two bytes. */
export type WordTableData = {
  readonly cells: Uint8Array;
  readonly cellBytes: 1 | 2;
  /** The low bits of a cell that hold the value; the others hold the fingerprint. */
  readonly valueBits: number;
};

/** The two 32-bit hashes of a word (FNV-1a and a multiplicative one, both over UTF-16 code units, mixed at the end). */
export type WordHash = { first: number; second: number };

const firstSeed = 0x811c9dc5;
const firstFactor = 0x01000193;
const secondSeed = 0x9e3779b9;
const secondFactor = 0x85ebca6b;

/** Writes the hash of the code units `start..end` of the text into `into`. */
export function hashWord(text: string, start: number, end: number, into: WordHash): void {
  let first = firstSeed;
  let second = secondSeed;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    first = Math.imul(first ^ c, firstFactor);
    second = Math.imul((second << 5) ^ (second >>> 27) ^ c, secondFactor);
  }
  into.first = mixed(first);
  into.second = mixed(second ^ first);
}

/**
 * Writes the hash of a Latin word as the lists have it: in lower case, without apostrophes.
 * @returns false for a word with other characters than ASCII, which must be folded first.
 */
export function hashLatinWord(word: string, into: WordHash): boolean {
  let first = firstSeed;
  let second = secondSeed;
  for (let i = 0; i < word.length; i++) {
    let c = word.charCodeAt(i);
    if (c >= 0x80) return false;
    if (c === 0x27) continue;
    if (c >= 0x41 && c <= 0x5a) c |= 0x20;
    first = Math.imul(first ^ c, firstFactor);
    second = Math.imul((second << 5) ^ (second >>> 27) ^ c, secondFactor);
  }
  into.first = mixed(first);
  into.second = mixed(second ^ first);
  return true;
}

function mixed(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Where the three cells of a word are, in a table with blocks of `blockLength`. */
export function cellsOf(hash: WordHash, blockLength: number): [number, number, number] {
  return [
    hash.first % blockLength,
    blockLength + (hash.second % blockLength),
    blockLength * 2 + (thirdHash(hash) % blockLength),
  ];
}

function thirdHash(hash: WordHash): number {
  return mixed(hash.first ^ ((hash.second << 16) | (hash.second >>> 16)));
}

/** The bits by which a word of the table is known, `bits` of them. */
export function fingerprintOf(hash: WordHash, bits: number): number {
  return mixed(hash.first + Math.imul(hash.second, 3)) >>> (32 - bits);
}

const hash: WordHash = { first: 0, second: 0 };

/** Reads a table made by `scripts/compile-lists.ts`. */
export class WordTable {
  readonly #cells: Uint8Array | Uint16Array;
  readonly #blockLength: number;
  readonly #valueBits: number;
  readonly #fingerprintBits: number;

  constructor(data: WordTableData) {
    const { cells, cellBytes } = data;
    if (cellBytes === 1) this.#cells = cells;
    else {
      const wide = new Uint16Array(cells.length / 2);
      for (let i = 0; i < wide.length; i++) wide[i] = (cells[i * 2] as number) | ((cells[i * 2 + 1] as number) << 8);
      this.#cells = wide;
    }
    this.#blockLength = this.#cells.length / 3;
    this.#valueBits = data.valueBits;
    this.#fingerprintBits = cellBytes * 8 - data.valueBits;
  }

  /** The value of the word `start..end` of the text, or -1 when it is not in the table. With no value bits: 0 or -1. */
  valueOf(text: string, start = 0, end = text.length): number {
    hashWord(text, start, end, hash);
    return this.valueAt(hash);
  }

  /** The value of the word with this hash; see {@link valueOf}. */
  valueAt(hash: WordHash): number {
    const length = this.#blockLength;
    const cells = this.#cells;
    const cell =
      (cells[hash.first % length] as number) ^
      (cells[length + (hash.second % length)] as number) ^
      (cells[length * 2 + (thirdHash(hash) % length)] as number);
    if (cell >>> this.#valueBits !== fingerprintOf(hash, this.#fingerprintBits)) return -1;
    return cell & ((1 << this.#valueBits) - 1);
  }

  has(text: string, start = 0, end = text.length): boolean {
    return this.valueOf(text, start, end) >= 0;
  }
}

/** The bytes of a base64 text. */
export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
