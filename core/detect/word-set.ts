/** Word sets that reject most words by length, first and last letter, before slicing or hashing. */

/** Longer words share one length. */
const lengthMask = 31;
const letterMask = 31;

/** A fixed set of words. */
export class WordSet {
  readonly #words: ReadonlySet<string>;
  /** A bit per length, first and last letter, ignoring case. */
  readonly #shapes = new Uint32Array((lengthMask + 1) * (letterMask + 1));

  /** @param words in lower case */
  constructor(words: Iterable<string>) {
    this.#words = new Set(words);
    for (const word of this.#words) {
      const row = this.#rowOf(word, 0, word.length);
      this.#shapes[row] = (this.#shapes[row] as number) | (1 << (word.charCodeAt(word.length - 1) & letterMask));
    }
  }

  /** True when the set contains the word, ignoring case. */
  has(word: string): boolean {
    return this.#mayHave(word, 0, word.length) && this.#words.has(word.toLowerCase());
  }

  /** The same for a range of a text. */
  hasIn(text: string, start: number, end: number): boolean {
    return this.#mayHave(text, start, end) && this.#words.has(text.slice(start, end).toLowerCase());
  }

  #mayHave(text: string, start: number, end: number): boolean {
    const last = text.charCodeAt(end - 1);
    // Beyond ASCII, capitals and small letters differ in any bit.
    if ((text.charCodeAt(start) | last) > 0x7f) return true;
    return (((this.#shapes[this.#rowOf(text, start, end)] as number) >>> (last & letterMask)) & 1) !== 0;
  }

  #rowOf(text: string, start: number, end: number): number {
    return ((end - start) & lengthMask) * (letterMask + 1) + (text.charCodeAt(start) & letterMask);
  }
}
