import { isSpace } from './link-reader.ts';

/**
 * Finds the quoted values of `<!ENTITY` and `<!ATTLIST`, which become addresses within XML: `href="&a;"`. Those of a
 * `<!DOCTYPE` itself name a definition, which browsers do not fetch.
 */
export class DeclarationReader {
  /** States: `none`; `lessThan`; `mark` after `<!`; `open` in a declaration, until its `>`; `quoted` in one of its values. */
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
    // XML requires white space before a value; regular expressions for declarations have other characters there.
    else if (state === 'open' && (c === 0x22 || c === 0x27) && isSpace(previous)) {
      this.#state = 'quoted';
      this.#quote = c;
    }
  }

  /** In capitals (XML 1.0 §4.2), followed by white space: a mere mention begins no declaration. */
  #readKeyword(c: number): void {
    if (c >= 0x41 && c <= 0x5a && this.#keyword.length < 'ATTLIST'.length) this.#keyword += String.fromCharCode(c);
    else this.#state = isSpace(c) && /^(?:ENTITY|ATTLIST)$/.test(this.#keyword) ? 'open' : 'none';
  }
}
