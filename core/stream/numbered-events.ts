/**
 * Events of a stream that a client can resume behind any of them: services number them (`sequence_number`, `event_id`).
 * One event goes out for each that comes in, with its own number, and its text depends on the events before it alone. So
 * whoever resumes behind a number gets exactly what an unbroken stream would have shown after it.
 */
import { jsonLiteral, scanJson, spliceJson } from '../payload/json-strings.ts';

/** The last event that a client has seen: only what follows it is sent. */
export type ResumePoint = number | string;

/** An event as it is sent, and how to write it with another text. */
export type NumberedEvent = {
  /** Which event of the stream it is, counted from 1. */
  readonly at: number;
  readonly place: ResumePoint;
  readonly json: string;
  readonly write: (json: string) => Uint8Array;
};

/** A text that continues the one at `pointer` of an event. */
export type Continuation = { readonly at: number; readonly pointer: string; readonly text: string };

type Frame = { pieces: Uint8Array[]; event: NumberedEvent | undefined; readonly isSeen: boolean };

// Other events may come behind one whose text may continue; so many wait for it.
const waitingMax = 64;
const waitingBytesMax = 1024 * 1024;

/** Holds events whose text may continue, and what came behind them. */
export class NumberedEvents {
  readonly #after: ResumePoint | undefined;
  #waiting: Frame[] = [];
  #waitingBytes = 0;
  /** What comes has been seen by the client. */
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
    const member = scanJson(event.json).find((one) => one.isString && !one.isKey && one.pointer === pointer);
    if (member === undefined) return false;
    const literal = jsonLiteral(member.value + text);
    const json = spliceJson(event.json, [{ start: member.start, end: member.end, literal }]);
    frame.event = { ...event, json };
    frame.pieces = [...frame.pieces.slice(0, -1), event.write(json)];
    return true;
  }

  /**
   * Takes what a frame became; its last piece is the event, if it is a numbered one. `heldSince` is the first event whose
   * text may continue.
   */
  push(pieces: Uint8Array[], event: NumberedEvent | undefined, heldSince: number, out: Uint8Array[]): void {
    const isSeen = this.isSkipping && !this.#isBehind(event);
    this.#waiting.push({ pieces, event, isSeen });
    const waits = this.#waiting.findIndex((frame) => (frame.event?.at ?? 0) >= heldSince);
    this.#waitingBytes += sizeOf(pieces);
    const isFull = this.#waiting.length > waitingMax || this.#waitingBytes > waitingBytesMax;
    this.#send(isFull || waits < 0 ? this.#waiting.length : waits, out);
    // The chunk may be read into again.
    const last = this.#waiting.at(-1);
    if (last) last.pieces = last.pieces.map((piece) => new Uint8Array(piece));
  }

  /** Sends everything that waits. */
  flush(out: Uint8Array[]): void {
    this.#send(this.#waiting.length, out);
  }

  #send(count: number, out: Uint8Array[]): void {
    for (const { pieces, isSeen } of this.#waiting.splice(0, count)) if (!isSeen) out.push(...pieces);
    this.#waitingBytes = this.#waiting.reduce((sum, { pieces }) => sum + sizeOf(pieces), 0);
  }

  /** Whether the frame comes after the event that the client has seen. */
  #isBehind(event: NumberedEvent | undefined): boolean {
    if (event === undefined) return false;
    if (typeof this.#after === 'number') this.isSkipping = Number(event.place) <= this.#after;
    else if (event.place === this.#after) {
      this.isSkipping = false;
      return false;
    }
    return !this.isSkipping;
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}
