/** Builds upstream request heads: the client's fields in order and case, with the framing of the body actually sent. */
import type { Readable } from 'node:stream';
import { Http1Error } from './head.ts';

/** The input of {@link requestHead}: `fields` is a flat list with Host in its position, without hop-by-hop fields. */
export type WireRequest = {
  readonly method: string;
  /** The target in origin form, or `*`. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly body: Buffer | Readable | null;
};

/** How a request to a parent proxy names its target (RFC 9112 §3.2.2), and its proxy credentials. */
export type ParentForm = { readonly origin: string; readonly authorization: string | undefined };

/** Methods that announce a length even without a body (RFC 9110 §8.6). */
const announcing = new Set(['POST', 'PUT', 'PATCH']);

/**
 * The head with its empty line in latin1, and whether the body is chunked. A Content-Length keeps its position and gets
 * the length of the body actually sent; a stream keeps the announced length.
 * @throws Http1Error if a value contains a line end
 */
export function requestHead(request: WireRequest, parent?: ParentForm): { head: string; isChunked: boolean } {
  const { method, path, fields, body } = request;
  const length = body === null ? 0 : Buffer.isBuffer(body) ? body.length : undefined;
  let head = `${method} ${parent ? absolute(parent.origin, path) : path} HTTP/1.1\r\n`;
  let isFramed = false;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    let value = fields[i + 1] as string;
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (isFramed) continue;
      isFramed = true;
      if (length !== undefined) value = String(length);
    }
    if (value.includes('\n') || value.includes('\r')) throw new Http1Error('HTTP1_MALFORMED', 'a line end in a field');
    head += `${name}: ${value}\r\n`;
  }
  const isChunked = !isFramed && length === undefined;
  if (isChunked) head += 'Transfer-Encoding: chunked\r\n';
  else if (!isFramed && ((length as number) > 0 || announcing.has(method))) head += `Content-Length: ${length}\r\n`;
  if (parent?.authorization !== undefined) head += `Proxy-Authorization: ${parent.authorization}\r\n`;
  return { head: `${head}\r\n`, isChunked };
}

/** Absolute target; `OPTIONS *` becomes one without a path (RFC 9112 §3.2.4). */
function absolute(origin: string, path: string): string {
  return path === '*' ? origin : origin + path;
}
