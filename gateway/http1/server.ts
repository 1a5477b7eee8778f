/**
 * The HTTP/1.1 server for client connections handed over to it. It answers each request before reading the next, so
 * nothing after a malformed message, a CONNECT or an upgrade is misinterpreted.
 */

import type { Socket } from 'node:net';
import { ConnectionSet } from './connection-set.ts';
import { type Handlers, ServerConnection } from './server-connection.ts';

export type { Handlers } from './server-connection.ts';

/** Time limits in milliseconds. */
export type ServerTimeouts = {
  /** For a head, from its first byte. */
  readonly headerMs: number;
  /** For a connection waiting for a request. */
  readonly keepAliveMs: number;
};

/** How long an unwanted body is drained before the connection is closed. */
const unwantedMs = 10_000;

/** Serves client connections. */
export class Http1Server {
  readonly handlers: Handlers;
  readonly keepAliveSeconds: number;
  readonly headTicks: number;
  readonly keepAliveTicks: number;
  readonly unwantedTicks: number;
  readonly #tickMs: number;
  readonly #connections = new ConnectionSet<ServerConnection>();
  #timer: NodeJS.Timeout | undefined;
  /** True if every response is now the last on its connection. */
  isDraining = false;

  constructor(handlers: Handlers, timeouts: ServerTimeouts) {
    this.handlers = handlers;
    this.keepAliveSeconds = Math.floor(timeouts.keepAliveMs / 1_000);
    // One timer for all connections; limits are accurate to a quarter of the shorter one.
    this.#tickMs = Math.max(10, Math.min(1_000, timeouts.headerMs / 4, timeouts.keepAliveMs / 4));
    this.headTicks = Math.ceil(timeouts.headerMs / this.#tickMs) + 1;
    this.keepAliveTicks = Math.ceil(timeouts.keepAliveMs / this.#tickMs) + 1;
    this.unwantedTicks = Math.ceil(unwantedMs / this.#tickMs) + 1;
  }

  /**
   * Takes over a connection. Data that was already read has been put back with `unshift`, or is passed as `early` if
   * the client may have half-closed since: Node does not accept `unshift` after the end.
   */
  serve(socket: Socket, early?: Buffer): void {
    if (socket.destroyed) return;
    const connection = new ServerConnection(this, socket);
    connection.entry = this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    if (early !== undefined) connection.begin(early);
  }

  /** Closes idle connections, and every other one after its response. */
  drain(): void {
    this.isDraining = true;
    for (const connection of this.#connections.list()) connection.closeIfIdle();
  }

  /** Removes a connection that has ended or was handed over. */
  forget(connection: ServerConnection): void {
    this.#connections.delete(connection.entry);
  }

  /** Runs the timer; it is not restarted for each of many short connections. */
  #tick(): void {
    if (this.#connections.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    for (const connection of this.#connections.list()) connection.tick();
  }
}
