/** A client that opens a CONNECT tunnel by hand, and TLS in it, so that a test controls every byte. */
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Gateway } from './gateway.ts';

/** The response to CONNECT: the socket is at the first byte after its head. */
export type Tunnel = { readonly status: number; readonly head: string; readonly socket: Socket };

/** Options of {@link openTls} and {@link openHttp2}. */
export type TlsOptions = {
  /** TLS server name; default: the host of the authority. */
  readonly serverName?: string;
  readonly protocols?: readonly string[];
  /** Trusted root; default: the gateway's. */
  readonly ca?: string;
  /** Additional header lines of CONNECT. */
  readonly fields?: readonly string[];
  /** The client's own address, one of 127.0.0.0/8. */
  readonly from?: string;
  /** A TLS session to resume. */
  readonly session?: Buffer;
};

/** Sends `CONNECT authority` and reads the head of the answer. `fields` are further header lines. */
export function openTunnel(
  gateway: Gateway,
  authority: string,
  fields: readonly string[] = [],
  from = '127.0.0.1',
): Promise<Tunnel> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: gateway.proxyPort, host: '127.0.0.1', localAddress: from });
    const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...fields, '', ''];
    let sofar = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      sofar = Buffer.concat([sofar, chunk]);
      const end = sofar.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      const rest = sofar.subarray(end + 4);
      if (rest.length > 0) socket.unshift(rest);
      const head = sofar.subarray(0, end).toString('latin1');
      resolve({ status: Number(head.split(' ')[1]), head, socket });
    };
    const onClose = (): void => reject(new Error(`closed before an answer to CONNECT: ${sofar.toString('latin1')}`));
    socket.on('connect', () => socket.write(lines.join('\r\n')));
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.on('error', () => undefined);
  });
}

/** Opens a tunnel and TLS in it. Rejects when CONNECT is not answered with 200 or the handshake fails. */
export async function openTls(gateway: Gateway, authority: string, options: TlsOptions = {}): Promise<TLSSocket> {
  const { status, head, socket } = await openTunnel(gateway, authority, options.fields, options.from);
  if (status !== 200) {
    socket.destroy();
    throw new Error(`CONNECT ${authority}: ${head.split('\r\n')[0]}`);
  }
  const secure = connectTls({
    socket,
    servername: options.serverName ?? authority.replace(/:\d+$/, ''),
    ca: options.ca ?? gateway.ca,
    ALPNProtocols: [...(options.protocols ?? ['http/1.1'])],
    session: options.session,
  });
  await new Promise<void>((resolve, reject) => {
    secure.once('secureConnect', resolve);
    secure.once('error', reject);
    secure.once('close', () => reject(new Error('closed in the TLS handshake')));
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  secure.on('error', () => undefined);
  return secure;
}

/** Opens a tunnel, TLS and an HTTP/2 session in it. */
export async function openHttp2(
  gateway: Gateway,
  authority: string,
  options: TlsOptions = {},
): Promise<ClientHttp2Session> {
  const socket = await openTls(gateway, authority, { ...options, protocols: ['h2'] });
  if (socket.alpnProtocol !== 'h2') throw new Error(`ALPN chose ${String(socket.alpnProtocol)}`);
  const session = connectHttp2(`https://${authority}`, { createConnection: () => socket });
  session.on('error', () => undefined);
  return session;
}

/** A response as on the wire: status, field names and values alternating, body without chunk framing. */
export type RawAnswer = { readonly status: number; readonly rawHeaders: string[]; readonly body: Buffer };

/** Writes bytes to a socket and reads one HTTP/1.1 answer with a Content-Length, chunks, or until the end. */
export function sendRaw(socket: Socket, bytes: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let sofar = Buffer.alloc(0);
    const finish = (ended: boolean): void => {
      const answer = parseAnswer(sofar, ended);
      if (answer === undefined && !ended) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      if (answer === undefined) reject(new Error(`no complete answer: ${sofar.subarray(0, 300).toString('latin1')}`));
      else resolve(answer);
    };
    const onData = (chunk: Buffer): void => {
      sofar = Buffer.concat([sofar, chunk]);
      finish(false);
    };
    const onClose = (): void => finish(true);
    socket.on('data', onData);
    socket.once('close', onClose);
    socket.resume();
    socket.write(bytes);
  });
}

/** One HTTP/1.1 request over TLS in a separate tunnel, and its response. */
export async function sendTls(gateway: Gateway, authority: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openTls(gateway, authority);
  const answer = await sendRaw(socket, bytes);
  socket.destroy();
  return answer;
}

function parseAnswer(bytes: Buffer, ended: boolean): RawAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const rest = bytes.subarray(headEnd + 4);
  const status = Number(statusLine.split(' ')[1]);
  if (status === 100) return parseAnswer(rest, ended);
  const fields = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const rawHeaders = fields.flat() as string[];
  const field = (name: string): string | undefined => fields.find(([key]) => key?.toLowerCase() === name)?.[1];
  if (field('transfer-encoding') === 'chunked') {
    const body = joinChunks(rest);
    return body && { status, rawHeaders, body };
  }
  const length = field('content-length');
  if (length === undefined) return ended ? { status, rawHeaders, body: rest } : undefined;
  return rest.length >= Number(length) ? { status, rawHeaders, body: rest.subarray(0, Number(length)) } : undefined;
}

function joinChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(parts);
    if (bytes.length < lineEnd + 2 + size + 2) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
