/**
 * Finds the parts of displayed text from which a value could leak without user action: a rendered image or link sends
 * its address to a host chosen by an injected prompt. Tokens there stay masked.
 * Renderers disagree: an unclosed `<b` is a tag to one and two characters to another. So several readers parse the text
 * in parallel, none hides anything from the others, and what one of them reads as an address counts as an address.
 * The guard reads displayed text in pieces of any size, with restored originals, which may be part of a tag or label.
 * For JSON that is displayed raw, it reads the masked text.
 */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { DeclarationReader } from './declaration-reader.ts';
import { DefinitionReader } from './definition-reader.ts';
import { isSpace, keep, LinkReader, uncertain } from './link-reader.ts';
import { ShapeReader } from './shape-reader.ts';
import { SheetReader } from './sheet-reader.ts';
import { AltReader, ValueReader } from './value-reader.ts';

/** Characters that matter while every reader is in plain text. */
const turning = /[/\\(<.\n\r!@?#&]/g;
/** Length of the kept text: a scheme, or the end of a host with its port. */
const tailLengthMax = 80;
/**
 * Attributes with one address, including those that scripts turn into addresses, such as `data-src`, and what a frame
 * passes to the page in it (`name`, `csp`).
 */
const oneAddress =
  /(?:src|href)$|^(?:action|formaction|poster|data|background|cite|longdesc|manifest|codebase|name|target|csp)$/i;
/** Attributes with several addresses, or text with addresses: the first one says nothing about the others. */
const addressList = /srcset$|^(?:ping|style|content|srcdoc|archive|to|from|by|values)$/i;
/** SVG attributes with addresses only in parentheses. In code the same words are variable names. */
const paint = /^(?:fill|stroke|filter|mask|cursor|clip-path|marker(?:-start|-mid|-end)?)$/i;
const addressAttribute = new RegExp(`${oneAddress.source}|${addressList.source}|${paint.source}`, 'i');
/** Attributes with addresses only in these tags; elsewhere they are ordinary words. */
const rareAttribute = /^(?:data|content|to|from|by|values|name|target|csp)$/i;
const rareTag = /(?:^|:)(?:object|meta|set|animate[a-z]*|i?frame|embed|base|form|a|area)$/i;
/** Longer than the longest attribute name above. */
const nameMemory = 16;

/** Decides whether addresses of a host (lower case, without port) may contain originals. */
export type AllowsHost = (host: string) => boolean;

/** Allows these hosts and their subdomains; undefined for none. */
export function allowedHosts(hosts: readonly string[]): AllowsHost | undefined {
  if (hosts.length === 0) return undefined;
  return (host) => hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** The complete host of an address; text before `@` is a user name. Entities may be any character. */
const addressHost = /^\s*<?(?:https?:)?[\\/]{2,}(?:[^/?#\\\s@&]*@)*([^/?#\\\s@:&%]+|\[[^\]]*\])(?::\d*)?\\*[/?#]/i;

/** The end of a text in which an address may have started: a slash, a label's bracket, or labels of a host. */
const cutAddress =
  /[/\\\]]$|(?:^|[^\p{L}\p{N}.@-])(?:(?:[\p{L}\p{N}-]+\.)+\p{L}[\p{L}\p{N}-]*|(?:\d{1,3}\.){3}\d{1,3})(?::\d*)?$/u;
/** The same for text that a following slash or dot turns into the start of an address. */
const cutStart = /https?:?$|(?:^|[\W_])www\\?$/i;

/** Tracks one run of displayed text. Feed it every character once, in order. */
export class UrlGuard {
  readonly #links = new LinkReader();
  readonly #tags = new TagReader();
  readonly #definitions = new DefinitionReader();
  readonly #alts = new AltReader();
  readonly #shapes = new ShapeReader();
  readonly #declarations = new DeclarationReader();
  /** The last characters read. */
  #tail = '';
  readonly #allowsHost: AllowsHost | undefined;
  /** The line end that the text so far ends with, if lines may continue; undefined if they do not. */
  #lineEnd: string | undefined;

  /** `joinsLines`: a line that begins with a blank continues the one before, as in calendars and contacts (RFC 5545 §3.1). */
  constructor(allowsHost?: AllowsHost, joinsLines = false) {
    this.#allowsHost = allowsHost;
    if (joinsLines) this.#lineEnd = '';
  }

  /** Reads `text[from..to)`. */
  push(text: string, from = 0, to = text.length): void {
    if (this.#lineEnd === undefined) {
      this.#read(text, from, to);
      return;
    }
    const lines = this.#lineEnd + text.slice(from, to);
    this.#lineEnd = /\r?\n?$/.exec(lines)?.[0] ?? '';
    const joined = lines.slice(0, lines.length - this.#lineEnd.length).replaceAll(/\r?\n[ \t]/g, '');
    this.#read(joined, 0, joined.length);
  }

  #read(whole: string, from: number, to: number): void {
    // Searches end here: a text with many tokens is pushed in as many pieces.
    const text = to < whole.length ? whole.slice(0, to) : whole;
    const links = this.#links;
    const tags = this.#tags;
    const definitions = this.#definitions;
    const alts = this.#alts;
    const shapes = this.#shapes;
    const declarations = this.#declarations;
    let previous = this.#tail === '' ? 0 : this.#tail.charCodeAt(this.#tail.length - 1);
    for (let i = from; i < to; i++) {
      if (links.isIdle && tags.isIdle && definitions.isIdle && alts.isIdle && shapes.isIdle && declarations.isIdle) {
        turning.lastIndex = i;
        const at = turning.exec(text)?.index ?? to;
        if (at >= to) break;
        if (at > i) previous = text.charCodeAt(at - 1);
        i = at;
      }
      const c = text.charCodeAt(i);
      if (!links.isIdle) links.read(c, previous);
      else if (c === 0x2f || c === 0x5c || c === 0x28 || c === 0x2e || c === 0x3f || c === 0x23 || c === 0x26)
        links.begin(c, this.#tail + text.slice(Math.max(from, i - tailLengthMax), i));
      tags.read(c);
      definitions.read(c, previous);
      if (!alts.isIdle || c === 0x21) alts.read(c);
      if (!shapes.isIdle || c === 0x40) shapes.read(c, previous);
      if (!declarations.isIdle || c === 0x3c) declarations.read(c, previous);
      previous = c;
    }
    if (to > from) {
      const end = text.slice(Math.max(from, to - tailLengthMax), to);
      this.#tail = end.length < tailLengthMax ? (this.#tail + end).slice(-tailLengthMax) : end;
    }
  }

  /**
   * True if a token at this offset must stay masked. A token that is the complete address of `mailto:`, `tel:` or
   * `sms:` is safe: only the user's own program sees it.
   */
  get isInsideAddress(): boolean {
    return (
      this.#isRefused(this.#links.address) ||
      this.#isRefused(this.#tags.address, this.#tags.isOneAddress) ||
      this.#isRefused(this.#tags.autolink) ||
      this.#isRefused(this.#definitions.address) ||
      this.#isInValue
    );
  }

  /** True if a guard that starts here would find the same addresses. */
  get isSettled(): boolean {
    const isIdle = this.#links.isIdle && this.#tags.isIdle && this.#alts.isIdle && this.#definitions.isSettled;
    const hasBase = this.#tags.hasBase || this.#tags.values.hasBase;
    const isCut = cutAddress.test(this.#tail) || cutStart.test(this.#tail);
    return isIdle && !hasBase && !isCut && this.#shapes.isIdle && this.#declarations.isIdle;
  }

  /**
   * The same for JSON that is displayed raw, where an address may extend over strings and escapes. Excludes bare
   * addresses, because a person has to follow them, and attribute values that start with an escaped quote: in an
   * attribute with one address, a browser reads `\"` as a path on the page's host.
   */
  get isInsideMarkup(): boolean {
    const { address, isOneAddress, hasBase } = this.#tags;
    const isOnPage = isOneAddress && !hasBase && address?.startsWith('\\"');
    return (
      this.#isRefused(this.#links.target) ||
      (!isOnPage && this.#isRefused(address, isOneAddress)) ||
      this.#isRefused(this.#definitions.address) ||
      this.#isInValue
    );
  }

  /** A style sheet can turn any attribute into an address, XML any entity, and Mermaid a node's shape. */
  get #isInValue(): boolean {
    if (this.#shapes.isInAddress || this.#declarations.isInAddress) return true;
    const { values } = this.#tags;
    return (
      this.#isRefused(this.#alts.address(values.hasBase)) ||
      this.#isRefused(this.#definitions.titleAddress(values.hasBase)) ||
      this.#tags.valueAddresses.some((a) => this.#isRefused(a))
    );
  }

  #isRefused(address: string | undefined, isOneAddress = true): boolean {
    if (address === undefined || /^\s*<?(?:mailto|tel|sms):$/i.test(address)) return false;
    if (!this.#allowsHost || !isOneAddress) return true;
    const host = addressHost.exec(address)?.[1];
    return host === undefined || !this.#allowsHost(host.toLowerCase());
  }
}

/**
 * States: `text`; `sheet`, the text of `<style>`; `lessThan` after `<`; `question` after `<?`; `tag` from the letter or
 * token after it to a `>` outside a value; `value` in an attribute value with an address. Values of other attributes
 * are read like the tag around them, because Markdown may see no tag there and another one may start inside; `values`
 * tracks their content. An autolink, `<` and a scheme, is read in parallel.
 */
class TagReader {
  #state: 'text' | 'sheet' | 'lessThan' | 'question' | 'tag' | 'value' = 'text';
  /** The end of the last name. */
  #name = '';
  #isTagName = false;
  /** True if the tag, or one that started inside it, is one of the rare ones. */
  #isRare = false;
  #isBehindName = false;
  #isBase = false;
  #isBehindEquals = false;
  /** Closing quote of the value; 0 outside values and for an unquoted one. */
  #quote = 0;
  /** Closing quote of the surrounding value, which continues if the inner one is not a value. */
  #outerQuote = 0;
  /** The same for an unquoted value, which may also start inside. */
  #isBare = false;
  #kept = '';
  /** True if only the value of a paint is open, and nothing in it can introduce an address so far. */
  #isPaint = false;
  /** True if the attribute has one address. If another attribute may be open too, the kept text is uncertain. */
  isOneAddress = false;
  /** True if a tag or address started inside a value: where the tag ends depends on the renderer, so it does not. */
  #isUncertain = false;
  #link = '';
  #linkState: 'none' | 'scheme' | 'address' = 'none';
  readonly #sheet = new SheetReader();
  readonly values = new ValueReader();
  /** True if a tag sets the base of relative paths. */
  hasBase = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  /** The start of the address in an attribute, or in a style sheet rule. */
  get address(): string | undefined {
    if (this.#sheet.isInAddress) return uncertain;
    if (this.#state !== 'tag' && this.#state !== 'value') return undefined;
    const isOpen = this.#state === 'value' && !(this.#isPaint && this.#outerQuote === 0 && !this.#isBare);
    if (isOpen) return this.#kept;
    // An unquoted value starts with its first character, which may be the token's own.
    return this.#isBehindEquals && this.#isAddressName && !paint.test(this.#name) ? '' : undefined;
  }

  /** The starts of values that are addresses in any attribute; an unquoted one may start with the token. */
  get valueAddresses(): string[] {
    if (this.#state !== 'tag' && this.#state !== 'value') return [];
    return this.#isBehindEquals && this.values.hasBase ? [''] : this.values.addresses;
  }

  /** The start of the address in angle brackets. */
  get autolink(): string | undefined {
    return this.#state !== 'text' && this.#linkState === 'address' ? this.#link : undefined;
  }

  read(c: number): void {
    if (this.#sheet.isOpen) {
      this.#sheet.read(c);
      if (this.#state === 'sheet') this.#end();
    }
    if (this.#state === 'text' || this.#state === 'sheet') {
      if (c === 0x3c) this.#state = 'lessThan';
    } else if (this.#state === 'lessThan') {
      if (isAsciiLetter(c) || isTokenStart(c)) this.#begin(c);
      else if (c === 0x3f) this.#state = 'question';
      else if (c !== 0x3c) this.#end();
    } else if (this.#state === 'question') {
      // `<?xml-stylesheet href="…"?>` is read like a tag; `<?php` is code.
      if ((c | 0x20) === 0x78) this.#begin(c);
      else if (c === 0x3c) this.#state = 'lessThan';
      else this.#end();
    } else {
      this.#readLink(c);
      this.values.read(c, this.#isBehindEquals && !isTagSpace(c), this.#isBase);
      this.#readTag(c);
    }
  }

  #begin(c: number): void {
    this.#state = 'tag';
    this.#name = this.#link = String.fromCharCode(c);
    this.#linkState = 'scheme';
    this.#isTagName = true;
    // The name may be part of a restored original.
    this.#isRare = isTokenStart(c);
    this.#isBehindName = this.#isBehindEquals = this.#isUncertain = this.#isBase = false;
    this.#quote = 0;
  }

  #end(): void {
    this.values.end();
    this.#state = this.#sheet.isOpen ? 'sheet' : 'text';
  }

  #readLink(c: number): void {
    if (c === 0x3c) {
      this.#link = '';
      this.#linkState = 'scheme';
    } else if (this.#linkState === 'address') {
      if (c === 0x3e || isSpace(c)) this.#linkState = 'none';
      else this.#link = keep(this.#link, c);
    } else if (this.#linkState === 'scheme') {
      // CommonMark requires two characters; `<C:` is not a link.
      if (c === 0x3a && this.#link.length > 1) this.#linkState = 'address';
      else if (!isNameCharacter(c) && c !== 0x2b && c !== 0x2e) this.#linkState = 'none';
      this.#link = keep(this.#link, c);
    }
  }

  #readTag(c: number): void {
    if (this.#isBehindEquals && !isTagSpace(c) && this.#beginValue(c)) return;
    const isValue = this.#state === 'value';
    if (c === 0x3e && this.#quote === 0 && !this.#isUncertain) {
      this.#endTagName(c);
      this.#end();
      return;
    }
    if (c === 0x3c && (isValue || this.#quote !== 0)) this.#isUncertain = true;
    const isBareEnd = isTagSpace(c) || c === 0x3e;
    if (isBareEnd) this.#isBare = false;
    if (this.#quote === 0 ? isValue && isBareEnd : c === this.#quote) this.#endValue();
    else if (isValue) {
      this.#kept = keep(this.#kept, c);
      if (isPaintTurning(c)) this.#isPaint = false;
      if (c === this.#outerQuote) this.#outerQuote = 0;
    }
    this.#readName(c);
  }

  /** Ends a tag name; the sheet reader also reads the character after it. */
  #endTagName(c: number): void {
    if (!this.#isTagName) return;
    const name = this.#name.toLowerCase();
    this.#isTagName = false;
    this.#isRare ||= rareTag.test(name) || isTokenStart(c);
    this.#isBase = name === 'base';
    if (this.#isBase) this.hasBase = true;
    if (/(?:^|:)style$/.test(name) && !this.#sheet.isOpen) this.#sheet.begin(name, c);
  }

  get #isAddressName(): boolean {
    return addressAttribute.test(this.#name) && (this.#isRare || !rareAttribute.test(this.#name));
  }

  #endValue(): void {
    if (this.#outerQuote === 0 && !this.#isBare) this.#state = 'tag';
    this.#quote = this.#outerQuote;
    this.#outerQuote = 0;
    this.#isPaint = false;
  }

  /** Reads the first character of a value; false if it is read like any other. */
  #beginValue(c: number): boolean {
    const quote = c === 0x22 || c === 0x27 ? c : 0;
    const isQuoted = this.#quote !== 0;
    const isValue = this.#state === 'value';
    // `<b t="<img src="` has a second tag for Markdown, so even a closing quote may open a value.
    const isAddress = this.#isAddressName;
    if (isAddress && isValue && isQuoted !== (quote !== 0)) this.#isBare = true;
    if (isAddress && isValue && this.#isUncertain) this.#kept = uncertain;
    if (isAddress ? quote === 0 && (c === 0x3e || isValue) : quote === 0 || isValue || isQuoted) return false;
    this.#isTagName = c === 0x3c;
    if (isQuoted || isValue) this.#isUncertain = true;
    if (isValue && isQuoted && quote !== this.#quote) this.#outerQuote = this.#quote;
    this.isOneAddress = isAddress && oneAddress.test(this.#name);
    this.#isPaint = paint.test(this.#name) && !isPaintTurning(c);
    this.#name = isNameCharacter(c) ? String.fromCharCode(c) : '';
    this.#isBehindName = this.#isBehindEquals = false;
    this.#quote = quote;
    if (isAddress) {
      this.#state = 'value';
      this.#kept = isValue ? uncertain : quote === 0 ? String.fromCharCode(c) : '';
    }
    return true;
  }

  #readName(c: number): void {
    if (isTagSpace(c)) {
      this.#endTagName(c);
      this.#isBehindName = true;
    } else if (c === 0x3d) this.#isBehindEquals = true;
    else {
      const isName = isNameCharacter(c);
      if (!isName) this.#endTagName(c);
      if (this.#isBehindName || this.#isBehindEquals || !isName) this.#name = '';
      this.#isBehindName = this.#isBehindEquals = false;
      if (!isName) {
        this.#isTagName = c === 0x3c;
        return;
      }
      if (this.#name.length === nameMemory) this.#name = this.#name.slice(1);
      this.#name += String.fromCharCode(c);
    }
  }
}

/** True for characters that may introduce an address in a paint: `(`, and `&` and backslash, which may encode it. */
function isPaintTurning(c: number): boolean {
  return c === 0x28 || c === 0x26 || c === 0x5c;
}

/** True for `[` and other characters that may start a token, whose original may start a tag. */
function isTokenStart(c: number): boolean {
  if (c < 0x80) return c === 0x5b || c === 0x5c || c === 0x26 || c === 0x25;
  return c === 0xff3b || c === 0x3010 || c === 0x3014 || c === 0x300c;
}

/** True for HTML whitespace; an unquoted value continues after U+000B. */
function isTagSpace(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d && c !== 0x0b);
}

function isNameCharacter(c: number): boolean {
  return isAsciiLetter(c) || isDigit(c) || c === 0x2d || c === 0x5f || c === 0x3a;
}
