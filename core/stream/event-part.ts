/** SSE, lines and arrays: framing first, then events. */

import type { WireFormats } from '../formats/wire-formats.ts';
import { UrlGuard } from '../guard/url-guard.ts';
import { utf8Text } from '../parsing.ts';
import { isJson, jsonLiteral, jsonOpening, literalLength } from '../payload/json-strings.ts';
import { formatsOf, type RestoreContext, type RestoreCount, restoreJsonBody } from '../payload/response.ts';
import { EventRestorer } from './event-restorer.ts';
import { isHeavyEvent } from './heavy-event.ts';
import { type ArrayFrame, JsonArrayFraming } from './json-array.ts';
import { NdjsonFraming } from './ndjson.ts';
import { type NumberedEvent, NumberedEvents } from './numbered-events.ts';
import { isQuietEvent } from './quiet.ts';
import { brokenEvent, type RestoredEvent, type SynthesizedEvent } from './restored-event.ts';
import { formatSseData, hasSseId, parseSseEvent, SseFraming } from './sse.ts';
import type { StreamPart } from './stream-part.ts';
import { type FollowShown, type IsInAddress, TextRun } from './text-run.ts';

/** Framings whose frames are JSON events. */
export type EventFraming = 'sse' | 'ndjson' | 'json-array';

const encoder = new TextEncoder();
const lenient = new TextDecoder();
/** Characters that may start a token or an escaped token. */
const tokenStart = /[[&%\\\uFF3B\u3010\u3014\u300C]/;
// Number of unread events kept for later reading: a link may have started in them, and offsets count their text.
const historyMax = 256;
// A single event may be several megabytes (audio in base64).
const historyBytesMax = 1024 * 1024;

/** Options of {@link EventPart}. */
export type EventPartOptions = {
  /** An `sse` or `ndjson` stream declared as plain text. It may be displayed raw, with URLs that span events, and prose. */
  readonly isText?: boolean;
};

/** Restores such a stream. */
export class EventPart implements StreamPart {
  readonly #kind: EventFraming;
  readonly #context: RestoreContext;
  readonly #formats: WireFormats;
  readonly #count: RestoreCount;
  readonly #framing: SseFraming | NdjsonFraming | JsonArrayFraming;
  readonly #events: EventRestorer;
  #history: Uint8Array[] = [];
  #historyBytes = 0;
  #lineEnd = '\n';
  #isArrayOpen = false;
  /** True if the last line lacks its line end. */
  #isLineOpen = false;
  /** True if the array continues, so the next element needs no comma before it. */
  #isAfterComma = false;
  /** Follows the raw events where a client may display them. */
  readonly #shown: UrlGuard | undefined;
  /** Text between the events. */
  #prose: TextRun | undefined;
  readonly #numbered: NumberedEvents;
  /** The event of the current frame, if it has a number or an `id`. */
  #event: NumberedEvent | undefined;
  #hasId = false;

  constructor(kind: EventFraming, context: RestoreContext, { isText = false }: EventPartOptions = {}) {
    this.#kind = kind;
    this.#shown = isText ? new UrlGuard(context.allowsHost) : undefined;
    this.#context = context;
    this.#formats = formatsOf(context);
    this.#count = context.count;
    this.#framing =
      kind === 'sse' ? new SseFraming() : kind === 'ndjson' ? new NdjsonFraming() : new JsonArrayFraming();
    this.#events = new EventRestorer(context);
    this.#numbered = new NumberedEvents(kind === 'sse' ? context.resumesAfter : undefined);
  }

  push(chunk: Uint8Array, out: Uint8Array[]): void {
    this.#framing.push(chunk, (frame) => this.#frame(frame, out));
  }

  /** Ends the stream. After a cut, waiting events are dropped: the origin repeats them when the client resumes. */
  end(out: Uint8Array[], isCut = false): void {
    if (isCut && this.#numbered.isOpen) return;
    // A last line may lack its line end; any other event without an end is truncated.
    this.#events.isLast = this.#kind === 'ndjson';
    this.#framing.end((frame) => this.#frame(frame, out));
    // The stream may continue with the rest of a token.
    this.#flush(out, false);
  }

  flushHeld(out: Uint8Array[]): void {
    this.#flush(out, true);
  }

  #flush(out: Uint8Array[], showsId: boolean): void {
    if (!this.#events.isHolding || this.#numbered.isSkipping) return;
    const shown = this.#shown;
    const written: Uint8Array[] = [];
    for (const event of this.#events.flush(shown && (() => shown.isInsideMarkup))) this.#insert(event, written);
    this.#numbered.flush(showsId && written.length === 0 && this.#events.isSettled, out);
    out.push(...written);
  }

  get isHolding(): boolean {
    return this.#events.isHolding;
  }

  get isBetweenEvents(): boolean {
    return this.#framing instanceof SseFraming && this.#framing.isBetweenEvents;
  }

  #frame(frame: ArrayFrame, out: Uint8Array[]): void {
    const from = out.length;
    const framing = this.#framing;
    this.#hasId = framing instanceof SseFraming && framing.mayHaveId && frame.isEvent && hasSseId(frame.bytes);
    this.#pass(frame, out);
    if (this.#event !== undefined || this.#hasId || this.#numbered.isOpen) {
      const hidesId = this.#hasId && !this.#events.isSettled;
      const pieces = out.splice(from);
      this.#numbered.push({ pieces, event: this.#event, hidesId }, this.#events.heldSince, out);
      this.#event = undefined;
    }
    this.#isLineOpen = this.#kind === 'ndjson' && frame.bytes.at(-1) !== 0x0a;
    if (frame.isEvent) this.#isAfterComma = false;
  }

  #pass(frame: ArrayFrame, out: Uint8Array[]): void {
    const { bytes } = frame;
    if (!frame.isEvent) {
      const text = this.#shown && !frame.isTooLarge ? utf8Text(bytes) : undefined;
      if (text !== undefined && /\S/.test(text) && !isKeepAlive(text)) {
        this.#restoreProse(text, bytes, out);
        return;
      }
      this.#shown?.push(text ?? lenient.decode(bytes));
      if (frame.isTooLarge) noteUnreadable(this.#count);
      if (frame.closes || frame.isTooLarge) this.flushHeld(out);
      if (this.#kind === 'json-array') {
        if (bytes.includes(0x5b)) this.#isArrayOpen = true;
        if (bytes.includes(0x2c)) this.#isAfterComma = true;
      }
      out.push(bytes);
    } else if (
      !this.#shown &&
      !this.#hasId &&
      this.#events.isIdle &&
      !this.#numbered.isOpen &&
      isQuietEvent(bytes, this.#formats.parsedNames)
    ) {
      this.#remember(bytes);
      out.push(bytes);
    } else {
      this.#restore(bytes, out);
    }
  }

  #remember(bytes: Uint8Array): void {
    this.#history.push(bytes.slice());
    this.#historyBytes += bytes.length;
    if (this.#history.length >= historyMax || this.#historyBytes > historyBytesMax) this.#recall();
  }

  /** Reads the events that passed unread. */
  #recall(): void {
    if (this.#history.length === 0) return;
    const history = this.#history;
    this.#history = [];
    this.#historyBytes = 0;
    for (const bytes of history) {
      const text = utf8Text(bytes);
      if (text === undefined || isHeavyEvent(text)) continue;
      if (this.#kind === 'sse') {
        const event = parseSseEvent(text);
        if (event.data !== undefined) this.#events.observe(event.data, event.name);
      } else {
        this.#events.observe(text, undefined);
      }
    }
  }

  #restore(bytes: Uint8Array, out: Uint8Array[]): void {
    const text = utf8Text(bytes);
    if (text === undefined || isHeavyEvent(text)) {
      noteUnreadable(this.#count);
      this.flushHeld(out);
      this.#shown?.push(text ?? lenient.decode(bytes));
      out.push(bytes);
      return;
    }
    this.#recall();
    if (this.#kind === 'sse') this.#restoreSse(text, bytes, out);
    else if (this.#kind === 'json-array' && !this.#isArrayOpen) this.#restoreWhole(text, bytes, out);
    else this.#restoreLine(text, bytes, out);
  }

  /** Follows the displayed content of an event, string by string. */
  #follow(json: string): FollowShown | undefined {
    if (!this.#shown) return undefined;
    this.#prose = undefined;
    const isInsideAt = this.#followText(json);
    return (from) => {
      const inside = new Set<number>(isInsideAt(from) ? [0] : []);
      for (let at = 0, raw = from; raw < json.length && json[raw] !== '"'; at++) {
        if (tokenStart.test(json[raw] as string) && isInsideAt(raw)) inside.add(at);
        raw += literalLength(json, raw);
      }
      return (at) => inside.has(Math.max(0, at));
    };
  }

  /** Follows the displayed text up to the requested positions, in order. */
  #followText(text: string): IsInAddress {
    let followed = 0;
    return (at) => {
      const to = Math.max(at, followed);
      this.#shown?.push(text, followed, to);
      followed = to;
      return this.#shown?.isInsideMarkup ?? false;
    };
  }

  /** Restores prose between events. */
  #restoreProse(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    if (!isComment(text)) this.flushHeld(out);
    this.#prose ??= new TextRun({ ...this.#context, bare: false });
    const isInAddress = this.#followText(text);
    const restored = this.#prose.push(text, true, isInAddress);
    isInAddress(text.length);
    out.push(restored === text ? bytes : encoder.encode(restored));
  }

  #restoreSse(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    const event = parseSseEvent(text);
    const { data, name } = event;
    if (data === undefined) {
      // An error may come as plain JSON under a streaming content type.
      if (this.#shown && !isKeepAlive(text)) this.#restoreProse(text, bytes, out);
      else if (/^\s*\{/.test(text)) this.#restoreWhole(text, bytes, out);
      else {
        this.#shown?.push(text);
        out.push(bytes);
      }
      return;
    }
    this.#lineEnd = event.lineEnd;
    const mayBeJson = /^\s*[{["]/.test(data);
    if (this.#formats.isTerminator(data) || (!mayBeJson && this.#formats.ends.names.has(name ?? ''))) {
      this.flushHeld(out);
      this.#shown?.push(text);
      out.push(bytes);
      return;
    }
    let changed: string | undefined;
    this.#shown?.push(event.head + event.prefix);
    const follow = mayBeJson ? this.#follow(data) : undefined;
    const result = mayBeJson ? this.#events.push(data, name, follow) : brokenEvent;
    if (result !== brokenEvent) {
      for (const before of result.before) this.#insert(before, out);
      changed = result.json;
      follow?.(data.length);
    } else if (!this.#shown && mayBeJson && jsonOpening.test(data) && !this.#events.hasText(name)) {
      noteUnreadable(this.#count);
      this.flushHeld(out);
    } else {
      const isInAddress = this.#shown && this.#followText(data);
      const restored = this.#events.pushText(data, name, false, isInAddress);
      isInAddress?.(data.length);
      if (restored !== data) changed = restored;
    }
    this.#shown?.push(event.lineEnd + event.tail);
    const write = (json: string) =>
      encoder.encode(event.head + formatSseData(json, event.lineEnd, event.prefix) + event.tail);
    out.push(changed === undefined ? bytes : write(changed));
    if (result.place !== undefined || this.#hasId)
      this.#event = { at: this.#events.at, place: result.place, json: changed ?? data, write };
  }

  #restoreLine(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    const [start, end] = documentRange(text);
    const json = text.slice(start, end);
    if (this.#shown && json !== '' && !isJson(json)) {
      this.#restoreProse(text, bytes, out);
      return;
    }
    const name = start > 0 ? linePrefix.exec(text)?.[1] : undefined;
    this.#shown?.push(text.slice(0, start));
    const follow = json === '' ? undefined : this.#follow(json);
    const result = json === '' ? undefined : this.#push(json, name, follow);
    follow?.(json.length);
    this.#shown?.push(text.slice(end));
    if (!result || result === brokenEvent) {
      if (result) {
        noteUnreadable(this.#count);
        this.flushHeld(out);
      }
      out.push(bytes);
      return;
    }
    for (const before of result.before) this.#write(before, out);
    out.push(result.json === undefined ? bytes : encoder.encode(text.slice(0, start) + result.json + text.slice(end)));
  }

  /** Restores an event. A line may be a lone string that is a piece of a text (`0:"…"`). */
  #push(json: string, name: string | undefined, follow: FollowShown | undefined): RestoredEvent {
    if (name === undefined || json[0] !== '"') return this.#events.push(json, name, follow);
    if (!isJson(json)) return brokenEvent;
    const text = JSON.parse(json) as string;
    const restored = this.#events.pushText(text, name, false, follow?.(1));
    return { before: [], json: restored === text ? undefined : jsonLiteral(restored) };
  }

  #restoreWhole(text: string, bytes: Uint8Array, out: Uint8Array[]): void {
    const { map, allowsHost, numbers } = this.#context;
    const result = restoreJsonBody(text, map, allowsHost, { formats: this.#formats, numbers });
    this.#count.restored += result.restored;
    this.#count.unresolved += result.unresolved;
    out.push(result.body === text ? bytes : encoder.encode(result.body));
  }

  /** Writes held text into the waiting event that it continues, else as a separate event. */
  #insert(event: SynthesizedEvent, out: Uint8Array[]): void {
    if (!event.continues || !this.#numbered.append(event.continues)) this.#write(event, out);
  }

  #write(event: SynthesizedEvent, out: Uint8Array[]): void {
    if (this.#kind === 'sse') {
      const name = event.name === undefined ? '' : `event: ${event.name}${this.#lineEnd}`;
      out.push(encoder.encode(name + formatSseData(event.json, this.#lineEnd) + this.#lineEnd));
    } else if (this.#kind === 'ndjson') {
      const json = event.isText ? jsonLiteral(event.json) : event.json;
      const end = this.#isLineOpen ? '\n' : '';
      this.#isLineOpen = false;
      out.push(encoder.encode(`${end}${event.name === undefined ? '' : `${event.name}:`}${json}\n`));
    } else {
      out.push(encoder.encode(this.#isAfterComma ? `${event.json},\n` : `,${event.json}`));
    }
  }
}

/** The prefix of a line's document. */
const linePrefix = /^([0-9a-f]{1,4}):(?=[[{"])/;

/** Start and end of a line's document; one provider pads its lines with NUL characters. */
function documentRange(text: string): readonly [start: number, end: number] {
  const prefix = linePrefix.exec(text);
  if (prefix) return [prefix[0].length, text.trimEnd().length];
  const isPadding = (at: number) => text.charCodeAt(at) <= 0x20 || text.charCodeAt(at) === 0xfeff;
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(start)) start++;
  while (end > start && isPadding(end - 1)) end--;
  return [start, end];
}

/** True for a keep-alive, which contains no token. */
function isKeepAlive(text: string): boolean {
  return !/[[%&\uFF3B\u3010\u3014\u300C]/.test(text) && isComment(text);
}

/** True for comments and for events without data between the pieces of a text. */
function isComment(text: string): boolean {
  return text.split(/[\r\n]/).every((line) => line === '' || /^(?:event|id|retry)?:/.test(line));
}

function noteUnreadable(count: RestoreCount): void {
  count.unreadable = (count.unreadable ?? 0) + 1;
}
