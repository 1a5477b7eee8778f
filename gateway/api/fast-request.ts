/**
 * Parses requests that use nothing of HTTP but a path, a key and a short JSON body, directly from a connection's
 * bytes.
 */
import { Http1Error, type RequestHead, readRequestHead } from '../http1/head.ts';

/** Maximum length of a short body, in bytes. */
export const shortBodyMax = 16_384;
/** Maximum length of a head, in bytes. */
const headBytesMax = 8_192;

export type FastRequest = {
  readonly path: string;
  readonly authorization: string;
  /** The JSON text. */
  readonly body: string;
  /** Its total size in bytes, and the size of its head. */
  readonly size: number;
  readonly headSize: number;
};

type Paths = { has(path: string): boolean };

const headEnd = Buffer.from('\r\n\r\n');
const begin = Buffer.from('POST /');
const contentLength = /(\r\ncontent-length:[ \t]*)([0-9]+)/i;
const json = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Parses the request at the start of the bytes: `more` while its body is incomplete, undefined for anything but a plain
 * request: another method or path, a malformed head, or any field with a further meaning (RFC 9112 §6 and §9, RFC 9110
 * §10.1.1, CORS, an intermediary).
 */
export function readFastRequest(bytes: Buffer, paths: Paths): FastRequest | 'more' | undefined {
  if (bytes.length < begin.length || begin.compare(bytes, 0, begin.length) !== 0) return undefined;
  const end = bytes.indexOf(headEnd);
  if (end === -1 || end > headBytesMax) return undefined;
  const head = readHead(bytes.toString('latin1', 0, end));
  if (head === undefined || head.method !== 'POST' || head.major !== 1 || head.minor !== 1) return undefined;
  if (!paths.has(head.url)) return undefined;
  const found = readFields(head.fields);
  if (found === undefined) return undefined;
  const headSize = end + headEnd.length;
  const size = headSize + found.length;
  if (bytes.length < size) return 'more';
  const body = bytes.toString('utf8', headSize, size);
  return { path: head.url, authorization: found.authorization, body, size, headSize };
}

/** A parsed head, without the digits of its Content-Length. */
type KnownHead = {
  readonly before: Buffer;
  readonly behind: Buffer;
  readonly path: string;
  readonly authorization: string;
};

/** After this many different heads in a row, stop caching them: the client sends something new each time. */
const newHeadsMax = 4;

/**
 * Parses the requests of one connection like {@link readFastRequest}. Programs repeat the same head except for its
 * length, so a head with the same bytes around the digits of its Content-Length is not parsed again.
 */
export class FastRequests {
  readonly #paths: Paths;
  #known: KnownHead | undefined;
  #newHeads = 0;

  constructor(paths: Paths) {
    this.#paths = paths;
  }

  read(bytes: Buffer): FastRequest | 'more' | undefined {
    if (this.#known !== undefined) {
      const request = readBehind(this.#known, bytes);
      if (request !== undefined) {
        this.#newHeads = 0;
        return request;
      }
    }
    const request = readFastRequest(bytes, this.#paths);
    if (typeof request === 'object' && this.#newHeads < newHeadsMax) {
      this.#newHeads++;
      this.#known = knownHead(bytes, request);
    }
    return request;
  }
}

/** Parses the request if it has the known head. */
function readBehind(
  { before, behind, path, authorization }: KnownHead,
  bytes: Buffer,
): FastRequest | 'more' | undefined {
  if (!hasAt(bytes, before, 0)) return undefined;
  let at = before.length;
  let length = 0;
  for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, ++at)) {
    length = length * 10 + digit;
    if (length === 0 || length > shortBodyMax) return undefined;
  }
  if (length === 0 || !hasAt(bytes, behind, at)) return undefined;
  const headSize = at + behind.length;
  const size = headSize + length;
  if (bytes.length < size) return 'more';
  return { path, authorization, body: bytes.toString('utf8', headSize, size), size, headSize };
}

/** Up to this length, comparing bytes one by one is faster than calling `compare` (0.2 µs). */
const fewBytes = 64;

function hasAt(bytes: Buffer, part: Buffer, at: number): boolean {
  const { length } = part;
  if (bytes.length < at + length) return false;
  if (length > fewBytes) return bytes.compare(part, 0, length, at, at + length) === 0;
  for (let i = 0; i < length; i++) if (bytes[at + i] !== part[i]) return false;
  return true;
}

/** -1 if it is not a digit. */
function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - 0x30;
  return digit <= 9 ? digit : -1;
}

/** Copy: a slice would keep the whole received buffer alive. */
function knownHead(bytes: Buffer, { path, authorization, headSize }: FastRequest): KnownHead | undefined {
  const field = contentLength.exec(bytes.toString('latin1', 0, headSize));
  if (field === null) return undefined;
  const at = field.index + (field[1] as string).length;
  const end = at + (field[2] as string).length;
  const before = Buffer.from(bytes.subarray(0, at));
  return { before, behind: Buffer.from(bytes.subarray(end, headSize)), path, authorization };
}

function readHead(text: string): RequestHead | undefined {
  try {
    return readRequestHead(text);
  } catch (error) {
    if (error instanceof Http1Error) return undefined;
    throw error;
  }
}

/** Undefined unless each of the four required fields occurs exactly once and no other field requires more. */
function readFields(fields: readonly string[]): { length: number; authorization: string } | undefined {
  let length = 0;
  let authorization: string | undefined;
  let hasType = false;
  let hasHost = false;
  for (let i = 0; i < fields.length; i += 2) {
    const value = fields[i + 1] as string;
    switch ((fields[i] as string).toLowerCase()) {
      case 'content-length':
        if (length > 0 || !/^[1-9][0-9]{0,4}$/.test(value)) return undefined;
        length = Number(value);
        break;
      case 'authorization':
        if (authorization !== undefined) return undefined;
        authorization = value;
        break;
      case 'content-type':
        if (hasType || !json.test(value)) return undefined;
        hasType = true;
        break;
      case 'host':
        if (hasHost) return undefined;
        hasHost = true;
        break;
      case 'connection':
        if (value.toLowerCase() !== 'keep-alive') return undefined;
        break;
      case 'content-encoding':
      case 'expect':
      case 'origin':
      case 'trailer':
      case 'transfer-encoding':
      case 'upgrade':
      case 'via':
        return undefined;
    }
  }
  if (length === 0 || length > shortBodyMax || authorization === undefined || !hasType || !hasHost) return undefined;
  return { length, authorization };
}
