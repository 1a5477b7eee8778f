/** The words that have weights, by number, looked up in a text without building strings. */
import labelWords from '../lexicon/label-words.json' with { type: 'json' };

const isAscii = /^[\0-\x7f]*$/;

/** The words that have weights, by number; 0 for all others. Rivals of labels come first. */
export class Vocabulary {
  readonly size: number;
  readonly #rivalsEnd: number;
  readonly #ids = new Map([['', 0]]);
  /** The numbers of ASCII words by their hash, 0 for none. */
  readonly #slots: Uint16Array;
  /** The letters of all ASCII words, and where each word starts; other words are empty. */
  readonly #letters: Uint8Array;
  readonly #starts: Int32Array;
  readonly #numbers: readonly number[];

  constructor(words: Iterable<string>) {
    for (const rival of labelWords.rivals) this.#add(rival);
    this.#rivalsEnd = this.#ids.size;
    for (const word of words) this.#add(word);
    this.size = this.#ids.size;
    if (this.size > 0xffff) throw new RangeError('The weights know too many words.');
    let slots = 1024;
    while (slots < 3 * this.size) slots *= 2;
    this.#slots = new Uint16Array(slots);
    this.#starts = new Int32Array(this.size + 1);
    const letters: number[] = [];
    for (const [word, id] of this.#ids) {
      this.#starts[id] = letters.length;
      if (id === 0 || !isAscii.test(word)) continue;
      let hash = hashStart;
      for (let i = 0; i < word.length; i++) {
        const c = word.charCodeAt(i);
        letters.push(c);
        hash = hashWith(hash, c);
      }
      let slot = slotOf(hash) & (slots - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (slots - 1);
      this.#slots[slot] = id;
    }
    this.#starts[this.size] = letters.length;
    this.#letters = Uint8Array.from(letters);
    this.#numbers = numberWords.map((word) => this.idOf(word));
  }

  #add(word: string): void {
    if (!this.#ids.has(word)) this.#ids.set(word, this.#ids.size);
  }

  /** The number of a word in lower case. */
  idOf(word: string): number {
    return this.#ids.get(word) ?? 0;
  }

  /** The number of the ASCII word at this place of the text, in any case. @param hash its {@link hashWith} */
  idAt(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = slotOf(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] as number;
      if (id === 0 || this.#isSame(id, bytes, start, end)) return id;
    }
  }

  #isSame(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[id] as number;
    const length = (this.#starts[id + 1] as number) - from;
    if (length !== end - start) return false;
    for (let i = 0; i < length; i++) if (lowerOf(bytes[start + i] as number) !== this.#letters[from + i]) return false;
    return true;
  }

  /** The number of a {@link numberWord}. */
  idOfNumber(digits: number): number {
    return this.#numbers[Math.min(digits, digitsTold)] as number;
  }

  isRival(id: number): boolean {
    return id > 0 && id < this.#rivalsEnd;
  }
}

/** Longer numbers count as one of this length. */
const digitsTold = 13;
const numberWords = Array.from({ length: digitsTold + 1 }, (_, digits) => `#${digits}`);

/** The word for a number: only its length counts. */
export function numberWord(digits: number): string {
  return numberWords[Math.min(digits, digitsTold)] as string;
}

/** The case-insensitive hash of an ASCII word, one character at a time. */
export const hashStart = 0x811c9dc5 | 0;
export function hashWith(hash: number, c: number): number {
  return Math.imul(hash ^ lowerOf(c), 0x01000193);
}

function slotOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

function lowerOf(c: number): number {
  return c >= 0x41 && c <= 0x5a ? c | 0x20 : c;
}

let rivals: Vocabulary | undefined;

/** A vocabulary of only the rivals, for training. */
export function rivalsOnly(): Vocabulary {
  rivals ??= new Vocabulary([]);
  return rivals;
}

/** Pairs of characters in a word of a script without spaces. */
export function pairsOf(word: string): string[] {
  const pairs: string[] = [];
  for (let i = 0; i + 1 < word.length && i < 8; i++) pairs.push(word.slice(i, i + 2));
  return pairs;
}
