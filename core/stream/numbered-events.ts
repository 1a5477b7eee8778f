/**
 * Events of a stream that a client can resume: numbered in their JSON (`sequence_number`, `event_id`) or by the SSE
 * field `id`. Every incoming event produces one outgoing event, whose text depends only on earlier events.
 * A stream numbered in its JSON is read again from the start, so a client can resume after any event. A client that
 * resumes by SSE `id` (`Last-Event-ID`) continues in the middle at the origin. Therefore an event is sent without its
 * `id` if its text continues in the next event, within a token or link; the client then resumes before that text.
 */
import { jsonLiteral, scanJson, spliceJson } from '../payload/json-strings.ts';
import { withoutSseId } from './sse.ts';

/** The last event that a client has received; only later ones are sent. */
export type ResumePoint = number | string;

/** An event to be sent, and how to write it with another text. */
export type NumberedEvent = {
  /** Position of the event in its stream, from 1. */
  readonly at: number;
  /** The event's number in its JSON. */
  readonly place: ResumePoint | undefined;
  /** The event's data: JSON or text. */
  readonly json: string;
  readonly write: (json: string) => Uint8Array;
};

/** A text that continues the string at `pointer` of an event, or the event itself if it is plain text. */
export type Continuation = { readonly at: number; readonly pointer: string | undefined; readonly text: string };

/** The result for a frame; if it contains an event, that is the last piece. */
type Frame = {
  pieces: Uint8Array[];
  event: NumberedEvent | undefined;
  /** True if the event has an `id` and its text continues. */
  hidesId: boolean;
};

type Waiting = Frame & { readonly isSeen: boolean };

// Maximum number of events that wait after one whose text may continue.
const waitingMax = 64;
const waitingBytesMax = 1024 * 1024;

/** Delays events whose text may continue, and those after them. */
export class NumberedEvents {
  readonly #after: ResumePoint | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** True while the client has already received the current events. */
  isSkipping: boolean;

  constructor(after: ResumePoint | undefined) {
    this.#after = after;
    this.isSkipping = after !== undefined;
  }

  /** True while events may wait or be dropped, so every event must pass here. */
  get isOpen(): boolean {
    return this.isSkipping || this.#waiting.length > 0;
  }

  /** Appends a text to a waiting event; false if it is not waiting. */
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

  /** Adds the result for a frame. `heldSince` is the first event whose text may continue. */
  push(frame: Frame, heldSince: number, out: Uint8Array[]): void {
    const isSeen = this.isSkipping && !this.#isBehind(frame.event);
    this.#waiting.push({ ...frame, isSeen });
    let waits = this.#waiting.findIndex(({ event }) => (event?.at ?? 0) >= heldSince);
    // Events without an `id` are repeated if the stream breaks before the next `id`.
    while (this.#waiting[waits - 1]?.hidesId) waits--;
    this.#waitingBytes += sizeOf(frame.pieces);
    const isFull = this.#waiting.length > waitingMax || this.#waitingBytes > waitingBytesMax;
    this.#send(isFull || waits < 0 ? this.#waiting.length : waits, out);
    // The caller may reuse the chunk's buffer.
    const last = this.#waiting.at(-1);
    if (last) last.pieces = last.pieces.map((piece) => new Uint8Array(piece));
  }

  /** Sends all waiting events; `isSettled` if no text continues after them. */
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

  /** True if the event follows the last one that the client received. */
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

/** The event with a text appended to one of its strings; undefined if it has no such string. */
function withText(json: string, pointer: string, text: string): string | undefined {
  const member = scanJson(json).find(
    (candidate) => candidate.isString && !candidate.isKey && candidate.pointer === pointer,
  );
  if (member === undefined) return undefined;
  return spliceJson(json, [{ start: member.start, end: member.end, literal: jsonLiteral(member.value + text) }]);
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
