/** Text between a custom property's name and its colon that may disappear in a browser. */
import { codeOf, isNameSign } from './character-reference.ts';

const attributes = String.raw`(?:[\w:.=/ \t-]|"[\w:/.,;()=+ -]*"|'[\w:/.,;()=+ -]*')*`;
const tag = String.raw`<([a-z][\w:.-]*)(?:[ \t]${attributes})?`;
/** Text without tags, entities, and characters with a meaning in Markdown. */
const content = String.raw`[^<&[\]\\~$^\x60]*`;
const comment = String.raw`<!--(?:[^<>&[\]\\~$^\x60-]|-(?![->]))+`;
/** Gaps that have ended in every reading: a closing tag, a text-only element, a comment, and Markdown counterparts. */
const whole = new RegExp(
  String.raw`^(?:<\/[a-z][\w:.-]*[ \t]*>|${tag}(?:\/>|>${content}<\/\1[ \t]*>)|${comment}-->|\[${content}\]|\([^()\n<&[\]\\~$^\x60]*\)|(~~?)(?!~)${content}\2)$`,
  'i',
);
/** A gap that may still be completed. A colon in it does not belong to the property. */
const open = new RegExp(
  String.raw`^(?:<\/?[\w:.-]*[ \t]*|${tag}(?:"[\w:/.,;()=+ -]*|'[\w:/.,;()=+ -]*)?|${tag}>${content}(?:<(?:\/[\w:.-]*[ \t]*)?)?|<!-?|${comment}-?|<!--|\[${content}|\([^()\n<&[\]\\~$^\x60]*|~~?${content}~?)$`,
  'i',
);
/** A literal `<` in every reading. */
const bareSign = /^<[\s\d=>.,;:"'()-]$/;
const emptyLine = /\n[ \t\r]*\n$/;
const inertEntity = /^&(?:lt|gt|amp|quot|apos)?$/i;
/** Entities for a colon, space, backslash, and the characters of a comment. */
const entity = /^&(?:colon|tab|newline|bsol|sol|ast|midast)$/i;
/** Replaces text whose end is uncertain; no text starts like this. */
const unknown = '!';
const gapMemory = 300;

/** `open` while the gap continues, `gone` after it, `none` if there is none, `declared` where a value may start. */
export type GapState = 'open' | 'gone' | 'none' | 'declared';

/** Tags and comments, which disappear within SVG; Markdown links and strikethrough; entities, which are decoded. */
export class NameGap {
  #text = '';
  /** True if no space precedes the gap, so a name may continue after it. */
  isInName = false;

  get isOpen(): boolean {
    return this.#text !== '';
  }

  /** True if the gap was a closing tag or an element, which Markdown cannot read differently. */
  get isPlain(): boolean {
    return this.#text.startsWith('<');
  }

  begin(c: number, isInName: boolean): void {
    // A gap that starts inside another ends with it, or at an unknown offset.
    if (!this.isOpen) this.#text = String.fromCharCode(c);
    this.isInName ||= isInName;
  }

  end(): void {
    this.#text = '';
    this.isInName = false;
  }

  read(c: number): GapState {
    if (this.#text.startsWith('&')) return this.#readEntity(c);
    if (this.#text === unknown) return isDeclaration(c) ? 'declared' : 'open';
    this.#text += String.fromCharCode(c);
    const text = this.#text;
    if (bareSign.test(text)) return 'none';
    if (text.startsWith('~') && c === 0x0a && emptyLine.test(text)) return 'none';
    if ((c === 0x3e || c === 0x5d || c === 0x29 || c === 0x7e) && whole.test(text)) return 'gone';
    if (text.length < gapMemory && open.test(text)) return 'open';
    this.#text = unknown;
    return isDeclaration(c) || text.slice(0, -1).includes(':') ? 'declared' : 'open';
  }

  #readEntity(c: number): GapState {
    const text = this.#text;
    if (c === 0x23 || isWordSign(c)) {
      if (text.length < gapMemory) this.#text += String.fromCharCode(c);
      return 'open';
    }
    if (inertEntity.test(text)) return 'none';
    const code = codeOf(text);
    if (code === undefined) return this.isInName || entity.test(text) ? 'declared' : 'none';
    const isInert = code < 0x80 ? !isNameSign(code) && !isDeclaration(code) && code !== 0x2f : !this.isInName;
    return isInert ? 'none' : 'declared';
  }
}

/** True for a colon, or the parenthesis after a function name. */
function isDeclaration(c: number): boolean {
  return c === 0x3a || c === 0x28;
}

function isWordSign(c: number): boolean {
  return /\w/.test(String.fromCharCode(c));
}
