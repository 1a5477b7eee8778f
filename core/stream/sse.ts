/**
 * Server-sent events (HTML living standard, section 9.2). Lines end with LF, CR LF or CR, also mixed; a byte order mark
 * may start the stream; the last event may lack its blank line.
 */
import { type Emit, joinBytes, PendingBytes } from './frame.ts';

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;
const mark = [0xef, 0xbb, 0xbf];
const none: Uint8Array = new Uint8Array(0);

/** Splits a stream into events with their raw bytes; scans every byte once. */
export class SseFraming {
  readonly #pending = new PendingBytes();
  /** Length of the current line so far, and its first byte. */
  #lineLength = 0;
  #lineStart = 0;
  /** True if the event has a line that is not a comment. */
  #hasLines = false;
  #skipLf = false;
  #mayHaveId = false;
  /** Number of byte order mark bytes seen at the start; undefined once the stream has begun. */
  #marked: number | undefined = 0;

  /** Emits the events completed by this chunk. Frames may be views of `chunk`. */
  push(chunk: Uint8Array, emit: Emit): void {
    const { length } = chunk;
    if (length === 0) return;
    let start = 0;
    let at = 0;
    if (this.#skipLf) {
      // The LF of a CR LF that was split between reads belongs to the previous line.
      this.#skipLf = false;
      if (chunk[0] === lf) {
        at = 1;
        if (this.#pending.isEmpty) {
          emit({ bytes: chunk.subarray(0, 1), isEvent: false });
          start = 1;
        }
      }
    }
    const hasCr = chunk.indexOf(cr, at) >= 0;
    while (at < length) {
      const end = hasCr ? nextLineEnd(chunk, at) : chunk.indexOf(lf, at);
      this.#read(chunk, at, end < 0 ? length : end);
      if (end < 0) break;
      if (this.#marked !== undefined) this.#lineLength = this.#marked;
      this.#marked = undefined;
      let next = end + 1;
      if (chunk[end] === cr) {
        if (next < length) {
          if (chunk[next] === lf) next++;
        } else {
          this.#skipLf = true;
        }
      }
      if (this.#lineLength === 0 || (!this.#hasLines && this.#lineStart === colon)) {
        this.#pending.finish(chunk.subarray(start, next), this.#hasLines, emit);
        this.#hasLines = this.#mayHaveId = false;
        start = next;
      } else {
        this.#hasLines = true;
      }
      this.#lineLength = 0;
      at = next;
    }
    if (start < length) this.#pending.add(chunk.subarray(start), emit);
  }

  /** Emits the last event if it lacks its blank line. */
  end(emit: Emit): void {
    this.#pending.finish(none, true, emit);
  }

  /** While an event is emitted: false if {@link hasSseId} would be. */
  get mayHaveId(): boolean {
    return this.#mayHaveId;
  }

  /** True between events, where a comment may be inserted. */
  get isBetweenEvents(): boolean {
    return !this.#pending.isPassing;
  }

  #read(chunk: Uint8Array, from: number, to: number): void {
    let at = from;
    while (this.#marked !== undefined && at < to) {
      if (chunk[at] === mark[this.#marked]) {
        at++;
        this.#marked = this.#marked === 2 ? undefined : this.#marked + 1;
      } else {
        // Not a byte order mark after all; its bytes start the line.
        if (this.#marked > 0) this.#lineStart = mark[0] as number;
        this.#lineLength = this.#marked;
        this.#marked = undefined;
      }
    }
    if (at === to) return;
    if (this.#lineLength === 0) this.#lineStart = chunk[at] as number;
    if (this.#lineStart === 0x69) this.#mayHaveId = true;
    this.#lineLength += to - at;
  }
}

function nextLineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === lf || bytes[at] === cr) return at;
  return -1;
}

/** The relevant fields of an event, and the text around its data lines. */
export type SseEvent = {
  readonly name: string | undefined;
  /** Data lines joined with LF; undefined if there are none. */
  readonly data: string | undefined;
  /** The lines before the first and after the first data line, with line ends; other data lines are left out. */
  readonly head: string;
  readonly tail: string;
  readonly lineEnd: string;
  /** `data:` as written in the event, with or without a space. */
  readonly prefix: string;
};

/** Parses the lines of one event. */
export function parseSseEvent(text: string): SseEvent {
  return parsePlainEvent(text) ?? parseLines(text);
}

/** Fast path for the common form: at most one name line and one data line, both ending with LF. */
function parsePlainEvent(text: string): SseEvent | undefined {
  let at = 0;
  let name: string | undefined;
  if (text.startsWith('event: ')) {
    at = text.indexOf('\n') + 1;
    name = text.slice(7, at - 1);
  }
  const end = text.indexOf('\n', at);
  if (!text.startsWith('data: ', at) || end !== text.length - 2 || text.includes('\r')) return undefined;
  return { name, data: text.slice(at + 6, end), head: text.slice(0, at), tail: '\n', lineEnd: '\n', prefix: 'data: ' };
}

function parseLines(text: string): SseEvent {
  let name: string | undefined;
  let data: string | undefined;
  let head = '';
  let tail = '';
  let lineEnd = '\n';
  let prefix = 'data: ';
  for (const match of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, line = '', end = ''] = match;
    if (whole === '') continue;
    const content = line.startsWith('\uFEFF') ? line.slice(1) : line;
    if (content === 'data' || content.startsWith('data:')) {
      const value = fieldValue(content);
      if (data === undefined) {
        if (content !== line) head += '\uFEFF';
        if (end !== '') lineEnd = end;
        if (content.length > 5 && content[5] !== ' ') prefix = 'data:';
      }
      data = data === undefined ? value : `${data}\n${value}`;
      continue;
    }
    if (content.startsWith('event:')) name = fieldValue(content);
    if (data === undefined) head += whole;
    else tail += whole;
  }
  return { name, data, head, tail, lineEnd, prefix };
}

function fieldValue(line: string): string {
  const value = line.slice(line.indexOf(':') < 0 ? line.length : line.indexOf(':') + 1);
  return value.startsWith(' ') ? value.slice(1) : value;
}

/** True if an event has an `id` field. */
export function hasSseId(bytes: Uint8Array): boolean {
  const hasCr = bytes.indexOf(cr) >= 0;
  for (let at = lengthOfMark(bytes); at < bytes.length; ) {
    if (isIdAt(bytes, at)) return true;
    const end = hasCr ? nextLineEnd(bytes, at) : bytes.indexOf(lf, at);
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}

function lengthOfMark(bytes: Uint8Array): number {
  return mark.every((byte, i) => bytes[i] === byte) ? mark.length : 0;
}

function isIdAt(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x69 || bytes[at + 1] !== 0x64) return false;
  const next = bytes[at + 2];
  return next === undefined || next === colon || next === lf || next === cr;
}

/** Removes the `id` field of an event. */
export function withoutSseId(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [bytes.subarray(0, lengthOfMark(bytes))];
  for (let at = lengthOfMark(bytes); at < bytes.length; ) {
    const end = nextLineEnd(bytes, at);
    const isCrLf = bytes[end] === cr && bytes[end + 1] === lf;
    const next = end < 0 ? bytes.length : end + (isCrLf ? 2 : 1);
    if (!isIdAt(bytes, at)) pieces.push(bytes.subarray(at, next));
    at = next;
  }
  return joinBytes(pieces);
}

/** Formats text as data lines. A CR starts a new line as LF does, because it would end the line. */
export function formatSseData(data: string, lineEnd: string, prefix = 'data: '): string {
  if (!/[\r\n]/.test(data)) return prefix + data + lineEnd;
  let lines = '';
  for (const line of data.split(/\r\n|\n|\r/)) lines += prefix + line + lineEnd;
  return lines;
}
