/** Requests that need nothing of HTTP but a path, a key and a short JSON body, read from the bytes of a connection. */
import { Http1Error, type RequestHead, readRequestHead } from '../http1/head.ts';

/** A body that is longer, in bytes, is no short one. */
export const shortBodyMax = 16_384;
/** The same for a head. */
const headBytesMax = 8_192;

/** One request. */
export type ShortRequest = {
  readonly path: string;
  readonly authorization: string;
  /** The JSON text. */
  readonly body: string;
  /** How many bytes it took. */
  readonly size: number;
};

const headEnd = Buffer.from('\r\n\r\n');
const begin = Buffer.from('POST /');
const json = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * The request at the begin of the bytes: `more` while its body is incomplete, undefined for everything that is not plainly
 * one: another method or path, a malformed head, or any field that could mean more than the request itself (RFC 9112 §6
 * and §9, RFC 9110 §10.1.1, CORS, a gateway on the way).
 */
export function readShortRequest(
  bytes: Buffer,
  paths: { has(path: string): boolean },
): ShortRequest | 'more' | undefined {
  if (bytes.length < begin.length || begin.compare(bytes, 0, begin.length) !== 0) return undefined;
  const end = bytes.indexOf(headEnd);
  if (end === -1 || end > headBytesMax) return undefined;
  const head = readHead(bytes.toString('latin1', 0, end));
  if (head === undefined || head.method !== 'POST' || head.major !== 1 || head.minor !== 1) return undefined;
  if (!paths.has(head.url)) return undefined;
  const found = readFields(head.fields);
  if (found === undefined) return undefined;
  const size = end + headEnd.length + found.length;
  if (bytes.length < size) return 'more';
  const body = bytes.toString('utf8', size - found.length, size);
  return { path: head.url, authorization: found.authorization, body, size };
}

function readHead(text: string): RequestHead | undefined {
  try {
    return readRequestHead(text);
  } catch (error) {
    if (error instanceof Http1Error) return undefined;
    throw error;
  }
}

/** Undefined unless there is one each of the four that are needed, and none that asks for more. */
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
