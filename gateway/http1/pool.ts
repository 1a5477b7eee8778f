/** Pools of reusable connections to origins, each for one request at a time. */
import type { Socket } from 'node:net';
import { Connection, type ConnectionLimits } from './connection.ts';
import { Http1Error } from './head.ts';
import type { ParentForm, WireRequest } from './request-head.ts';
import { type AnswerHandler, UpstreamExchange } from './upstream-exchange.ts';
import { WriteRoom } from './write-room.ts';

/** Opens a connection to an origin (`https://host:port`). */
export type Connect = (
  origin: string,
  callback: (error: Error | null, socket?: Socket, parent?: ParentForm) => void,
) => void;

/** Options of {@link Pools}. Times in milliseconds. */
export type PoolOptions = {
  readonly connect: Connect;
  /** From the end of the request to the response head; also the time to wait for a free connection. */
  readonly firstByteMs: number;
  /** Between two pieces of a response. */
  readonly bodyIdleMs: number;
  /** How long an idle connection is kept, unless the origin states a time. */
  readonly keepAliveMs: number;
  /** Connection limit per origin; further requests wait. */
  readonly connectionsMax: number;
  /** A client that stalls a connection this long (times six while it reads) loses it if others need it; default 5 s. */
  readonly stalledMs?: number;
};

const stalledMsDefault = 5_000;
/** Upper limit for the origin's keep-alive time. */
const keepAliveMaxMs = 600_000;
/** An origin closes a connection at the announced time, so it is not used shortly before. */
const keepAliveMarginMs = 2_000;

/** Shared by all pools, some of which live only as long as a client connection. */
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
    // Limits are accurate to a quarter of the shorter one, so one timer serves all connections.
    this.#tickMs = Math.max(10, Math.min(1_000, options.firstByteMs / 4, options.bodyIdleMs / 4));
    const ticks = (ms: number) => Math.ceil(ms / this.#tickMs) + 1;
    this.#limits = { headTicks: ticks(options.firstByteMs), bodyTicks: ticks(options.bodyIdleMs) };
    this.#stalledTicks = ticks(options.stalledMs ?? stalledMsDefault);
  }

  /** Sends a request on a free or new connection; the handler gets the response. */
  dispatch(origin: string, request: WireRequest, handler: AnswerHandler): void {
    this.#poolOf(origin).dispatch(request, handler);
  }

  /** True if a connection to the origin exists or is being opened. */
  has(origin: string): boolean {
    return this.#pools.has(origin);
  }

  /** Adds a free connection opened elsewhere; surplus ones are closed. */
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

  /** Closes idle connections now, others after their requests; resolves when all are closed. */
  close(): Promise<void> {
    for (const pool of this.#pools.values()) pool.close();
    if (this.#pools.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** Closes all connections immediately. */
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
  /** Idle connections; the most recently used is reused first, so that others can expire. */
  readonly #idle: Connection[] = [];
  readonly #waiting = new Set<UpstreamExchange>();
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
    const exchange = new UpstreamExchange(request, handler);
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
    // While a connection is being opened, the connect timeout limits the wait instead.
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

  /** Aborts the requests whose clients have stalled a connection the longest. */
  #takeFromStalled(ticksMin: number): void {
    const stalled = [...this.#connections].filter(({ stalledTicks }) => stalledTicks >= ticksMin);
    stalled.sort((a, b) => b.stalledTicks - a.stalledTicks);
    for (const connection of stalled.slice(0, this.#waiting.size))
      connection.fail(new Http1Error('HTTP1_STALLED', 'the client kept the connection waiting while others needed it'));
  }

  #takeWaiting(): UpstreamExchange | undefined {
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

  /** Opens connections for waiting requests, up to the limit. */
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

  /** Adds a new connection and gives it to a waiting request. */
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
