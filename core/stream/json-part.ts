/** A body declared as JSON: a document, an array written in pieces, length-prefixed documents, or an event stream. */

import type { WireFormats } from '../formats/wire-formats.ts';
import { isObject, parseJson } from '../parsing.ts';
import { formatsOf, type RestoreContext } from '../payload/response.ts';
import { DocumentsPart } from './documents-part.ts';
import { EventPart } from './event-part.ts';
import { eventBytesMax, type Frame, joinBytes } from './frame.ts';
import { JsonArrayFraming } from './json-array.ts';
import { LengthPrefixedPart } from './length-prefixed.ts';
import { Pieces } from './pieces.ts';
import type { StreamPart } from './stream-part.ts';
import { beginsEventStream, blanksAndMark, firstPlace } from './stream-start.ts';

const openBracket = 0x5b;
const closeParenthesis = 0x29;
/** First letters of `data`, `event`, `id` and `retry`, and the colon of a comment. */
const eventStreamStarts = new Set([0x64, 0x65, 0x69, 0x72, 0x3a]);
const lineStartMax = 'event:'.length;
const latin1 = new TextDecoder('latin1');

/**
 * True if the first byte calls for restoring in pieces: an array, `)]}'` before length-prefixed documents, or an event
 * stream. False for a single document, undefined while there is only whitespace.
 */
export function comesInPieces(chunk: Uint8Array): boolean | undefined {
  const first = chunk[firstPlace(chunk, blanksAndMark)];
  if (first === undefined) return undefined;
  return first === openBracket || first === closeParenthesis || eventStreamStarts.has(first);
}

/** Detects the format by its first bytes. An array's first element distinguishes pieces of one response from a list. */
export class JsonPart implements StreamPart {
  readonly #context: RestoreContext;
  readonly #isEvents: boolean;
  #part: StreamPart | undefined;
  /** The first byte that is not whitespace. */
  #first: number | undefined;
  #start = '';
  /** Data received before the format is known. */
  readonly #pieces = new Pieces(joinBytes);
  #elements: JsonArrayFraming | undefined = new JsonArrayFraming();

  /** With `isEvents`, array elements are always pieces of one response. */
  constructor(isEvents: boolean, context: RestoreContext) {
    this.#isEvents = isEvents;
    this.#context = context;
  }

  push(bytes: Uint8Array, out: Uint8Array[]): void {
    let chunk = bytes;
    if (!this.#part) {
      if (this.#first === undefined) {
        // Whitespace is sent as a keep-alive.
        const start = firstPlace(bytes, blanksAndMark);
        out.push(bytes.subarray(0, start));
        if (start === bytes.length) return;
        chunk = bytes.subarray(start);
        this.#first = chunk[0] as number;
      }
      const part = this.#decide(this.#first, chunk);
      if (!part) {
        // `slice` of a Node Buffer would share the caller's memory.
        this.#pieces.push(new Uint8Array(chunk));
        return;
      }
      this.#open(part, out);
    }
    this.#part?.push(chunk, out);
  }

  end(out: Uint8Array[]): void {
    if (!this.#part) this.#open(this.#documents(), out);
    this.#part?.end(out);
  }

  flushHeld(out: Uint8Array[]): void {
    this.#part?.flushHeld(out);
  }

  get isHolding(): boolean {
    return this.#part?.isHolding ?? false;
  }

  get isBetweenEvents(): boolean {
    return this.#part?.isBetweenEvents ?? false;
  }

  #open(part: StreamPart, out: Uint8Array[]): void {
    this.#part = part;
    this.#elements = undefined;
    if (this.#pieces.size > 0) part.push(this.#pieces.takeWhole(), out);
  }

  /** Undefined when more data is needed to decide. */
  #decide(first: number, chunk: Uint8Array): StreamPart | undefined {
    if (first === closeParenthesis) return new LengthPrefixedPart(this.#context);
    if (eventStreamStarts.has(first)) {
      this.#start = (this.#start + latin1.decode(chunk.subarray(0, lineStartMax))).slice(0, lineStartMax);
      const begins = beginsEventStream(this.#start);
      if (begins !== false) return begins ? new EventPart('sse', this.#context) : undefined;
    } else if (first === openBracket && !this.#isEvents) {
      let element: Frame | undefined;
      this.#elements?.push(chunk, (frame) => {
        if (frame.isEvent || frame.closes || frame.isTooLarge) element ??= frame;
      });
      if (!element && this.#pieces.size <= eventBytesMax) return undefined;
      if (element?.isEvent && isPieceOfAnswer(element.bytes, formatsOf(this.#context)))
        return new EventPart('json-array', this.#context);
    }
    return this.#documents();
  }

  #documents(): StreamPart {
    if (this.#isEvents) return new EventPart('json-array', this.#context);
    return new DocumentsPart(new JsonArrayFraming(), this.#context);
  }
}

/** True for an element whose texts continue in the next one; elements of other lists have their own texts. */
function isPieceOfAnswer(element: Uint8Array, { framing: { arrayNames, arrayEnvelopes } }: WireFormats): boolean {
  const hasName = (value: unknown) => isObject(value) && Object.keys(value).some((name) => arrayNames.has(name));
  const value = parseJson(new TextDecoder().decode(element));
  return hasName(value) || (isObject(value) && [...arrayEnvelopes].some((name) => hasName(value[name])));
}
