/** The words that weights know, by number, and how they are read from a text without putting strings together. */
import labelWords from '../lexicon/label-words.json' with { type: 'json' };

/** The words that weights know, by number; 0 is all other words. The first ones are the rivals of labels. */
export class Vocabulary {
  readonly size: number;
  readonly #rivalsEnd: number;
  readonly #ids = new Map<string, number>();
  readonly #words: string[] = [''];
  /** ASCII words by their hash: number of the word, 0 for none, and the hash. */
  readonly #slots: Uint16Array;
  readonly #hashes: Int32Array;
  readonly #numbers: readonly number[];

  constructor(words: Iterable<string>) {
    for (const rival of labelWords.rivals) this.#add(rival);
    this.#rivalsEnd = this.#words.length;
    for (const word of words) this.#add(word);
    this.size = this.#words.length;
    if (this.size > 0xffff) throw new RangeError('The weights know too many words.');
    let slots = 1024;
    while (slots < 3 * this.size) slots *= 2;
    this.#slots = new Uint16Array(slots);
    this.#hashes = new Int32Array(slots);
    for (let id = 1; id < this.size; id++) {
      const word = this.#words[id] as string;
      const hash = hashOf(word, 0, word.length);
      let slot = hash & (slots - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (slots - 1);
      this.#slots[slot] = id;
      this.#hashes[slot] = hash;
    }
    this.#numbers = numberWords.map((word) => this.idOf(word));
  }

  #add(word: string): void {
    if (this.#ids.has(word)) return;
    this.#ids.set(word, this.#words.length);
    this.#words.push(word);
  }

  /** The number of a word in lower case. */
  idOf(word: string): number {
    return this.#ids.get(word) ?? 0;
  }

  /** The number of the word that stands there in the text, in whichever case. */
  idAt(text: string, start: number, end: number): number {
    const hash = hashOf(text, start, end);
    if (hash < 0) return this.idOf(text.slice(start, end).toLowerCase());
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] as number;
      if (id === 0) return 0;
      if (this.#hashes[slot] === hash && isSame(this.#words[id] as string, text, start, end)) return id;
    }
  }

  /** The number of a {@link numberWord}. */
  idOfNumber(digits: number): number {
    return this.#numbers[Math.min(digits, digitsTold)] as number;
  }

  isRival(id: number): boolean {
    return id > 0 && id < this.#rivalsEnd;
  }
}

/** A longer number has no word of its own. */
const digitsTold = 13;
const numberWords = Array.from({ length: digitsTold + 1 }, (_, digits) => `#${digits}`);

/** What stands for a number among the words. */
export function numberWord(digits: number): string {
  return numberWords[Math.min(digits, digitsTold)] as string;
}

/** A hash of a word in ASCII without its case; -1 for any other. */
function hashOf(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c > 0x7f) return -1;
    hash = Math.imul(hash ^ lowerOf(c), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}

function isSame(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = start; i < end; i++) if (lowerOf(text.charCodeAt(i)) !== word.charCodeAt(i - start)) return false;
  return true;
}

function lowerOf(c: number): number {
  return c >= 0x41 && c <= 0x5a ? c | 0x20 : c;
}

let rivals: Vocabulary | undefined;

/** Knows no word but the rivals: for training. */
export function rivalsOnly(): Vocabulary {
  rivals ??= new Vocabulary([]);
  return rivals;
}

/** Pairs of characters in a word of a script without blanks. */
export function pairsOf(word: string): string[] {
  const pairs: string[] = [];
  for (let i = 0; i + 1 < word.length && i < 8; i++) pairs.push(word.slice(i, i + 2));
  return pairs;
}
