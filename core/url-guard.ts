/**
 * Finds the parts of displayed text from which a value could leave the screen by itself: a rendered image or link sends
 * its address to whoever an injected prompt names. Tokens there stay tokens.
 *
 * States: `text`; `url` from `//` or `http:` with a slash to white space, a quote or an angle bracket; `target` from the `](` of
 * Markdown to the closing parenthesis or an empty line; `tag` from `<` and a letter to `>`; `value` inside an attribute's value,
 * guarded when the attribute holds an address. The guard is fed the masked text in pieces of any size.
 */

const textState = 0;
const urlState = 1;
const targetState = 2;
const lessThanState = 3;
const tagState = 4;
const valueState = 5;

/** What may end the state `text`. */
const turning = /[/\\(<.]/g;
/** Browsers take `http:/x` and `http:\\x` for `http://x`. */
const schemeEnd = /(?:https?:|\/)$/i;
const schemeLengthMax = 6;
const addressAttribute =
  /(?:^|[\s"'/])(?:src|href|srcset|action|formaction|poster|data|background|ping|cite|longdesc|manifest|style|xlink:href|content|srcdoc)\s*=\s*$/i;
const tagMemory = 32;
const targetLengthMax = 4096;

/** Decides whether originals may stand in addresses of a host (lower case, without port). */
export type AllowsHost = (host: string) => boolean;

/** Allows these hosts and their subdomains; undefined for none. */
export function allowedHosts(hosts: readonly string[]): AllowsHost | undefined {
  if (hosts.length === 0) return undefined;
  return (host) => hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

// Scheme, slashes and a host are done within this; what is longer is nobody's allowed host.
const addressMemory = 300;
/** The host of an address that goes on behind it; what stands before `@` is a user's name. */
const addressHost = /^\s*<?(?:https?:)?[\\/]{2}(?:[^/?#\\\s@]*@)*([^/?#\\\s@:]+|\[[^\]]*\])(?::\d*)?[/?#]/i;

/** Follows one run of displayed text. Feed it every character once, in order. */
export class UrlGuard {
  #state = textState;
  /** The last characters that were read. */
  #tail = '';
  #previous = 0;
  /** Open parentheses inside a target. */
  #depth = 0;
  #length = 0;
  /** Closing quote of the attribute value; 0 when it is not quoted. */
  #quote = 0;
  /** The end of what was read inside the tag, or the start of the address being read. */
  #recent = '';
  readonly #allowsHost: AllowsHost | undefined;
  /** Whether the attribute being read holds an address; the text of others is not guarded. */
  #isAddress = false;

  constructor(allowsHost?: AllowsHost) {
    this.#allowsHost = allowsHost;
  }

  /** Reads `text[from..to)`. */
  push(whole: string, from = 0, to = whole.length): void {
    // Searches end here: a text with many tokens is pushed in as many pieces.
    const text = to < whole.length ? whole.slice(0, to) : whole;
    for (let i = from; i < to; i++) {
      if (this.#state === textState) {
        turning.lastIndex = i;
        const at = turning.exec(text)?.index ?? to;
        if (at >= to) break;
        this.#turn(text, from, at);
        i = at;
      } else {
        if (i > from) this.#previous = text.charCodeAt(i - 1);
        else if (this.#tail !== '') this.#previous = this.#tail.charCodeAt(this.#tail.length - 1);
        this.#read(text.charCodeAt(i));
      }
    }
    if (to > from) {
      const end = text.slice(Math.max(from, to - schemeLengthMax), to);
      this.#tail = end.length < schemeLengthMax ? (this.#tail + end).slice(-schemeLengthMax) : end;
    }
  }

  /** Reads a character in the state `text` that may end it. */
  #turn(text: string, from: number, at: number): void {
    let before = text.slice(Math.max(from, at - schemeLengthMax), at);
    if (before.length < schemeLengthMax) before = this.#tail + before;
    const character = text[at];
    if (character === '.') {
      // Chat pages make links of these without a scheme.
      if (!/(?:^|\W)www$/i.test(before)) return;
      this.#enter(urlState);
      this.#recent = 'www.';
    } else if (character === '<') this.#enter(lessThanState);
    else if (character === '(') {
      if (before.endsWith(']')) this.#enter(targetState);
    } else if (schemeEnd.test(before) && !(character === '\\' && before.endsWith('/'))) this.#enter(urlState);
  }

  /**
   * True when a token that stands at this place must stay a token. A token that is the whole address of `mailto:`,
   * `tel:` or `sms:` is safe: nothing but the user's own program sees it.
   */
  get isInsideAddress(): boolean {
    // The value of an attribute without quotes begins with its first character, which may be the token's own.
    if (this.#state === tagState) return addressAttribute.test(this.#recent);
    if (this.#state === urlState || this.#state === targetState || (this.#state === valueState && this.#isAddress)) {
      const isBare = this.#state === urlState;
      if (!isBare && /^\s*<?(?:mailto|tel|sms):$/i.test(this.#recent)) return false;
      if (!this.#allowsHost) return true;
      const address = isBare ? `//${this.#recent.replace(/^[\\/]+/, '')}` : this.#recent;
      const host = addressHost.exec(address)?.[1];
      return host === undefined || !this.#allowsHost(host.toLowerCase());
    }
    return false;
  }

  #read(c: number): void {
    switch (this.#state) {
      case urlState:
        if (isUrlEnd(c)) this.#leave();
        else if (c === 0x28 && this.#previous === 0x5d) this.#enter(targetState);
        else this.#keep(c);
        break;
      case targetState:
        this.#keep(c);
        if (c === 0x28) this.#depth++;
        else if (c === 0x29 && --this.#depth < 0) this.#leave();
        else if ((c === 0x0a && this.#previous === 0x0a) || ++this.#length > targetLengthMax) this.#leave();
        break;
      case lessThanState:
        if (isLetter(c)) this.#enter(tagState);
        else if (c !== 0x3c) this.#leave();
        break;
      case tagState:
        this.#readTag(c);
        break;
      default:
        if (this.#quote === 0 && c === 0x3e) this.#leave();
        else if (this.#quote === 0 ? isSpace(c) : c === this.#quote) this.#enter(tagState);
        else this.#keep(c);
    }
  }

  #readTag(c: number): void {
    if (c === 0x3e) {
      this.#leave();
      return;
    }
    const quoted = c === 0x22 || c === 0x27;
    const unquoted = !isSpace(c) && /=\s*$/.test(this.#recent);
    if ((quoted && this.#recent.trimEnd().endsWith('=')) || unquoted) {
      const isAddress = addressAttribute.test(this.#recent);
      this.#enter(valueState);
      this.#isAddress = isAddress;
      this.#quote = quoted ? c : 0;
      if (!quoted) this.#keep(c);
      return;
    }
    this.#recent = (this.#recent + String.fromCharCode(c)).slice(-tagMemory);
    if (++this.#length > targetLengthMax) this.#leave();
  }

  #keep(c: number): void {
    if (this.#recent.length < addressMemory) this.#recent += String.fromCharCode(c);
  }

  #enter(state: number): void {
    this.#state = state;
    this.#recent = '';
    this.#depth = 0;
    this.#length = 0;
  }

  #leave(): void {
    this.#enter(textState);
  }
}

function isLetter(c: number): boolean {
  const lower = c | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isSpace(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** White space, quotes that end an address in code, angle brackets, and the punctuation of Japanese text. */
function isUrlEnd(c: number): boolean {
  return (
    isSpace(c) ||
    c === 0x22 ||
    c === 0x3c ||
    c === 0x3e ||
    c === 0x60 ||
    c === 0x3000 ||
    c === 0x3001 ||
    c === 0x3002 ||
    c === 0xff09 ||
    c === 0x300d
  );
}
