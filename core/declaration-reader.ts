import { isSpace } from './link-reader.ts';

/** Finds the quoted values of `<!DOCTYPE`, `<!ENTITY` and `<!ATTLIST`, which become addresses within XML: `href="&a;"`. */
export class DeclarationReader {
  /** States: `none`; `lessThan`; `mark` behind `<!`; `open` in a declaration, to its `>`; `quoted` in a value of it. */
  #state: 'none' | 'lessThan' | 'mark' | 'open' | 'quoted' = 'none';
  #quote = 0;

  get isIdle(): boolean {
    return this.#state === 'none';
  }

  get isInAddress(): boolean {
    return this.#state === 'quoted';
  }

  read(c: number, previous: number): void {
    const state = this.#state;
    if (state === 'quoted') {
      if (c === this.#quote) this.#state = 'open';
    } else if (c === 0x3c) this.#state = 'lessThan';
    else if (state === 'lessThan') this.#state = c === 0x21 ? 'mark' : 'none';
    else if (state === 'mark') this.#state = isKeywordStart(c) ? 'open' : 'none';
    else if (c === 0x3e) this.#state = 'none';
    // XML wants white space before a value; regular expressions for declarations have other signs there.
    else if (state === 'open' && (c === 0x22 || c === 0x27) && isSpace(previous)) {
      this.#state = 'quoted';
      this.#quote = c;
    }
  }
}

/** `A`, `D` or `E`: XML wants capitals, HTML takes any. */
function isKeywordStart(c: number): boolean {
  const capital = c & ~0x20;
  return capital === 0x41 || capital === 0x44 || capital === 0x45;
}
