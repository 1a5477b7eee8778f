/**
 * Multipart responses (`multipart/mixed`, RFC 2046 §5.1): batches of `application/http` responses, and results that a
 * server sends one by one. Each part is restored when the next one starts.
 */
import { isJson } from '../payload/json-strings.ts';
import { utf8Length } from '../payload/offsets.ts';
import { formatsOf, type RestoreContext, restoreJsonBody } from '../payload/response.ts';
import { restoreText } from '../restore.ts';
import { eventBytesMax, joinBytes } from './frame.ts';
import { Pieces } from './pieces.ts';
import type { StreamPart } from './stream-part.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder('latin1');

/** The first line is the delimiter. */
export class MultipartPart implements StreamPart {
  readonly #context: RestoreContext;
  readonly #pieces = new Pieces(joinBytes);
  #delimiter: string | undefined;
  #isPassing = false;

  constructor(context: RestoreContext) {
    this.#context = context;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#isPassing) {
      out.push(chunk);
      return;
    }
    // The caller owns the chunk's memory.
    this.#pieces.push(new Uint8Array(chunk));
    if (chunk.includes(0x0a)) this.#read(out);
    if (this.#pieces.size <= eventBytesMax) return;
    this.#context.count.unreadable = (this.#context.count.unreadable ?? 0) + 1;
    this.#isPassing = true;
    out.push(this.#pieces.takeWhole());
  }

  end(out: Uint8Array[]): void {
    out.push(this.#restore(this.#pieces.takeWhole()));
  }

  /** Does nothing: only incomplete parts are held. */
  flushHeld(): void {}

  readonly isHolding = false;

  #read(out: Uint8Array[]): void {
    const bytes = this.#pieces.takeWhole();
    // One character per byte, so offsets in the text are byte offsets.
    const text = latin1.decode(bytes);
    this.#delimiter ??= /^\s*(--[^\r\n]*?)[ \t]*\r?\n/.exec(text)?.[1];
    let from = 0;
    if (this.#delimiter !== undefined) {
      const mark = `\n${this.#delimiter}`;
      for (let at = text.indexOf(mark, 1); at >= 0; at = text.indexOf(mark, at + 1)) {
        out.push(this.#restore(bytes.subarray(from, at + 1)));
        from = at + 1;
      }
    }
    this.#pieces.push(bytes.subarray(from));
  }

  /** Restores a part and the delimiter before it. */
  #restore(bytes: Uint8Array): Uint8Array {
    try {
      const part = decoder.decode(bytes);
      const restored = this.#restorePart(part);
      return restored === part ? bytes : encoder.encode(restored);
    } catch {
      return bytes;
    }
  }

  #restorePart(part: string): string {
    const start = endOfHead(part);
    const head = part.slice(0, start);
    if (start < 0 || /^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(head)) return part;
    // The line end before a delimiter is not part of the content.
    const end = /\r?\n?$/.exec(part)?.index ?? part.length;
    const body = part.slice(start, Math.max(start, end));
    const restored = /^content-type:\s*application\/http/im.test(head) ? this.#restorePart(body) : this.#content(body);
    if (restored === body) return part;
    const length = /^(content-length:[ \t]*)\d+/im;
    return head.replace(length, `$1${utf8Length(restored)}`) + restored + part.slice(Math.max(start, end));
  }

  #content(body: string): string {
    const { map, allowsHost, count, numbers } = this.#context;
    if (isJson(body)) {
      const result = restoreJsonBody(body, map, allowsHost, { formats: formatsOf(this.#context), numbers });
      count.restored += result.restored;
      count.unresolved += result.unresolved;
      return result.body;
    }
    const result = restoreText(body, map, allowsHost ? { allowsHost } : {});
    count.restored += result.restoredCount;
    count.unresolved += result.unresolved.length;
    return result.restored;
  }
}

function endOfHead(part: string): number {
  const blank = /\r?\n\r?\n/.exec(part);
  return blank ? blank.index + blank[0].length : -1;
}
