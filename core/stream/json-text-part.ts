/** A text that is one JSON document, displayed while it is written; lines after it are events. */
import { isJson } from '../payload/json-strings.ts';
import type { RestoreContext } from '../payload/response.ts';
import { DocumentEnd } from './document-end.ts';
import { EventPart } from './event-part.ts';
import { eventBytesMax, joinBytes } from './frame.ts';
import { Pieces } from './pieces.ts';
import type { StreamPart } from './stream-part.ts';
import { firstPlace } from './stream-start.ts';
import { TextPart } from './text-part.ts';

const lineFeed = new Uint8Array([0x0a]);

/**
 * Restores such a text, falling back to plain text if it is not JSON. States:
 * - `start`: whitespace passes; anything else: `document`.
 * - `document`: the first document is being written. Ends on a single line: `between`. Has several lines, or is too
 * large to be an event: `text`.
 * - `between`: whitespace passes. `{` at the start of a line: `events`. Anything else: `text`.
 * - `text`, `events`: to the end.
 */
export class JsonTextPart implements StreamPart {
  readonly #context: RestoreContext;
  #part: StreamPart;
  #state: 'start' | 'document' | 'between' | 'text' | 'events' = 'start';
  readonly #end = new DocumentEnd();
  /** The first document, masked; the lines after it may continue its texts. */
  readonly #line = new Pieces(joinBytes);
  #hasLineEnd = false;

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#part = new TextPart(context, { mayBeJson: true });
  }

  get isHolding(): boolean {
    return this.#part.isHolding ?? false;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    let rest = chunk;
    if (this.#state === 'start') rest = this.#readStart(rest, out);
    if (this.#state === 'document') rest = this.#readDocument(rest, out);
    if (this.#state === 'between') rest = this.#readBetween(rest, out);
    if (rest.length > 0) this.#part.push(rest, out);
  }

  end(out: Uint8Array[]): void {
    this.#part.end(out);
  }

  flushHeld(out: Uint8Array[]): void {
    this.#part.flushHeld(out);
  }

  #readStart(chunk: Uint8Array, out: Uint8Array[]): Uint8Array {
    const blanks = chunk.subarray(0, firstPlace(chunk));
    this.#part.push(blanks, out);
    if (blanks.length < chunk.length) this.#state = 'document';
    return chunk.subarray(blanks.length);
  }

  #readDocument(chunk: Uint8Array, out: Uint8Array[]): Uint8Array {
    const end = this.#end.find(chunk);
    const piece = end < 0 ? chunk : chunk.subarray(0, end);
    this.#part.push(piece, out);
    // `slice` of a Node Buffer would share the caller's memory.
    this.#line.push(new Uint8Array(piece));
    if (piece.includes(0x0a) || this.#line.size > eventBytesMax) {
      this.#line.take();
      this.#state = 'text';
    } else if (end >= 0) {
      this.#state = 'between';
    }
    return chunk.subarray(piece.length);
  }

  #readBetween(chunk: Uint8Array, out: Uint8Array[]): Uint8Array {
    const blanks = chunk.subarray(0, firstPlace(chunk));
    this.#hasLineEnd ||= blanks.includes(0x0a);
    this.#part.push(blanks, out);
    const rest = chunk.subarray(blanks.length);
    if (rest.length === 0) return rest;
    const line = this.#line.takeWhole();
    this.#state = 'text';
    if (this.#hasLineEnd && rest[0] === 0x7b && isJson(new TextDecoder().decode(line))) this.#openEvents(line, out);
    return rest;
  }

  /** Reads the document again as the first event, so that later events can continue it. */
  #openEvents(line: Uint8Array, out: Uint8Array[]): void {
    const { count } = this.#context;
    this.#part.end(out);
    this.#state = 'events';
    this.#part = new EventPart('ndjson', this.#context, { isText: true });
    const counted = { unreadable: 0, ...count };
    this.#part.push(joinBytes([line, lineFeed]), []);
    this.#part.flushHeld([]);
    Object.assign(count, counted);
  }
}
