/**
 * Length-prefixed documents: `)]}'`, then pairs of a length line and a JSON line. The length counts UTF-16 code units up
 * to the next length, line feeds included, so it is rewritten if the JSON changes. Every document repeats the text so far:
 * a suffix that may become a token is left out until the next document, and the last document is sent again in full.
 */
import { formatsOf, type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { Frame } from './frame.ts';
import { NdjsonFraming } from './ndjson.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Restores such a stream; a line that violates the framing passes unchanged. */
export class LengthPrefixedPart {
  readonly #context: RestoreContext;
  readonly #count: RestoreCount;
  readonly #lines = new NdjsonFraming();
  /** A length line whose document has not arrived. */
  #lengthLine: Uint8Array | undefined;
  /** The last document that was sent shortened, in full. */
  #cut: Uint8Array | undefined;

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#count = context.count;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#lines.push(chunk, (frame) => this.#line(frame, out));
  }

  end(out: Uint8Array[]): void {
    this.#lines.end((frame) => this.#line(frame, out));
    this.flushHeld(out);
    this.#release(out);
  }

  /** Sends the shortened document in full. A length line stays: its value depends on the restored document. */
  flushHeld(out: Uint8Array[]): void {
    const document = this.#cut;
    this.#cut = undefined;
    if (document) out.push(document);
  }

  get isHolding(): boolean {
    return this.#cut !== undefined;
  }

  #release(out: Uint8Array[]): void {
    if (this.#lengthLine) out.push(this.#lengthLine);
    this.#lengthLine = undefined;
  }

  #line({ bytes }: Frame, out: Uint8Array[]): void {
    const first = bytes[0] ?? 0;
    if (first >= 0x30 && first <= 0x39) {
      this.#release(out);
      this.#lengthLine = bytes.slice();
      return;
    }
    if (first !== 0x5b) {
      this.#release(out);
      out.push(bytes);
      return;
    }
    const json = decoder.decode(bytes);
    // Other documents end the text.
    const formats = formatsOf(this.#context);
    const isText = formats.growingDocument.test(json);
    if (!isText) this.flushHeld(out);
    const { map, allowsHost, numbers } = this.#context;
    const result = restoreJsonBody(json, map, allowsHost, { isGrowing: isText, formats, numbers });
    this.#count.restored += result.restored;
    this.#count.unresolved += result.unresolved;
    const line = this.#lengthLine;
    this.#lengthLine = undefined;
    if (isText) {
      this.#cut = result.isCut
        ? framed(line, json, restoreJsonBody(json, map, allowsHost, { formats, numbers }).body)
        : undefined;
    }
    if (result.body !== json) {
      out.push(framed(line, json, result.body));
      return;
    }
    if (line) out.push(line);
    out.push(bytes);
  }
}

/** A document after its length, if it has one. */
function framed(lengthLine: Uint8Array | undefined, before: string, body: string): Uint8Array {
  const length = decoder
    .decode(lengthLine ?? new Uint8Array(0))
    .replace(/\d+/, (digits) => String(Number(digits) + body.length - before.length));
  return encoder.encode(length + body);
}
