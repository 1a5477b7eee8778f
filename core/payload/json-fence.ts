/** JSON blocks in Markdown, which users and programs copy from a response and parse. */
import { jsonEscape } from './json-strings.ts';

/** The opening line of a block (CommonMark §4.5), also in a quote or list, and the end of any line of one. */
const openingLine = /^[ \t>*+-]*(?:\d+[.)])?[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)/;
const jsonInfo = /^(?:json[5cl]?|ndjson|jsonlines)$/i;
const beforeMarks = ' \t>*+-.)0123456789`~';
const lineMax = 100;
/** Characters allowed unescaped in a JSON string (RFC 8259 §7). */
const stringContent = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*$/iu;

/** Tracks in displayed text whether it is inside a string of such a block. */
export class JsonFence {
  /** The fence that opened the block; empty outside of one. */
  #marks = '';
  #isJson = false;
  #inString = false;
  #isEscaped = false;
  /** The current line while it may be a fence; undefined after the first other character. */
  #line: string | undefined = '';

  /** Reads the next piece of the text. */
  push(text: string, from = 0, to = text.length): void {
    // The common case in most responses. A text with many tokens is pushed in as many pieces, so the search ends at `to`.
    if (this.#marks === '' && this.#line === undefined && !text.slice(from, to).includes('\n')) return;
    for (let at = from; at < to; at++) this.#read(text[at] as string);
  }

  /** Escapes whatever would break the surrounding string at this offset. */
  escape(value: string): string {
    return this.#inString && !stringContent.test(value) ? jsonEscape(value, 1) : value;
  }

  #read(char: string): void {
    if (char === '\n' || char === '\r') {
      this.#endLine();
      return;
    }
    if (this.#line !== undefined) this.#line = this.#mayOpen(char) ? this.#line + char : undefined;
    if (!this.#isJson) return;
    if (this.#isEscaped) this.#isEscaped = false;
    else if (char === '"') this.#inString = !this.#inString;
    else if (char === '\\') this.#isEscaped = this.#inString;
  }

  #mayOpen(char: string): boolean {
    const line = this.#line as string;
    return line.length < lineMax && (beforeMarks.includes(char) || line.includes('`') || line.includes('~'));
  }

  #endLine(): void {
    const [, marks = '', info = ''] = (this.#line && openingLine.exec(this.#line)) || [];
    if (this.#marks === '') {
      this.#marks = marks;
      this.#isJson = marks !== '' && jsonInfo.test(info);
    } else if (marks.startsWith(this.#marks) && info === '') {
      this.#marks = '';
      this.#isJson = false;
    }
    // A JSON string does not span lines.
    this.#inString = false;
    this.#isEscaped = false;
    this.#line = '';
  }
}
