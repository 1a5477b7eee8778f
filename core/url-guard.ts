/**
 * Finds the parts of displayed text from which a value could leave the screen by itself: a rendered image or link sends
 * its address to whoever an injected prompt names. Tokens there stay tokens.
 *
 * Renderers disagree on what a text is: an unclosed `<b` is a tag to one and two signs to another. So three readers
 * follow the text side by side, none hides anything from the others, and what one of them takes for an address is one.
 * The guard is fed the masked text in pieces of any size.
 */
import { isSpace, keep, LinkReader } from './link-reader.ts';

/** What may matter while no reader is inside anything. */
const turning = /[/\\(<.\n\r]/g;
const schemeLengthMax = 6;
/** Names of attributes; also what scripts make addresses of, as in `data-src`. */
const addressAttribute =
  /(?:src|srcset|href)$|^(?:action|formaction|poster|data|background|ping|cite|longdesc|manifest|style|content|srcdoc|codebase)$/i;
/** More of an attribute's name than the longest above. */
const nameMemory = 16;

/** Decides whether originals may stand in addresses of a host (lower case, without port). */
export type AllowsHost = (host: string) => boolean;

/** Allows these hosts and their subdomains; undefined for none. */
export function allowedHosts(hosts: readonly string[]): AllowsHost | undefined {
  if (hosts.length === 0) return undefined;
  return (host) => hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** The host of an address that goes on behind it; what stands before `@` is a user's name. */
const addressHost = /^\s*<?(?:https?:)?[\\/]{2,}(?:[^/?#\\\s@]*@)*([^/?#\\\s@:]+|\[[^\]]*\])(?::\d*)?\\*[/?#]/i;

/** Follows one run of displayed text. Feed it every character once, in order. */
export class UrlGuard {
  readonly #links = new LinkReader();
  readonly #tags = new TagReader();
  readonly #definitions = new DefinitionReader();
  /** The last characters that were read. */
  #tail = '';
  readonly #allowsHost: AllowsHost | undefined;

  constructor(allowsHost?: AllowsHost) {
    this.#allowsHost = allowsHost;
  }

  /** Reads `text[from..to)`. */
  push(whole: string, from = 0, to = whole.length): void {
    // Searches end here: a text with many tokens is pushed in as many pieces.
    const text = to < whole.length ? whole.slice(0, to) : whole;
    const links = this.#links;
    const tags = this.#tags;
    const definitions = this.#definitions;
    let previous = this.#tail === '' ? 0 : this.#tail.charCodeAt(this.#tail.length - 1);
    for (let i = from; i < to; i++) {
      if (links.isIdle && tags.isIdle && definitions.isIdle) {
        turning.lastIndex = i;
        const at = turning.exec(text)?.index ?? to;
        if (at >= to) break;
        if (at > i) previous = text.charCodeAt(at - 1);
        i = at;
      }
      const c = text.charCodeAt(i);
      if (!links.isIdle) links.read(c, previous);
      else if (c === 0x2f || c === 0x5c || c === 0x28 || c === 0x2e)
        links.begin(c, this.#tail + text.slice(Math.max(from, i - schemeLengthMax), i));
      tags.read(c);
      definitions.read(c, previous);
      previous = c;
    }
    if (to > from) {
      const end = text.slice(Math.max(from, to - schemeLengthMax), to);
      this.#tail = end.length < schemeLengthMax ? (this.#tail + end).slice(-schemeLengthMax) : end;
    }
  }

  /**
   * True when a token that stands at this place must stay a token. A token that is the whole address of `mailto:`,
   * `tel:` or `sms:` is safe: nothing but the user's own program sees it.
   */
  get isInsideAddress(): boolean {
    return (
      this.#isRefused(this.#links.address) ||
      this.#isRefused(this.#tags.address) ||
      this.#isRefused(this.#tags.autolink) ||
      this.#isRefused(this.#definitions.address)
    );
  }

  /**
   * The same for JSON that is shown as it stands, where an address may reach over its strings and escapes. Bare addresses
   * are left out, which a person has to follow, and so are values of attributes that begin with an escaped quote: to a
   * browser they are paths on the host of the page.
   */
  get isInsideMarkup(): boolean {
    const value = this.#tags.address;
    return (
      this.#isRefused(this.#links.target) ||
      (this.#isRefused(value) && !/^\\+"/.test(value as string)) ||
      this.#isRefused(this.#definitions.address)
    );
  }

  #isRefused(address: string | undefined): boolean {
    if (address === undefined || /^\s*<?(?:mailto|tel|sms):$/i.test(address)) return false;
    if (!this.#allowsHost) return true;
    const host = addressHost.exec(address)?.[1];
    return host === undefined || !this.#allowsHost(host.toLowerCase());
  }
}

/**
 * States: `text`; `lessThan` behind `<`; `tag` from a letter behind it to a `>` outside of a value; `value` in the value
 * of an attribute that holds an address. Values of other attributes are read like the tag around them: where Markdown
 * does not take it for a tag, another one may begin inside. An autolink, `<` and a scheme, is read on the side.
 */
class TagReader {
  #state: 'text' | 'lessThan' | 'tag' | 'value' = 'text';
  /** The end of the last name. */
  #name = '';
  #isBehindName = false;
  #isBehindEquals = false;
  /** Closing quote of the value; 0 outside of values and when it is not quoted. */
  #quote = 0;
  #kept = '';
  /** A tag or an address began inside of a value: where the tag ends depends on the renderer, so it does not end. */
  #isDoubtful = false;
  #link = '';
  #linkState: 'none' | 'scheme' | 'address' = 'none';

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  /** The start of the address in an attribute. */
  get address(): string | undefined {
    if (this.#state === 'value') return this.#kept;
    // A value without quotes begins with its first character, which may be the token's own.
    return this.#state === 'tag' && this.#isBehindEquals && addressAttribute.test(this.#name) ? '' : undefined;
  }

  /** The start of the address in angle brackets. */
  get autolink(): string | undefined {
    return this.#state !== 'text' && this.#linkState === 'address' ? this.#link : undefined;
  }

  read(c: number): void {
    if (this.#state === 'text') {
      if (c === 0x3c) this.#state = 'lessThan';
    } else if (this.#state === 'lessThan') {
      if (isLetter(c)) this.#begin(c);
      else if (c !== 0x3c) this.#state = 'text';
    } else {
      this.#readLink(c);
      this.#readTag(c);
    }
  }

  #begin(c: number): void {
    this.#state = 'tag';
    this.#name = this.#link = String.fromCharCode(c);
    this.#linkState = 'scheme';
    this.#isBehindName = this.#isBehindEquals = this.#isDoubtful = false;
    this.#quote = 0;
  }

  #readLink(c: number): void {
    if (c === 0x3c) {
      this.#link = '';
      this.#linkState = 'scheme';
    } else if (this.#linkState === 'address') {
      if (c === 0x3e || isSpace(c)) this.#linkState = 'none';
      else this.#link = keep(this.#link, c);
    } else if (this.#linkState === 'scheme') {
      // CommonMark wants two characters; `<C:` is no link.
      if (c === 0x3a && this.#link.length > 1) this.#linkState = 'address';
      else if (!isNameCharacter(c) && c !== 0x2b && c !== 0x2e) this.#linkState = 'none';
      this.#link = keep(this.#link, c);
    }
  }

  #readTag(c: number): void {
    if (this.#isBehindEquals && !isSpace(c) && this.#beginValue(c)) return;
    const isValue = this.#state === 'value';
    if (c === 0x3e && this.#quote === 0 && !this.#isDoubtful) {
      this.#state = 'text';
      return;
    }
    if (c === 0x3c && (isValue || this.#quote !== 0)) this.#isDoubtful = true;
    if (this.#quote === 0 ? isValue && (isSpace(c) || c === 0x3e) : c === this.#quote) {
      this.#state = 'tag';
      this.#quote = 0;
    } else if (isValue) this.#kept = keep(this.#kept, c);
    this.#readName(c);
  }

  /** Reads the first character of a value; false when it is read as any other. */
  #beginValue(c: number): boolean {
    const quote = c === 0x22 || c === 0x27 ? c : 0;
    const isQuoted = this.#quote !== 0;
    const isValue = this.#state === 'value';
    // `<b t="<img src="` holds a second tag for Markdown, so even what should close a value may open one.
    const isAddress = (!isValue || isQuoted) && addressAttribute.test(this.#name);
    if (isAddress ? quote === 0 && (c === 0x3e || isValue) : quote === 0 || isValue || isQuoted) return false;
    if (isQuoted) this.#isDoubtful = true;
    this.#name = '';
    this.#isBehindName = this.#isBehindEquals = false;
    this.#quote = quote;
    if (isAddress) {
      this.#state = 'value';
      this.#kept = quote === 0 ? String.fromCharCode(c) : '';
    }
    return true;
  }

  #readName(c: number): void {
    if (isSpace(c)) this.#isBehindName = true;
    else if (c === 0x3d) this.#isBehindEquals = true;
    else {
      const isName = isNameCharacter(c);
      if (this.#isBehindName || this.#isBehindEquals || !isName) this.#name = '';
      this.#isBehindName = this.#isBehindEquals = false;
      if (!isName) return;
      if (this.#name.length === nameMemory) this.#name = this.#name.slice(1);
      this.#name += String.fromCharCode(c);
    }
  }
}

/**
 * The reference definitions of Markdown, `[label]: address`, where quotes and Japanese full stops do not end an address.
 * States: `text`; `start` of a line; `label`; `labelEnd` behind its `]`; `definition` behind the colon, up to a line
 * further; `bare` or `angled` in the address. Chats and logs are written like that too (`[INFO]: to=[EMAIL-1]`), so an
 * address counts from the first character on without which it stays on the page's own host.
 */
class DefinitionReader {
  #state: 'text' | 'start' | 'label' | 'labelEnd' | 'definition' | 'bare' | 'angled' = 'start';
  #kept = '';
  #isEscaped = false;
  #isNextLine = false;
  #isAddress = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  /** The start of the address that is being read. */
  get address(): string | undefined {
    return this.#isAddress && (this.#state === 'bare' || this.#state === 'angled') ? this.#kept : undefined;
  }

  read(c: number, previous: number): void {
    switch (this.#state) {
      case 'text':
        if (isLineEnd(c)) this.#state = 'start';
        break;
      case 'start':
        if (c === 0x5b) this.#state = 'label';
        else if (!isLinePrefix(c)) this.#state = 'text';
        break;
      case 'label':
        if (c === 0x5d && !this.#isEscaped) this.#state = 'labelEnd';
        // No bracket stands in a label (CommonMark 4.7).
        else if (c === 0x5b && !this.#isEscaped) this.#state = 'text';
        else if (c === 0x0a && previous === 0x0a) this.#state = 'start';
        this.#isEscaped = c === 0x5c && !this.#isEscaped;
        break;
      case 'labelEnd':
        this.#end(c);
        if (c === 0x3a) this.#begin();
        break;
      case 'definition':
        this.#readDefinition(c);
        break;
      default:
        this.#readAddress(c, previous);
    }
  }

  #begin(): void {
    this.#state = 'definition';
    this.#kept = '';
    this.#isNextLine = this.#isAddress = false;
  }

  #readDefinition(c: number): void {
    if (c === 0x0a) {
      if (this.#isNextLine) this.#state = 'start';
      this.#isNextLine = true;
    } else if (c === 0x5b && this.#isNextLine) this.#state = 'label';
    else if (c === 0x3c) this.#state = 'angled';
    else if (isValueStart(c)) this.#end(c);
    else if (!isSpace(c) && !(c === 0x3e && this.#isNextLine)) {
      this.#state = 'bare';
      this.#readAddress(c, 0);
    }
  }

  #readAddress(c: number, previous: number): void {
    const isValue = this.#kept === '[' && isValueStart(c);
    if (this.#state === 'bare' ? isValue || isSpace(c) : isLineEnd(c) || (c === 0x3e && previous !== 0x5c))
      this.#end(c);
    else this.#kept = keep(this.#kept, c);
    // `/`, `\`, `:`, `&` of an entity, `?`
    if (c === 0x2f || c === 0x5c || c === 0x3a || c === 0x26 || c === 0x3f) this.#isAddress = true;
  }

  #end(c: number): void {
    this.#state = isLineEnd(c) ? 'start' : 'text';
  }
}

function isLetter(c: number): boolean {
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function isLineEnd(c: number): boolean {
  return c === 0x0a || c === 0x0d;
}

/** Signs of quotations and lists, which may stand before a definition. */
function isLinePrefix(c: number): boolean {
  return isSpace(c) || isDigit(c) || c === 0x3e || (c >= 0x29 && c <= 0x2e && c !== 0x2c);
}

/** A quote or brace of JSON, or a Japanese letter: no scheme begins so. Some renderers trim U+FEFF. */
function isValueStart(c: number): boolean {
  return c === 0x22 || c === 0x7b || (c > 0x3000 && c !== 0xfeff);
}

function isNameCharacter(c: number): boolean {
  return isLetter(c) || isDigit(c) || c === 0x2d || c === 0x5f || c === 0x3a;
}
