/**
 * HTTP/1.1 towards clients, on connections that are handed over: one request at a time, each answered before the next
 * one is read, so that nothing behind a malformed message, a CONNECT or an upgrade is taken for something else.
 */
import type { Socket } from 'node:net';
import type { Framing, Http1Error, RequestHead } from './head.ts';
import { Roster } from './roster.ts';
import { ServerConnection } from './server-connection.ts';
import type { ServerRequest } from './server-request.ts';
import type { ServerResponse } from './server-response.ts';

/** What the server does with what it reads. */
export type Handlers = {
  /** The framing of the body; throws for a message that two parsers could read in two ways. */
  framing(head: RequestHead): Framing;
  request(request: ServerRequest, response: ServerResponse, expectsContinue: boolean): void;
  /** The socket with the bytes behind the head is the receiver's. */
  connect(request: ServerRequest, socket: Socket, behind: Buffer): void;
  /** As {@link connect}; whether a request is an upgrade is told by `isUpgrade`. */
  upgrade(request: ServerRequest, socket: Socket, behind: Buffer): void;
  isUpgrade(request: ServerRequest): boolean;
  /** Something that is no HTTP, or did not come in time (`HTTP1_HEAD_TIMEOUT`); the socket is the receiver's to answer. */
  malformed(error: Http1Error, socket: Socket): void;
};

/** Time limits in milliseconds. */
export type ServerTimeouts = {
  /** For a head, from its first byte on. */
  readonly headerMs: number;
  /** For a connection that waits for a request. */
  readonly keepAliveMs: number;
};

/** How long the rest of a body is read that nobody wanted, before the connection is cut. */
const unwantedMs = 10_000;

/** Serves the connections that it is given. */
export class Http1Server {
  readonly handlers: Handlers;
  readonly keepAliveSeconds: number;
  readonly headTicks: number;
  readonly keepAliveTicks: number;
  readonly unwantedTicks: number;
  readonly #tickMs: number;
  readonly #connections = new Roster<ServerConnection>();
  #timer: NodeJS.Timeout | undefined;
  /** From now on every answer is the last one of its connection. */
  isDraining = false;

  constructor(handlers: Handlers, timeouts: ServerTimeouts) {
    this.handlers = handlers;
    this.keepAliveSeconds = Math.floor(timeouts.keepAliveMs / 1_000);
    // One timer for all connections; limits are kept to a quarter of the shorter one.
    this.#tickMs = Math.max(10, Math.min(1_000, timeouts.headerMs / 4, timeouts.keepAliveMs / 4));
    this.headTicks = Math.ceil(timeouts.headerMs / this.#tickMs) + 1;
    this.keepAliveTicks = Math.ceil(timeouts.keepAliveMs / this.#tickMs) + 1;
    this.unwantedTicks = Math.ceil(unwantedMs / this.#tickMs) + 1;
  }

  /**
   * Takes a connection over. Bytes that were read from it already are given back with `unshift` before, or as `early`
   * where the client may have ended its side since: node takes nothing back behind an end.
   */
  serve(socket: Socket, early?: Buffer): void {
    if (socket.destroyed) return;
    const connection = new ServerConnection(this, socket);
    connection.seat = this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    if (early !== undefined) connection.begin(early);
  }

  /** Closes the connections that wait, and every other one after its answer. */
  drain(): void {
    this.isDraining = true;
    for (const connection of this.#connections.list()) connection.closeIfIdle();
  }

  /** A connection has ended or is another's now. */
  forget(connection: ServerConnection): void {
    this.#connections.delete(connection.seat);
  }

  /** Where connections come and go one at a time, the timer is not set anew for each. */
  #tick(): void {
    if (this.#connections.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const connection of this.#connections.list()) connection.tick();
  }
}
