/**
 * Documents after their lengths: `)]}'`, then repeatedly a line with a length and a line of JSON. The length counts
 * the UTF-16 code units up to the next length, line feeds included, so it is rewritten when the JSON changes. Every
 * document repeats the text so far, so a suffix that may still become a token is simply left out: the next document has
 * it. If none follows, the last one is sent again in full.
 */
import { formatsOf, type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { Frame } from './frame.ts';
import { NdjsonFraming } from './ndjson.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Restores such a stream; a line that does not match the framing passes unchanged. */
export class LengthPrefixedPart {
  readonly #context: RestoreContext;
  readonly #count: RestoreCount;
  readonly #lines = new NdjsonFraming();
  /** A length line waiting for its document. */
  #lengthLine: Uint8Array | undefined;
  /** The last document of which something was left out, in full. */
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

  /** A length waits for its document as long as necessary: it depends on the restored document. */
  flushHeld(out: Uint8Array[]): void {
    const whole = this.#cut;
    this.#cut = undefined;
    if (whole) out.push(whole);
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
    const { map, allowsHost } = this.#context;
    const result = restoreJsonBody(json, map, allowsHost, { isGrowing: isText, formats });
    this.#count.restored += result.restored;
    this.#count.unresolved += result.unresolved;
    const line = this.#lengthLine;
    this.#lengthLine = undefined;
    if (isText) {
      this.#cut = result.isCut
        ? framed(line, json, restoreJsonBody(json, map, allowsHost, { formats }).body)
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

/** A document after its length; some responses have no lengths. */
function framed(lengthLine: Uint8Array | undefined, before: string, body: string): Uint8Array {
  const length = decoder
    .decode(lengthLine ?? new Uint8Array(0))
    .replace(/\d+/, (digits) => String(Number(digits) + body.length - before.length));
  return encoder.encode(length + body);
}
