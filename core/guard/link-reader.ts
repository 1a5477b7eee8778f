/** Finds addresses in displayed text: bare ones, and those in the parentheses of Markdown. */
import { anyOf } from '../patterns.ts';

/** Browsers treat `http:/x` and `http:\\x` as `http://x`. */
const schemeEnd = /(?:https?:|\/)$/i;
/** A host that chat pages link without a scheme; not the host of an e-mail address. Markdown drops the backslash. */
const bareHost =
  /(?:^|[^\p{L}\p{N}.@-])((?:[\p{L}\p{N}-]+\.)+(?:xn--[\p{L}\p{N}-]+|\p{L}{2,24})|(?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?\\?$/iu;
/** Linked without a scheme too. An underscore before it may be Markdown, and so may the backslash. */
const worldWideWeb = /(?:^|[\W_])www\\?$/i;
const targetLengthMax = 4096;
// A scheme, slashes and an allowed host fit in this length.
const addressMemory = 300;

/** Replaces the start of an ambiguous address; no allowed host starts like this. */
export const uncertain = '(';

/**
 * Reads addresses in three states besides `text`: `url` from `//`, `http:` with a slash, or a host and a slash, to
 * whitespace, a quote or an angle bracket; `target` from Markdown's `](` to the closing parenthesis or an empty line;
 * `long`, the remainder of a very long target, to whitespace.
 */
export class LinkReader {
  #state: 'text' | 'url' | 'target' | 'long' = 'text';
  #kept = '';
  /** Number of open parentheses in a target. */
  #depth = 0;
  #length = 0;
  /** True between the `<` and `>` of a target. */
  #isAngled = false;

  get isIdle(): boolean {
    return this.#state === 'text';
  }

  /** The start of the address being read. */
  get address(): string | undefined {
    if (this.#state === 'text') return undefined;
    return this.#state === 'url' ? `//${this.#kept.replace(/^[\\/]+/, '')}` : this.#kept;
  }

  /** The same for a Markdown target. */
  get target(): string | undefined {
    return this.#state === 'target' || this.#state === 'long' ? this.#kept : undefined;
  }

  /** Reads a character that may end the state `text`. Only the end of `before` is exact. */
  begin(c: number, before: string): void {
    // The entity of a slash, a question mark or a dot has the same effect.
    if (c === 0x2f || c === 0x3f || c === 0x23 || c === 0x26) {
      const host = bareHost.exec(before)?.[1];
      if (host !== undefined) {
        this.#enter('url', `${host}${String.fromCharCode(c)}`);
        return;
      }
      if (c === 0x3f || c === 0x23) return;
    }
    if (c === 0x2e || c === 0x26) {
      if (worldWideWeb.test(before)) this.#enter('url', 'www.');
    } else if (c === 0x28) {
      if (before.endsWith(']')) this.#enter('target');
    } else if (schemeEnd.test(before) && !(c === 0x5c && before.endsWith('/'))) this.#enter('url');
  }

  /** Reads a character in one of the other states. */
  read(c: number, previous: number): void {
    if (this.#state === 'target') this.#readTarget(c, previous);
    else if (this.#state === 'long' ? isTargetEnd(c, previous) : isUrlEnd(c)) this.#enter('text');
    else if (c === 0x28 && previous === 0x5d) this.#enter('target', uncertain);
    else this.#kept = keep(this.#kept, c);
  }

  #readTarget(c: number, previous: number): void {
    if (c === 0x0a && previous === 0x0a) {
      this.#enter('text');
      return;
    }
    if (this.#kept === '') {
      // Any amount of whitespace may precede the address.
      if (String.fromCharCode(c).trim() === '') return;
      this.#isAngled = c === 0x3c;
    }
    // If this is not a target after all, the text after it belongs to another address.
    const isUncertain = (c === 0x28 && previous === 0x5d) || (!this.#isAngled && isSpace(c));
    this.#kept = isUncertain ? uncertain : keep(this.#kept, c);
    this.#length++;
    if (this.#isAngled) this.#isAngled = c !== 0x3e || previous === 0x5c;
    else if (c === 0x28) this.#depth++;
    else if (c === 0x29 && previous !== 0x5c && --this.#depth < 0) this.#enter('text');
    else if (this.#length > targetLengthMax) this.#state = 'long';
  }

  #enter(state: 'text' | 'url' | 'target', kept = ''): void {
    this.#state = state;
    this.#kept = kept;
    this.#depth = 0;
    this.#length = 0;
    this.#isAngled = false;
  }
}

/** Extends the start of an address by a character, up to the length of a host. */
export function keep(kept: string, c: number): string {
  return kept.length < addressMemory ? kept + String.fromCharCode(c) : kept;
}

/** True for HTML whitespace and U+000B. */
export function isSpace(c: number): boolean {
  return c === 0x20 || (c >= 0x09 && c <= 0x0d);
}

/** True for characters allowed in an empty line. */
export function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x09 || c === 0x0d;
}

/** True for whitespace; after a backslash, markdown-it takes all whitespace but a space as part of the address. */
export function isTargetEnd(c: number, previous: number): boolean {
  return isSpace(c) && (c === 0x20 || previous !== 0x5c);
}

/** True for whitespace, quotes that end an address in code, angle brackets, and Japanese punctuation. */
function isUrlEnd(c: number): boolean {
  if (c >= 0x3000) return c <= 0x3002 || c === 0xff09 || c === 0x300d;
  return isSpace(c) || c === 0x22 || c === 0x3c || c === 0x3e || c === 0x60;
}

const fileEndings = anyOf(`
  [cm]?[jt]sx? gz bz2 xz zst map json css html? xml ya?ml txt pdf docx? xlsx? pptx? csv
  png jpe?g gif svg webp wav mp[34] log bak tmp lock`);
/** Labels of a host after a token, where the last one is not a file extension: `.evil.example`. */
const hostBehind = new RegExp(
  String.raw`[\p{L}\p{N}-]*(?:\.[\p{L}\p{N}-]+)+\.(?!${fileEndings}(?![\p{L}\p{N}-]))\p{L}{2,24}(?![\p{L}\p{N}_])`,
  'uy',
);

/**
 * Whether a token that ends at a place of a text begins a host name: chat pages link `[PHONE-1].evil.example` without a scheme
 * too. A single label after it is a file extension or the next sentence, not a registered domain.
 */
export function beginsHost(text: string, end: number): boolean {
  hostBehind.lastIndex = end;
  return hostBehind.test(text);
}
