/** Connections to origins that are kept and used again, each for one request at a time. */
import type { Socket } from 'node:net';
import { Connection, type ConnectionLimits } from './connection.ts';
import { type AnswerHandler, Exchange } from './exchange.ts';
import { Http1Error } from './head.ts';
import type { ParentForm, WireRequest } from './request-head.ts';
import { WriteRoom } from './write-room.ts';

/** Opens a connection to an origin (`https://host:port`). */
export type Connect = (
  origin: string,
  callback: (error: Error | null, socket?: Socket, parent?: ParentForm) => void,
) => void;

/** Options of {@link Pools}. Times in milliseconds. */
export type PoolOptions = {
  readonly connect: Connect;
  /** From the end of the request to the head of the answer; also for a connection to become free. */
  readonly firstByteMs: number;
  /** Between two pieces of an answer. */
  readonly bodyIdleMs: number;
  /** How long a free connection is kept when the origin does not say. */
  readonly keepAliveMs: number;
  /** Connections to one origin; further requests wait. */
  readonly connectionsMax: number;
  /** A client that keeps a connection waiting for so long, or six times so with an answer, gives it up when others need it; default 5 s. */
  readonly stalledMs?: number;
};

const stalledMsDefault = 5_000;
/** However long an origin offers to keep a connection. */
const keepAliveMaxMs = 600_000;
/** An origin closes a connection at the time that it has told; it is not used in the last moment before. */
const keepAliveMarginMs = 2_000;

/** One for all pools: some live as long as one client's connection. */
const room = new WriteRoom();

/** The pools of all origins. */
export class Pools {
  readonly #options: PoolOptions;
  readonly #limits: ConnectionLimits;
  readonly #tickMs: number;
  readonly #stalledTicks: number;
  readonly #pools = new Map<string, OriginPool>();
  #timer: NodeJS.Timeout | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    // Limits are kept to a quarter of the shorter one, so that one timer does for all connections.
    this.#tickMs = Math.max(10, Math.min(1_000, options.firstByteMs / 4, options.bodyIdleMs / 4));
    const ticks = (ms: number) => Math.ceil(ms / this.#tickMs) + 1;
    this.#limits = { headTicks: ticks(options.firstByteMs), bodyTicks: ticks(options.bodyIdleMs) };
    this.#stalledTicks = ticks(options.stalledMs ?? stalledMsDefault);
  }

  /** Sends a request on a free connection, or on a new one; the handler gets the answer. */
  dispatch(origin: string, request: WireRequest, handler: AnswerHandler): void {
    this.#poolOf(origin).dispatch(request, handler);
  }

  /** Whether there is a connection to the origin, or one is being opened. */
  has(origin: string): boolean {
    return this.#pools.has(origin);
  }

  /** Takes a connection to an origin that somebody else has opened; it is free. One too many is closed. */
  adopt(origin: string, socket: Socket): void {
    this.#poolOf(origin).adopt(socket);
  }

  #poolOf(origin: string): OriginPool {
    let pool = this.#pools.get(origin);
    if (pool === undefined) {
      pool = new OriginPool(origin, room, this.#options, this.#limits, () => this.#empty(origin));
      this.#pools.set(origin, pool);
      this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
    }
    return pool;
  }

  /** Closes free connections now and the others after their requests; resolves when all are closed. */
  close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.close();
    if (this.#pools.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** Cuts all connections. */
  destroy(): void {
    for (const pool of [...this.#pools.values()]) pool.destroy();
  }

  #empty(origin: string): void {
    this.#pools.delete(origin);
    if (this.#pools.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#onEmpty?.();
  }

  #tick(): void {
    for (const pool of this.#pools.values()) pool.tick(this.#stalledTicks);
  }
}

class OriginPool {
  readonly room: WriteRoom;
  readonly #origin: string;
  readonly #options: PoolOptions;
  readonly #limits: ConnectionLimits;
  readonly #onEmpty: () => void;
  readonly #connections = new Set<Connection>();
  /** Free connections; the one that was used last is taken first, so that the others can end. */
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<Exchange>();
  #opening = 0;
  #isClosing = false;

  constructor(origin: string, room: WriteRoom, options: PoolOptions, limits: ConnectionLimits, onEmpty: () => void) {
    this.#origin = origin;
    this.room = room;
    this.#options = options;
    this.#limits = limits;
    this.#onEmpty = onEmpty;
  }

  dispatch(request: WireRequest, handler: AnswerHandler): void {
    const exchange = new Exchange(request, handler);
    exchange.start();
    if (exchange.isOver) {
      this.#checkEmpty();
      return;
    }
    const connection = this.#takeIdle();
    if (connection !== undefined) {
      connection.send(exchange);
      return;
    }
    exchange.waitIn(this.#waiting, this.#limits.headTicks);
    this.#open();
  }

  close(): void {
    this.#isClosing = true;
    for (const connection of this.#connections) connection.isLast = true;
    for (const connection of this.#idle.splice(0)) connection.socket.destroy();
  }

  destroy(): void {
    this.#isClosing = true;
    for (const connection of [...this.#connections]) connection.fail(new Error('the gateway stops'));
    this.#failAll(new Error('the gateway stops'));
  }

  tick(stalledTicks: number): void {
    for (const connection of this.#connections) connection.tick();
    // Whoever is being connected for waits within the limits of that.
    if (this.#opening === 0 && this.#waiting.size > 0) {
      for (const exchange of this.#waiting) exchange.waited();
      this.#takeFromStalled(stalledTicks);
    }
    const now = performance.now();
    while (this.#idle.length > 0 && (this.#idle[0] as Connection).idleUntil <= now)
      this.#idle.shift()?.socket.destroy();
  }

  free(connection: Connection, keepAlive: string | undefined): void {
    const keptMs =
      keepAlive === undefined ? this.#options.keepAliveMs : announcedMs(keepAlive, this.#options.keepAliveMs);
    if (keptMs <= 0 || this.#isClosing) {
      connection.socket.destroy();
      return;
    }
    const next = this.#takeWaiting();
    if (next !== undefined) {
      connection.send(next);
      return;
    }
    connection.idleUntil = performance.now() + keptMs;
    this.#idle.push(connection);
  }

  ended(connection: Connection): void {
    this.#connections.delete(connection);
    const at = this.#idle.indexOf(connection);
    if (at !== -1) this.#idle.splice(at, 1);
    this.#open();
    this.#checkEmpty();
  }

  /** Ends requests whose clients have kept a connection waiting for longest. */
  #takeFromStalled(ticksMin: number): void {
    const stalled = [...this.#connections].filter(({ stalledTicks }) => stalledTicks >= ticksMin);
    stalled.sort((a, b) => b.stalledTicks - a.stalledTicks);
    for (const connection of stalled.slice(0, this.#waiting.size))
      connection.fail(new Http1Error('HTTP1_STALLED', 'the client kept the connection waiting while others needed it'));
  }

  #takeWaiting(): Exchange | undefined {
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      return next;
    }
    return undefined;
  }

  #takeIdle(): Connection | undefined {
    const now = this.#idle.length === 0 ? 0 : performance.now();
    for (let connection = this.#idle.pop(); connection !== undefined; connection = this.#idle.pop()) {
      if (connection.isUsable && connection.idleUntil > now) return connection;
      connection.socket.destroy();
    }
    return undefined;
  }

  /** Opens connections for those that wait, as many as may be. */
  #open(): void {
    while (
      this.#opening < this.#waiting.size &&
      this.#connections.size + this.#opening < this.#options.connectionsMax
    ) {
      this.#opening++;
      this.#options.connect(this.#origin, (error, socket, parent) => {
        this.#opening--;
        if (error || socket === undefined) {
          this.#takeWaiting()?.failed(error ?? new Error('no connection'));
          this.#open();
          this.#checkEmpty();
          return;
        }
        this.adopt(socket, parent);
      });
    }
  }

  /** Takes a new connection, for one that waits. */
  adopt(socket: Socket, parent?: ParentForm): void {
    if (this.#connections.size + this.#opening >= this.#options.connectionsMax) {
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, this, this.#limits, parent);
    this.#connections.add(connection);
    const next = this.#takeWaiting();
    if (this.#isClosing) connection.isLast = true;
    if (next !== undefined) connection.send(next);
    else if (this.#isClosing) socket.destroy();
    else this.free(connection, undefined);
  }

  #failAll(error: Error): void {
    for (let next = this.#takeWaiting(); next !== undefined; next = this.#takeWaiting()) next.failed(error);
    this.#checkEmpty();
  }

  #checkEmpty(): void {
    if (this.#connections.size + this.#opening + this.#waiting.size === 0) this.#onEmpty();
  }
}

function announcedMs(keepAlive: string, otherwise: number): number {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,9})/i.exec(keepAlive)?.[1];
  if (seconds === undefined) return otherwise;
  return Math.min(Number(seconds) * 1_000 - keepAliveMarginMs, keepAliveMaxMs);
}
