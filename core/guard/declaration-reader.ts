import { isSpace } from './link-reader.ts';

/**
 * Finds the quoted values of `<!ENTITY` and `<!ATTLIST`, which become addresses within XML: `href="&a;"`. Values of
 * `<!DOCTYPE` itself name a definition, which browsers do not fetch.
 */
export class DeclarationReader {
  /** States: `none`; `lessThan`; `mark` after `<!`; `open` in a declaration, up to its `>`; `quoted` in a value. */
  #state: 'none' | 'lessThan' | 'mark' | 'open' | 'quoted' = 'none';
  #keyword = '';
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
    else if (state === 'lessThan') {
      this.#state = c === 0x21 ? 'mark' : 'none';
      this.#keyword = '';
    } else if (state === 'mark') this.#readKeyword(c);
    else if (c === 0x3e) this.#state = 'none';
    // XML requires whitespace before a value; regular expressions for declarations have other characters there.
    else if (state === 'open' && (c === 0x22 || c === 0x27) && isSpace(previous)) {
      this.#state = 'quoted';
      this.#quote = c;
    }
  }

  /** Reads a keyword: in capitals (XML 1.0 §4.2) and followed by whitespace, so a mention starts no declaration. */
  #readKeyword(c: number): void {
    if (c >= 0x41 && c <= 0x5a && this.#keyword.length < 'ATTLIST'.length) this.#keyword += String.fromCharCode(c);
    else this.#state = isSpace(c) && /^(?:ENTITY|ATTLIST)$/.test(this.#keyword) ? 'open' : 'none';
  }
}
