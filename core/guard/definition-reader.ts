import { isDigit } from '../characters.ts';
import { isBlank, isSpace, isTargetEnd, keep } from './link-reader.ts';
import { isAddressStart } from './value-reader.ts';

/**
 * Finds addresses in Markdown reference definitions, `[label]: address`, where quotes and Japanese full stops do not
 * end an address. States: `text`; `start` of a line; `label`; `labelEnd` after its `]`; `definition` after the colon,
 * up to the end of the next line; `bare` or `angled` in the address. Chats and logs look alike (`[INFO]:
 * to=[EMAIL-1]`), so an address counts only from the first character that can lead away from the page's own host.
 */
export class DefinitionReader {
  #state: 'text' | 'start' | 'label' | 'labelEnd' | 'definition' | 'bare' | 'angled' = 'start';
  #kept = '';
  #isEscaped = false;
  /** True if only quotation and list marks precede the label on its line. */
  #isLineStart = false;
  /** True after a label's opening bracket. */
  #isLabelStart = false;
  /** True where a definition may start: in a footnote, or on the line after an empty one. */
  #isBlock = false;
  #isNextLine = false;
  /** True after a list mark. */
  #isItem = false;
  #isAddress = false;
  /** The title after an address becomes an attribute value. It is read in parallel, because it may be missing. */
  #titleState: 'none' | 'behind' | 'nextLine' | 'open' = 'none';
  #title = '';
  #titleEnd = 0;
  /** True while the line has only spaces. */
  #isEmptyLine = false;

  get isIdle(): boolean {
    return this.#state === 'text' && this.#titleState === 'none';
  }

  /** True if a reader that starts here would find the same. */
  get isSettled(): boolean {
    return this.isIdle || (this.#state === 'start' && this.#titleState === 'none');
  }

  /** The start of the title being read, if it is an address. */
  titleAddress(hasBase: boolean): string | undefined {
    return this.#titleState === 'open' && (hasBase || isAddressStart(this.#title)) ? this.#title : undefined;
  }

  /** The start of the address being read. */
  get address(): string | undefined {
    return this.#isAddress && (this.#state === 'bare' || this.#state === 'angled') ? this.#kept : undefined;
  }

  read(c: number, previous: number): void {
    if (this.#titleState !== 'none') this.#readTitle(c, previous);
    switch (this.#state) {
      case 'text':
        if (isLineEnd(c)) this.#state = 'start';
        break;
      case 'start':
        if (c === 0x5b) this.#beginLabel();
        // A text may start with a byte order mark.
        else if (!isLinePrefix(c) && c !== 0xfeff) this.#state = 'text';
        break;
      case 'label':
        if (this.#isLabelStart) this.#isBlock = c === 0x5e;
        this.#isLabelStart = c === 0x5b && this.#isLineStart;
        if (c === 0x5d && !this.#isEscaped) this.#state = 'labelEnd';
        else if (c === 0x0a && previous === 0x0a) this.#state = 'start';
        // Labels contain no brackets (CommonMark 4.7): either the block has ended, or this is not a label.
        else if (c === 0x5b && !this.#isEscaped) this.#state = this.#isLineStart ? 'label' : 'text';
        this.#isLineStart = isLineEnd(c) || (this.#isLineStart && isLinePrefix(c));
        this.#isEscaped = c === 0x5c && !this.#isEscaped;
        break;
      case 'labelEnd':
        this.#end(c);
        if (c === 0x3a) this.#begin();
        break;
      case 'definition':
        this.#readDefinition(c, previous);
        break;
      default:
        this.#readAddress(c, previous);
    }
  }

  #beginLabel(): void {
    this.#state = 'label';
    this.#isLabelStart = true;
    this.#isLineStart = false;
  }

  #begin(): void {
    this.#state = 'definition';
    this.#kept = '';
    this.#isNextLine = this.#isItem = this.#isAddress = false;
  }

  #readDefinition(c: number, previous: number): void {
    if (isLineEnd(c)) {
      if (c === 0x0a && previous === 0x0d) return;
      if (this.#isNextLine) this.#state = 'start';
      this.#isNextLine = this.#isBlock = true;
    } else if (c === 0x5b && this.#isBlock) this.#beginLabel();
    else if (this.#isBlock && isLinePrefix(c)) this.#isItem ||= c !== 0x3e && !isSpace(c);
    else if (c === 0x3c) this.#state = 'angled';
    else if (isValueStart(c) || this.#isItem) this.#end(c);
    else if (!isSpace(c)) {
      this.#state = 'bare';
      this.#readAddress(c, 0);
    }
  }

  #readAddress(c: number, previous: number): void {
    const isValue = this.#kept === '[' && isValueStart(c);
    if (
      this.#state === 'bare'
        ? isValue || isLineEnd(c) || isTargetEnd(c, previous)
        : isLineEnd(c) || (c === 0x3e && previous !== 0x5c)
    ) {
      if (!isValue) this.#titleState = isLineEnd(c) ? 'nextLine' : 'behind';
      this.#end(c);
    } else this.#kept = keep(this.#kept, c);
    // `/`, `\`, `:`, `&` of an entity, `?`
    if (c === 0x2f || c === 0x5c || c === 0x3a || c === 0x26 || c === 0x3f) this.#isAddress = true;
  }

  /** Reads the title up to its quote or an empty line. */
  #readTitle(c: number, previous: number): void {
    if (this.#titleState === 'open') {
      const isEnd = (c === this.#titleEnd && previous !== 0x5c) || (c === 0x0a && this.#isEmptyLine);
      this.#isEmptyLine = c === 0x0a || (this.#isEmptyLine && isBlank(c));
      if (isEnd) this.#titleState = 'none';
      else if (this.#title !== '' || c > 0x20) this.#title = keep(this.#title, c);
    } else if (c === 0x22 || c === 0x27 || c === 0x28) {
      this.#titleState = 'open';
      this.#isEmptyLine = false;
      this.#title = '';
      this.#titleEnd = c === 0x28 ? 0x29 : c;
    } else if (isLineEnd(c) && this.#titleState === 'behind') this.#titleState = 'nextLine';
    else if (this.#titleState === 'nextLine' ? !isLinePrefix(c) || (c === 0x0a && previous !== 0x0d) : !isSpace(c))
      this.#titleState = 'none';
  }

  #end(c: number): void {
    this.#state = isLineEnd(c) ? 'start' : 'text';
  }
}

function isLineEnd(c: number): boolean {
  return c === 0x0a || c === 0x0d;
}

/** True for marks of quotations, lists and terms (`: ` or `~ `), which may precede a definition. */
function isLinePrefix(c: number): boolean {
  return isSpace(c) || isDigit(c) || isListSign(c) || c === 0x3e;
}

function isListSign(c: number): boolean {
  return c === 0x3a || c === 0x7e || (c >= 0x29 && c <= 0x2e && c !== 0x2c);
}

/** True for a quote or brace of code, or a Japanese letter: no scheme starts with these. Some renderers trim U+FEFF. */
function isValueStart(c: number): boolean {
  return c === 0x22 || c === 0x27 || c === 0x60 || c === 0x7b || (c > 0x3000 && c !== 0xfeff);
}
