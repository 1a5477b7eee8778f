/** The proxy port: one HTTP server for requests to the proxy itself, plain http://, and CONNECT. */

import net, { type AddressInfo, type Socket } from 'node:net';
import type { Config } from '../../../config/load.ts';
import { PrivetError } from '../../../core/errors.ts';
import { ConnectionSet } from '../../http1/connection-set.ts';
import type { Http1Error } from '../../http1/head.ts';
import type { Http1Server } from '../../http1/server.ts';
import type { ServerRequest } from '../../http1/server-request.ts';
import type { ServerResponse } from '../../http1/server-response.ts';
import type { Portal } from '../../portal/portal.ts';
import type { Commit } from '../../reconfigurable.ts';
import { errorAnswer, sendAnswer, sendRaw } from '../answer/answers.ts';
import { discardBody } from '../body/content-coding.ts';
import type { ConnectionContext } from '../exchange.ts';
import { FieldNames } from '../request/headers.ts';
import { portalPath, serveOwn } from '../request/local.ts';
import { type Client, newRecord, nextRequestId, recordRefusal } from '../request/record.ts';
import { serveRequest } from '../request/request.ts';
import { checkFraming, checkHostMatches, type Framing, parseAbsoluteTarget, type Target } from '../request/target.ts';
import { ClientTls, type ClientTlsOptions, readClientTls } from '../tls/client-tls.ts';
import { type ConnectParts, type ListenerParts, serveConnect } from '../tunnel/connect.ts';
import { serveUpgrade } from '../websocket/websocket.ts';
import { forgetListeners, heirOf } from './closed-sockets.ts';
import { readConnectHead } from './connect-head.ts';
import { http1Server } from './http-server.ts';
import { Inlet } from './inlet.ts';
import { Probes } from './keep-alive-probes.ts';
import { parseErrorOf } from './parse-errors.ts';
import { addressOf } from './peer.ts';
import type { ProxyProtocol } from './proxy-protocol.ts';
import { QuietWatch } from './quiet-watch.ts';

/** A longer body of an unauthenticated request is not read; its connection is closed. */
const refusedBodyBytesMax = 1024 * 1024;

/** Interval in which one of the connections over the limit is audited. */
const turnedAwayMs = 1_000;

const ignore = () => {};

/** The proxy listener. */
export class ProxyListener {
  private readonly parts: ListenerParts;
  private readonly portal: Portal;
  private readonly proxyProtocol: ProxyProtocol;
  private readonly sharesPort: boolean;
  private readonly listeners: net.Server[] = [];
  private clientTls: ClientTls | undefined;
  private turnedAwayAt = Number.NEGATIVE_INFINITY;
  private readonly http: Http1Server;
  private readonly sockets = new ConnectionSet<Socket>();
  private readonly probes = new Probes();
  /** Connections without any data so far, such as those that browsers preconnect. */
  private readonly silent: QuietWatch<Socket>;

  /** `sharesPort`: other processes listen on the same port (SO_REUSEPORT). */
  constructor(options: {
    parts: ConnectParts;
    portal: Portal;
    proxyProtocol: ProxyProtocol;
    sharesPort?: boolean;
  }) {
    this.sharesPort = options.sharesPort ?? false;
    const { keepAliveMs } = options.parts.timeouts;
    this.silent = new QuietWatch(keepAliveMs);
    this.parts = { ...options.parts, opening: new QuietWatch(keepAliveMs) };
    this.portal = options.portal;
    this.proxyProtocol = options.proxyProtocol;
    this.http = http1Server(options.parts.timeouts, {
      request: (request, response, expectsContinue) => this.serve(request, response, expectsContinue),
      connect: (request, socket, head) =>
        void serveConnect(this.parts, request, new Inlet(socket), head, this.awaitRequest),
      upgrade: (request, socket, head) => this.upgrade(request, socket, head),
      malformed: (error, socket) => this.malformed(error, socket),
    });
  }

  /** Starts listening; rejects with the system's error (EADDRINUSE, EACCES …). */
  listen(host: string, port: number): Promise<AddressInfo> {
    return this.open(host, port, this.next);
  }

  /** Starts the listener for clients that use TLS to the proxy; rejects like {@link listen}. */
  listenTls(host: string, port: number, options: ClientTlsOptions): Promise<AddressInfo> {
    const { handshakeMs } = this.parts.timeouts;
    const clientTls = new ClientTls({ tls: options, handshakeMs, onSecure: this.next });
    this.clientTls = clientTls;
    return this.open(host, port, (socket) => clientTls.take(socket));
  }

  /** Applies new certificates to the listener of {@link listenTls}. */
  prepare({ listen }: Pick<Config, 'listen'>): Commit {
    const options = listen.proxy_tls === null ? undefined : readClientTls(listen.proxy_tls);
    return () => {
      if (options !== undefined) this.clientTls?.replace(options);
    };
  }

  private open(host: string, port: number, serve: (socket: Socket) => void): Promise<AddressInfo> {
    const listener = net.createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.accept(socket, serve));
    this.listeners.push(listener);
    return new Promise((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ host, port, backlog: 4_096, reusePort: this.sharesPort }, () => {
        listener.off('error', reject);
        resolve(listener.address() as AddressInfo);
      });
    });
  }

  /** Stops accepting and closes idle connections; resolves when the last one is closed. */
  async drain(deadlineMs: number): Promise<void> {
    const closed = Promise.all(
      this.listeners.map((listener) => new Promise<void>((resolve) => listener.close(() => resolve()))),
    );
    this.http.drain();
    this.silent.destroyAll();
    this.parts.opening.destroyAll();
    this.parts.interceptor.drain();
    const timer = setTimeout(() => this.destroy(), deadlineMs);
    await closed;
    await this.tunnelsEnded();
    clearTimeout(timer);
  }

  private async tunnelsEnded(): Promise<void> {
    while (this.parts.tunnels.size > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** Closes everything. */
  destroy(): void {
    this.parts.tunnels.destroyAll();
    this.parts.interceptor.destroy();
    this.sockets.destroyAll();
  }

  private accept(socket: Socket, serve: (socket: Socket) => void): void {
    const entry = this.sockets.add(socket);
    this.parts.observer.connection('client', 1);
    let leave: (() => void) | undefined;
    const probed = this.probes.add(socket);
    socket.on('error', ignore);
    const end = () => {
      this.sockets.delete(entry);
      leave?.();
      this.parts.observer.connection('client', -1);
    };
    socket.on('close', () => {
      this.probes.delete(probed);
      const heir = heirOf(socket);
      if (heir === undefined || heir.closed) end();
      else heir.once('close', end);
      forgetListeners(socket);
    });
    try {
      this.parts.admission.checkRoom();
    } catch (error) {
      this.turnAway(socket, error as PrivetError);
      return;
    }
    this.proxyProtocol.take(socket, (named) => {
      try {
        leave = this.parts.admission.enterConnection(addressOf(named));
      } catch (error) {
        this.turnAway(named, error as PrivetError);
        return;
      }
      serve(named);
    });
  }

  /** Responds on a connection over the limit, without keeping state. */
  private turnAway(socket: Socket, error: PrivetError): void {
    const now = performance.now();
    if (now - this.turnedAwayAt > turnedAwayMs) {
      this.turnedAwayAt = now;
      const address = addressOf(socket);
      const record = newRecord('request', { address, subject: address }, '', '', 0);
      record.exceededLimit = true;
      recordRefusal(this.parts.observer, record, [], error);
    } else this.parts.observer.turnedAway?.();
    sendRaw(socket, error, nextRequestId());
    socket.destroySoon();
  }

  /**
   * Waits for the first bytes of a connection, or for those after a refused CONNECT. A plain CONNECT becomes a tunnel
   * at once, everything else goes to the parser.
   */
  private readonly awaitRequest = (inlet: Inlet): void => {
    const { socket } = inlet;
    const silence = this.silent.add(socket);
    const leave = () => this.silent.delete(silence);
    socket.on('close', leave);
    inlet.read({
      data: (bytes) => {
        leave();
        socket.off('close', leave);
        inlet.hold();
        const connect = readConnectHead(bytes);
        if (connect) void serveConnect(this.parts, connect.request, inlet, connect.rest, this.awaitRequest);
        else this.http.serve(inlet.release(bytes));
      },
      end: () => socket.end(),
    });
  };

  private readonly next = (socket: Socket): void => this.awaitRequest(new Inlet(socket));

  private serve(request: ServerRequest, response: ServerResponse, expectsContinue: boolean): void {
    let client: Client;
    try {
      client = this.parts.admission.admit(request.socket);
    } catch (error) {
      this.refuse(request, response, error as PrivetError);
      return;
    }
    const url = request.url;
    if (url.startsWith('/') || url === '*') {
      this.serveLocal(request, response, { url, client, way: 'direct' }, expectsContinue);
      return;
    }
    if (this.parts.admission.mustSignIn(client)) void this.signInAndForward(client, request, response, expectsContinue);
    else this.forward(client, request, response, expectsContinue);
  }

  private forward(client: Client, request: ServerRequest, response: ServerResponse, expectsContinue: boolean): void {
    const own = portalPath(request.url);
    if (own !== undefined) {
      this.serveLocal(request, response, { url: own, client, way: 'through' }, expectsContinue);
      return;
    }
    const context: ConnectionContext = { client };
    void serveRequest(
      this.parts,
      context,
      request,
      response,
      (framing) => this.target(request, framing),
      expectsContinue,
    );
  }

  private async signInAndForward(
    client: Client,
    request: ServerRequest,
    response: ServerResponse,
    expectsContinue: boolean,
  ): Promise<void> {
    try {
      const user = await this.parts.admission.signIn(client, request.rawHeaders);
      if (!response.destroyed) this.forward(user, request, response, expectsContinue);
    } catch (error) {
      await this.refuseUnknown(client, request, response, error as PrivetError, expectsContinue);
    }
  }

  /** Responds with 407. The client retries on the same connection, so a short body is read first. */
  private async refuseUnknown(
    client: Client,
    request: ServerRequest,
    response: ServerResponse,
    error: PrivetError,
    expectsContinue: boolean,
  ): Promise<void> {
    try {
      const framing = checkFraming(request);
      const { host, port } = this.target(request, framing);
      recordRefusal(
        this.parts.observer,
        newRecord('request', client, request.method, host, port),
        request.rawHeaders,
        error,
      );
      if (!expectsContinue) await discardBody(request, refusedBodyBytesMax);
      this.refuse(request, response, error);
    } catch (malformed) {
      this.refuse(request, response, malformed as PrivetError, true);
    }
  }

  private serveLocal(
    request: ServerRequest,
    response: ServerResponse,
    options: Parameters<typeof serveOwn>[3],
    expectsContinue: boolean,
  ): void {
    if (expectsContinue) response.writeContinue();
    void serveOwn(this.portal, request, response, options);
  }

  private target(request: ServerRequest, framing: Framing): Target {
    const target = parseAbsoluteTarget(request.url, request.method);
    checkHostMatches(target, framing.hosts);
    if (hasPassed(request.rawHeaders, this.parts.pseudonym)) {
      throw new PrivetError('loop_detected', 'The request has already passed through this gateway.');
    }
    return target;
  }

  private upgrade(request: ServerRequest, socket: Socket, head: Buffer): void {
    const { admission } = this.parts;
    const serve = (client: Client) =>
      void serveUpgrade(this.parts, { client }, request, socket, head, (framing) => this.target(request, framing));
    const refuse = (error: PrivetError) => {
      try {
        const { host, port } = this.target(request, checkFraming(request));
        const client = { address: addressOf(socket), subject: addressOf(socket) };
        recordRefusal(
          this.parts.observer,
          newRecord('websocket', client, 'GET', host, port),
          request.rawHeaders,
          error,
        );
        sendRaw(socket, error, nextRequestId(), admission.auth?.answerFields(error));
      } catch (malformed) {
        sendRaw(socket, malformed as PrivetError, nextRequestId());
      }
    };
    try {
      const client = admission.admit(socket);
      if (admission.mustSignIn(client)) admission.signIn(client, request.rawHeaders).then(serve, refuse);
      else serve(client);
    } catch (error) {
      refuse(error as PrivetError);
    }
  }

  private refuse(request: ServerRequest, response: ServerResponse, error: PrivetError, closes = false): void {
    const fields = this.parts.admission.auth?.answerFields(error);
    const answer = errorAnswer(error, {
      requestId: nextRequestId(),
      rawHeaders: request.rawHeaders,
      url: request.url,
      host: '',
      fields,
    });
    sendAnswer(request, response, answer, closes);
  }

  private malformed(error: Http1Error, socket: Socket): void {
    const known = parseErrorOf(error);
    const address = addressOf(socket);
    const record = newRecord('request', { address, subject: address }, '', '', 0);
    record.status = known.status;
    record.error = known.code;
    this.parts.observer.finished(record, 0);
    sendRaw(socket, known, record.requestId);
  }
}

const via = new FieldNames(['via']);

/** True if a gateway with this name has forwarded the request; each one adds to the Via header. */
function hasPassed(rawHeaders: readonly string[], pseudonym: string): boolean {
  return rawHeaders.some(
    (value, i) => i % 2 === 1 && value.includes(pseudonym) && via.has(rawHeaders[i - 1] as string),
  );
}
