/** The text between a label and the candidates after it, read once for all of them. */
import { isAsciiLetter, isDigit } from '../characters.ts';

/** Distance of a label, by the words in between: only signs, a few words, more. */
export const distances = ['none', '0', '0n', '1', '3', '6', '13', 'far'] as const;
export type Distance = (typeof distances)[number];

/** A stretch of a text that grows from one candidate to the next. */
export class Gap {
  numbers = 0;
  lines = 0;
  /** A separator of cells. */
  hasComma = false;
  /** The end of a sentence or clause, with something behind it. */
  hasStop = false;
  readonly #text: string;
  #from = -1;
  #to = -1;
  #words = 0;
  #kind = 0;
  /** Characters of a run of kana or kanji: three count as a word. */
  #wide = 0;
  #isInNumber = false;
  /** Behind a sign that ends a sentence: 1, behind it and a blank: 2. */
  #behindStop = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads `from..to`, or only its end if the last stretch began at the same place. */
  read(from: number, to: number): Distance {
    if (from !== this.#from || to < this.#to) {
      this.numbers = this.lines = this.#words = this.#kind = this.#wide = this.#behindStop = 0;
      this.hasComma = this.hasStop = this.#isInNumber = false;
      this.#from = this.#to = from;
    }
    for (let i = this.#to; i < to; i++) {
      const c = this.#text.charCodeAt(i);
      // Within a word nothing changes.
      if (this.#kind !== 1 || c < 0x61 || c > 0x7a) this.#add(c);
    }
    this.#to = to;
    const words = this.#words;
    if (words === 0) return this.lines > 0 ? '0n' : '0';
    return words < 2 ? '1' : words < 4 ? '3' : words < 7 ? '6' : words < 14 ? '13' : 'far';
  }

  #add(c: number): void {
    const kind =
      isAsciiLetter(c) || (c >= 0xc0 && c <= 0x24f) ? 1 : isDigit(c) ? 2 : c >= 0x3040 && c <= 0x9fff ? 3 : 0;
    if (kind === 3 ? this.#wide++ % 3 === 0 : kind !== 0 && kind !== this.#kind) this.#words++;
    if (kind !== 3) this.#wide = 0;
    this.#kind = kind;
    if (this.#behindStop > 0 && !isBlank(c)) this.hasStop = true;
    this.#behindStop = isStop(c) ? 1 : this.#behindStop === 1 && c === 0x20 ? 2 : 0;
    if (kind === 2) {
      if (!this.#isInNumber) this.numbers++;
      this.#isInNumber = true;
      return;
    }
    if (c !== 0x20 && c !== 0x2e && c !== 0x2d) this.#isInNumber = false;
    if (c === 0x0a) this.lines++;
    else if (c === 0x2c || c === 0x7c || c === 0x09) this.hasComma = true;
  }
}

/** `.`, `!`, `?`, `;` and those of Japanese. */
function isStop(c: number): boolean {
  return c === 0x2e || c === 0x21 || c === 0x3f || c === 0x3b || c === 0x3002 || c === 0xff01 || c === 0xff1f;
}

/** True for `\s` of a pattern. */
export function isBlank(c: number): boolean {
  return c < 0xa0 ? c === 0x20 || (c >= 0x09 && c <= 0x0d) : /\s/.test(String.fromCharCode(c));
}
