/**
 * A sequence of independent documents: lines of a file (batch results), elements of an array (a list of chats). Each is
 * restored separately, so no text moves from one to another.
 */
import { formatsOf, type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import type { Emit, Frame } from './frame.ts';
import type { StreamPart } from './stream-part.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How the documents are separated: each is a frame. */
export type DocumentFraming = {
  push(chunk: Uint8Array, emit: Emit): void;
  end(emit: Emit): void;
};

/** Restores such a stream; a frame that is not JSON passes unchanged. */
export class DocumentsPart implements StreamPart {
  readonly #framing: DocumentFraming;
  readonly #context: RestoreContext;
  readonly #count: RestoreCount;

  constructor(framing: DocumentFraming, context: RestoreContext) {
    this.#framing = framing;
    this.#context = context;
    this.#count = context.count;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#framing.push(chunk, (frame) => this.#frame(frame, out));
  }

  end(out: Uint8Array[]): void {
    this.#framing.end((frame) => this.#frame(frame, out));
  }

  /** Nothing is held back: no token crosses a document boundary. */
  flushHeld(): void {}

  readonly isHolding = false;

  #frame(frame: Frame, out: Uint8Array[]): void {
    const restored = frame.isEvent ? this.#restore(frame.bytes) : undefined;
    if (frame.isTooLarge) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
    out.push(restored ?? frame.bytes);
  }

  #restore(bytes: Uint8Array): Uint8Array | undefined {
    try {
      const json = decoder.decode(bytes);
      const result = restoreJsonBody(json, this.#context.map, this.#context.allowsHost, {
        formats: formatsOf(this.#context),
        numbers: this.#context.numbers,
      });
      this.#count.restored += result.restored;
      this.#count.unresolved += result.unresolved;
      if (result.isUnreadable) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      return result.body === json ? undefined : encoder.encode(result.body);
    } catch {
      this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      return undefined;
    }
  }
}
