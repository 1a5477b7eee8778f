/**
 * One connection to an origin over HTTP/1.1: one request at a time, its answer handed on as it arrives. What comes
 * without having been asked for ends the connection, because it would be taken for the next answer (RFC 9112 §9.2).
 */
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { BodyReader } from './body-reader.ts';
import { answerFraming, HeadCollector, Http1Error, readAnswerHead } from './head.ts';
import { type ParentForm, requestHead, type WireRequest } from './request-head.ts';

/** Gets the answer; undici's handlers have the same shape. */
export type AnswerHandler = Dispatcher.DispatchHandler;

/** Time limits in ticks of the pool; 0 is none. */
export type ConnectionLimits = { readonly headTicks: number; readonly bodyTicks: number };

/** What a connection tells the pool: it is free again, or it has ended. */
export type ConnectionOwner = {
  free(connection: Connection, keepAlive: string | undefined): void;
  ended(connection: Connection): void;
};

/** Bodies up to this size leave in one write with their head. */
const joinedBytesMax = 65_536;
const noHeaders = {};
const crlf = Buffer.from('\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** A connection to an origin. */
export class Connection {
  readonly socket: Socket;
  readonly parent: ParentForm | undefined;
  readonly #owner: ConnectionOwner;
  readonly #limits: ConnectionLimits;
  readonly #head = new HeadCollector();
  #exchange: Exchange | undefined;
  #ticks = 0;
  /** Set when the pool has closed: the connection ends with its request. */
  isLast = false;
  /** Tick of the pool at which the connection is no longer used. */
  idleUntil = 0;

  /** `parent`: the socket leads to a parent proxy, which is told the whole address of each request. */
  constructor(socket: Socket, owner: ConnectionOwner, limits: ConnectionLimits, parent?: ParentForm) {
    this.socket = socket;
    this.parent = parent;
    this.#owner = owner;
    this.#limits = limits;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  /** Whether a request may be sent. */
  get isUsable(): boolean {
    return this.#exchange === undefined && !this.socket.destroyed && this.socket.writable && !this.socket.readableEnded;
  }

  /** Sends a request; the connection must be free. */
  send(request: WireRequest, handler: AnswerHandler): void {
    const exchange = new Exchange(this, request, handler);
    this.#exchange = exchange;
    handler.onRequestStart?.(exchange, noHeaders);
    if (exchange.aborted) return;
    this.#ticks = this.#limits.headTicks;
    try {
      exchange.write();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Another tick has passed; a connection that says nothing for too long is given up. */
  tick(): void {
    const exchange = this.#exchange;
    if (exchange === undefined || this.#ticks === 0 || exchange.isWriting || exchange.paused) return;
    this.#ticks--;
    if (this.#ticks > 0) return;
    this.fail(
      exchange.reader === undefined
        ? new Http1Error('HTTP1_HEAD_TIMEOUT', 'no answer in time')
        : new Http1Error('HTTP1_BODY_TIMEOUT', 'the answer stopped'),
    );
  }

  /** Ends the connection; its request fails with the error. */
  fail(error: Error): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.socket.destroy();
    exchange?.failed(error);
  }

  /** The request is through: the connection is free, or no longer of use. */
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

  #read(exchange: Exchange, bytes: Buffer): void {
    let rest = bytes;
    while (exchange.reader === undefined) {
      const head = this.#head.push(rest);
      if (head === undefined) return;
      rest = head.rest;
      exchange.startAnswer(head.text, rest);
      // Answered without a body, or given up.
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

/** A request and its answer; it is the controller of its handler. */
class Exchange implements Dispatcher.DispatchController {
  readonly #connection: Connection;
  readonly #request: WireRequest;
  readonly #handler: AnswerHandler;
  reader: BodyReader | undefined;
  /** A stream is being sent. */
  isWriting = false;
  paused = false;
  aborted = false;
  reason: Error | null = null;
  rawHeaders: string[] | null = null;
  rawTrailers: string[] | null = null;
  #keeps = false;
  #keepAlive: string | undefined;
  #isOver = false;
  #stopWriting: (() => void) | undefined;

  constructor(connection: Connection, request: WireRequest, handler: AnswerHandler) {
    this.#connection = connection;
    this.#request = request;
    this.#handler = handler;
  }

  abort(reason: Error): void {
    if (this.#isOver || this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#connection.fail(reason);
  }

  pause(): void {
    if (this.#isOver || this.paused) return;
    this.paused = true;
    this.#connection.socket.pause();
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    if (!this.#isOver) this.#connection.socket.resume();
  }

  write(): void {
    const { socket, parent } = this.#connection;
    const { body } = this.#request;
    const { head, isChunked } = requestHead(this.#request, parent);
    if (body === null) {
      socket.write(head, 'latin1');
    } else if (Buffer.isBuffer(body)) {
      if (body.length <= joinedBytesMax) {
        const whole = Buffer.allocUnsafe(head.length + body.length);
        whole.write(head, 0, 'latin1');
        body.copy(whole, head.length);
        socket.write(whole);
      } else {
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(body);
        socket.uncork();
      }
    } else {
      this.#writeStream(body, head, isChunked);
    }
  }

  /** Sends a stream as it comes; one that breaks off ends the connection, so that nobody takes it for complete. */
  #writeStream(body: Readable, head: string, isChunked: boolean): void {
    const { socket } = this.#connection;
    this.isWriting = true;
    socket.write(head, 'latin1');
    const onData = (chunk: Buffer) => {
      if (chunk.length === 0) return;
      let flows: boolean;
      if (isChunked) {
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        flows = socket.write(crlf);
        socket.uncork();
      } else {
        flows = socket.write(chunk);
      }
      if (!flows) body.pause();
    };
    const onDrain = () => void body.resume();
    const stop = () => {
      this.isWriting = false;
      this.#stopWriting = undefined;
      body.off('data', onData);
      body.off('end', onEnd);
      body.off('close', onBroken);
      socket.off('drain', onDrain);
    };
    const onEnd = () => {
      stop();
      if (isChunked) socket.write(lastChunk);
    };
    const onBroken = () => this.abort(new Error('the client left'));
    const onError = (error: Error) => this.abort(error);
    this.#stopWriting = stop;
    body.on('error', onError);
    if (body.errored || body.readableEnded || body.destroyed) {
      if (body.errored) onError(body.errored);
      else if (body.readableEnded) onEnd();
      else onBroken();
      return;
    }
    body.on('data', onData);
    body.once('end', onEnd);
    body.once('close', onBroken);
    socket.on('drain', onDrain);
    body.resume();
  }

  /** Reads the head of an answer; interim ones go on at once (RFC 9110 §15.2). */
  startAnswer(text: string, rest: Buffer): void {
    const head = readAnswerHead(text);
    const { status, message, fields } = head;
    if (status === 101) throw new Http1Error('HTTP1_MALFORMED', 'an upgrade that nobody asked for');
    this.rawHeaders = fields;
    if (status < 200) {
      this.#handler.onResponseStart?.(this, status, noHeaders, message);
      return;
    }
    const { body, keeps, keepAlive } = answerFraming(head, this.#request.method);
    this.#keeps = keeps;
    this.#keepAlive = keepAlive;
    this.reader = new BodyReader(body, this);
    this.#handler.onResponseStart?.(this, status, noHeaders, message);
    if (body.kind === 'none') this.end(rest, []);
  }

  data(bytes: Buffer): void {
    if (this.aborted) return;
    this.#handler.onResponseData?.(this, bytes);
  }

  end(rest: Buffer | undefined, trailers: readonly string[]): void {
    if (this.#isOver || this.aborted) return;
    this.#isOver = true;
    const isSent = !this.isWriting;
    this.#stopWriting?.();
    // Before the handler, which may have the next request for the connection.
    if (this.paused) this.#connection.socket.resume();
    this.#connection.done(this.#keeps && isSent && (rest === undefined || rest.length === 0), this.#keepAlive);
    this.#handler.onResponseEnd?.(this, asObject(trailers));
  }

  failed(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWriting?.();
    this.#handler.onResponseError?.(this, error);
  }
}

function asObject(fields: readonly string[]): Record<string, string | string[]> {
  if (fields.length === 0) return noHeaders;
  const all: Record<string, string | string[]> = Object.create(null);
  for (let i = 0; i < fields.length; i += 2) {
    const name = (fields[i] as string).toLowerCase();
    const before = all[name];
    const value = fields[i + 1] as string;
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}
