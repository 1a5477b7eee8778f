/**
 * WebSockets over HTTP/2 (RFC 8441), opened by an extended CONNECT. The stream imitates the socket of an HTTP/1.1
 * upgrade, so all other code is shared; upstream the upgrade uses HTTP/1.1, which every origin supports.
 */
import { randomBytes } from 'node:crypto';
import http2, { type Http2ServerRequest, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { addField, type FieldMap, isHopByHop, newFieldMap } from '../request/headers.ts';
import { ProxiedSocket } from './proxied-socket.ts';
import type { UpgradeRequest } from './websocket.ts';

/** True for an extended CONNECT that opens a WebSocket. */
export function isWebSocketConnect(request: Http2ServerRequest): boolean {
  return request.method === 'CONNECT' && request.headers[':protocol'] === 'websocket';
}

/** The equivalent HTTP/1.1 upgrade, with the stream as its socket. */
export function upgradeOf(request: Http2ServerRequest): { readonly request: UpgradeRequest; readonly socket: Socket } {
  const socket = new StreamSocket(request.stream) as unknown as Socket;
  const raw: string[] = [];
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i] as string;
    if (!name.startsWith(':') && name !== 'host') raw.push(name, request.rawHeaders[i + 1] as string);
  }
  raw.push('host', request.authority, 'connection', 'Upgrade', 'upgrade', 'websocket');
  // HTTP/2 needs no key: the extended CONNECT itself proves the peer's intent (RFC 8441 §5).
  raw.push('sec-websocket-key', randomBytes(16).toString('base64'));
  if (request.headers['sec-websocket-version'] === undefined) raw.push('sec-websocket-version', '13');
  const upgrade = { method: 'GET', url: request.url, httpVersionMajor: 1, httpVersionMinor: 1, rawHeaders: raw };
  return { request: upgrade, socket };
}

const headBytesMax = 65_536;
/** Belongs to the key, which HTTP/2 does not use. */
const droppedField = 'sec-websocket-accept';

/**
 * Relays frames both ways; the head of the HTTP/1.1 response, written first, becomes the head of the h2 response.
 * States: head (the response has not started) → open.
 */
class StreamSocket extends ProxiedSocket {
  private readonly stream: ServerHttp2Stream;
  private head: Buffer[] | undefined = [];
  readonly encrypted = true;

  constructor(stream: ServerHttp2Stream) {
    super({ allowHalfOpen: true });
    this.stream = stream;
    stream.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) stream.pause();
    });
    stream.once('end', () => this.push(null));
    stream.on('error', (error) => this.destroy(error));
    stream.once('close', () => this.destroy());
    // A stream reset by the client closes only after all received data has been read.
    stream.once('aborted', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.stream.session?.socket.remoteAddress;
  }
  override _read(): void {
    this.stream.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (!this.head) {
      this.stream.write(chunk, done);
      return;
    }
    this.head.push(chunk);
    const bytes = Buffer.concat(this.head);
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      done(bytes.length > headBytesMax ? new Error('the answer to the upgrade is too large') : null);
      return;
    }
    this.head = undefined;
    if (this.stream.destroyed || this.stream.closed) {
      done();
      return;
    }
    try {
      this.stream.respond(answerHead(bytes.toString('latin1', 0, end)));
    } catch (error) {
      // An origin may respond with fields that HTTP/2 does not allow.
      done(error as Error);
      return;
    }
    const rest = bytes.subarray(end + 4);
    if (rest.length > 0) this.stream.write(rest, done);
    else done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.stream.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Without a response, the end of the stream must not look like one.
    const code = this.head || error ? http2.constants.NGHTTP2_INTERNAL_ERROR : http2.constants.NGHTTP2_NO_ERROR;
    if (!this.stream.destroyed) this.stream.close(code);
    done(null);
  }
}

/** Fields of the h2 response: 200 instead of 101, without HTTP/1.1-specific ones. */
function answerHead(text: string): FieldMap {
  const [first = '', ...lines] = text.split('\r\n');
  const status = Number(first.split(' ')[1]) || 502;
  const fields = newFieldMap();
  // As for all HTTP/2 responses, status codes outside RFC 9110 §15 cannot be sent.
  fields[':status'] = String(status === 101 ? 200 : status > 599 ? 502 : status);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon < 1 || isHopByHop(name) || name === droppedField) continue;
    addField(fields, name, line.slice(colon + 1).trim());
  }
  return fields;
}
