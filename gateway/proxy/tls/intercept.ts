/**
 * Interception: answers the client's TLS with a leaf for the CONNECT host, and passes the decrypted connection to the
 * HTTP servers, which get connections only from here.
 */
import http2, {
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { LeafCache } from '../../../certs/leaf-cache.ts';
import { PrivetError } from '../../../core/errors.ts';
import { ConnectionSet } from '../../http1/connection-set.ts';
import { expectation } from '../../http1/head.ts';
import type { Http1Server } from '../../http1/server.ts';
import type { ServerRequest } from '../../http1/server-request.ts';
import { sendRaw } from '../answer/answers.ts';
import type { ConnectionContext, ProxyParts } from '../exchange.ts';
import { forgetListeners } from '../listen/closed-sockets.ts';
import { type ClientTimeouts, headerBytesMax, headerPairsMax, http1Server } from '../listen/http-server.ts';
import { parseErrorOf } from '../listen/parse-errors.ts';
import { closeWhenDead } from '../listen/quiet-sessions.ts';
import { QuietWatch } from '../listen/quiet-watch.ts';
import { ResetLimits } from '../listen/reset-limits.ts';
import type { ClientRequest } from '../request/client-request.ts';
import { isPortalName, serveOwn } from '../request/local.ts';
import { nextRequestId } from '../request/record.ts';
import { serveRequest } from '../request/request.ts';
import { tunnelTarget } from '../tunnel/tunnel-target.ts';
import { serveUpgrade } from '../websocket/websocket.ts';
import { isWebSocketConnect, upgradeOf } from '../websocket/websocket-h2.ts';
import { forgetOfferedProtocols } from './offered-protocols.ts';

/** A client that leaves silently within this time after the handshake has rejected our certificate. */
const declineMs = 1_000;

const contextKey = Symbol('privet connection');
/** HTTP/2 sessions expose a proxy object for their socket, which cannot be destroyed. */
const socketKey = Symbol('privet socket');
type WithContext = { [contextKey]?: ConnectionContext; [socketKey]?: Socket };

/** The ALPN list in wire format (RFC 7301 §3.1): each name preceded by its length. */
const protocols = Buffer.concat(
  ['h2', 'http/1.1', 'http/1.0'].map((name) => Buffer.from(`${String.fromCharCode(name.length)}${name}`)),
);

/** A TLS handshake with a client, with a time limit. */
class Handshake {
  readonly #secured: tls.TLSSocket;
  isLate = false;

  constructor(secured: tls.TLSSocket) {
    this.#secured = secured;
  }

  destroy(): void {
    this.isLate = true;
    this.#secured.destroy();
  }
}

/** Serves the inside of tunnels. */
export class Interceptor {
  private readonly parts: ProxyParts;
  private readonly leaves: LeafCache;
  private readonly handshakes: QuietWatch<Handshake>;
  private readonly http1: Http1Server;
  private readonly http2: Http2Server;
  private readonly resets = new ResetLimits();
  private readonly sessions = new ConnectionSet<ServerHttp2Session>();
  private readonly sockets = new ConnectionSet<Socket>();
  /** Connections on which a request has arrived. */
  private readonly spoken = new WeakSet<ConnectionContext>();

  constructor(options: { parts: ProxyParts; leaves: LeafCache; timeouts: ClientTimeouts }) {
    this.handshakes = new QuietWatch(options.timeouts.handshakeMs);
    this.parts = options.parts;
    this.leaves = options.leaves;
    this.http1 = http1Server(options.timeouts, {
      request: (request, response, expectsContinue) =>
        this.serve(contextOf(request), request, response, expectsContinue),
      upgrade: (request, socket, head) => {
        this.spoke(contextOf(request));
        void serveUpgrade(this.parts, contextOf(request), request, socket, head, (framing) =>
          tunnelTarget(contextOf(request), request, framing),
        );
      },
      connect: (_request, socket) => {
        const error = new PrivetError('method_not_allowed', 'CONNECT is refused inside a tunnel.');
        sendRaw(socket, error, nextRequestId());
      },
      malformed: (error, socket) => sendRaw(socket, parseErrorOf(error), nextRequestId()),
    });
    this.http2 = http2.createServer({
      settings: {
        maxConcurrentStreams: 128,
        maxHeaderListSize: headerBytesMax,
        initialWindowSize: 1_048_576,
        enableConnectProtocol: true,
      },
      // Browsers send each cookie as a separate field (RFC 9113 §8.2.3); Node's default limit of 128 fields is too low
      // for large sites.
      maxHeaderListPairs: headerPairsMax,
      maxSessionMemory: 32,
      // Many servers repeat fields that should occur once (X-Content-Type-Options, Date); browsers accept that.
      strictSingleValueFields: false,
    });
    this.http2.on('session', (session) => {
      const context = (session.socket as unknown as WithContext)[contextKey];
      if (context) (session as unknown as WithContext)[contextKey] = context;
      const entry = this.sessions.add(session);
      session.on('error', () => {});
      session.once('close', () => this.sessions.delete(entry));
      closeWhenDead(session, (session.socket as unknown as WithContext)[socketKey]);
    });
    this.http2.on('stream', (stream: ServerHttp2Stream) => {
      const context = (stream.session as unknown as WithContext | undefined)?.[contextKey];
      if (context) this.resets.watch(stream, context.client);
    });
    this.http2.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const context = (request.stream.session as unknown as WithContext | undefined)?.[contextKey];
      if (context) this.resets.serve(request.stream, context.client, () => this.serve(context, request, response));
      else request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    });
    // Node recognises only the lower-case spelling; Java sends `100-Continue`.
    this.http2.on('checkExpectation', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      if (expectation(request.rawHeaders) !== 'continue') return void response.writeHead(417).end();
      response.writeContinue();
      this.http2.emit('request', request, response);
    });
    this.http2.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const context = (request.stream.session as unknown as WithContext | undefined)?.[contextKey];
      if (!context) return void request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
      if (!isWebSocketConnect(request)) {
        return this.resets.serve(request.stream, context.client, () => this.serve(context, request, response));
      }
      this.resets.serve(request.stream, context.client, () => {
        this.spoke(context);
        const upgrade = upgradeOf(request);
        void serveUpgrade(this.parts, context, upgrade.request, upgrade.socket, Buffer.alloc(0), (framing) =>
          tunnelTarget(context, request, framing),
        );
      });
    });
    this.http2.on('sessionError', () => {});
  }

  /** Intercepts TLS on a socket whose unread bytes start with a ClientHello. */
  secure(socket: Socket, context: ConnectionContext, clientOffersEcdsa: boolean, onClose: () => void): void {
    const end = () => {
      socket.destroy();
      onClose();
    };
    const begin = () => {
      if (hasEnded(socket)) end();
      else this.begin(socket, context, clientOffersEcdsa, onClose);
    };
    if (!this.resets.enter(context.client, begin)) end();
  }

  private begin(socket: Socket, context: ConnectionContext, clientOffersEcdsa: boolean, onClose: () => void): void {
    const { host } = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
    const { address } = context.client;
    const begin = (secureContext: tls.SecureContext) => this.handshake(socket, context, secureContext, onClose);
    const fail = (error: unknown) => {
      this.parts.observer.fault({ requestId: nextRequestId(), error });
      socket.destroy();
      onClose();
    };
    if (!clientOffersEcdsa) {
      this.rsaContext(host, address).then((secureContext) => {
        if (!hasEnded(socket)) return begin(secureContext);
        this.parts.observer.tlsClientReject({ host, client: context.client, code: 'CLOSED' });
        socket.destroy();
        onClose();
      }, fail);
      return;
    }
    let secureContext: tls.SecureContext;
    try {
      secureContext = this.leaves.contextFor(host, address);
    } catch (error) {
      fail(error);
      return;
    }
    begin(secureContext);
  }

  private async rsaContext(host: string, address: string): Promise<tls.SecureContext> {
    return this.leaves.contextFor(host, address, { rsa: true });
  }

  private handshake(
    socket: Socket,
    context: ConnectionContext,
    secureContext: tls.SecureContext,
    onClose: () => void,
  ): void {
    const { host } = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
    const options = { isServer: true, secureContext, ALPNProtocols: protocols };
    const secured = new tls.TLSSocket(socket, options as tls.TLSSocketOptions);
    (secured as WithContext)[contextKey] = context;
    (secured as WithContext)[socketKey] = secured;
    const entry = this.sockets.add(secured);
    const handshake = new Handshake(secured);
    const noted = this.handshakes.add(handshake);
    let established = false;
    let establishedAt = 0;
    let hasLeft = false;
    // A client that leaves during the handshake ends without an alert, which a half-open socket reports only to a
    // reader.
    secured.resume();
    secured.on('end', () => {
      hasLeft = true;
      // HTTP/2 has no half-open connections; without this, streams without pending writes would stay.
      if (!established || secured.alpnProtocol === 'h2') secured.destroy();
    });
    secured.on('error', (error: NodeJS.ErrnoException) => {
      hasLeft = true;
      if (!established)
        this.parts.observer.tlsClientReject({ host, client: context.client, code: error.code ?? 'UNKNOWN' });
      established = true;
      secured.destroy();
    });
    secured.on('close', () => {
      this.handshakes.delete(noted);
      this.sockets.delete(entry);
      const code = handshake.isLate ? 'TIMEOUT' : 'CLOSED';
      if (!established) this.parts.observer.tlsClientReject({ host, client: context.client, code });
      // Node, and apps with their own pinning, verify after the handshake and send no alert.
      else if (
        hasLeft &&
        establishedAt > 0 &&
        !this.spoken.has(context) &&
        performance.now() - establishedAt < declineMs
      )
        this.parts.observer.tlsClientReject({ host, client: context.client, code: 'DECLINED' });
      socket.destroy();
      onClose();
      forgetListeners(secured);
    });
    secured.once('secure', () => {
      this.handshakes.delete(noted);
      established = true;
      forgetOfferedProtocols(secured);
      // A client that resumes a session has accepted the certificate before.
      if (!secured.isSessionReused()) establishedAt = performance.now();
      // Node clears this only for sockets of its own tls.Server, and http2 waits while it is set.
      (secured as unknown as { secureConnecting: boolean }).secureConnecting = false;
      if (secured.alpnProtocol === 'h2') {
        // The session reads the handle directly, bypassing the stream.
        secured.pause();
        this.http2.emit('connection', secured);
      } else {
        this.http1.serve(secured);
      }
    });
  }

  /** Serves plain HTTP inside a tunnel (`CONNECT host:80`) under the same policy; `early` was already read. */
  plain(socket: Socket, early: Buffer, context: ConnectionContext, onClose: () => void): void {
    (socket as WithContext)[contextKey] = context;
    const entry = this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(entry);
      onClose();
    });
    this.http1.serve(socket, early);
  }

  /** Tells clients to reconnect elsewhere and lets running requests finish. */
  drain(): void {
    for (const session of this.sessions.list()) session.close();
    this.http1.drain();
  }

  /** Closes all remaining connections. */
  destroy(): void {
    this.sessions.destroyAll();
    this.sockets.destroyAll();
  }

  /** Records a request, which shows that the client has accepted our certificate. */
  private spoke(context: ConnectionContext): void {
    if (this.spoken.has(context) || context.tunnel?.scheme !== 'https') return;
    this.spoken.add(context);
    this.parts.observer.tlsClientAccept?.({ host: context.tunnel.host, client: context.client });
  }

  private serve(
    context: ConnectionContext,
    request: ClientRequest,
    response: Parameters<typeof serveRequest>[3],
    expectsContinue = false,
  ): void {
    this.spoke(context);
    const { portal } = this.parts;
    const { tunnel, client } = context;
    if (portal !== undefined && tunnel !== undefined && isPortalName(tunnel.host)) {
      if (expectsContinue) response.writeContinue();
      const way = tunnel.scheme === 'https' ? 'secure' : 'through';
      return void serveOwn(portal, request, response, { url: request.url ?? '/', client, way });
    }
    void serveRequest(
      this.parts,
      context,
      request,
      response,
      (framing) => tunnelTarget(context, request, framing),
      expectsContinue,
    );
  }
}

function contextOf(request: ServerRequest): ConnectionContext {
  return (request.socket as WithContext)[contextKey] as ConnectionContext;
}

/** True if a client left while nothing was reading: a TLS socket on top would never see the end. */
function hasEnded(socket: Socket): boolean {
  const { _readableState: state } = socket as unknown as { readonly _readableState?: { readonly ended: boolean } };
  return socket.destroyed || state?.ended === true;
}
