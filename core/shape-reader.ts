/** Finds the addresses of images in Mermaid diagrams, `A@{ img: "…", h: 60 }`: YAML, of which only what ends a value is read. */
import { isSpace } from './link-reader.ts';

/** Behind the key, which may be quoted, or hold escapes. */
const imageKey = /(?:img|\\.*)["']?\s*$/i;
const keyMemory = 40;

/**
 * States: `text`; `mark` behind `@`; `key` within the braces; `start` behind the colon of an image; `value` in its address,
 * up to the quote that closes it, or to a comma, a line end or a brace.
 */
export class ShapeReader {
  #state: 'text' | 'mark' | 'key' | 'start' | 'value' = 'text';
  #key = '';
  #quote = 0;
  /** A text of several lines, or another notation of YAML: it ends with the braces only. */
  #isLong = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  get isInAddress(): boolean {
    return this.#state === 'start' || this.#state === 'value';
  }

  read(c: number, previous: number): void {
    if (this.#state === 'text' || this.#state === 'mark') this.#readMark(c);
    else if (this.#state === 'key') this.#readKey(c, previous);
    else if (this.#state === 'start') {
      if (!isSpace(c)) this.#begin(c);
    } else if (this.#isEnd(c, previous)) {
      this.#quote = 0;
      this.#state = c === 0x7d ? 'text' : 'key';
      this.#key = '';
    }
  }

  #readMark(c: number): void {
    if (this.#state === 'mark' && c === 0x7b) {
      this.#state = 'key';
      this.#key = '';
      this.#quote = 0;
    } else this.#state = c === 0x40 ? 'mark' : 'text';
  }

  #readKey(c: number, previous: number): void {
    if (c === 0x3a && imageKey.test(this.#key)) this.#state = 'start';
    // A brace within the quotes of a label ends nothing.
    else if (c === 0x7d && this.#quote === 0) this.#state = 'text';
    else if (c === this.#quote && previous !== 0x5c) this.#quote = 0;
    else if (this.#quote === 0 && c === 0x22) this.#quote = c;
    this.#key = (this.#key + String.fromCharCode(c)).slice(-keyMemory);
  }

  #begin(c: number): void {
    this.#state = 'value';
    this.#quote = c === 0x22 || c === 0x27 ? c : 0;
    // `|`, `>`, `!`, `&` and `*`.
    this.#isLong = c === 0x7c || c === 0x3e || c === 0x21 || c === 0x26 || c === 0x2a;
    if (c === 0x7d) this.#state = 'text';
  }

  #isEnd(c: number, previous: number): boolean {
    if (this.#quote !== 0) return c === this.#quote && previous !== 0x5c;
    return c === 0x7d || (!this.#isLong && (c === 0x2c || c === 0x0a || c === 0x0d));
  }
}
