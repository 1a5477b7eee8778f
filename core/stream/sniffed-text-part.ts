/** Text declared as plain that may be one of the event framings. */
import { isJson } from '../payload/json-strings.ts';
import { formatsOf, type RestoreContext } from '../payload/response.ts';
import { EventPart } from './event-part.ts';
import { joinBytes } from './frame.ts';
import { JsonTextPart } from './json-text-part.ts';
import type { StreamPart } from './stream-part.ts';
import { firstPlace, isEventStream, prefixedLine } from './stream-start.ts';
import { TextPart } from './text-part.ts';

// Maximum length that is read to decide.
const sniffedMax = 65_536;
/** Maximum length of the first event of such a stream. */
const eventMax = 4_096;
/** A longer first line of JSON is treated as a single object that is displayed while it is written. */
const lineMax = 1_024;
const prefixedStart = /^[0-9a-f]{1,4}(?::[[{]?)?$/;

/** Decides by the first line: servers send event streams and NDJSON as `text/plain`. */
export class SniffedTextPart implements StreamPart {
  readonly #context: RestoreContext;
  #part: StreamPart | undefined;
  #pieces: Uint8Array[] = [];
  #size = 0;
  /** True if the waiting data is the beginning of a document. */
  #isInDocument = false;

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#part) this.#part.push(chunk, out);
    else this.#collect(chunk, false, out);
  }

  end(out: Uint8Array[], isCut?: boolean): void {
    this.#collect(new Uint8Array(0), true, out);
    this.#part?.end(out, isCut);
  }

  flushHeld(out: Uint8Array[]): void {
    if (this.#isInDocument) this.#open(new JsonTextPart(this.#context), out);
    this.#part?.flushHeld(out);
  }

  get isHolding(): boolean {
    return this.#part?.isHolding ?? this.#isInDocument;
  }

  #collect(chunk: Uint8Array, isEnd: boolean, out: Uint8Array[]): void {
    if (this.#part) return;
    let piece = chunk;
    if (this.#size === 0) {
      // Whitespace is sent as a keep-alive.
      const start = firstPlace(chunk);
      if (start > 0) out.push(chunk.subarray(0, start));
      if (start === chunk.length && !isEnd) return;
      piece = chunk.subarray(start);
    }
    // `slice` of a Node Buffer would share the caller's memory.
    this.#pieces.push(new Uint8Array(piece));
    this.#size += piece.length;
    const bytes = joinBytes(this.#pieces);
    this.#pieces = [bytes];
    // Wait for the remainder of a split character: it may be an event stream's byte order mark.
    const part = this.#decide(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: !isEnd }), isEnd);
    if (part) this.#open(part, out);
  }

  #open(part: StreamPart, out: Uint8Array[]): void {
    this.#part = part;
    this.#isInDocument = false;
    for (const bytes of this.#pieces) part.push(bytes, out);
    this.#pieces = [];
  }

  #decide(bytes: string, isEnd: boolean): StreamPart | undefined {
    const text = bytes.replace(/^\uFEFF?[\r\n]*/, '');
    const isEvents = isEventStream(text, isEnd);
    if (isEvents) return new EventPart('sse', this.#context, { isText: true });
    const isOpen = !isEnd && this.#size < sniffedMax;
    if (isOpen && text.trim() === '') return undefined;
    if (/^\s*\{/.test(text)) return this.#decideDocument(text.trimStart(), isEnd);
    if (prefixedLine.test(text)) {
      const end = text.indexOf('\n');
      if (end < 0 && isOpen) return undefined;
      if (isJson(text.slice(text.indexOf(':') + 1, end < 0 ? text.length : end))) {
        return new EventPart('ndjson', this.#context, { isText: true });
      }
    } else if (isOpen && ((isEvents === undefined && text.length <= eventMax) || prefixedStart.test(text))) {
      return undefined;
    }
    return new TextPart(this.#context, { mayBeJson: /^\s*\[/.test(text) });
  }

  #decideDocument(text: string, isEnd: boolean): StreamPart | undefined {
    // A service's response or event has known member names.
    const { firstName, opening } = formatsOf(this.#context);
    const max = firstName.test(text) || opening.test(text.slice(0, lineMax)) ? sniffedMax : lineMax;
    const line = text.slice(0, max).split('\n', 1)[0] as string;
    const isWhole = line.length < Math.min(text.length, max) || (isEnd && text.length <= max);
    this.#isInDocument = !isWhole && text.length <= max;
    if (this.#isInDocument) return undefined;
    return isWhole && isJson(line)
      ? new EventPart('ndjson', this.#context, { isText: true })
      : new JsonTextPart(this.#context);
  }
}
