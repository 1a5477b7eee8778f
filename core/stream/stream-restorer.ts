/**
 * Restores tokens in a response that comes as a stream, whatever the cuts: bytes in, bytes out, no I/O.
 * Only the suffix of a text that may still become a token is held back; an event that does not change is sent with its
 * original bytes at once. What cannot be read passes as it is: the user then sees tokens, nothing leaks.
 */
import type { RestoreCount } from '../payload/response.ts';
import { restoreJsonBody } from '../payload/response.ts';
import type { TokenMap } from '../vault.ts';
import { EventRestorer, type SynthesizedEvent } from './event-restorer.ts';
import { joinBytes } from './frame.ts';
import { type ArrayFrame, JsonArrayFraming } from './json-array.ts';
import { LengthPrefixedPart } from './length-prefixed.ts';
import { NdjsonFraming } from './ndjson.ts';
import { isQuietEvent } from './quiet.ts';
import { formatSseData, parseSseEvent, SseFraming } from './sse.ts';
import { TextRun } from './text-run.ts';

/**
 * How a stream is framed. `json-array` is one JSON document that is written piece by piece; a stream of that kind which
 * starts with `)]}'` has the framing of Google's web apps.
 */
export type StreamKind = 'sse' | 'ndjson' | 'json-array' | 'text';

/** Options of {@link StreamRestorer}. */
export type StreamRestorerOptions = {
  readonly kind: StreamKind;
  readonly map: TokenMap;
  /** Told after every call in which tokens were replaced or left. */
  readonly onCount?: (count: { readonly restored: number; readonly unresolved: number }) => void;
};

/** Framing of a stream by its `Content-Type`; undefined when it is no stream that can be restored piece by piece. */
export function streamKind(contentType: string | undefined): StreamKind | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return 'sse';
  if (/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-stream|json-seq)$/.test(type))
    return 'ndjson';
  if (/^(?:application|text)\/(?:.*\+)?json$/.test(type)) return 'json-array';
  return type.startsWith('text/') ? 'text' : undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
// How much of what was sent unread is kept for the case that a link began there.
const historyMax = 256;

interface StreamPart {
  push(chunk: Uint8Array, out: Uint8Array[]): void;
  end(out: Uint8Array[]): void;
  flushHeld(out: Uint8Array[]): void;
}

/** See the head of this file. Returned bytes may be views into the chunk that was pushed. */
export class StreamRestorer {
  #part: StreamPart;
  #isFirst: boolean;
  readonly #map: TokenMap;
  readonly #count: RestoreCount = { restored: 0, unresolved: 0 };
  readonly #onCount: StreamRestorerOptions['onCount'];

  constructor(options: StreamRestorerOptions) {
    this.#onCount = options.onCount;
    this.#map = options.map;
    this.#isFirst = options.kind === 'json-array';
    this.#part =
      options.kind === 'text'
        ? new TextPart(options.map, this.#count)
        : new EventPart(options.kind, options.map, this.#count);
  }

  /** Takes bytes of the stream; returns what can be sent now, perhaps nothing. */
  push(chunk: Uint8Array): Uint8Array {
    const out: Uint8Array[] = [];
    if (this.#isFirst && chunk.length > 0) {
      this.#isFirst = false;
      if (chunk[0] === 0x29) this.#part = new LengthPrefixedPart(this.#map, this.#count);
    }
    this.#part.push(chunk, out);
    return this.#finish(out);
  }

  /** Ends the stream: all that is held comes out. */
  end(): Uint8Array {
    const out: Uint8Array[] = [];
    this.#part.end(out);
    return this.#finish(out);
  }

  /** Releases a held suffix although the stream goes on, for when it has been silent for a while. */
  flushHeld(): Uint8Array {
    const out: Uint8Array[] = [];
    this.#part.flushHeld(out);
    return this.#finish(out);
  }

  #finish(out: Uint8Array[]): Uint8Array {
    if (this.#count.restored > 0 || this.#count.unresolved > 0) {
      this.#onCount?.({ ...this.#count });
      this.#count.restored = 0;
      this.#count.unresolved = 0;
    }
    return joinBytes(mergeViews(out));
  }
}

/** Neighbours of one buffer are one view, so that a chunk without changes comes back as it is. */
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

/** SSE, lines and arrays: framing, then events. */
class EventPart implements StreamPart {
  readonly #kind: StreamKind;
  readonly #map: TokenMap;
  readonly #count: RestoreCount;
  readonly #framing: SseFraming | NdjsonFraming | JsonArrayFraming;
  readonly #events: EventRestorer;
  #history: Uint8Array[] = [];
  #lineEnd = '\n';
  #isArrayOpen = false;
  /** The array goes on: its next element stands without a comma before it. */
  #isAfterComma = false;

  constructor(kind: StreamKind, map: TokenMap, count: RestoreCount) {
    this.#kind = kind;
    this.#map = map;
    this.#count = count;
    this.#framing =
      kind === 'sse' ? new SseFraming() : kind === 'ndjson' ? new NdjsonFraming() : new JsonArrayFraming();
    this.#events = new EventRestorer(map, count);
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    if (this.#map.size === 0) {
      out.push(chunk);
      return;
    }
    this.#framing.push(chunk, (frame) => this.#frame(frame, out));
  }

  end(out: Uint8Array[]): void {
    this.#framing.end((frame) => this.#frame(frame, out));
    this.flushHeld(out);
  }

  flushHeld(out: Uint8Array[]): void {
    if (!this.#events.isHolding) return;
    for (const event of this.#events.flush()) this.#write(event, out);
  }

  #frame(frame: ArrayFrame, out: Uint8Array[]): void {
    this.#pass(frame, out);
    if (frame.isEvent) this.#isAfterComma = false;
  }

  #pass(frame: ArrayFrame, out: Uint8Array[]): void {
    const { bytes } = frame;
    if (!frame.isEvent) {
      if (frame.closes) this.flushHeld(out);
      if (this.#kind === 'json-array') {
        if (bytes.includes(0x5b)) this.#isArrayOpen = true;
        if (bytes.includes(0x2c)) this.#isAfterComma = true;
      }
      out.push(bytes);
    } else if (this.#events.isIdle && isQuietEvent(bytes)) {
      this.#remember(bytes);
      out.push(bytes);
    } else {
      this.#restore(bytes, out);
    }
  }

  #remember(bytes: Uint8Array): void {
    if (this.#history.length >= historyMax) this.#history = this.#history.slice(historyMax / 2);
    this.#history.push(bytes.slice());
  }

  /** Catches up on the events that were sent unread. */
  #recall(): void {
    if (this.#history.length === 0) return;
    const history = this.#history;
    this.#history = [];
    for (const bytes of history) {
      const text = decode(bytes);
      if (text === undefined) continue;
      if (this.#kind === 'sse') {
        const event = parseSseEvent(text);
        if (event.data !== undefined) this.#events.observe(event.data, event.name);
      } else {
        this.#events.observe(text, undefined);
      }
    }
  }

  #restore(bytes: Uint8Array, out: Uint8Array[]): void {
    const text = decode(bytes);
    if (text === undefined) {
      out.push(bytes);
      return;
    }
    this.#recall();
    if (this.#kind === 'sse') this.#restoreSse(text, bytes, out);
    else if (this.#kind === 'json-array' && !this.#isArrayOpen) this.#restoreWhole(text, bytes, out);
    else this.#restoreLine(text, bytes, out);
  }

  #restoreSse(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    const event = parseSseEvent(text);
    const { data, name } = event;
    if (data === undefined) {
      out.push(bytes);
      return;
    }
    this.#lineEnd = event.lineEnd;
    const isJson = /^\s*[{["]/.test(data);
    const isTerminator = data.trim() === '[DONE]';
    if (isTerminator || (!isJson && /^(?:done|end|end_of_stream|close)$/.test(name ?? ''))) {
      this.flushHeld(out);
      out.push(bytes);
      return;
    }
    let changed: string | undefined;
    if (isJson && isParsable(data)) {
      const result = this.#events.push(data, name);
      for (const before of result.before) this.#write(before, out);
      changed = result.json;
    } else {
      const restored = this.#events.pushText(data, name, false);
      if (restored !== data) changed = restored;
    }
    if (changed === undefined) out.push(bytes);
    else out.push(encoder.encode(event.head + formatSseData(changed, event.lineEnd) + event.tail));
  }

  #restoreLine(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    // One provider pads its lines with NUL characters.
    const [, lead = '', json = '', trail = ''] = /^([\s\0\uFEFF]*)(.*?)([\s\0]*)$/s.exec(text) ?? [];
    const result = this.#events.push(json, undefined);
    for (const before of result.before) this.#write(before, out);
    out.push(result.json === undefined ? bytes : encoder.encode(lead + result.json + trail));
  }

  #restoreWhole(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    const result = restoreJsonBody(text, this.#map);
    this.#count.restored += result.restored;
    this.#count.unresolved += result.unresolved;
    out.push(result.body === text ? bytes : encoder.encode(result.body));
  }

  #write(event: SynthesizedEvent, out: Uint8Array[]): void {
    if (this.#kind === 'sse') {
      const name = event.name === undefined ? '' : `event: ${event.name}${this.#lineEnd}`;
      out.push(encoder.encode(name + formatSseData(event.json, this.#lineEnd) + this.#lineEnd));
    } else if (this.#kind === 'ndjson') {
      out.push(encoder.encode(`${event.json}\n`));
    } else {
      out.push(encoder.encode(this.#isAfterComma ? `${event.json},\n` : `,${event.json}`));
    }
  }
}

function isParsable(data: string): boolean {
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Plain text: one run. */
class TextPart implements StreamPart {
  readonly #run: TextRun;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  constructor(map: TokenMap, count: RestoreCount) {
    this.#run = new TextRun({ map, count, bare: false, plainOnly: true });
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
