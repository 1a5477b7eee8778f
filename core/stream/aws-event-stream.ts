/**
 * The binary event stream of AWS (`application/vnd.amazon.eventstream`, not `text/event-stream`), big-endian: `total
 * length u32 · headers length u32 · CRC-32 of these · headers · payload · CRC-32 of all before`. The payload is JSON:
 * an event named by `:event-type`, or one that wraps another format's event in base64. Frames of bytes carry another
 * stream. Format: smithy.io, "Event Stream Specification".
 */

import type { WireFormats } from '../formats/wire-formats.ts';
import { isObject, parseJson, utf8Text } from '../parsing.ts';
import { scanJson, spliceJson } from '../payload/json-strings.ts';
import { formatsOf, type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import { EventRestorer } from './event-restorer.ts';
import { type Emit, eventBytesMax, joinBytes } from './frame.ts';
import { isHeavyEvent } from './heavy-event.ts';
import { Pieces } from './pieces.ts';
import type { SynthesizedEvent } from './restored-event.ts';
import { SniffedTextPart } from './sniffed-text-part.ts';

const preludeBytes = 12;
const crcBytes = 4;
const encoder = new TextEncoder();

/** A frame of this stream. */
export type EventStreamFrame = {
  readonly bytes: Uint8Array;
  /** The raw headers, and the string-valued ones by name. */
  readonly head: Uint8Array;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
};

/**
 * Splits the stream into frames. After an invalid prelude the next frame cannot be found, so all bytes pass through.
 */
export class EventStreamFraming {
  readonly #pieces = new Pieces(joinBytes);
  #needed = preludeBytes;
  /** Remaining bytes of a frame too large to be read. */
  #passing = 0;
  #isBroken = false;

  push(chunk: Uint8Array, emit: Emit): void {
    let rest = chunk;
    if (this.#passing > 0) {
      const passed = rest.subarray(0, this.#passing);
      this.#passing -= passed.length;
      emit({ bytes: passed, isEvent: false });
      rest = rest.subarray(passed.length);
    }
    if (rest.length === 0) return;
    if (this.#isBroken) {
      emit({ bytes: rest, isEvent: false });
      return;
    }
    // `slice` of a Node Buffer would share the caller's memory.
    this.#pieces.push(new Uint8Array(rest));
    if (this.#pieces.size < this.#needed) return;
    let bytes = this.#pieces.takeWhole();
    while (bytes.length >= preludeBytes) {
      const total = frameLength(bytes);
      if (total === undefined) {
        this.#isBroken = true;
        emit({ bytes, isEvent: false, isTooLarge: true });
        return;
      }
      this.#needed = total;
      if (total > eventBytesMax) {
        emit({ bytes: bytes.subarray(0, total), isEvent: false, isTooLarge: true });
        this.#passing = Math.max(0, total - bytes.length);
        bytes = bytes.subarray(total);
        continue;
      }
      if (bytes.length < total) break;
      const frame = bytes.subarray(0, total);
      bytes = bytes.subarray(total);
      emit({ bytes: frame, isEvent: true });
    }
    if (bytes.length < preludeBytes) this.#needed = preludeBytes;
    this.#pieces.push(bytes);
  }

  end(emit: Emit): void {
    for (const bytes of this.#pieces.take()) emit({ bytes, isEvent: false });
  }
}

/** Restores the stream. An unreadable frame passes unchanged. */
export class EventStreamPart {
  readonly #context: RestoreContext;
  readonly #events: EventRestorer;
  readonly #count: RestoreCount;
  readonly #framing = new EventStreamFraming();
  readonly #formats: WireFormats;
  /** How the last event was wrapped; inserted ones are wrapped in the same way. */
  #wrapping: Wrapping | undefined;
  /** How the last text was, between whose pieces other events may be unwrapped. */
  #textWrapping: Wrapping | undefined;
  /** The stream in frames of bytes, cut anywhere, and the headers of the last one. */
  #inner: { readonly part: SniffedTextPart; head: Uint8Array } | undefined;

  constructor(context: RestoreContext) {
    this.#context = context;
    this.#events = new EventRestorer(context);
    this.#formats = formatsOf(context);
    this.#count = context.count;
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#framing.push(chunk, ({ bytes, isEvent, isTooLarge }) => {
      if (isEvent) {
        this.#frame(bytes, out);
        return;
      }
      if (isTooLarge) {
        this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
        this.flushHeld(out);
      }
      out.push(bytes);
    });
  }

  end(out: Uint8Array[]): void {
    this.flushHeld(out);
    this.#writeInner((pieces) => this.#inner?.part.end(pieces), out);
    this.#framing.end(({ bytes }) => out.push(bytes));
  }

  flushHeld(out: Uint8Array[]): void {
    this.#writeInner((pieces) => this.#inner?.part.flushHeld(pieces), out);
    if (!this.#events.isHolding) return;
    for (const event of this.#events.flush()) this.#write(event, out);
  }

  get isHolding(): boolean {
    return this.#events.isHolding || (this.#inner?.part.isHolding ?? false);
  }

  /** Writes a frame with what a step of the inner stream sends, if it sends anything. */
  #writeInner(step: (pieces: Uint8Array[]) => void, out: Uint8Array[]): void {
    const pieces: Uint8Array[] = [];
    step(pieces);
    const bytes = joinBytes(pieces);
    if (this.#inner && bytes.length > 0) out.push(formatFrame(this.#inner.head, bytes));
  }

  #frame(bytes: Uint8Array, out: Uint8Array[]): void {
    const frame = readFrame(bytes);
    if (frame && isOfBytes(frame)) {
      const { head, payload } = frame;
      const inner = this.#inner ?? { part: new SniffedTextPart(this.#context), head };
      inner.head = head;
      this.#inner = inner;
      this.#writeInner((pieces) => inner.part.push(payload, pieces), out);
      return;
    }
    const event = frame && eventOf(frame, this.#formats);
    if (!frame || !event || isHeavyEvent(event.json)) {
      if (!frame || isEvent(frame)) this.#count.unreadable = (this.#count.unreadable ?? 0) + 1;
      else this.flushHeld(out);
      out.push(bytes);
      return;
    }
    this.#wrapping = event.wrapping;
    if (event.wrapping && (this.#events.hasText(undefined) || !isObject(parseJson(event.json)))) {
      this.#textWrapping = event.wrapping;
      out.push(this.#text(event) ?? bytes);
      return;
    }
    const name = frame.headers.get(':event-type');
    const result = this.#events.push(event.json, event.wrapping ? undefined : name);
    for (const before of result.before) this.#write(before, out);
    out.push(result.json === undefined ? bytes : event.rewrite(result.json));
  }

  /** Restores a piece of plain text, as agents send it, and the sources beside it; undefined if nothing changes. */
  #text({ json, payload, rewrite }: NonNullable<ReturnType<typeof eventOf>>): Uint8Array | undefined {
    const text = this.#events.pushText(json, undefined, false);
    const { map, allowsHost } = this.#context;
    const { body, restored, unresolved } = restoreJsonBody(payload, map, allowsHost, {
      ...this.#context,
      elsewhere: this.#events.textShifts(undefined),
    });
    this.#count.restored += restored;
    this.#count.unresolved += unresolved;
    return text === json && body === payload ? undefined : rewrite(text, body);
  }

  #write(event: SynthesizedEvent, out: Uint8Array[]): void {
    const wrapping = event.isText ? this.#textWrapping : this.#wrapping;
    const json = wrapping ? `{"${wrapping.member}":"${toBase64(event.json)}"}` : event.json;
    const head = formatHeaders([
      [':event-type', wrapping?.event ?? event.name ?? 'chunk'],
      [':content-type', 'application/json'],
      [':message-type', 'event'],
    ]);
    out.push(formatFrame(head, encoder.encode(json)));
  }
}

function isEvent({ headers }: EventStreamFrame): boolean {
  return headers.get(':message-type') === 'event';
}

/** True for a frame of bytes: a piece of another stream. */
export function isOfBytes(frame: EventStreamFrame): boolean {
  return isEvent(frame) && frame.headers.get(':content-type') === 'application/octet-stream';
}

/** A frame's JSON, and a function to replace it; undefined for a frame that is not an event or not UTF-8. */
export function eventOf(frame: EventStreamFrame, formats: WireFormats) {
  const payload = isEvent(frame) ? utf8Text(frame.payload) : undefined;
  if (payload === undefined) return undefined;
  const name = frame.headers.get(':event-type');
  const wrapping = formats.framing.wrapped.find(({ event }) => event === name);
  const wrapped = wrapping && unwrap(payload, wrapping.member);
  const rewrite = (changed: string, around = payload): Uint8Array => {
    const inner = around === payload ? wrapped : unwrap(around, wrapping?.member ?? '');
    return formatFrame(frame.head, encoder.encode(inner ? inner.rewrap(changed) : changed));
  };
  return { json: wrapped?.json ?? payload, payload, wrapping: wrapped && wrapping, rewrite };
}

/** Total length of the frame that starts here; undefined if the prelude is invalid. */
function frameLength(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, preludeBytes);
  const total = view.getUint32(0);
  const headers = view.getUint32(4);
  if (view.getUint32(8) !== crc32(bytes.subarray(0, 8))) return undefined;
  return headers + preludeBytes + crcBytes > total ? undefined : total;
}

/** Parses one complete frame; undefined if its checksums or headers are invalid. */
export function readFrame(bytes: Uint8Array): EventStreamFrame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = bytes.length - crcBytes;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end))) return undefined;
  const payloadStart = preludeBytes + view.getUint32(4);
  const headers = new Map<string, string>();
  let at = preludeBytes;
  while (at < payloadStart) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const name = utf8Text(bytes.subarray(at + 1, nameEnd));
    const type = bytes[nameEnd] ?? -1;
    at = nameEnd + 1;
    if (type === 6 || type === 7) {
      if (at + 2 > payloadStart) return undefined;
      const length = view.getUint16(at);
      const value = type === 7 ? utf8Text(bytes.subarray(at + 2, at + 2 + length)) : undefined;
      if (name !== undefined && value !== undefined) headers.set(name, value);
      at += 2 + length;
    } else {
      const length = fixedLengths[type];
      if (length === undefined) return undefined;
      at += length;
    }
  }
  if (at !== payloadStart) return undefined;
  return {
    bytes,
    head: bytes.subarray(preludeBytes, payloadStart),
    headers,
    payload: bytes.subarray(payloadStart, end),
  };
}

/** Value lengths of the header types: true, false, byte, short, int, long, (bytes, string,) timestamp, uuid. */
const fixedLengths: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

/** Formats a frame of headers and payload with both checksums. */
export function formatFrame(head: Uint8Array, payload: Uint8Array): Uint8Array {
  const total = preludeBytes + head.length + payload.length + crcBytes;
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, total);
  view.setUint32(4, head.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(head, preludeBytes);
  bytes.set(payload, preludeBytes + head.length);
  view.setUint32(total - crcBytes, crc32(bytes.subarray(0, total - crcBytes)));
  return bytes;
}

/** String headers in wire format. */
export function formatHeaders(headers: readonly (readonly [name: string, value: string])[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const [name, value] of headers) {
    const nameBytes = encoder.encode(name);
    const valueBytes = encoder.encode(value);
    pieces.push(new Uint8Array([nameBytes.length]), nameBytes);
    pieces.push(new Uint8Array([7, valueBytes.length >> 8, valueBytes.length & 0xff]), valueBytes);
  }
  return joinBytes(pieces);
}

type Wrapping = WireFormats['framing']['wrapped'][number];
type Wrapped = { readonly json: string; rewrap(json: string): string };

/** The event inside a member of the payload; undefined if there is none. */
function unwrap(payload: string, name: string): Wrapped | undefined {
  try {
    const member = scanJson(payload).find(({ key, isString, isKey }) => key === name && isString && !isKey);
    if (!member) return undefined;
    const json = utf8Text(Uint8Array.from(atob(member.value), (char) => char.charCodeAt(0)));
    if (json === undefined) return undefined;
    return {
      json,
      rewrap: (changed) =>
        spliceJson(payload, [{ start: member.start, end: member.end, literal: `"${toBase64(changed)}"` }]),
    };
  } catch {
    return undefined;
  }
}

function toBase64(text: string): string {
  const bytes = encoder.encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as in IEEE 802.3, an unsigned number. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ (bytes[at] as number)) & 0xff] as number);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
