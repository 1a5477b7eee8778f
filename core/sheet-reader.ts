/** Finds the addresses in the text of `<style>`, one character after the other. */
import { isAsciiLetter, isDigit } from './characters.ts';
import { isSpace, keep } from './link-reader.ts';

/** Functions that take an address; `*` is a character written in hexadecimal digits. */
const addressFunction = /^(?:url|src|image|(?:-[a-z]+-)?image-set)$|\*/i;
const importRule = /^@(?:import$|.*\*)/i;
/** Named characters for signs of an address; Markdown, and browsers within SVG, put the signs in their place. */
const signEntity = /^&(?:lpar|commat|bsol)$/i;
/** A blank behind it belongs to the escape. */
const openEscape = /\\[0-9a-f]+\s*$/i;
/** More than a name with each of its characters as an escape. */
const wordMemory = 160;
/** Characters that mean nothing to Markdown, and begin nothing within SVG. */
const plain = String.raw`(?:[\w:/.?=%#+,;@-]|&(?!quot)\w+=)*`;
/** From the `(` or `@` of what begins it. Quotes have backslashes in JSON that is shown as it stands. */
const wholeAddress = new RegExp(
  String.raw`^(?:@[ \t]*url)?\([ \t]*((?:\\?["'])?)${plain}\1[ \t]*\)$|^@[ \t]*(\\?["'])${plain}\2$`,
  'i',
);
/** In place of an address that ends with the sheet only. */
const endless = '!';
/** Behind the name of an opening tag that ends with its first `>` in every reading. */
const plainTag = /^(?:[ \t]+[\w:-]+(?:=(?:"[\w:/.,;()=+ -]*"|'[\w:/.,;()=+ -]*'|[\w:/.-]+))?)*[ \t]*\/?>$/;
const sheetEnd = '</style>';
/** `$[\]^` and the backtick and tilde: what Markdown shows as it is, or puts into a title, begins or ends with them. */
const hiding = new Set([0x24, 0x5b, 0x5c, 0x5d, 0x5e, 0x60, 0x7e]);

/**
 * States: `none`; `tag` behind the name `style`; `sheet` behind the `>` of that tag.
 * A browser ends the sheet at `</style>`, but not where Markdown has made text of it, nor within SVG where it stands in
 * another tag or a comment. So it ends only where nothing has come that could hide the end, and goes on for the rest of
 * the text otherwise. That costs little: an original is kept only inside of addresses, up to where they end in every
 * reading.
 */
export class SheetReader {
  #state: 'none' | 'tag' | 'sheet' = 'none';
  #tag = '';
  #isEndHidden = false;
  /** How much of `</style>` the last characters are. */
  #endLength = 0;
  /** Blanks before this place, and whether so many stand in the line that Markdown may take it for code. */
  #blanks = 0;
  #isIndented = false;
  /** The name that is being read, with its escapes and the `@` or `&` before it. */
  #word = '';
  #address: string | undefined;

  get isOpen(): boolean {
    return this.#state !== 'none';
  }

  get isInAddress(): boolean {
    return this.#address !== undefined;
  }

  /** Reads the character behind the name of the tag. */
  begin(c: number): void {
    this.#state = 'tag';
    this.#tag = this.#word = '';
    this.#isIndented = false;
    this.#endLength = this.#blanks = 0;
    this.read(c);
  }

  read(c: number): void {
    this.#readAddress(c);
    this.#readWord(c);
    if (this.#state === 'sheet') this.#readEnd(c);
    else this.#readTag(c);
  }

  #readTag(c: number): void {
    this.#tag = keep(this.#tag, c);
    if (c !== 0x3e) return;
    this.#state = 'sheet';
    this.#isEndHidden = !plainTag.test(this.#tag);
  }

  #readAddress(c: number): void {
    if (this.#address === undefined || this.#address === endless) return;
    const address = keep(this.#address, c);
    if (address === this.#address) this.#address = endless;
    else this.#address = isAddressEnd(c) && wholeAddress.test(address) ? undefined : address;
  }

  #readWord(c: number): void {
    const word = this.#word;
    if (isAsciiLetter(c) || isDigit(c) || c === 0x2d || c === 0x5c || (isSpace(c) && openEscape.test(word))) {
      if (word.length < wordMemory) this.#word += String.fromCharCode(c);
      return;
    }
    this.#word = c === 0x40 || c === 0x26 ? String.fromCharCode(c) : '';
    const isRule = word.startsWith('@');
    if (c !== 0x28 && !isRule && !word.startsWith('&')) return;
    // Markdown takes backslashes away.
    const name = word.replace(/\\+[0-9a-f]+\s*/gi, '*').replaceAll('\\', '');
    if (c === 0x28 && addressFunction.test(name)) this.#beginAddress('(');
    else if (isRule && importRule.test(name)) this.#beginAddress(`@${String.fromCharCode(c)}`);
    else if (c === 0x23 ? name === '&' : c === 0x3b && signEntity.test(name)) this.#beginAddress(endless);
  }

  /** Of two addresses, one inside of the other, no end is certain, but for `@import url(`. */
  #beginAddress(start: string): void {
    if (this.#address === undefined) this.#address = start;
    else if (!/^@\s*url\($/i.test(this.#address)) this.#address = endless;
  }

  #readEnd(c: number): void {
    this.#blanks = c === 0x09 ? 4 : c === 0x20 ? this.#blanks + 1 : 0;
    this.#isIndented = this.#blanks >= 4 || (this.#isIndented && c !== 0x0a && c !== 0x0d);
    if (String.fromCharCode(c).toLowerCase() === sheetEnd[this.#endLength]) this.#endLength++;
    else {
      if (this.#endLength > 0 || hiding.has(c)) this.#isEndHidden = true;
      this.#endLength = c === 0x3c ? 1 : 0;
    }
    if (this.#endLength < sheetEnd.length) return;
    this.#endLength = 0;
    if (this.#isEndHidden || this.#isIndented) return;
    this.#state = 'none';
    this.#address = undefined;
  }
}

function isAddressEnd(c: number): boolean {
  return c === 0x29 || c === 0x22 || c === 0x27;
}
