/**
 * Heads of HTTP/1.1 messages, read as strictly as RFC 9112 allows: what two parsers could read in two ways is refused,
 * never repaired. Text is latin1, one character a byte, as node:http has it.
 */
import { closeOption, keepAliveOption } from './keep-alive.ts';

/** Longest head in bytes. */
export const headBytesMax = 65_536;

/** Most fields of a message. */
const fieldsMax = 2_000;

/** A message that cannot be read, or a connection that ended within one. `code` begins with `HTTP1_`. */
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

/** Kinds of characters by their code: 1 where a name may have them (RFC 9110 §5.6.2), 2 where a value may, 0 nowhere. */
const kinds = new Uint8Array(256).map((_, code) => {
  if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))) return 1;
  return code === 0x09 || (code >= 0x20 && code !== 0x7f) ? 2 : 0;
});

/**
 * Reads field lines from `at` on; returns a flat list of names and values, without the white space around values.
 * @throws Http1Error for folded lines, names that are no tokens, control characters, CR or LF that are not together, and
 * everything else that RFC 9112 §5 and RFC 9110 §5.5 rule out.
 */
export function readFields(text: string, at: number): string[] {
  const fields: string[] = [];
  const { length } = text;
  let i = at;
  while (i < length) {
    const start = i;
    while (i < length && kinds[text.charCodeAt(i)] === 1) i++;
    if (i === start || i === length || text.charCodeAt(i) !== colonCode)
      throw malformed('a field name that is no token');
    const name = text.slice(start, i++);
    const end = endOfLine(text, i);
    let from = i;
    let to = end;
    while (from < to && isBlank(text.charCodeAt(from))) from++;
    while (to > from && isBlank(text.charCodeAt(to - 1))) to--;
    if (name.length === 17 && text.slice(to, end).includes('\t') && name.toLowerCase() === 'transfer-encoding')
      throw malformed('a tab behind the Transfer-Encoding, which some take for a part of it');
    fields.push(name, text.slice(from, to));
    i = end + 2;
  }
  if (fields.length > fieldsMax * 2) throw new Http1Error('HTTP1_HEAD_TOO_LARGE', 'too many fields');
  return fields;
}

/** Where the line ends that goes on at `from`: at the next CR LF, or with the text. */
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

/** The head of an answer: `fields` is a flat list of names and values in their order and case. */
export type AnswerHead = {
  readonly status: number;
  readonly message: string;
  readonly minor: 0 | 1;
  readonly fields: string[];
};

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9][0-9])(?: ([\t -~\x80-\xff]*))?$/;

/**
 * Reads the head of an answer, given without its last empty line.
 * @throws Http1Error `HTTP1_MALFORMED`, `HTTP1_HEAD_TOO_LARGE`.
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

/** How the end of a body is found: no body, by its length, by its chunks, or by the end of the connection. */
export type BodyFraming = { readonly kind: 'none' | 'length' | 'chunked' | 'close'; readonly length: number };

const none: BodyFraming = { kind: 'none', length: 0 };
const chunked: BodyFraming = { kind: 'chunked', length: 0 };
const untilClose: BodyFraming = { kind: 'close', length: 0 };

/** What an answer says about its body and its connection. */
export type AnswerFraming = {
  readonly body: BodyFraming;
  readonly keeps: boolean;
  readonly keepAlive: string | undefined;
};

/**
 * Where an answer ends (RFC 9112 §6.3) and whether its connection may serve another request (§9.3).
 * @throws Http1Error for lengths that are not plain digits, several of them, one beside Transfer-Encoding, and any
 * Transfer-Encoding but `chunked` and `identity`.
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
      // The old name for none (RFC 2616 §3.6); then the end of the connection is that of the body.
      if (coding !== 'chunked' && coding !== 'identity') throw malformed('the Transfer-Encoding');
    } else if (lower === 'connection') {
      const options = value.toLowerCase();
      if (closeOption.test(options)) closes = true;
      else if (minor === 0 && keepAliveOption.test(options)) closes = false;
    } else if (lower === 'keep-alive') {
      keepAlive = value;
    }
  }
  if (coding !== undefined && length !== undefined) throw malformed('Content-Length beside Transfer-Encoding');
  // A sender of HTTP/1.0 does not know what it says (RFC 9112 §6.1): nothing may follow.
  if (coding !== undefined && minor === 0) closes = true;
  // A 204 may not speak of a body (RFC 9110 §8.6); one that does may have one, which would be read as the next answer.
  if (status === 204 && method !== 'HEAD' && (coding !== undefined || (length ?? 0) > 0)) closes = true;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { body: none, keeps: !closes, keepAlive };
  if (coding === 'chunked') return { body: chunked, keeps: !closes, keepAlive };
  if (length === undefined) return { body: untilClose, keeps: false, keepAlive };
  return { body: length === 0 ? none : { kind: 'length', length }, keeps: !closes, keepAlive };
}

const headEnd = Buffer.from('\r\n\r\n');

/** Collects the bytes of a head, however small the pieces are in which they come. */
export class HeadCollector {
  #parts: Buffer[] = [];
  #size = 0;
  #tail = '';

  /**
   * Takes the next piece. Once the empty line has come: the head without it as text, and what stands behind it.
   * @throws Http1Error `HTTP1_HEAD_TOO_LARGE`, and `HTTP1_MALFORMED` where no end can be waited for.
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

  /** A head with bare LFs has no end that could be waited for. */
  #checkLineEnds(bytes: Buffer): void {
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) {
      const before = at === 0 ? this.#tail.slice(-1) : String.fromCharCode(bytes[at - 1] as number);
      if (before !== '\r') throw malformed('a line that ends without CR');
    }
  }

  /** Forgets what was collected. */
  reset(): void {
    this.#parts = [];
    this.#size = 0;
    this.#tail = '';
  }
}

const tooLarge = () => new Http1Error('HTTP1_HEAD_TOO_LARGE', 'the head is too large');

/** The head of a request, as node:http has it: `fields` is a flat list of names and values in their order and case. */
export type RequestHead = {
  readonly method: string;
  readonly url: string;
  readonly major: number;
  readonly minor: number;
  readonly fields: string[];
};

/** What the framing fields of a request say about its body, and the Host fields. */
export type Framing = {
  readonly hasBody: boolean;
  readonly chunked: boolean;
  readonly length: number | undefined;
  readonly hosts: readonly string[];
};

/** RFC 9112 §3 without leniency. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}) ([!-~]+) HTTP\/([0-9])\.([0-9])$/;

/**
 * Reads the head of a request, given without its last empty line.
 * @throws Http1Error `HTTP1_MALFORMED`, `HTTP1_HEAD_TOO_LARGE`.
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

/** What a request expects before it sends its body (RFC 9110 §10.1.1). */
export function expectation(fields: readonly string[]): 'continue' | 'unknown' | undefined {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    if (name.length !== 6 || name.toLowerCase() !== 'expect') continue;
    return (fields[i + 1] as string).toLowerCase() === '100-continue' ? 'continue' : 'unknown';
  }
  return undefined;
}
