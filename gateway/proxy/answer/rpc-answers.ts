/**
 * Errors in the client's protocol: gRPC, gRPC-Web and Connect. Their clients show only "HTTP 403" for a JSON body; with
 * a protocol status an IDE shows the reason. Protocols: github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md and
 * PROTOCOL-WEB.md, connectrpc.com/docs/protocol.
 */

import type { PrivetError } from '../../../core/errors.ts';
import { mediaTypeOf } from '../../../core/payload/media-type.ts';
import { headerValue } from '../request/headers.ts';

/** A complete response; without a body over HTTP/2 its head ends the stream. */
export type RpcAnswer = { readonly status: number; readonly headers: string[]; readonly body: Buffer };

/** gRPC code numbers, and their HTTP status in Connect. */
const codes = {
  invalid_argument: { number: 3, status: 400 },
  deadline_exceeded: { number: 4, status: 504 },
  not_found: { number: 5, status: 404 },
  permission_denied: { number: 7, status: 403 },
  resource_exhausted: { number: 8, status: 429 },
  failed_precondition: { number: 9, status: 400 },
  unimplemented: { number: 12, status: 501 },
  internal: { number: 13, status: 500 },
  unavailable: { number: 14, status: 503 },
  unauthenticated: { number: 16, status: 401 },
} as const;

type Code = keyof typeof codes;

/** Codes by the HTTP status of our error. Clients retry only `unavailable`. */
const byStatus: Readonly<Record<number, Code>> = {
  400: 'invalid_argument',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  405: 'unimplemented',
  407: 'unauthenticated',
  408: 'deadline_exceeded',
  413: 'resource_exhausted',
  414: 'invalid_argument',
  415: 'invalid_argument',
  422: 'invalid_argument',
  429: 'resource_exhausted',
  431: 'resource_exhausted',
  501: 'unimplemented',
  502: 'unavailable',
  503: 'unavailable',
  504: 'deadline_exceeded',
};

/** The name of the gRPC status for an HTTP status, as in Google's JSON errors. */
export const statusName = (status: number): string => (byStatus[status] ?? 'unknown').toUpperCase();

/** Marks the last envelope of a Connect stream. */
const endStreamFlag = 2;

/** The response to an error in the protocol of the request, if any. `url` identifies unary Connect requests by GET. */
export function rpcAnswer(
  error: PrivetError,
  {
    rawHeaders,
    url = '',
    fields,
  }: { rawHeaders: readonly string[]; url?: string | undefined; fields: readonly string[] },
): RpcAnswer | undefined {
  const declared = headerValue(rawHeaders, 'content-type');
  const type = mediaTypeOf(declared);
  const code = byStatus[error.status] ?? (error.status < 500 ? 'failed_precondition' : 'internal');
  const message = `Privet: ${error.message} ${error.hint}`;
  const common = ['Cache-Control', 'no-store', ...fields];
  if (/^application\/grpc(?:$|[-+])/.test(type)) {
    const headers = ['Content-Type', type, 'grpc-status', String(codes[code].number), 'grpc-message', percent(message)];
    return { status: 200, headers: [...headers, ...common], body: Buffer.alloc(0) };
  }
  if (type.startsWith('application/connect+')) {
    const end = envelope(endStreamFlag, JSON.stringify({ error: { code, message } }));
    return { status: 200, headers: ['Content-Type', type, ...common], body: end };
  }
  const isConnect =
    headerValue(rawHeaders, 'connect-protocol-version') !== undefined || /[?&]connect=v1(?:&|$)/.test(url);
  if (!isConnect) return undefined;
  const headers = ['Content-Type', 'application/json', ...common];
  return { status: codes[code].status, headers, body: Buffer.from(JSON.stringify({ code, message })) };
}

/** gRPC `Status-Message`: visible ASCII, everything else and `%` as UTF-8 bytes. */
function percent(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, (part) =>
    Array.from(Buffer.from(part), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

function envelope(flag: number, text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}
