/**
 * Interception: the gateway answers the client's TLS itself with a leaf for the host of the CONNECT, and hands the
 * decrypted connection to the HTTP servers. Both servers are without a listener; they only get connections from here.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import http2, {
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { LeafCache } from '../../certs/leaf-cache.ts';
import { afterAnswers } from './answer-order.ts';
import { sendRaw } from './answers.ts';
import {
  type ClientTimeouts,
  headerBytesMax,
  headerPairsMax,
  httpServerWithoutListener,
  serverTimeouts,
} from './http-server.ts';
import { isPortalName, serveOwn } from './local.ts';
import { parseErrorOf } from './parse-errors.ts';
import { nextRequestId } from './record.ts';
import { type ClientRequest, type ConnectionContext, type ProxyParts, serveRequest, tunnelTarget } from './request.ts';
import { opensWithRequest } from './request-line.ts';
import { Roster } from './roster.ts';
import type { Framing } from './target.ts';
import { serveUpgrade } from './websocket.ts';
import { isWebSocketConnect, upgradeOf } from './websocket-h2.ts';

/** A client that leaves within this time after the handshake, without a word, has looked at our certificate and declined. */
const declineMs = 1_000;

const contextKey = Symbol('privet connection');
type WithContext = { [contextKey]?: ConnectionContext };

/** The ALPN list in its wire form (RFC 7301 §3.1): each name with its length before it. */
const protocols = Buffer.concat(
  ['h2', 'http/1.1', 'http/1.0'].map((name) => Buffer.from(`${String.fromCharCode(name.length)}${name}`)),
);

/** Serves the inside of tunnels. */
export class Interceptor {
  private readonly parts: ProxyParts;
  private readonly leaves: LeafCache;
  private readonly timeouts: ClientTimeouts;
  private readonly http1: Server;
  private readonly http2: Http2Server;
  private readonly sessions = new Roster<ServerHttp2Session>();
  private readonly sockets = new Roster<Socket>();
  /** Connections on which a request has come. */
  private readonly spoken = new WeakSet<ConnectionContext>();

  constructor(options: { parts: ProxyParts; leaves: LeafCache; timeouts: ClientTimeouts }) {
    this.timeouts = options.timeouts;
    this.parts = options.parts;
    this.leaves = options.leaves;
    this.http1 = httpServerWithoutListener(serverTimeouts(options.timeouts));
    this.http1.on('request', (request, response) => this.serve(contextOf(request), request, response));
    this.http1.on('checkContinue', (request, response) => this.serve(contextOf(request), request, response, true));
    this.http1.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const context = contextOf(request);
      this.spoke(context);
      const target = (framing: Framing) => tunnelTarget(context, request, framing);
      afterAnswers(socket, () => void serveUpgrade(this.parts, context, request, socket, head, target));
    });
    this.http1.on('connect', (_request: IncomingMessage, socket: Socket) => {
      const error = parseErrorOf({ code: 'PRIVET_NESTED_CONNECT' });
      afterAnswers(socket, () => sendRaw(socket, error, nextRequestId()));
    });
    this.http1.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return void socket.destroy();
      afterAnswers(socket, () => sendRaw(socket, parseErrorOf(error), nextRequestId()));
    });
    this.http2 = http2.createServer({
      settings: {
        maxConcurrentStreams: 128,
        maxHeaderListSize: headerBytesMax,
        initialWindowSize: 1_048_576,
        enableConnectProtocol: true,
      },
      // Browsers send each cookie as a field of its own (RFC 9113 §8.2.3); node's default of 128 fields is less than what
      // large sites set.
      maxHeaderListPairs: headerPairsMax,
      maxSessionMemory: 32,
    });
    this.http2.on('session', (session) => {
      const context = (session.socket as unknown as WithContext)[contextKey];
      if (context) (session as unknown as WithContext)[contextKey] = context;
      this.sessions.add(session);
      session.on('error', () => {});
      session.once('close', () => this.sessions.delete(session));
    });
    this.http2.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const session = request.stream.session as unknown as WithContext | undefined;
      if (session?.[contextKey]) this.serve(session[contextKey], request, response);
      else request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    });
    this.http2.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const context = (request.stream.session as unknown as WithContext | undefined)?.[contextKey];
      if (!context) return void request.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
      if (!isWebSocketConnect(request)) return this.serve(context, request, response);
      this.spoke(context);
      const upgrade = upgradeOf(request);
      void serveUpgrade(this.parts, context, upgrade.request, upgrade.socket, Buffer.alloc(0), (framing) =>
        tunnelTarget(context, request, framing),
      );
    });
    this.http2.on('sessionError', () => {});
  }

  /** Intercepts TLS on a socket whose unread bytes begin with a ClientHello. */
  async secure(
    socket: Socket,
    context: ConnectionContext,
    clientOffersEcdsa: boolean,
    onClose: () => void,
  ): Promise<void> {
    const { host } = context.tunnel as NonNullable<ConnectionContext['tunnel']>;
    let secureContext: tls.SecureContext;
    try {
      secureContext = clientOffersEcdsa
        ? this.leaves.contextFor(host, context.client.address)
        : await this.leaves.contextFor(host, context.client.address, { rsa: true });
    } catch (error) {
      this.parts.observer.fault({ requestId: nextRequestId(), error });
      socket.destroy();
      onClose();
      return;
    }
    const options = { isServer: true, secureContext, ALPNProtocols: protocols };
    const secured = new tls.TLSSocket(socket, options as tls.TLSSocketOptions);
    (secured as WithContext)[contextKey] = context;
    this.sockets.add(secured);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      secured.destroy();
    }, this.timeouts.handshakeMs);
    let established = false;
    let establishedAt = 0;
    let hasLeft = false;
    // A client that leaves in the middle of the handshake sends its end without an alert; half-open sockets tell it
    // only to who reads.
    secured.once('end', () => {
      hasLeft = true;
      // HTTP/2 has no half-open connections; without this, streams that nobody writes to would stay.
      if (!established || secured.alpnProtocol === 'h2') secured.destroy();
    });
    const onReadable = () => void (established || secured.read(0));
    secured.on('readable', onReadable);
    secured.once('secure', () => secured.off('readable', onReadable));
    secured.on('error', (error: NodeJS.ErrnoException) => {
      hasLeft = true;
      if (!established)
        this.parts.observer.tlsClientReject({ host, client: context.client, code: error.code ?? 'UNKNOWN' });
      established = true;
      secured.destroy();
    });
    secured.once('close', () => {
      clearTimeout(timer);
      this.sockets.delete(secured);
      const code = isLate ? 'TIMEOUT' : 'CLOSED';
      if (!established) this.parts.observer.tlsClientReject({ host, client: context.client, code });
      // Node and apps with a pinner of their own verify after the handshake, and send no alert.
      else if (
        hasLeft &&
        establishedAt > 0 &&
        !this.spoken.has(context) &&
        performance.now() - establishedAt < declineMs
      )
        this.parts.observer.tlsClientReject({ host, client: context.client, code: 'DECLINED' });
      socket.destroy();
      onClose();
    });
    secured.once('secure', () => {
      clearTimeout(timer);
      established = true;
      establishedAt = performance.now();
      secured.setNoDelay(true);
      // node clears this only for sockets of its own tls.Server; http2 waits while it is set.
      (secured as unknown as { secureConnecting: boolean }).secureConnecting = false;
      if (secured.alpnProtocol === 'h2') this.http2.emit('connection', secured);
      else this.startHttp1(secured);
    });
  }

  /** Waits for the first bytes of a connection, which have to be a request line, and hands it over. */
  private startHttp1(socket: Socket): void {
    const onSilence = () => socket.destroy();
    const onEnd = () => socket.end();
    socket.setTimeout(this.timeouts.keepAliveMs, onSilence);
    socket.once('end', onEnd);
    socket.once('data', (bytes: Buffer) => {
      socket.setTimeout(0, onSilence);
      socket.off('end', onEnd);
      if (!opensWithRequest(bytes)) {
        sendRaw(socket, parseErrorOf({}), nextRequestId());
        return;
      }
      socket.pause();
      socket.unshift(bytes);
      this.http1.emit('connection', socket);
      socket.resume();
    });
  }

  /** Serves plain HTTP inside a tunnel (`CONNECT host:80`), under the same policy. */
  plain(socket: Socket, context: ConnectionContext, onClose: () => void): void {
    (socket as WithContext)[contextKey] = context;
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      onClose();
    });
    this.http1.emit('connection', socket);
    // It was paused while its first bytes were looked at.
    socket.resume();
  }

  /** Tells clients to go elsewhere and lets running requests finish. */
  drain(): void {
    for (const session of this.sessions.list()) session.close();
    this.http1.closeIdleConnections();
  }

  /** Cuts everything that is left. */
  destroy(): void {
    this.sessions.destroyAll();
    this.sockets.destroyAll();
  }

  /** The client has sent a request, and so accepted our certificate. */
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
      if (expectsContinue) (response as ServerResponse).writeContinue();
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

function contextOf(request: IncomingMessage): ConnectionContext {
  return (request.socket as WithContext)[contextKey] as ConnectionContext;
}
