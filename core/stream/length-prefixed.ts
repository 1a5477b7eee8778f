/**
 * The framing of Google's web apps: `)]}'`, then again and again a line with a length and a line of JSON. The length counts
 * the UTF-16 code units of what follows up to the next length, line feeds included, so it is written anew where the JSON changes.
 * Every document repeats the text so far, so nothing has to be held back: a token that is cut is whole in the next one.
 */
import { type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { Frame } from './frame.ts';
import { NdjsonFraming } from './ndjson.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Restores such a stream; a line that does not fit the framing passes as it is. */
export class LengthPrefixedPart {
  readonly #context: RestoreContext;
  readonly #count: RestoreCount;
  readonly #lines = new NdjsonFraming();
  /** A line with a length that waits for its document. */
  #lengthLine: Uint8Array | undefined;

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#count = context.count;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#lines.push(chunk, (frame) => this.#line(frame, out));
  }

  end(out: Uint8Array[]): void {
    this.#lines.end((frame) => this.#line(frame, out));
    this.#release(out);
  }

  /** A length waits for its document however long that takes: it is written for what the document becomes. */
  flushHeld(): void {}

  readonly isHolding = false;

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
    const result = restoreJsonBody(json, this.#context.map, this.#context.allowsHost);
    this.#count.restored += result.restored;
    this.#count.unresolved += result.unresolved;
    if (result.body === json) {
      this.#release(out);
      out.push(bytes);
      return;
    }
    const grown = result.body.length - json.length;
    // Some answers have no lengths.
    const length = decoder
      .decode(this.#lengthLine ?? new Uint8Array(0))
      .replace(/\d+/, (digits) => String(Number(digits) + grown));
    this.#lengthLine = undefined;
    out.push(encoder.encode(length + result.body));
  }
}
