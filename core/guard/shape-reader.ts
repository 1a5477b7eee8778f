import { isSpace } from './link-reader.ts';

/** Slashes, a scheme, a YAML escape, or a character reference: every address of another host contains one. */
const addressStart = /(?:https?|wss?|ftp):|\/[/\\]|\\|[#&]\w/i;
const startLength = 'https:'.length;
/** Characters before `@{` in code; no node name ends with these. */
const codeBefore = new Set([...'=([{;'].map((sign) => sign.charCodeAt(0)));

/**
 * Finds image addresses in Mermaid diagrams: `A@{ img: "…", h: 60 }`. The YAML in the braces is not parsed: it ends at
 * the first brace outside double quotes, and any address before that counts. States: `text`; `mark` after a node's `@`;
 * `open` within the braces.
 */
export class ShapeReader {
  #state: 'text' | 'mark' | 'open' = 'text';
  #kept = '';
  #isQuoted = false;
  #isAddress = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  get isInAddress(): boolean {
    return this.#isAddress;
  }

  read(c: number, previous: number): void {
    if (this.#state === 'open') this.#readInside(c);
    else if (this.#state === 'mark' && c === 0x7b) {
      this.#state = 'open';
      this.#kept = '';
      this.#isQuoted = false;
    } else this.#state = c === 0x40 && isName(previous) ? 'mark' : 'text';
  }

  #readInside(c: number): void {
    // Characters of code; no YAML text starts with these.
    const isNone = this.#kept === '' && (c === 0x60 || c === 0x40);
    if (isNone || (c === 0x7d && !this.#isQuoted)) {
      this.#state = 'text';
      this.#isAddress = false;
      return;
    }
    if (c === 0x22) this.#isQuoted = !this.#isQuoted;
    if (this.#isAddress || isSpace(c)) return;
    this.#kept = (this.#kept + String.fromCharCode(c)).slice(-startLength);
    this.#isAddress = addressStart.test(this.#kept);
  }
}

function isName(c: number): boolean {
  return c !== 0 && !isSpace(c) && !codeBefore.has(c);
}
