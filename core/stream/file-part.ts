/** A file returned by a service. Its first bytes decide, not its declared type. */
import { bytesToChars } from '../payload/body-text.ts';
import { isJson } from '../payload/json-strings.ts';
import { mediaTypeOfBytes, noTextByte } from '../payload/media.ts';
import type { RestoreContext } from '../payload/response.ts';
import { DocumentsPart } from './documents-part.ts';
import { joinBytes } from './frame.ts';
import { JsonPart } from './json-part.ts';
import { JsonTextPart } from './json-text-part.ts';
import { MultipartPart } from './multipart-part.ts';
import { NdjsonFraming } from './ndjson.ts';
import { Pieces } from './pieces.ts';
import { SniffedTextPart } from './sniffed-text-part.ts';
import type { StreamPart } from './stream-part.ts';
import { firstPlace } from './stream-start.ts';

/** Maximum length of the first line that is read to decide. */
const headMax = 65_536;

/** Start of a JSON array, in contrast to a text that begins with a token. */
const arrayStart = /^\[\s*(?:["{[\]\-\d]|true|false|null|$)/;

/** Lines of JSON are independent documents, as in batch results; images and other binary data pass unchanged. */
export class FilePart implements StreamPart {
  readonly #context: RestoreContext;
  readonly #head = new Pieces(joinBytes);
  #part: StreamPart | undefined;

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#part) {
      this.#part.push(chunk, out);
      return;
    }
    // The caller owns the chunk's memory.
    this.#head.push(new Uint8Array(chunk));
    const hasLine = chunk.subarray(firstPlace(chunk)).includes(0x0a);
    if (hasLine || this.#head.size >= headMax || noTextByte.test(bytesToChars(chunk))) this.#open(out);
  }

  end(out: Uint8Array[]): void {
    this.#open(out);
    this.#part?.end(out);
  }

  flushHeld(out: Uint8Array[]): void {
    this.#part?.flushHeld(out);
  }

  get isHolding(): boolean {
    return this.#part?.isHolding ?? false;
  }

  #open(out: Uint8Array[]): void {
    if (this.#part) return;
    const head = this.#head.takeWhole();
    this.#part = this.#partFor(head);
    this.#part.push(head, out);
  }

  #partFor(head: Uint8Array): StreamPart {
    const chars = bytesToChars(head.subarray(0, headMax));
    if (noTextByte.test(chars) || mediaTypeOfBytes(chars) !== undefined) return new PassingPart();
    const [line = ''] = chars.trimStart().split('\n', 1);
    if (/^--[\w'()+,./:=?-]+\s*$/.test(line)) return new MultipartPart(this.#context);
    if (arrayStart.test(line)) return new JsonPart(false, this.#context);
    if (!line.startsWith('{')) return new SniffedTextPart(this.#context);
    const isOpen = line.length === chars.trimStart().length;
    return isOpen || isJson(line.trim())
      ? new DocumentsPart(new NdjsonFraming(), this.#context)
      : new JsonTextPart(this.#context);
  }
}

/** Passes bytes that are not text. */
class PassingPart implements StreamPart {
  readonly isHolding = false;

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    out.push(chunk);
  }

  end(): void {}

  flushHeld(): void {}
}
