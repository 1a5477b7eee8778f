/** Finds the addresses in the text of `<style>`, one character after the other. */
import { isAsciiLetter, isDigit } from './characters.ts';
import { isSpace, keep } from './link-reader.ts';

/** Functions that take an address; `*` is a character written in hexadecimal digits. */
const addressFunction = /^(?:url|src|image|(?:-[a-z]+-)?image-set)$|\*/i;
/** Rules whose strings may be addresses: `@function` gives one back. */
const addressRule = /^@(?:(?:import|function)$|.*\*)/i;
/** Properties whose strings become addresses in `image-set(var(--x) 1x)`. */
const customName = /^--|^initial-value$|\*/i;
const functionNames = ['url', 'src', 'image', 'image-set', '-webkit-image-set'];
const ruleNames = ['@import', '@function'];
const propertyNames = ['initial-value'];
/** Named characters for signs of an address; Markdown, and browsers within SVG, put the signs in their place. */
const signEntity = /^&(?:lpar|commat|bsol)$/i;
/** A blank behind it belongs to the escape. */
const openEscape = /\\[0-9a-f]+\s*$/i;
/** More than a name with each of its characters as an escape. */
const wordMemory = 160;
/** Characters that mean nothing to Markdown, and begin nothing within SVG. */
const sign = String.raw`[\w:/.?=%#+,;@-]|&(?!quot)\w+=`;
/** With blanks and pairs of parentheses: where Markdown takes the quotes away, an address ends no later for it. */
const plain = String.raw`${sign}|[ \t]|\((?:${sign}|[ \t])*\)`;
/** Characters in digits; in JSON, `\f` is a line that ends, and the string with it. */
const digits = String.raw`\\(?:\\+[0-9a-f]|[0-9ac-e])`;
/** Quotes have backslashes in JSON that is shown as it stands. */
const quoted = ['"', "'", '\\\\"', "\\\\'"].map((quote) => `${quote}(?:${plain}|${digits})*${quote}`).join('|');
const argument = String.raw`\((?:[ \t]*(?:${quoted})[ \t]*|(?:${plain})*)\)`;
const image = String.raw`\s*(?:url${argument}|${quoted})(?:\s+(?:[\d.]+(?:x|dppx|dpi)|type\((?:${quoted})\)))*\s*`;
/** From the `(`, `@` or quote of what begins it. */
const wholeAddress = new RegExp(
  String.raw`^(?:(?:@[ \t]*url)?${argument}|(?:@[ \t]*)?(?:${quoted})|\(${image}(?:,${image})*\))$`,
  'i',
);
/** The `url(` of `@import`, or of one more image in a set. */
const innerStart = new RegExp(String.raw`^(?:@\s*|\((?:${image},)*\s*)url\($`, 'i');
/** `data:` of any length, up to one more sign, and up to a pair inside: none is kept of them. */
const dataStart = String.raw`^(?:@[ \t]*url)?\([ \t]*\\?(["']|)data:(?:(?!\1)["'(])*`;
const dataSign = new RegExp(String.raw`${dataStart}[\w:/.?=%#+,;@ \t!*-]$`, 'i');
const dataPair = new RegExp(String.raw`${dataStart}(?!\1)(?:\(\)|''|"")$`, 'i');
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
  /** The character before the word, and before the last one. */
  #before = 0;
  #previous = 0;
  /** Words that may be the first part of a name stood before a tag or a comment: within SVG, the name goes on behind it. */
  #isNameSplit = false;
  #isRuleSplit = false;
  /** What is open of a custom property: the name, blanks behind it, or the value while it holds no string. */
  #custom: 'none' | 'name' | 'behind' | 'value' = 'none';
  /** Open parentheses in that value: `if(…; else: …)` has semicolons. */
  #depth = 0;
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
    this.#isIndented = this.#isNameSplit = this.#isRuleSplit = false;
    this.#custom = 'none';
    this.#endLength = this.#blanks = 0;
    this.read(c);
  }

  read(c: number): void {
    const isInAddress = this.isInAddress;
    this.#readAddress(c);
    this.#readWord(c);
    this.#readCustom(c, isInAddress);
    this.#previous = c;
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
    else if (dataSign.test(address)) return;
    else if (dataPair.test(address)) this.#address = address.slice(0, -2);
    else this.#address = isAddressEnd(c) && wholeAddress.test(address) ? undefined : address;
  }

  #readWord(c: number): void {
    const word = this.#word;
    if (isAsciiLetter(c) || isDigit(c) || c === 0x2d || c === 0x5c || (isSpace(c) && openEscape.test(word))) {
      if (word.length < wordMemory) this.#word += String.fromCharCode(c);
      return;
    }
    const isSecondPart = this.#before === 0x3e || this.#before === 0x5b;
    this.#word = c === 0x40 || c === 0x26 ? String.fromCharCode(c) : '';
    this.#before = this.#word === '' ? c : this.#previous;
    if (word !== '' || c === 0x28) this.#endWord(word, c, isSecondPart);
  }

  #endWord(word: string, c: number, isSecondPart: boolean): void {
    // Markdown takes backslashes away.
    const name = word.includes('\\') ? word.replace(/\\+[0-9a-f]+\s*/gi, '*').replaceAll('\\', '') : word;
    const isRule = name.startsWith('@');
    const isRest = isSecondPart && this.#isNameSplit;
    const bare = name.replace(/^[@&]/, '');
    if (this.#custom !== 'value') {
      const isCustom = customName.test(bare) || (isRest && (bare.startsWith('-') || isEndOf(propertyNames, bare)));
      if (isCustom) this.#custom = 'name';
      this.#depth = 0;
    }
    if (c === 0x28 && (addressFunction.test(name) || (isRest && isEndOf(functionNames, name)))) this.#beginAddress('(');
    else if (isRule ? addressRule.test(name) : isSecondPart && this.#isRuleSplit && isEndOf(ruleNames, name))
      this.#beginAddress(`@${String.fromCharCode(c)}`);
    else if (c === 0x23 ? name === '&' : c === 0x3b && signEntity.test(name)) this.#beginAddress(endless);
    if (c !== 0x3c && c !== 0x5d) return;
    this.#isRuleSplit ||= isRule;
    this.#isNameSplit ||= /^-|\*/.test(bare) || isStartOf(functionNames, bare) || isStartOf(propertyNames, bare);
  }

  /** Reads on behind the name of a custom property. A value without strings costs nothing. */
  #readCustom(c: number, isInAddress: boolean): void {
    const state = this.#custom;
    if (state === 'none') return;
    if (state === 'value') {
      if (c === 0x28) this.#depth++;
      else if (c === 0x29) this.#depth--;
      if (isInAddress) return;
      if (this.#depth < 0 || (this.#depth === 0 && (c === 0x3b || c === 0x7d))) this.#custom = 'none';
      else if (isStringStart(c) || (c === 0x2a && this.#previous === 0x2f)) this.#beginAddress(String.fromCharCode(c));
    } else if (state === 'name' && isCustomNameCharacter(c)) return;
    else if (isSpace(c)) this.#custom = 'behind';
    else if (c === 0x3a || c === 0x26 || c === 0x2f || c === 0x3c || hiding.has(c)) {
      this.#custom = 'value';
      // Behind a comment, an entity or what Markdown takes away it is not known where the value is.
      if (isInAddress || c !== 0x3a) this.#beginAddress(endless);
    } else this.#custom = 'none';
  }

  /** Of two addresses, one inside of the other, no end is certain, but for {@link innerStart}. */
  #beginAddress(start: string): void {
    if (this.#address === undefined) this.#address = start;
    else if (!innerStart.test(this.#address)) this.#address = endless;
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

/** Quotes, and what may stand for one, or hide one or the end of a value, as braces do. */
function isStringStart(c: number): boolean {
  return c === 0x22 || c === 0x27 || c === 0x26 || c === 0x3c || c === 0x7b || hiding.has(c);
}

/** Also signs with which tokens are written. */
function isCustomNameCharacter(c: number): boolean {
  return isAsciiLetter(c) || isDigit(c) || c >= 0x80 || [0x25, 0x2d, 0x5b, 0x5c, 0x5d, 0x5f].includes(c);
}

function isStartOf(names: readonly string[], part: string): boolean {
  return names.some((name) => name.startsWith(part.toLowerCase()));
}

function isEndOf(names: readonly string[], part: string): boolean {
  return names.some((name) => name.endsWith(part.toLowerCase()));
}
