/** Text streams: plain, or one of the framings of events under a plain name. */
import { isJson } from '../payload/json-strings.ts';
import type { RestoreContext } from '../payload/response.ts';
import { EventPart } from './event-part.ts';
import { joinBytes } from './frame.ts';
import type { StreamPart } from './stream-restorer.ts';
import { TextRun } from './text-run.ts';

const encoder = new TextEncoder();

/** Plain text: one run. */
export class TextPart implements StreamPart {
  readonly #run: TextRun;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `encode` writes an original in the encoding of the text around it. */
  constructor(context: RestoreContext, encode?: (value: string) => string) {
    this.#run = new TextRun({ ...context, bare: false, plainOnly: true, ...(encode && { encode }) });
  }

  get isHolding(): boolean {
    return this.#run.carry !== '';
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#send(this.#run.push(this.#decoder.decode(chunk, { stream: true })), out);
  }

  end(out: Uint8Array[]): void {
    this.#send(this.#run.push(this.#decoder.decode(), true), out);
  }

  flushHeld(out: Uint8Array[]): void {
    if (this.#run.carry !== '') this.#send(this.#run.push('', true), out);
  }

  #send(text: string, out: Uint8Array[]): void {
    if (text !== '') out.push(encoder.encode(text));
  }
}

// What is read until it is clear what the text is: a line of JSON, a line of an event stream, or neither.
const sniffedMax = 65_536;
const sseLine = /^\uFEFF?(?:data|event|id|retry)?:/;
// `0:"…"`, lines of JSON with a name before them: Vercel AI's data stream, chat.mistral.ai.
const prefixedLine = /^[0-9a-f]{1,4}:(?:\{["}]|\[[[{"\]\d]|")/;
const prefixedStart = /^[0-9a-f]{1,4}(?::[[{]?)?$/;
const sseStart = /^\uFEFF?(?:d(?:a(?:t(?:a)?)?)?|e(?:v(?:e(?:n(?:t)?)?)?)?|i(?:d)?|r(?:e(?:t(?:r(?:y)?)?)?)?)?$/;

/** Decides by its first line what a text is; servers call event streams and lines of JSON `text/plain`. */
export class SniffedTextPart implements StreamPart {
  readonly #context: RestoreContext;
  #part: StreamPart | undefined;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#part) this.#part.push(chunk, out);
    else this.#collect(chunk, false, out);
  }

  end(out: Uint8Array[]): void {
    this.#collect(new Uint8Array(0), true, out);
    this.#part?.end(out);
  }

  flushHeld(out: Uint8Array[]): void {
    this.#part?.flushHeld(out);
  }

  get isHolding(): boolean {
    return this.#part?.isHolding ?? false;
  }

  #collect(chunk: Uint8Array, isEnd: boolean, out: Uint8Array[]): void {
    if (this.#part) return;
    this.#pieces.push(chunk.slice());
    this.#size += chunk.length;
    const bytes = joinBytes(this.#pieces);
    const part = this.#decide(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isEnd);
    if (!part) {
      this.#pieces = [bytes];
      return;
    }
    this.#part = part;
    this.#pieces = [];
    part.push(bytes, out);
  }

  #decide(text: string, isEnd: boolean): StreamPart | undefined {
    if (sseLine.test(text)) return new EventPart('sse', this.#context);
    const isOpen = !isEnd && this.#size < sniffedMax;
    const lineEnd = text.search(/[\r\n]/);
    if (/^[\uFEFF\s]*\{/.test(text)) {
      const start = text.indexOf('{');
      const end = text.indexOf('\n', start);
      if (end < 0 && isOpen) return undefined;
      if (isJson(text.slice(start, end < 0 ? text.length : end))) return new EventPart('ndjson', this.#context);
    } else if (prefixedLine.test(text)) {
      const end = text.indexOf('\n');
      if (end < 0 && isOpen) return undefined;
      if (isJson(text.slice(text.indexOf(':') + 1, end < 0 ? text.length : end))) {
        return new EventPart('ndjson', this.#context);
      }
    } else if (isOpen && lineEnd < 0 && (sseStart.test(text) || prefixedStart.test(text))) {
      return undefined;
    }
    return new TextPart(this.#context);
  }
}
