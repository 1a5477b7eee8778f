/**
 * A set of words, or a map of words to small numbers, in a few bits a word: a static function over three hashes (Botelho,
 * Pagh and Ziviani, "Simple and Space-Efficient Minimal Perfect Hash Functions", 2007; the same structure as an xor filter).
 * Words that are not in it are taken for one of it once in 2 to the power of `fingerprintBits`.
 */

/** What a table needs to be read. */
export type WordTableData = {
  /** Base64 of three equal blocks of little-endian cells of one or two bytes. */
  readonly cells: string;
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
  return x ^ (x >>> 16);
}

/** Where the three cells of a word are, in a table with blocks of `blockLength`. */
export function cellsOf(hash: WordHash, blockLength: number): [number, number, number] {
  return [
    (hash.first >>> 0) % blockLength,
    blockLength + ((hash.second >>> 0) % blockLength),
    blockLength * 2 + ((thirdHash(hash) >>> 0) % blockLength),
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

/** Values of the base64 alphabet by character code. */
const sextets = new Uint8Array(128);
for (let i = 0; i < 64; i++)
  sextets['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(i)] = i;

/** A table that has been asked so often is decoded: it takes some milliseconds once, and answers then come faster. */
const questionsMax = 5_000;

/**
 * Reads a table made by `scripts/compile-lists.ts`; at first straight from its base64, because to decode half a megabyte takes
 * longer than all questions of a short-lived process.
 */
export class WordTable {
  readonly #cells: string;
  #decoded: Uint8Array | Uint16Array | undefined;
  #questions = 0;
  readonly #isWide: boolean;
  readonly #blockLength: number;
  readonly #valueBits: number;
  readonly #fingerprintBits: number;

  constructor({ cells, cellBytes, valueBits }: WordTableData) {
    this.#cells = cells;
    this.#isWide = cellBytes === 2;
    const padding = cells.endsWith('==') ? 2 : cells.endsWith('=') ? 1 : 0;
    this.#blockLength = ((cells.length / 4) * 3 - padding) / cellBytes / 3;
    this.#valueBits = valueBits;
    this.#fingerprintBits = cellBytes * 8 - valueBits;
  }

  /** The value of the word `start..end` of the text, or -1 when it is not in the table. With no value bits: 0 or -1. */
  valueOf(text: string, start = 0, end = text.length): number {
    hashWord(text, start, end, hash);
    return this.valueAt(hash);
  }

  /** The value of the word with this hash; see {@link valueOf}. */
  valueAt(hash: WordHash): number {
    if (++this.#questions === questionsMax) this.#decoded = this.#decode();
    // Said to be unsigned, so that the remainders are those of integers: several times faster.
    const length = this.#blockLength >>> 0;
    const cell =
      this.#cellAt((hash.first >>> 0) % length) ^
      this.#cellAt(length + ((hash.second >>> 0) % length)) ^
      this.#cellAt(length * 2 + ((thirdHash(hash) >>> 0) % length));
    if (cell >>> this.#valueBits !== fingerprintOf(hash, this.#fingerprintBits)) return -1;
    return cell & ((1 << this.#valueBits) - 1);
  }

  has(text: string, start = 0, end = text.length): boolean {
    return this.valueOf(text, start, end) >= 0;
  }

  #decode(): Uint8Array | Uint16Array {
    const count = this.#blockLength * 3;
    const decoded = this.#isWide ? new Uint16Array(count) : new Uint8Array(count);
    for (let i = 0; i < count; i++) decoded[i] = this.#cellAt(i);
    return decoded;
  }

  #cellAt(index: number): number {
    const decoded = this.#decoded;
    if (decoded !== undefined) return decoded[index] as number;
    return this.#isWide ? this.#byteAt(index * 2) | (this.#byteAt(index * 2 + 1) << 8) : this.#byteAt(index);
  }

  /** Three bytes are four characters, so a byte lies in two that stand side by side. */
  #byteAt(index: number): number {
    const group = (index / 3) | 0;
    const inGroup = index - group * 3;
    const at = index + group;
    const high = sextets[this.#cells.charCodeAt(at)] as number;
    return (((high << 6) | (sextets[this.#cells.charCodeAt(at + 1)] as number)) >> (4 - inGroup * 2)) & 0xff;
  }
}
