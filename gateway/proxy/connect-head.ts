/**
 * A CONNECT request that arrives whole and in the plainest form, which is how every client sends it, is read here
 * without a connection state of the HTTP server (a fifth of what a new tunnel costs). Anything else, down to one unusual
 * byte, is left to the server of gateway/http1 and its answers.
 */

/** What of a CONNECT request is looked at; a `ServerRequest` of gateway/http1 has the same fields. */
export type ConnectRequest = {
  readonly url?: string;
  readonly httpVersionMajor?: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
};

/** Longer heads go to the server. */
const headBytesMax = 4_096;

/** RFC 9112 §3 and §5 without leniency: one space, CRLF, token names, visible values. */
const requestLine = /^CONNECT ([!-~]+) HTTP\/1\.([01])$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[\t -~]*[!-~])?)$/;

/**
 * The request at the start of `bytes`, and the bytes behind it (they belong to the tunnel already). Undefined when it
 * is not complete or not plain.
 */
export function readConnectHead(bytes: Buffer): { request: ConnectRequest; rest: Buffer } | undefined {
  if (bytes.length < 16 || bytes[0] !== 0x43 || bytes[7] !== 0x20) return undefined;
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1 || end > headBytesMax) return undefined;
  const lines = bytes.toString('latin1', 0, end).split('\r\n');
  const start = requestLine.exec(lines[0] as string);
  if (start === null) return undefined;
  const rawHeaders: string[] = [];
  for (let i = 1; i < lines.length; i++) {
    const field = fieldLine.exec(lines[i] as string);
    if (field === null) return undefined;
    rawHeaders.push(field[1] as string, field[2] as string);
  }
  const request = { url: start[1] as string, httpVersionMinor: start[2] === '1' ? 1 : 0, rawHeaders };
  return { request, rest: bytes.subarray(end + 4) };
}
