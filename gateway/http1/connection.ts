/**
 * An HTTP/1.1 connection to an origin: one request at a time, its response passed on as it arrives. Unsolicited data
 * closes the connection, because it would be read as the next response (RFC 9112 §9.2).
 */
import type { Socket } from 'node:net';
import { HeadCollector, Http1Error } from './head.ts';
import type { ParentForm } from './request-head.ts';
import type { Carrier, UpstreamExchange } from './upstream-exchange.ts';
import type { WriteRoom } from './write-room.ts';

/** Time limits in pool ticks; 0 means none. */
export type ConnectionLimits = { readonly headTicks: number; readonly bodyTicks: number };

/** A client that transfers fewer bytes per tick (at most a second) counts as stalled. */
const stalledBytesMax = 512;

/** Notified when a connection is free again or has ended. */
export type ConnectionOwner = {
  readonly room: WriteRoom;
  free(connection: Connection, keepAlive: string | undefined): void;
  ended(connection: Connection): void;
};

/** A connection to an origin. */
export class Connection implements Carrier {
  readonly socket: Socket;
  readonly parent: ParentForm | undefined;
  readonly room: WriteRoom;
  readonly #owner: ConnectionOwner;
  readonly #limits: ConnectionLimits;
  readonly #head = new HeadCollector();
  #exchange: UpstreamExchange | undefined;
  #ticks = 0;
  #bytes = 0;
  /** Ticks for which the client stalls a waiting origin; while it reads a response, every sixth tick counts. */
  stalledTicks = 0;
  /** True once the pool has closed: the connection ends with its request. */
  isLast = false;
  /** When an idle connection expires, as `performance.now()`. */
  idleUntil = 0;

  /** `parent`: the socket leads to a parent proxy, which gets the absolute URL of each request. */
  constructor(socket: Socket, owner: ConnectionOwner, limits: ConnectionLimits, parent?: ParentForm) {
    this.socket = socket;
    this.room = owner.room;
    this.parent = parent;
    this.#owner = owner;
    this.#limits = limits;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** True if a request can be sent. */
  get isUsable(): boolean {
    return this.#exchange === undefined && !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded;
  }

  /** Sends a request; the connection must be free. */
  send(exchange: UpstreamExchange): void {
    this.#exchange = exchange;
    this.#ticks = this.#limits.headTicks;
    this.stalledTicks = 0;
    try {
      exchange.sendOn(this);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  moved(): void {
    this.#ticks = this.#exchange?.reader === undefined ? this.#limits.headTicks : this.#limits.bodyTicks;
  }

  /** Called every tick; gives up an origin that has transferred nothing for too long. */
  tick(): void {
    const exchange = this.#exchange;
    if (exchange === undefined || this.#ticks === 0) return;
    if (exchange.paused || (exchange.isWriting && !this.socket.writableNeedDrain)) {
      const bytes = this.socket.bytesRead + this.socket.bytesWritten;
      // The kernel has buffered part of the response, so the client may be reading for longer.
      const part = exchange.paused ? 1 / 6 : 1;
      this.stalledTicks = bytes - this.#bytes < stalledBytesMax ? this.stalledTicks + part : 0;
      this.#bytes = bytes;
      return;
    }
    this.stalledTicks = 0;
    this.#ticks--;
    if (this.#ticks > 0) return;
    this.fail(
      exchange.reader === undefined
        ? new Http1Error('HTTP1_HEAD_TIMEOUT', 'no response in time')
        : new Http1Error('HTTP1_BODY_TIMEOUT', 'the answer stopped'),
    );
  }

  /** Closes the connection; its request fails with the error. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.socket.destroy();
    exchange?.failed(error);
  }

  /** Completes the request: the connection becomes free or is closed. */
  done(isKept: boolean, keepAlive: string | undefined): void {
    this.#exchange = undefined;
    if (isKept && !this.isLast && this.socket.writable) this.#owner.free(this, keepAlive);
    else this.socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    const exchange = this.#exchange;
    if (exchange === undefined) {
      this.socket.destroy();
      return;
    }
    try {
      this.#read(exchange, bytes);
    } catch (error) {
      this.fail(error as Error);
    }
  };

  #read(exchange: UpstreamExchange, bytes: Buffer): void {
    let rest = bytes;
    while (exchange.reader === undefined) {
      const head = this.#head.push(rest);
      if (head === undefined) return;
      rest = head.rest;
      exchange.startAnswer(head.text, rest);
      // Answered without a body, or aborted.
      if (this.#exchange !== exchange) return;
    }
    this.#ticks = this.#limits.bodyTicks;
    if (rest.length > 0) exchange.reader.push(rest);
  }

  readonly #onEnd = (): void => {
    const exchange = this.#exchange;
    if (exchange?.reader?.endsWithConnection) exchange.end(undefined, []);
    else this.fail(new Http1Error('HTTP1_CLOSED', 'the origin closed the connection'));
  };

  readonly #onError = (error: Error): void => {
    this.fail(error);
  };

  readonly #onClose = (): void => {
    this.fail(new Http1Error('HTTP1_CLOSED', 'the connection was closed'));
    this.#owner.ended(this);
  };
}
