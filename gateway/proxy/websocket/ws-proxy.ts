/**
 * The only user of http-proxy (its maintained successor http-proxy-3, see docs/decisions/0002), which performs the
 * upgrade handshake with the origin and joins the two byte streams. test/gateway/ws-proxy.test.ts pins its past faults:
 * upstream left open when the client leaves before the response, a crash on a reset before 101, hop-by-hop fields
 * forwarded, and a client left waiting when the response of an origin that does not upgrade breaks off. Such responses
 * are therefore handled here.
 */
import { createHash } from 'node:crypto';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type httpProxy from 'http-proxy';
import { PrivetError } from '../../../core/errors.ts';
import { http } from '../../http1/node-http.ts';
import { readBody } from '../body/content-coding.ts';
import { endToEndHeaders, FieldNames, isHopByHop, nominatedFields } from '../request/headers.ts';

/** An upgrade to perform. */
export type UpgradeInput = {
  /** Receives the origin's bytes and supplies the client's. */
  readonly client: Duplex;
  /** `http://host:port` or `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query as sent; the library would rewrite them through a URL object. */
  readonly path: string;
  /** Upstream fields, names in lower case. */
  readonly headers: Record<string, string | string[]>;
  /** Additional response fields, names in lower case. */
  readonly answerFields?: Readonly<Record<string, string>>;
  readonly agent: Agent;
  /** How long the origin may take to respond, in milliseconds. */
  readonly answerMs: number;
  readonly onError: (error: Error) => void;
};

type Proxy = InstanceType<typeof httpProxy.ProxyServer>;

/** Performs upgrades; one instance serves all. Loads the library. */
export class UpgradeProxy {
  private readonly proxy: Proxy;
  private readonly inputs = new WeakMap<IncomingMessage, UpgradeInput>();

  constructor() {
    // Loaded here, because it takes 15 ms and many gateways never see an upgrade.
    const { createProxyServer } = createRequire(import.meta.url)('http-proxy') as typeof httpProxy;
    this.proxy = createProxyServer({ ws: true, changeOrigin: false, secure: true });
    // Each upgrade's callback gets its errors; this keeps an unexpected one from ending the process.
    this.proxy.on('error', () => {});
    this.proxy.on('proxyReqWs', (upstream: ClientRequest, request: IncomingMessage, client: Duplex) => {
      const input = this.inputs.get(request);
      upstream.path = input?.path ?? upstream.path;
      client.once('close', () => upstream.destroy());
      upstream.once('upgrade', (_response, socket: Duplex) => client.once('close', () => socket.destroy()));
      upstream.prependOnceListener('upgrade', (response: IncomingMessage) => {
        stripHopByHop(response);
        Object.assign(response.headers, input?.answerFields);
      });
      if (input) limitTime(upstream, input.answerMs);
      const stop = noticeEnd(upstream, client);
      // The library adds its own listeners after this event.
      process.nextTick(() => {
        const joins = upstream.listeners('upgrade');
        upstream.removeAllListeners('upgrade');
        upstream.once('upgrade', (response, socket, rest) => {
          if (isWebSocketAnswer(response, upstream)) {
            for (const join of joins) join.call(upstream, response, socket, rest);
            return;
          }
          stop();
          socket.destroy();
          input?.onError(new PrivetError('upstream_failed', 'The host upgraded to a protocol other than WebSocket.'));
        });
        upstream.removeAllListeners('response');
        upstream.once('response', (response) => {
          stop();
          void relayRefusal(response, client, input);
        });
      });
    });
  }

  /** Starts an upgrade; the result is written to `client`, failures go to `onError`. */
  carry(input: UpgradeInput): void {
    const request = new http.IncomingMessage(input.client as Socket);
    request.method = 'GET';
    request.url = input.path;
    request.httpVersion = '1.1';
    request.httpVersionMajor = 1;
    request.httpVersionMinor = 1;
    request.headers = input.headers as IncomingMessage['headers'];
    this.inputs.set(request, input);
    this.proxy.ws(
      request,
      input.client as never,
      Buffer.alloc(0),
      { target: input.origin, agent: input.agent, changeOrigin: false, ignorePath: false, prependPath: false },
      input.onError as never,
    );
  }
}

/** True if a 101 answers our WebSocket request, as a client must verify (RFC 6455 §4.1). */
function isWebSocketAnswer({ headers }: IncomingMessage, upstream: ClientRequest): boolean {
  const key = String(upstream.getHeader('sec-websocket-key') ?? '');
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return headers.upgrade?.toLowerCase() === 'websocket' && headers['sec-websocket-accept'] === accept;
}

/** Removes hop-by-hop headers from the 101, all of whose headers the library copies to the client. */
function stripHopByHop(response: IncomingMessage): void {
  const fields = response.headers;
  // A 101 must not have one (RFC 9110 §8.6).
  delete fields['content-length'];
  for (const name of nominatedFields(response.rawHeaders) ?? []) if (name !== 'upgrade') delete fields[name];
  for (const name of Object.keys(fields)) if (isHopByHop(name) && name !== 'upgrade') delete fields[name];
  fields.connection = 'Upgrade';
}

/** Maximum size of a response that does not upgrade: a JSON error, a page. */
const refusalBytesMax = 1024 * 1024;

/** Relays a response other than 101, collected, because it needs a length for both HTTP/1.1 and HTTP/2. */
async function relayRefusal(response: IncomingMessage, client: Duplex, input: UpgradeInput | undefined): Promise<void> {
  try {
    const body = await readBody(response, refusalBytesMax);
    const { statusCode = 502, statusMessage = '' } = response;
    if (statusCode === 101) throw new Error('a 101 that names no protocol');
    const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
    const fields = endToEndHeaders(response.rawHeaders, ownFields);
    for (let i = 0; i < fields.length; i += 2) lines.push(`${fields[i]}: ${fields[i + 1]}`);
    for (const [name, value] of Object.entries(input?.answerFields ?? {})) lines.push(`${name}: ${value}`);
    if (statusCode !== 204 && statusCode !== 304) lines.push(`Content-Length: ${body.length}`);
    lines.push('Connection: close', '', '');
    client.write(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
    client.end();
  } catch (cause) {
    response.destroy();
    input?.onError(new PrivetError('upstream_failed', 'The answer to the upgrade could not be read.', { cause }));
  }
}

const ownFields = new FieldNames(['content-length']);

/** Aborts a request whose response or upgrade is late. */
function limitTime(upstream: ClientRequest, answerMs: number): void {
  const late = () => upstream.destroy(new PrivetError('upstream_timeout', 'The host did not answer in time.'));
  const timer = setTimeout(late, answerMs).unref();
  for (const event of ['upgrade', 'close']) upstream.once(event, () => clearTimeout(timer));
}

/** Notices a client that closes while it waits, which its socket reports only to a reader. Call the result to stop. */
function noticeEnd(upstream: ClientRequest, client: Duplex): () => void {
  const onReadable = () => {};
  const onEnd = () => client.destroy();
  const stop = () => {
    client.off('readable', onReadable);
    client.off('end', onEnd);
  };
  client.on('readable', onReadable);
  client.once('end', onEnd);
  upstream.prependOnceListener('upgrade', stop);
  return stop;
}
