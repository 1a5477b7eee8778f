/**
 * Server-sent events (HTML living standard, section 9.2): bytes in, whole events out, each with its raw bytes.
 * Lines end with LF, CR LF or CR, also mixed; a byte order mark may open the stream; the last event may lack its blank line.
 */

/** One frame of a stream: raw bytes, and whether there is something in it to look at. */
export type Frame = {
  readonly bytes: Uint8Array;
  /** False for comments, blank lines and separators: they go on at once. */
  readonly isEvent: boolean;
};

const lf = 0x0a;
const cr = 0x0d;
const empty = new Uint8Array(0);

/** Collects events over reads. */
export class SseFraming {
  #rest: Uint8Array = empty;
  /** Position in `#rest` from which line ends are still to be looked for, and where the current line starts. */
  #lineStart = 0;
  #scanned = 0;
  #skipLf = false;
  #isFirst = true;

  /** Complete events of what has come so far. The bytes of frames may be views into `chunk`. */
  push(chunk: Uint8Array, emit: (frame: Frame) => void): void {
    if (chunk.length === 0) return;
    let bytes = chunk;
    let at = this.#scanned;
    let lineStart = this.#lineStart;
    const isJoined = this.#rest.length > 0;
    if (isJoined) bytes = joinBytes([this.#rest, bytes]);
    if (this.#skipLf) {
      // The LF of a CR LF that was cut by the read belongs to the line before.
      this.#skipLf = false;
      if (bytes[at] === lf) {
        at++;
        lineStart++;
        if (!isJoined) {
          emit({ bytes: bytes.subarray(0, 1), isEvent: false });
          bytes = bytes.subarray(1);
          at = 0;
          lineStart = 0;
        }
      }
    }
    const hasCr = bytes.indexOf(cr, at) >= 0;
    let start = 0;
    const length = bytes.length;
    while (at < length) {
      const end = hasCr ? nextLineEnd(bytes, at) : bytes.indexOf(lf, at);
      if (end < 0) break;
      let next = end + 1;
      if (bytes[end] === cr) {
        if (next < length) {
          if (bytes[next] === lf) next++;
        } else {
          this.#skipLf = true;
        }
      }
      if (this.#isFirst) {
        this.#isFirst = false;
        if (bytes[lineStart] === 0xef && bytes[lineStart + 1] === 0xbb && bytes[lineStart + 2] === 0xbf) lineStart += 3;
      }
      if (end === lineStart) {
        emit({ bytes: bytes.subarray(start, next), isEvent: lineStart > start });
        start = next;
      } else if (lineStart === start && bytes[lineStart] === 0x3a) {
        emit({ bytes: bytes.subarray(start, next), isEvent: false });
        start = next;
      }
      lineStart = next;
      at = next;
    }
    this.#lineStart = lineStart - start;
    this.#scanned = length - start;
    // What waits for the next read is copied: the caller may use its buffer again.
    this.#rest = start === length ? empty : bytes.slice(start);
  }

  /** The last event when it lacks its blank line. */
  end(emit: (frame: Frame) => void): void {
    if (this.#rest.length > 0) emit({ bytes: this.#rest, isEvent: true });
    this.#rest = empty;
    this.#lineStart = 0;
    this.#scanned = 0;
  }
}

function nextLineEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if (bytes[at] === lf || bytes[at] === cr) return at;
  return -1;
}

/** One array of several. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 0) return empty;
  if (pieces.length === 1) return pieces[0] ?? empty;
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** The fields of an event that matter here, and its text around the data lines. */
export type SseEvent = {
  readonly name: string | undefined;
  /** Data lines joined with LF; undefined when there is none. */
  readonly data: string | undefined;
  /** Lines before the first and after the first data line, with their ends; other data lines are left out. */
  readonly head: string;
  readonly tail: string;
  readonly lineEnd: string;
};

/** Reads the lines of one event. */
export function parseSseEvent(text: string): SseEvent {
  let name: string | undefined;
  let data: string | undefined;
  let head = '';
  let tail = '';
  let lineEnd = '\n';
  for (const match of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, line = '', end = ''] = match;
    if (whole === '') continue;
    const content = line.startsWith('\uFEFF') ? line.slice(1) : line;
    if (content === 'data' || content.startsWith('data:')) {
      const value = fieldValue(content);
      if (data === undefined) {
        if (content !== line) head += '\uFEFF';
        if (end !== '') lineEnd = end;
      }
      data = data === undefined ? value : `${data}\n${value}`;
      continue;
    }
    if (content.startsWith('event:')) name = fieldValue(content);
    if (data === undefined) head += whole;
    else tail += whole;
  }
  return { name, data, head, tail, lineEnd };
}

function fieldValue(line: string): string {
  const value = line.slice(line.indexOf(':') < 0 ? line.length : line.indexOf(':') + 1);
  return value.startsWith(' ') ? value.slice(1) : value;
}

/** Data lines of a text; a CR in it would end the line, so it becomes a line of its own as LF does. */
export function formatSseData(data: string, lineEnd: string): string {
  let lines = '';
  for (const line of data.split(/\r\n|\n|\r/)) lines += `data: ${line}${lineEnd}`;
  return lines;
}
