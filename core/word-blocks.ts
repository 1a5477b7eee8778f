/**
 * Where in a text one of a set of words may stand, block by block: a text with the same label thousands of times is not
 * searched anew around each of them.
 */

const blockLength = 512;
/** No word is longer. */
const wordMax = 40;

/** Answers whether a pattern of words may match between two places; looks at each block of the text once. */
export class WordBlocks {
  readonly #shadow: string;
  readonly #words: RegExp;
  /** 1 for a block with a word, -1 for one without, 0 for one that was not looked at. */
  readonly #seen: number[] = [];

  constructor(shadow: string, words: RegExp) {
    this.#shadow = shadow;
    this.#words = words;
  }

  /** False when none of the words starts between the places. */
  mayHave(from: number, to: number): boolean {
    const last = Math.floor(Math.max(from, to - 1) / blockLength);
    for (let block = Math.floor(Math.max(0, from) / blockLength); block <= last; block++)
      if (this.#hasWord(block)) return true;
    return false;
  }

  #hasWord(block: number): boolean {
    const known = this.#seen[block];
    if (known !== undefined && known !== 0) return known > 0;
    const start = block * blockLength;
    const has = this.#words.test(this.#shadow.slice(Math.max(0, start - 1), start + blockLength + wordMax));
    // Filled in order, so that the list stays dense.
    while (this.#seen.length < block) this.#seen.push(0);
    this.#seen[block] = has ? 1 : -1;
    return has;
  }
}
