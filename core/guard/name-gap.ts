/** What may stand between the name of a custom property and its colon, and be gone in what a browser reads. */
import { codeOf, isNameSign } from './character-reference.ts';

const attributes = String.raw`(?:[\w:.=/ \t-]|"[\w:/.,;()=+ -]*"|'[\w:/.,;()=+ -]*')*`;
const tag = String.raw`<([a-z][\w:.-]*)(?:[ \t]${attributes})?`;
/** No tag, no entity, and nothing that Markdown takes for more than it is. */
const content = String.raw`[^<&[\]\\~$^\x60]*`;
const comment = String.raw`<!--(?:[^<>&[\]\\~$^\x60-]|-(?![->]))+`;
/** Ended in every reading: a tag that closes, an element with text only, a comment, and those of Markdown. */
const whole = new RegExp(
  String.raw`^(?:<\/[a-z][\w:.-]*[ \t]*>|${tag}(?:\/>|>${content}<\/\1[ \t]*>)|${comment}-->|\[${content}\]|\([^()\n<&[\]\\~$^\x60]*\)|(~~?)(?!~)${content}\2)$`,
  'i',
);
/** What may still become whole. A colon in it is none of the property's. */
const open = new RegExp(
  String.raw`^(?:<\/?[\w:.-]*[ \t]*|${tag}(?:"[\w:/.,;()=+ -]*|'[\w:/.,;()=+ -]*)?|${tag}>${content}(?:<(?:\/[\w:.-]*[ \t]*)?)?|<!-?|${comment}-?|<!--|\[${content}|\([^()\n<&[\]\\~$^\x60]*|~~?${content}~?)$`,
  'i',
);
/** A sign of its own in every reading. */
const bareSign = /^<[\s\d=>.,;:"'()-]$/;
const emptyLine = /\n[ \t\r]*\n$/;
const inertEntity = /^&(?:lt|gt|amp|quot|apos)?$/i;
/** Colon, blank, backslash, and the signs of a comment. */
const entity = /^&(?:colon|tab|newline|bsol|sol|ast|midast)$/i;
/** In place of what is not known to end; no text begins so. */
const unknown = '!';
const gapMemory = 300;

/** `open` while it goes on, `gone` behind it, `none` if it is no gap, and `declared` where a value may have begun. */
export type GapState = 'open' | 'gone' | 'none' | 'declared';

/** Tags and comments, which are gone within SVG; links and strikethrough of Markdown; and entities, which become signs. */
export class NameGap {
  #text = '';
  /** No blank stands before it: a name may go on behind it. */
  isInName = false;

  get isOpen(): boolean {
    return this.#text !== '';
  }

  /** A closing tag or an element was the gap, nothing that Markdown may read in another way. */
  get isPlain(): boolean {
    return this.#text.startsWith('<');
  }

  begin(c: number, isInName: boolean): void {
    // One that begins inside of another ends with it, or it is not known where.
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

/** A colon, or the parenthesis behind the name of a function. */
function isDeclaration(c: number): boolean {
  return c === 0x3a || c === 0x28;
}

function isWordSign(c: number): boolean {
  return /\w/.test(String.fromCharCode(c));
}
