/** A file of lines of JSON, each a whole document (results of batches): every line is restored for itself. */
import { type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { Frame } from './frame.ts';
import { NdjsonFraming } from './ndjson.ts';
import type { StreamPart } from './stream-restorer.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Restores such a file; a line that is no JSON passes as it is. */
export class JsonLinesPart implements StreamPart {
  readonly #context: RestoreContext;
  readonly #count: RestoreCount;
  readonly #lines = new NdjsonFraming();

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#count = context.count;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#lines.push(chunk, (frame) => this.#line(frame, out));
  }

  end(out: Uint8Array[]): void {
    this.#lines.end((frame) => this.#line(frame, out));
  }

  /** Nothing is ever held: no token goes over a line. */
  flushHeld(): void {}

  readonly isHolding = false;

  #line(frame: Frame, out: Uint8Array[]): void {
    const restored = frame.isEvent ? this.#restore(frame.bytes) : undefined;
    if (frame.isTooLarge) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
    out.push(restored ?? frame.bytes);
  }

  #restore(bytes: Uint8Array): Uint8Array | undefined {
    try {
      const line = decoder.decode(bytes);
      const result = restoreJsonBody(line, this.#context.map, this.#context.allowsHost);
      this.#count.restored += result.restored;
      this.#count.unresolved += result.unresolved;
      if (result.isUnreadable) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      return result.body === line ? undefined : encoder.encode(result.body);
    } catch {
      this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      return undefined;
    }
  }
}
