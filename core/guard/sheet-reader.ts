/** Finds the addresses in the text of `<style>`, character by character. */

import { isAsciiLetter, isDigit } from '../characters.ts';
import { codeOf, isNameSign } from './character-reference.ts';
import { isSpace, keep } from './link-reader.ts';
import { NameGap } from './name-gap.ts';

/** Functions that take an address; `*` stands for an escaped character. */
const addressFunction = /^(?:url|src|image|(?:-[a-z]+-)?image-set)$|\*/i;
/** Rules whose strings may be addresses: `@function` returns one. */
const addressRule = /^@(?:(?:import|function)$|.*\*)/i;
/** Properties whose strings become addresses in `image-set(var(--x) 1x)`. */
const customName = /^--|^initial-value$|\*/i;
const functionNames = ['url', 'src', 'image', 'image-set', '-webkit-image-set'];
const ruleNames = ['@import', '@function'];
const propertyNames = ['initial-value'];
const splitNames = [...functionNames, ...ruleNames, ...propertyNames];
/** Named references for characters of an address, decoded by Markdown, and by browsers within SVG. */
const signEntity = /^&(?:lpar|commat|bsol)$/i;
/** A space after it belongs to the escape. */
const openEscape = /\\[0-9a-f]+\s*$/i;
/** Longer than any relevant name, even with every character escaped. */
const wordMemory = 160;
/** Characters without a meaning in Markdown, or at a start within SVG. */
const sign = String.raw`[\w:/.?=%#+,;@\u00a1-\uffff-]|&(?!quot)\w+=`;
/** With spaces and pairs of parentheses: even if Markdown removes the quotes, the address does not end later. */
const plain = String.raw`${sign}|[ \t]|\((?:${sign}|[ \t])*\)`;
/** Numeric escapes. In JSON, `\f` ends the line and with it the string. */
const digits = String.raw`\\(?:\\+[0-9a-f]|[0-9ac-e])`;
/** In JSON that is displayed raw, quotes have backslashes. */
const quoted = ['"', "'", '\\\\"', "\\\\'"].map((quote) => `${quote}(?:${plain}|${digits})*${quote}`).join('|');
const argument = String.raw`\((?:[ \t]*(?:${quoted})[ \t]*|(?:${plain})*)\)`;
const image = String.raw`\s*(?:url${argument}|${quoted})(?:\s+(?:[\d.]+(?:x|dppx|dpi)|type\((?:${quoted})\)))*\s*`;
/** Calls in code that cannot hide the parenthesis: `url(\`/api/${id}\`)`, `src(["a.js"])`, `image(w[0], h)`. */
const flat = String.raw`(?:"(?:${sign}|[ \t])*"|'(?:${sign}|[ \t])*')(?!["'])`;
const call = String.raw`\((?!.*/\*)(?:${sign}|[ \t{}$\x60!*]|${flat}|\[(?:[\w ,.-]|${flat})*\](?![(\[]))*\)`;
/** From the initial `(`, `@` or quote. */
const wholeAddress = new RegExp(
  String.raw`^(?:(?:@[ \t]*url)?${argument}|(?:@[ \t]*)?(?:${quoted})|\(${image}(?:,${image})*\)|${call})$`,
  'i',
);
/** The `url(` of `@import`, or of one more image in a set. */
const innerStart = new RegExp(String.raw`^(?:@\s*|\((?:${image},)*\s*)url\($`, 'i');
/** `data:` of any length, up to the next character or pair of quotes or parentheses, which is not kept. */
const dataStart = String.raw`^(?:@[ \t]*url)?\([ \t]*\\?(["']|)data:(?:(?!\1)["'(])*`;
const dataSign = new RegExp(String.raw`${dataStart}[\w:/.?=%#+,;@ \t!*-]$`, 'i');
const dataPair = new RegExp(String.raw`${dataStart}(?!\1)(?:\(\)|''|"")$`, 'i');
/** Replaces an address that ends only with the sheet. */
const endless = '!';
/** An opening tag, after its name, that ends with its first `>` in every reading. */
const plainTag = /^(?:[ \t]+[\w:-]+(?:=(?:"[\w:/.,;()=+ -]*"|'[\w:/.,;()=+ -]*'|[\w:/.-]+))?)*[ \t]*\/?>$/;
/** `$[\]^`, backtick and tilde delimit text that Markdown shows literally or moves to a title. */
const hiding = new Set([0x24, 0x5b, 0x5c, 0x5d, 0x5e, 0x60, 0x7e]);

/**
 * States: `none`; `tag` after the name `style`; `sheet` after the tag's `>`. A browser ends the sheet at `</style>`,
 * unless Markdown made that text, or it is within SVG inside another tag or a comment. So the sheet ends here only if
 * nothing before could hide its end, and otherwise continues to the end of the text. That costs little: tokens stay
 * masked only inside addresses, up to their end in every reading.
 */
export class SheetReader {
  #state: 'none' | 'tag' | 'sheet' = 'none';
  #tag = '';
  #isEndHidden = false;
  /** The closing tag, and how much of it was read. */
  #sheetEnd = '';
  #endLength = 0;
  /** Spaces before this offset, and whether the line has enough of them to be Markdown code. */
  #blanks = 0;
  #isIndented = false;
  /** The name being read, with its escapes and the `@` or `&` before it. */
  #word = '';
  /** The characters before the word, and before the last one. */
  #before = 0;
  #previous = 0;
  /** Words before a tag, comment or Markdown link, after which a name continues within SVG; `*` if unknown. */
  readonly #firstParts = new Set<string>();
  /** True if one of them, or several joined, were a complete function name. */
  #isFunctionSplit = false;
  /** The open part of a custom property: its name, spaces or a slash after it, or its value so far without a string. */
  #custom: 'none' | 'name' | 'behind' | 'slash' | 'value' = 'none';
  /** True if text before the colon may disappear, so the offset of the value is unknown. */
  #isUncertain = false;
  readonly #gap = new NameGap();
  /** A numeric reference whose digits are being read. */
  #reference = '';
  /** Number of open parentheses in the value: `if(…; else: …)` has semicolons. */
  #depth = 0;
  #address: string | undefined;

  get isOpen(): boolean {
    return this.#state !== 'none';
  }

  get isInAddress(): boolean {
    return this.#address !== undefined;
  }

  /** Reads the character after the lower-case tag name; within XML the name may have a prefix. */
  begin(name: string, c: number): void {
    this.#state = 'tag';
    this.#sheetEnd = `</${name}>`;
    this.#tag = this.#word = this.#reference = '';
    this.#isIndented = this.#isFunctionSplit = false;
    this.#firstParts.clear();
    this.#custom = 'none';
    this.#gap.end();
    this.#endLength = this.#blanks = 0;
    this.read(c);
  }

  read(c: number): void {
    const isInAddress = this.isInAddress;
    this.#readAddress(c);
    this.#readReference(c);
    this.#readWord(c);
    if (this.#gap.isOpen) this.#readGap(c);
    else this.#readCustom(c, isInAddress);
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
    // A comment may hide the end.
    const isComment = c === 0x2a && this.#previous === 0x2f && dataSign.test(address);
    if (address === this.#address || isComment) this.#address = endless;
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
    const before = this.#before;
    this.#word = c === 0x40 || c === 0x26 ? String.fromCharCode(c) : '';
    this.#before = this.#word === '' ? c : this.#previous;
    if (word !== '' || c === 0x28) this.#endWord(word, c, before);
  }

  #endWord(word: string, c: number, before: number): void {
    // Markdown removes backslashes. A single digit is a control character, which no name has; it may continue after a
    // tag.
    const digits = isSplit(c) ? /\\+(?:[0-9a-f]{2,}|[024-7]$)\s*/gi : /\\+[0-9a-f]{2,}\s*/gi;
    const name = word.includes('\\') ? word.replace(digits, '*').replaceAll('\\', '') : word;
    const isSecondPart = isSplit(before) || before === 0x3e || before === 0x29;
    const isFunction = addressFunction.test(name) || (isSecondPart && this.#isRest(functionNames, name));
    const isRule = name.startsWith('@') ? addressRule.test(name) : isSecondPart && this.#isRest(ruleNames, name);
    if (this.#custom !== 'value' && this.#isCustom(name, before, isSecondPart)) {
      this.#custom = 'name';
      this.#depth = 0;
      this.#isUncertain = false;
    }
    if (c === 0x28 && (name === '' ? isSecondPart && this.#isFunctionSplit : isFunction)) this.#beginAddress('(');
    else if (isRule) this.#beginAddress(`@${String.fromCharCode(c)}`);
    else if (c === 0x3b && signEntity.test(name)) this.#beginAddress(endless);
    if (c === 0x23 && name === '&') this.#reference = '&#';
    if (isSplit(c)) this.#split(name, isFunction);
  }

  #isCustom(name: string, before: number, isSecondPart: boolean): boolean {
    const bare = name.replace(/^[@&]/, '');
    // `<!--` starts a comment.
    if (before === 0x21 && /^-+$/.test(name)) return false;
    if (customName.test(bare)) return true;
    if (!isSecondPart) return false;
    const isDash = this.#firstParts.has('-') || this.#firstParts.has('*');
    return (isDash && bare.startsWith('-')) || this.#isRest(propertyNames, bare);
  }

  /** Remembers a word after which a name may continue. */
  #split(name: string, isFunction: boolean): void {
    this.#isFunctionSplit ||= isFunction;
    const part = name.toLowerCase();
    if (part.includes('*')) this.#firstParts.add('*');
    else if (part !== '' && splitNames.some((whole) => whole.startsWith(part))) this.#firstParts.add(part);
  }

  /** True if one of these names may end with this part. */
  #isRest(names: readonly string[], part: string): boolean {
    if (part === '' || this.#firstParts.size === 0) return false;
    const end = part.toLowerCase();
    const fitting = names.filter((name) => name.endsWith(end));
    if (fitting.length === 0) return false;
    return [...this.#firstParts].some(
      (first) =>
        first === '*' || fitting.some((name) => name.startsWith(first) && first.length + end.length <= name.length),
    );
  }

  /** A reference outside addresses matters if it is part of a name, or of a function that makes an address. */
  #readReference(c: number): void {
    if (this.#reference === '') return;
    const isOpen = isDigit(c) || (isAsciiLetter(c) && (c | 0x20) <= 0x78);
    if (isOpen) {
      if (!(c === 0x30 && /^&#x?0$/i.test(this.#reference))) this.#reference = keep(this.#reference, c);
      return;
    }
    const code = codeOf(this.#reference);
    this.#reference = '';
    if (code !== undefined && isNameSign(code)) this.#beginAddress(endless);
  }

  /** Reads on after a custom property's name. A value without strings costs nothing. */
  #readCustom(c: number, isInAddress: boolean): void {
    const state = this.#custom;
    if (state === 'none') return;
    if (state === 'value') {
      if (c === 0x28) this.#depth++;
      else if (c === 0x29) this.#depth--;
      if (isInAddress) return;
      // A `|` before it belongs to a table, never to an address.
      if (this.#depth < 0 || (this.#depth === 0 && (c === 0x3b || c === 0x7d || c === 0x7c))) this.#custom = 'none';
      else if (isStringStart(c) || (c === 0x2a && this.#previous === 0x2f)) this.#beginAddress(String.fromCharCode(c));
    } else if (state === 'slash') this.#readSlash(c);
    else if (isGapStart(c) || (c === 0x28 && this.#previous === 0x5d)) {
      this.#gap.begin(c, state === 'name');
      this.#custom = 'none';
      if (c === 0x28 && state === 'name') this.#beginAddress('(');
    } else if (c === 0x5c || c === 0x5d || (c === 0x3e && this.#previous === 0x5d))
      this.#isUncertain ||= state !== 'name';
    else if (state === 'name' && isCustomNameCharacter(c)) return;
    else if (isSpace(c)) this.#custom = 'behind';
    else if (c === 0x2f) this.#custom = 'slash';
    else if (c === 0x3a) {
      this.#custom = 'value';
      if (isInAddress || this.#isUncertain) this.#beginAddress(endless);
    } else {
      // A function's arguments may become addresses. One with an escape in its name has started already.
      if (state === 'name' && c === 0x28 && (isInAddress || this.#address === undefined)) this.#beginAddress('(');
      this.#custom = 'none';
    }
  }

  /** After a comment the offset of the value is unknown. */
  #readSlash(c: number): void {
    if (c === 0x5c) return;
    this.#custom = 'none';
    if (c === 0x2a || isGapStart(c)) this.#beginAddress(endless);
  }

  #readGap(c: number): void {
    // Without the tags, names and values may be inside another reading's gap.
    const { isInName } = this.#gap;
    if (this.#custom !== 'none') this.#readCustom(c, this.isInAddress);
    const state = this.#gap.read(c);
    if (state === 'open') return;
    const { isPlain } = this.#gap;
    this.#gap.end();
    if (state === 'declared' || (state === 'gone' && this.#custom === 'value')) this.#beginAddress(endless);
    else if (state === 'gone') {
      this.#custom = isInName ? 'name' : 'behind';
      this.#depth = 0;
      this.#isUncertain ||= !isPlain;
    }
  }

  /** Starts an address. If one is inside another, the end of both is uncertain, except for {@link innerStart}. */
  #beginAddress(start: string): void {
    if (this.#address === undefined) this.#address = start;
    else if (!innerStart.test(this.#address)) this.#address = endless;
  }

  #readEnd(c: number): void {
    this.#blanks = c === 0x09 ? 4 : c === 0x20 ? this.#blanks + 1 : 0;
    this.#isIndented = this.#blanks >= 4 || (this.#isIndented && c !== 0x0a && c !== 0x0d);
    if (String.fromCharCode(c).toLowerCase() === this.#sheetEnd[this.#endLength]) this.#endLength++;
    else {
      if (this.#endLength > 0 || hiding.has(c)) this.#isEndHidden = true;
      this.#endLength = c === 0x3c ? 1 : 0;
    }
    if (this.#endLength < this.#sheetEnd.length) return;
    this.#endLength = 0;
    if (this.#isEndHidden || this.#isIndented) return;
    this.#state = 'none';
    this.#address = undefined;
  }
}

function isAddressEnd(c: number): boolean {
  return c === 0x29 || c === 0x22 || c === 0x27;
}

/** True for quotes, and for characters that may replace or hide a quote or the end of a value, such as braces. */
function isStringStart(c: number): boolean {
  return c === 0x22 || c === 0x27 || c === 0x26 || c === 0x3c || c === 0x7b || hiding.has(c);
}

/** True for `<`, `[` and `~`: a name continues after a tag, a link and strikethrough. */
function isSplit(c: number): boolean {
  return c === 0x3c || c === 0x5b || c === 0x5d || c === 0x7e;
}

/**
 * True for text that may disappear before a declaration's colon. Not for Markdown code, formulas and superscripts
 * (backtick, `$`, `^`), whose elements end the surrounding SVG.
 */
function isGapStart(c: number): boolean {
  return c === 0x3c || c === 0x5b || c === 0x7e || c === 0x26;
}

/** True also for the characters of tokens. */
function isCustomNameCharacter(c: number): boolean {
  return isAsciiLetter(c) || isDigit(c) || c >= 0x80 || c === 0x25 || c === 0x2d || c === 0x5f;
}
