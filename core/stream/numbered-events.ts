/**
 * Events of a stream that a client can resume after any of them: services number them in their JSON (`sequence_number`,
 * `event_id`), or in the `id` field of SSE. One event goes out for each that comes in, and its text depends on the events
 * before it alone.
 *
 * A stream that is numbered in its JSON is read again from its start, so that any place will do. A client sends the `id`
 * of SSE in `Last-Event-ID`, and the origin continues there: an event whose text continues in the next one, in a token
 * or in a link, goes out without its `id`. The client then resumes in front of that text.
 */
import { jsonLiteral, scanJson, spliceJson } from '../payload/json-strings.ts';
import { withoutSseId } from './sse.ts';

/** The last event that a client has seen: only what follows it is sent. */
export type ResumePoint = number | string;

/** An event as it is sent, and how to write it with another text. */
export type NumberedEvent = {
  /** Which event of the stream it is, counted from 1. */
  readonly at: number;
  /** Its number in the JSON. */
  readonly place: ResumePoint | undefined;
  /** Its data: JSON or text. */
  readonly json: string;
  readonly write: (json: string) => Uint8Array;
};

/** A text that continues the one at `pointer` of an event; without a pointer the event is a text. */
export type Continuation = { readonly at: number; readonly pointer: string | undefined; readonly text: string };

/** What a frame became; the last piece is the event, if there is one. */
type Frame = {
  pieces: Uint8Array[];
  event: NumberedEvent | undefined;
  /** The event has an `id`, and its text continues. */
  hidesId: boolean;
};

/** A waiting frame. */
type Waiting = Frame & { readonly isSeen: boolean };

// Maximum events that wait after one whose text may continue.
const waitingMax = 64;
const waitingBytesMax = 1024 * 1024;

/** Holds back events whose text may continue, and those after them. */
export class NumberedEvents {
  readonly #after: ResumePoint | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** The client has already seen the current events. */
  isSkipping: boolean;

  constructor(after: ResumePoint | undefined) {
    this.#after = after;
    this.isSkipping = after !== undefined;
  }

  /** True while events may wait or are left out, so that each of them has to pass here. */
  get isOpen(): boolean {
    return this.isSkipping || this.#waiting.length > 0;
  }

  /** Appends a text to an event that waits; false when none does. */
  append({ at, pointer, text }: Continuation): boolean {
    const frame = this.#waiting.find(({ event }) => event?.at === at);
    if (frame?.event === undefined) return false;
    const { event } = frame;
    const json = pointer === undefined ? event.json + text : withText(event.json, pointer, text);
    if (json === undefined) return false;
    frame.event = { ...event, json };
    frame.pieces = [...frame.pieces.slice(0, -1), event.write(json)];
    return true;
  }

  /** Takes the result for a frame. `heldSince` is the first event whose text may continue. */
  push(frame: Frame, heldSince: number, out: Uint8Array[]): void {
    const isSeen = this.isSkipping && !this.#isBehind(frame.event);
    this.#waiting.push({ ...frame, isSeen });
    let waits = this.#waiting.findIndex(({ event }) => (event?.at ?? 0) >= heldSince);
    // What is sent without its `id` comes again if the stream breaks off before the next `id`.
    while (this.#waiting[waits - 1]?.hidesId) waits--;
    this.#waitingBytes += sizeOf(frame.pieces);
    const isFull = this.#waiting.length > waitingMax || this.#waitingBytes > waitingBytesMax;
    this.#send(isFull || waits < 0 ? this.#waiting.length : waits, out);
    // The chunk may be read into again.
    const last = this.#waiting.at(-1);
    if (last) last.pieces = last.pieces.map((piece) => new Uint8Array(piece));
  }

  /** Sends everything that waits; `isSettled` when no text continues after it. */
  flush(isSettled: boolean, out: Uint8Array[]): void {
    const last = this.#waiting.findLast(({ event }) => event !== undefined);
    if (last && isSettled) last.hidesId = false;
    this.#send(this.#waiting.length, out);
  }

  #send(count: number, out: Uint8Array[]): void {
    for (const { pieces, isSeen, hidesId } of this.#waiting.splice(0, count)) {
      if (isSeen) continue;
      if (hidesId) pieces.push(withoutSseId(pieces.pop() ?? new Uint8Array(0)));
      out.push(...pieces);
    }
    this.#waitingBytes = this.#waiting.reduce((sum, { pieces }) => sum + sizeOf(pieces), 0);
  }

  /** Whether the frame comes after the event that the client has seen. */
  #isBehind(event: NumberedEvent | undefined): boolean {
    if (event?.place === undefined) return false;
    if (typeof this.#after === 'number') this.isSkipping = Number(event.place) <= this.#after;
    else if (event.place === this.#after) {
      this.isSkipping = false;
      return false;
    }
    return !this.isSkipping;
  }
}

/** The event with a text appended to one of its strings; undefined when it has no such string. */
function withText(json: string, pointer: string, text: string): string | undefined {
  const member = scanJson(json).find((one) => one.isString && !one.isKey && one.pointer === pointer);
  if (member === undefined) return undefined;
  return spliceJson(json, [{ start: member.start, end: member.end, literal: jsonLiteral(member.value + text) }]);
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
