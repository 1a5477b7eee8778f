/**
 * Fast path for CONNECT requests that arrive complete and in the plainest form, as practically every client sends them:
 * parsed without an HTTP connection state (a fifth of the cost of a new tunnel). Anything else, even a single unusual
 * byte, is left to the server of gateway/http1.
 */

/** The relevant parts of a CONNECT request; `ServerRequest` of gateway/http1 has the same fields. */
export type ConnectRequest = {
  readonly url?: string;
  readonly httpVersionMajor?: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: readonly string[];
};

/** Longer heads go to the server. */
const headBytesMax = 4_096;

const requestLine = /^CONNECT ([!-~]+) HTTP\/1\.([01])$/;
const nothing = Buffer.alloc(0);

/** Character classes by code: 1 allowed in a name (RFC 9110 §5.6.2), 2 additionally allowed in a value. */
const kinds = new Uint8Array(256).map((_, code) => {
  if (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code))) return 1;
  return code === 0x09 || (code >= 0x20 && code < 0x7f) ? 2 : 0;
});

/** The request at the start of `bytes`, and the tunnel's bytes after it; undefined if incomplete or not plain. */
export function readConnectHead(bytes: Buffer): { request: ConnectRequest; rest: Buffer } | undefined {
  if (bytes.length < 16 || bytes[0] !== 0x43 || bytes[7] !== 0x20) return undefined;
  const text = bytes.toString('latin1', 0, Math.min(bytes.length, headBytesMax + 4));
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const lineEnd = text.indexOf('\r\n');
  const line = requestLine.exec(text.slice(0, lineEnd));
  if (line === null) return undefined;
  const rawHeaders: string[] = [];
  for (let at = lineEnd + 2; at < end; ) {
    const next = readField(text, at, rawHeaders);
    if (next === undefined) return undefined;
    at = next;
  }
  const request = { url: line[1] as string, httpVersionMinor: line[2] === '1' ? 1 : 0, rawHeaders };
  return { request, rest: end + 4 === bytes.length ? nothing : bytes.subarray(end + 4) };
}

/** Parses the field line at `at` strictly (RFC 9112 §5); returns the start of the next one. */
function readField(text: string, at: number, fields: string[]): number | undefined {
  let i = at;
  while (kinds[text.charCodeAt(i)] === 1) i++;
  if (i === at || text.charCodeAt(i) !== 0x3a) return undefined;
  const name = text.slice(at, i++);
  while (isBlank(text.charCodeAt(i))) i++;
  const from = i;
  while (kinds[text.charCodeAt(i)] !== 0) i++;
  if (i === from || isBlank(text.charCodeAt(i - 1))) return undefined;
  if (text.charCodeAt(i) !== 0x0d || text.charCodeAt(i + 1) !== 0x0a) return undefined;
  fields.push(name, text.slice(from, i));
  return i + 2;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
