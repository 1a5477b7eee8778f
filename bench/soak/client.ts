/** Soak clients: tunnels through the gateway from any loopback address, TLS inside them, and HTTP exchanges. */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import http2, { type ClientHttp2Session } from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

/** The gateway's ports and root, an API key, and the ports of soak/origin.ts. */
export type Fixture = {
  readonly proxyPort: number;
  readonly apiPort: number;
  readonly ca: string;
  readonly adminKey: string;
  readonly apiKey: string;
  readonly tlsPort: number;
  readonly plainPort: number;
  readonly tcpPort: number;
};

/** Services of the shipped registry: one in mode `mask`, one in mode `audit`, one blocked. */
export const hosts = { masked: 'api.openai.com', audited: 'abridge.com', blocked: '01.ai' } as const;

/** Time limit of an exchange; generous, for a busy machine. */
const patienceMs = 180_000;

/** A response with its complete body. */
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** Opens a connection to the proxy; errors destroy it and reach the waiting caller. */
export function connectProxy({ proxyPort }: Fixture, from: string): net.Socket {
  const socket = net.connect({ port: proxyPort, host: '127.0.0.1', localAddress: from, noDelay: true });
  socket.on('error', () => {});
  socket.setTimeout(patienceMs, () => socket.destroy());
  return socket;
}

/** Sends CONNECT and reads the head of the response, but nothing after it. Rejects without a response. */
export function openTunnel(
  fixture: Fixture,
  authority: string,
  from: string,
): Promise<{ readonly status: number; readonly socket: net.Socket }> {
  const socket = connectProxy(fixture, from);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      socket.off('data', onData);
      socket.off('close', onClose);
      socket.pause();
      if (bytes.length > end + 4) socket.unshift(bytes.subarray(end + 4));
      resolve({ status: Number(bytes.toString('latin1', 9, 12)), socket });
    };
    const onClose = () => reject(new Error('closed before an answer to CONNECT'));
    socket.on('data', onData);
    socket.once('close', onClose);
  });
}

/** Opens a tunnel; rejects on any other status than 200. */
export async function tunnelTo(fixture: Fixture, authority: string, from: string): Promise<net.Socket> {
  const { status, socket } = await openTunnel(fixture, authority, from);
  if (status === 200) return socket;
  socket.destroy();
  throw new Error(`CONNECT was answered with ${status}`);
}

/** Opens a tunnel with TLS inside. */
export async function openTls(
  fixture: Fixture,
  options: { readonly host: string; readonly from: string; readonly h2?: boolean },
): Promise<tls.TLSSocket> {
  const { host, from, h2 = false } = options;
  const socket = await tunnelTo(fixture, `${host}:${fixture.tlsPort}`, from);
  const ALPNProtocols = [h2 ? 'h2' : 'http/1.1'];
  const secured = tls.connect({ socket, servername: host, ca: fixture.ca, ALPNProtocols });
  await new Promise<void>((resolve, reject) => {
    secured.once('secureConnect', resolve);
    secured.once('error', reject);
    secured.once('close', () => reject(new Error('closed in the TLS handshake')));
  });
  secured.on('error', () => {});
  // The socket below TLS does not see the traffic; its timeout would end kept connections while in use.
  socket.setTimeout(0);
  return secured;
}

/** Kept connections of one client address through intercepted tunnels. */
export class TunnelAgent extends https.Agent {
  readonly #fixture: Fixture;
  readonly #from: string;

  constructor(fixture: Fixture, from: string) {
    super({ keepAlive: true, maxSockets: 8, maxFreeSockets: 4 });
    this.#fixture = fixture;
    this.#from = from;
  }

  override createConnection(
    options: { host?: string | null | undefined },
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    openTls(this.#fixture, { host: options.host ?? '', from: this.#from }).then(
      (socket) => callback?.(null, socket),
      (error) => callback?.(error, undefined as never),
    );
  }
}

/** Number of consecutive kept connections that may turn out to be closed. */
const staleMax = 4;

/**
 * Sends a request and reads the complete response; rejects if it breaks off. Retries, as clients do, if the gateway has
 * just closed the kept connection. Connections opened together also end together, so the next one may be closed as
 * well.
 */
export async function exchange(options: https.RequestOptions, body?: Buffer | string): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await exchangeOnce(options, body);
    } catch (error) {
      if (tries === staleMax || !(error as { isStale?: boolean }).isStale) throw error;
    }
  }
}

function exchangeOnce(options: https.RequestOptions, body?: Buffer | string): Promise<Answer> {
  const { request } = options.protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const sent = request({ timeout: patienceMs, ...options }, (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.once('timeout', () => sent.destroy(new Error('no answer in time')));
    let hasBegun = false;
    sent.once('response', () => {
      hasBegun = true;
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && !hasBegun && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(Object.assign(error, { isStale }));
    });
    sent.end(body);
  });
}

/** An HTTP/2 connection to a host through the gateway. */
export async function openHttp2(fixture: Fixture, host: string, from: string): Promise<ClientHttp2Session> {
  const socket = await openTls(fixture, { host, from, h2: true });
  const session = http2.connect(`https://${host}:${fixture.tlsPort}`, { createConnection: () => socket });
  session.on('error', () => {});
  return session;
}

/** Like {@link exchange}, on an HTTP/2 connection. */
export function exchangeHttp2(
  session: ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body?: Buffer | string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request(headers);
    const chunks: Buffer[] = [];
    let answer: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader = {};
    stream.setTimeout(patienceMs, () => stream.close(http2.constants.NGHTTP2_CANCEL));
    stream.once('response', (got) => {
      answer = got;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('error', reject);
    let hasEnded = false;
    stream.once('end', () => {
      hasEnded = true;
    });
    stream.once('close', () => {
      if (!hasEnded || stream.rstCode !== 0) return reject(new Error(`stream closed with ${stream.rstCode}`));
      resolve({ status: answer[':status'] ?? 0, headers: answer, body: Buffer.concat(chunks) });
    });
    stream.end(body);
  });
}
