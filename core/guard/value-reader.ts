/**
 * Attribute values whose content is an address: a style sheet with `attr()`, or a script, may use it as one. CSS Values
 * 5 forbids the former, and Chromium 156 complies; other programs may not. A Markdown image's alternative text becomes
 * such a value.
 */
import { codeOf } from './character-reference.ts';
import { isBlank, keep } from './link-reader.ts';

/** Two slashes, or a scheme that browsers fetch. A single slash, or a quote after a backslash, starts an own path. */
const addressStart = /^(?:\/[/\\]|\\(?!["'])|(?:https?|wss?|ftp):|[a-z][a-z0-9+.-]*:[\\/]{2})/i;
/** A path on the page's own host, or a window name. */
const ownPath = /^(?:[\w.-]*\/)?(?:[\w.-]+\/)*[\w.-]*$/;
const reference = /&(?:#(?:x[\da-f]+|\d+);?|colon;|sol;|bsol;|tab;|newline;)/gi;
const named: Readonly<Record<string, string>> = { colon: ':', sol: '/', bsol: '\\', tab: '\t', newline: '\n' };
/** A scheme that may continue after the kept text. */
const undecided = /^[\w+.&#;-]*$/;
const schemeEnd = /:[\\/]?$/;
const undecidedLength = 300;
/** Maximum number of values open at one offset. */
const openMax = 8;

/** True if a value that starts like this is an address; leading spaces and line ends within it are ignored. */
export function isAddressStart(kept: string, length = kept.length): boolean {
  const value = decoded(kept);
  return addressStart.test(value) || (length >= undecidedLength && undecided.test(value));
}

/** Decodes the references that may start an address, as browsers do. */
function decoded(kept: string): string {
  const text = kept.replace(reference, (match) => {
    const code = codeOf(match);
    if (code === undefined) return named[match.slice(1, -1).toLowerCase()] ?? match;
    return code <= 0xffff ? String.fromCharCode(code) : match;
  });
  return text.replace(/[\t\n\r]/g, '').replace(/^[\x00-\x20]+/, '');
}

type Value = { readonly quote: number; kept: string };

/** Tracks the values of all attributes of a tag; one may start inside another that some renderers do not recognise. */
export class ValueReader {
  #values: Value[] = [];
  /** True if more values are open than are tracked. */
  #isLost = false;
  /** True after a `<base>`, which may name another host: any value is then an address. */
  #hasBase = false;

  /** The starts of the addresses being read. */
  get addresses(): string[] {
    if (this.#isLost) return [''];
    if (this.#values.length === 0) return [];
    return this.#values.map((value) => value.kept).filter((kept) => this.#hasBase || isAddressStart(kept));
  }

  get hasBase(): boolean {
    return this.#hasBase;
  }

  /** Reads a character within a tag; `isFirst` starts a value. */
  read(c: number, isFirst: boolean, isBase: boolean): void {
    const isBareEnd = c === 0x20 || (c >= 0x09 && c <= 0x0d && c !== 0x0b) || c === 0x3e;
    if (this.#values.length > 0) {
      const isEnd = ({ quote }: Value) => (quote === 0 ? isBareEnd : c === quote);
      if (isBase && !this.#hasBase) this.#hasBase = this.#values.some((value) => isEnd(value) && !isOwn(value.kept));
      if (this.#values.some(isEnd)) this.#values = this.#values.filter((value) => !isEnd(value));
      // An address may have any number of spaces before it, and line ends within it.
      for (const value of this.#values)
        if (c > 0x20 || (value.kept !== '' && c === 0x20)) value.kept = keep(value.kept, c);
    }
    if (!isFirst) return;
    const quote = c === 0x22 || c === 0x27 ? c : 0;
    // In code on one line, everything is nested values.
    if (this.#values.length >= openMax && !isBase) this.#values = this.#values.filter(mayBeAddress);
    if (this.#values.length >= openMax) this.#isLost = true;
    else this.#values.push({ quote, kept: quote === 0 ? String.fromCharCode(c) : '' });
  }

  /** Ends the tag. */
  end(): void {
    if (this.#values.length > 0) this.#values = [];
    this.#isLost = false;
  }
}

function mayBeAddress({ kept }: Value): boolean {
  return isAddressStart(kept) || undecided.test(decoded(kept).replace(schemeEnd, ''));
}

function isOwn(kept: string): boolean {
  return ownPath.test(decoded(kept));
}

/** Removes Markdown markup. */
function shownText(text: string): string {
  return text
    .replace(/[*_~[\]!^]|\x60/g, '')
    .replace(/\\(?=[!-.:-@[\]^-\x60{-~])/g, '')
    .trimStart();
}

/** Tracks the alternative text of Markdown images, from `![`. */
export class AltReader {
  #state: 'text' | 'mark' | 'alt' = 'text';
  #kept = '';
  #depth = 0;
  #isEscaped = false;
  /** True if code or similar markup may hide the end, up to an empty line. */
  #isEndHidden = false;
  /** True while the line has only spaces. */
  #isEmptyLine = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  /** The start of the text, if it is or may be an address. */
  address(hasBase: boolean): string | undefined {
    if (this.#state !== 'alt') return undefined;
    if (hasBase) return this.#kept;
    // Links, emphasis and tags inside leave only their text; where one ends, or an image starts, is uncertain.
    const text = this.#kept.replace(/\]\([^)]*\)|\]\[[^\]]*\]|<[^>]*>/g, '');
    const texts = [text, ...this.#kept.split(/^[\s*_~!^\x60\\]*[<[]/.test(this.#kept) ? /!\[|\)|>/ : '![').slice(1)];
    const isAddress = texts.some((candidate) => isAddressStart(shownText(candidate), this.#kept.length));
    return isAddress ? this.#kept : undefined;
  }

  read(c: number): void {
    if (this.#state !== 'alt') {
      if (this.#state === 'mark' && c === 0x5b) this.#begin();
      else this.#state = c === 0x21 ? 'mark' : 'text';
      return;
    }
    if (c === 0x0a && this.#isEmptyLine) this.#state = 'text';
    this.#isEmptyLine = c === 0x0a || (this.#isEmptyLine && isBlank(c));
    if (c === 0x60 || c === 0x3c || c === 0x24) this.#isEndHidden = true;
    if (!this.#isEscaped && c === 0x5b) this.#depth++;
    if (!this.#isEscaped && c === 0x5d && --this.#depth < 0 && !this.#isEndHidden) this.#state = 'text';
    this.#isEscaped = c === 0x5c && !this.#isEscaped;
    if (this.#kept !== '' || c > 0x20) this.#kept = keep(this.#kept, c);
  }

  #begin(): void {
    this.#state = 'alt';
    this.#kept = '';
    this.#depth = 0;
    this.#isEscaped = this.#isEndHidden = this.#isEmptyLine = false;
  }
}
