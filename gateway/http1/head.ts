/**
 * Parses the heads of HTTP/1.1 messages as strictly as RFC 9112 allows: anything that two parsers could read
 * differently is rejected, never repaired. Text is latin1, one character per byte, as in node:http.
 */
import { closeOption, keepAliveOption } from './keep-alive.ts';

/** Maximum length of a head in bytes. */
export const headBytesMax = 65_536;

/** Maximum number of fields per message. */
const fieldsMax = 2_000;

/** A message that cannot be parsed, or a connection that ended within one. `code` starts with `HTTP1_`. */
export class Http1Error extends Error {
  readonly code: `HTTP1_${'MALFORMED' | 'HEAD_TOO_LARGE' | 'CLOSED' | 'HEAD_TIMEOUT' | 'BODY_TIMEOUT' | 'BUSY' | 'STALLED'}`;

  constructor(code: Http1Error['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const malformed = (what: string) => new Http1Error('HTTP1_MALFORMED', what);

const cr = 0x0d;
const lf = 0x0a;
const colonCode = 0x3a;

/** Character classes by code: 1 allowed in a name (RFC 9110 §5.6.2), 2 allowed in a value, 0 not allowed. */
const kinds = new Uint8Array(256).map((_, code) => {
  if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))) return 1;
  return code === 0x09 || (code >= 0x20 && code !== 0x7f) ? 2 : 0;
});

/**
 * Parses field lines from `at`; returns a flat list of names and values, without the whitespace around values.
 * @throws Http1Error for folded lines, names that are not tokens, control characters, a CR or LF on its own, and
 * everything else that RFC 9112 §5 and RFC 9110 §5.5 forbid
 */
export function readFields(text: string, at: number): string[] {
  const fields: string[] = [];
  const { length } = text;
  let i = at;
  while (i < length) {
    const start = i;
    while (i < length && kinds[text.charCodeAt(i)] === 1) i++;
    if (i === start || i === length || text.charCodeAt(i) !== colonCode)
      throw malformed('a field name that is not a token');
    const name = text.slice(start, i++);
    const end = endOfLine(text, i);
    let from = i;
    let to = end;
    while (from < to && isBlank(text.charCodeAt(from))) from++;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
    if (name.length === 17 && text.slice(to, end).includes('\t') && name.toLowerCase() === 'transfer-encoding')
      throw malformed('a tab after the Transfer-Encoding, which some parsers read as part of it');
    fields.push(name, text.slice(from, to));
    i = end + 2;
  }
  if (fields.length > fieldsMax * 2) throw new Http1Error('HTTP1_HEAD_TOO_LARGE', 'too many fields');
  return fields;
}

/** The end of the line at `from`: the next CR LF, or the end of the text. */
function endOfLine(text: string, from: number): number {
  let i = from;
  while (i < text.length && kinds[text.charCodeAt(i)] !== 0) i++;
  if (i < text.length && (text.charCodeAt(i) !== cr || text.charCodeAt(i + 1) !== lf))
    throw malformed('a control character in the head');
  return i;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** A response head: `fields` is a flat list of names and values in original order and case. */
export type AnswerHead = {
  readonly status: number;
  readonly message: string;
  readonly minor: 0 | 1;
  readonly fields: string[];
};

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9][0-9])(?: ([\t -~\x80-\xff]*))?$/;

/**
 * Parses a response head, given without the final empty line.
 * @throws Http1Error `HTTP1_MALFORMED`, `HTTP1_HEAD_TOO_LARGE`
 */
export function readAnswerHead(text: string): AnswerHead {
  const end = endOfLine(text, 0);
  const line = statusLine.exec(end === text.length ? text : text.slice(0, end));
  if (line === null) throw malformed('the status line');
  return {
    status: Number(line[2]),
    message: line[3] ?? '',
    minor: line[1] === '1' ? 1 : 0,
    fields: readFields(text, end + 2),
  };
}

/** How a body is delimited: no body, by length, by chunks, or by the end of the connection. */
export type BodyFraming = { readonly kind: 'none' | 'length' | 'chunked' | 'close'; readonly length: number };

const none: BodyFraming = { kind: 'none', length: 0 };
const chunked: BodyFraming = { kind: 'chunked', length: 0 };
const untilClose: BodyFraming = { kind: 'close', length: 0 };

/** A response's body framing, and whether the connection closes. */
export type AnswerFraming = {
  readonly body: BodyFraming;
  readonly keeps: boolean;
  readonly keepAlive: string | undefined;
};

/**
 * How a response body ends (RFC 9112 §6.3) and whether the connection can be reused (§9.3).
 * @throws Http1Error for lengths that are not plain digits, several lengths, a length next to Transfer-Encoding, and
 * any Transfer-Encoding but `chunked` and `identity`
 */
export function answerFraming(head: AnswerHead, method: string): AnswerFraming {
  const { status, minor, fields } = head;
  let length: number | undefined;
  let coding: string | undefined;
  let closes = minor === 0;
  let keepAlive: string | undefined;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    const size = name.length;
    if (size !== 14 && size !== 17 && size !== 10) continue;
    const lower = name.toLowerCase();
    const value = fields[i + 1] as string;
    if (lower === 'content-length') {
      if (length !== undefined || !/^[0-9]{1,15}$/.test(value)) throw malformed('the Content-Length');
      length = Number(value);
    } else if (lower === 'transfer-encoding') {
      if (coding !== undefined) throw malformed('the Transfer-Encoding');
      coding = value.toLowerCase();
      // The old name for no coding (RFC 2616 §3.6); the body then ends with the connection.
      if (coding !== 'chunked' && coding !== 'identity') throw malformed('the Transfer-Encoding');
    } else if (lower === 'connection') {
      const options = value.toLowerCase();
      if (closeOption.test(options)) closes = true;
      else if (minor === 0 && keepAliveOption.test(options)) closes = false;
    } else if (lower === 'keep-alive') {
      keepAlive = value;
    }
  }
  if (coding !== undefined && length !== undefined) throw malformed('Content-Length together with Transfer-Encoding');
  // An HTTP/1.0 sender does not understand Transfer-Encoding (RFC 9112 §6.1), so the connection must not be reused.
  if (coding !== undefined && minor === 0) closes = true;
  // A 204 must not announce a body (RFC 9110 §8.6). If it does, its body would be read as the next response.
  if (status === 204 && method !== 'HEAD' && (coding !== undefined || (length ?? 0) > 0)) closes = true;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { body: none, keeps: !closes, keepAlive };
  if (coding === 'chunked') return { body: chunked, keeps: !closes, keepAlive };
  if (length === undefined) return { body: untilClose, keeps: false, keepAlive };
  return { body: length === 0 ? none : { kind: 'length', length }, keeps: !closes, keepAlive };
}

const headEnd = Buffer.from('\r\n\r\n');

/** Collects the bytes of a head from pieces of any size. */
export class HeadCollector {
  #parts: Buffer[] = [];
  #size = 0;
  #tail = '';

  /**
   * Adds a piece. After the final empty line, returns the head without it as text, and the bytes after it.
   * @throws Http1Error `HTTP1_HEAD_TOO_LARGE`, and `HTTP1_MALFORMED` if the head can never end
   */
  push(bytes: Buffer): { readonly text: string; readonly rest: Buffer } | undefined {
    if (this.#size === 0) {
      const end = bytes.indexOf(headEnd);
      if (end !== -1) {
        if (end > headBytesMax) throw tooLarge();
        return { text: bytes.toString('latin1', 0, end), rest: bytes.subarray(end + 4) };
      }
    } else {
      const seam = this.#tail + bytes.toString('latin1', 0, Math.min(3, bytes.length));
      const atSeam = seam.indexOf('\r\n\r\n');
      const at = atSeam === -1 ? bytes.indexOf('\r\n\r\n') : atSeam - this.#tail.length;
      if (at !== -1 || atSeam !== -1) {
        const all = Buffer.concat([...this.#parts, bytes]);
        const end = this.#size + at;
        this.reset();
        if (end > headBytesMax) throw tooLarge();
        return { text: all.toString('latin1', 0, end), rest: all.subarray(end + 4) };
      }
    }
    this.#checkLineEnds(bytes);
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#tail = (this.#tail + bytes.toString('latin1', Math.max(0, bytes.length - 3))).slice(-3);
    if (this.#size > headBytesMax) throw tooLarge();
    return undefined;
  }

  /** Rejects bare LFs, with which the head would never end. */
  #checkLineEnds(bytes: Buffer): void {
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
      const before = at === 0 ? this.#tail.slice(-1) : String.fromCharCode(bytes[at - 1] as number);
      if (before !== '\r') throw malformed('a line that ends without CR');
    }
  }

  /** Discards what was collected. */
  reset(): void {
    this.#parts = [];
    this.#size = 0;
    this.#tail = '';
  }
}

const tooLarge = () => new Http1Error('HTTP1_HEAD_TOO_LARGE', 'the head is too large');

/** A request head, as in node:http: `fields` is a flat list of names and values in original order and case. */
export type RequestHead = {
  readonly method: string;
  readonly url: string;
  readonly major: number;
  readonly minor: number;
  readonly fields: string[];
};

/** A request's body framing and Host fields. */
export type Framing = {
  readonly hasBody: boolean;
  readonly chunked: boolean;
  readonly length: number | undefined;
  readonly hosts: readonly string[];
};

/** RFC 9112 §3 without leniency. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([!-~]+) HTTP\/([0-9])\.([0-9])$/;

/**
 * Parses a request head, given without the final empty line.
 * @throws Http1Error `HTTP1_MALFORMED`, `HTTP1_HEAD_TOO_LARGE`
 */
export function readRequestHead(text: string): RequestHead {
  const end = endOfLine(text, 0);
  const line = requestLine.exec(end === text.length ? text : text.slice(0, end));
  if (line === null) throw malformed('the request line');
  return {
    method: line[1] as string,
    url: line[2] as string,
    major: Number(line[3]),
    minor: Number(line[4]),
    fields: readFields(text, end + 2),
  };
}

/** The client's expectation before it sends the body (RFC 9110 §10.1.1). */
export function expectation(fields: readonly string[]): 'continue' | 'unknown' | undefined {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    if (name.length !== 6 || name.toLowerCase() !== 'expect') continue;
    return (fields[i + 1] as string).toLowerCase() === '100-continue' ? 'continue' : 'unknown';
  }
  return undefined;
}
