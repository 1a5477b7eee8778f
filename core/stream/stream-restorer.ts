/**
 * Restores tokens in a streamed response, however it is split: bytes in, bytes out. Only a suffix that may become a
 * token is held back; an unchanged event is sent at once with its original bytes. Unparseable data passes unchanged,
 * tokens included.
 */

import { wireFormats } from '../formats/index.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import type { AllowsHost } from '../guard/url-guard.ts';
import { mediaTypeOf } from '../payload/media-type.ts';
import type { DocumentShifts } from '../payload/offsets.ts';
import type { RestoreContext, RestoreCount } from '../payload/response.ts';
import type { TokenMap } from '../vault.ts';
import { EventStreamPart } from './aws-event-stream.ts';
import { DocumentsPart } from './documents-part.ts';
import { EventPart } from './event-part.ts';
import { FilePart } from './file-part.ts';
import { joinBytes } from './frame.ts';
import { JsonPart } from './json-part.ts';
import { MultipartPart } from './multipart-part.ts';
import { NdjsonFraming } from './ndjson.ts';
import { SniffedTextPart } from './sniffed-text-part.ts';
import type { StreamKind, StreamPart } from './stream-part.ts';
import { TextPart } from './text-part.ts';

export type { StreamKind };

/** Options of {@link StreamRestorer}. */
export type StreamRestorerOptions = {
  readonly kind: StreamKind;
  readonly map: TokenMap;
  /** Hosts whose URLs may contain originals; default none. */
  readonly allowsHost?: AllowsHost | undefined;
  /** See {@link RestoreContext}. */
  readonly documents?: DocumentShifts | undefined;
  /** See {@link RestoreContext}. */
  readonly numbers?: ReadonlySet<string> | undefined;
  /** See {@link RestoreContext}; for `sse`. */
  readonly resumesAfter?: number | string | undefined;
  /** The wire formats to read; default all. */
  readonly formats?: WireFormats | undefined;
  /** Called when tokens were replaced or left, or an event could not be read. */
  readonly onCount?: (count: Readonly<RestoreCount>) => void;
};

/** Framing of a stream by `Content-Type` and request path; undefined if it cannot be restored in pieces. */
export function streamKind(
  contentType: string | undefined,
  path = '',
  formats: WireFormats = wireFormats,
): StreamKind | undefined {
  const type = mediaTypeOf(contentType);
  if (type === 'text/event-stream') return 'sse';
  const declared = formats.mediaTypes.get(type);
  if (declared) return declared;
  if (/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl(?:ines)?|json-(?:lines|stream|seq)|stream\+json)$/.test(type))
    return 'ndjson';
  if (/^(?:application|text)\/(?:.*\+)?json$/.test(type)) return formats.arrayMethod.test(path) ? 'json-array' : 'json';
  return type.startsWith('text/') ? 'text' : undefined;
}

/** Restores one stream; see above. Returned bytes may be views of the pushed chunk. */
export class StreamRestorer {
  readonly #part: StreamPart;
  readonly #context: RestoreContext;
  readonly #count: RestoreCount = { restored: 0, unresolved: 0 };
  readonly #onCount: StreamRestorerOptions['onCount'];

  constructor(options: StreamRestorerOptions) {
    this.#onCount = options.onCount;
    this.#context = {
      map: options.map,
      count: this.#count,
      allowsHost: options.allowsHost,
      documents: options.documents,
      formats: options.formats,
      numbers: options.numbers,
      resumesAfter: options.resumesAfter,
    };
    this.#part = partOf(options.kind, this.#context);
  }

  /** Processes bytes of the stream; returns the bytes to send now, possibly none. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#context.map.size === 0) return chunk;
    const out: Uint8Array[] = [];
    this.#part.push(chunk, out);
    return this.#finish(out);
  }

  /** Ends the stream and outputs held text, except text that is repeated when a client resumes a broken stream. */
  end(isCut = false): Uint8Array {
    const out: Uint8Array[] = [];
    this.#part.end(out, isCut);
    return this.#finish(out);
  }

  /** Releases a held suffix early, when the stream has been silent for a while. */
  flushHeld(): Uint8Array {
    const out: Uint8Array[] = [];
    this.#part.flushHeld(out);
    return this.#finish(out);
  }

  /** True while a suffix is held back that {@link flushHeld} would release. */
  get isHolding(): boolean {
    return this.#part.isHolding ?? true;
  }

  /** True if the output ends with a complete event, so another may be inserted (`sse` only). */
  get isBetweenEvents(): boolean {
    return this.#part.isBetweenEvents ?? false;
  }

  #finish(out: Uint8Array[]): Uint8Array {
    const count = this.#count;
    if (count.restored > 0 || count.unresolved > 0 || count.unreadable) {
      this.#onCount?.({ ...count });
      count.restored = 0;
      count.unresolved = 0;
      count.unreadable = 0;
    }
    return joinBytes(mergeViews(out));
  }
}

function partOf(kind: StreamKind, context: RestoreContext): StreamPart {
  if (kind === 'text') return new SniffedTextPart(context);
  if (kind === 'html') return new TextPart(context, { encode: escapeEntities, isPage: true });
  if (kind === 'event-stream') return new EventStreamPart(context);
  if (kind === 'multipart') return new MultipartPart(context);
  if (kind === 'file') return new FilePart(context);
  if (kind === 'jsonl') return new DocumentsPart(new NdjsonFraming(), context);
  return kind === 'json' || kind === 'json-array'
    ? new JsonPart(kind === 'json-array', context)
    : new EventPart(kind, context);
}

/** Escapes a value so that it cannot end HTML text, a quoted attribute or a script string. */
function escapeEntities(value: string): string {
  return value.replace(/[&<>"'`\\\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Merges adjacent views of one buffer, so that an unchanged chunk is returned unchanged. */
function mergeViews(pieces: readonly Uint8Array[]): Uint8Array[] {
  const merged: Uint8Array[] = [];
  let last: Uint8Array | undefined;
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    if (last && last.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset) {
      last = new Uint8Array(last.buffer, last.byteOffset, last.length + piece.length);
      merged[merged.length - 1] = last;
    } else {
      merged.push(piece);
      last = piece;
    }
  }
  return merged;
}
