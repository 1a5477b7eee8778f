/** A request to an origin and its response, from start to end. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { BodyReader } from './body-reader.ts';
import { answerFraming, Http1Error, readAnswerHead } from './head.ts';
import { type ParentForm, requestHead, type WireRequest } from './request-head.ts';
import { sliceBytes, slicesOf } from './slices.ts';
import type { WriteRoom } from './write-room.ts';

/** Receives the response; the interface of undici's handlers. */
export type AnswerHandler = Dispatcher.DispatchHandler;

/** The connection that an exchange uses. */
export type Carrier = {
  readonly socket: Socket;
  readonly parent: ParentForm | undefined;
  readonly room: WriteRoom;
  /** Closes the connection; the exchange fails with the error. */
  fail(error: Error): void;
  /** The exchange is complete; `isKept`: the connection can be reused. */
  done(isKept: boolean, keepAlive: string | undefined): void;
  /** The origin has accepted more of the request. */
  moved(): void;
};

/** Bodies up to this size are written together with their head. */
const joinedBytesMax = 65_536;
/** Maximum number of interim responses per request; they are passed on without back-pressure. */
const interimMax = 100;
const noHeaders = {};
const crlf = Buffer.from('\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** A request and its response. Controls its handler, which is notified of exactly one end: response or error. */
export class UpstreamExchange implements Dispatcher.DispatchController {
  readonly #request: WireRequest;
  readonly #handler: AnswerHandler;
  #carrier: Carrier | undefined;
  /** The queue in which it waits for a connection. */
  #queue: Set<UpstreamExchange> | undefined;
  #waitTicks = 0;
  reader: BodyReader | undefined;
  /** True while a request body stream is being sent. */
  isWriting = false;
  paused = false;
  aborted = false;
  reason: Error | null = null;
  rawHeaders: string[] | null = null;
  /** HTTP version of the response: 1.0 or 1.1. */
  httpVersion = '1.1';
  /** True once the handler was notified of the end. */
  isOver = false;
  #interims = 0;
  #keeps = false;
  #keepAlive: string | undefined;
  #stopWriting: (() => void) | undefined;

  constructor(request: WireRequest, handler: AnswerHandler) {
    this.#request = request;
    this.#handler = handler;
  }

  /** Gives the handler its controller, with which it can abort, even immediately. */
  start(): void {
    this.#handler.onRequestStart?.(this, noHeaders);
  }

  /** Waits in the queue for a connection; ends when aborted or after this many ticks. */
  waitIn(queue: Set<UpstreamExchange>, ticks: number): void {
    this.#queue = queue;
    this.#waitTicks = ticks;
    queue.add(this);
  }

  /** Called on every tick without a free connection. */
  waited(): void {
    this.#waitTicks--;
    if (this.#waitTicks === 0) this.failed(new Http1Error('HTTP1_BUSY', 'no connection became free'));
  }

  abort(reason: Error): void {
    if (this.isOver || this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    if (this.#carrier) this.#carrier.fail(reason);
    else this.failed(reason);
  }

  pause(): void {
    if (this.isOver || this.paused) return;
    this.paused = true;
    this.#carrier?.socket.pause();
  }

  resume(): void {
    if (!this.paused) return;
    this.paused = false;
    if (!this.isOver) this.#carrier?.socket.resume();
  }

  /** @throws Http1Error for a request that cannot be written. */
  sendOn(carrier: Carrier): void {
    this.#carrier = carrier;
    const { socket, parent } = carrier;
    const { body } = this.#request;
    const { head, isChunked } = requestHead(this.#request, parent);
    if (body === null) {
      socket.write(head, 'latin1');
    } else if (Buffer.isBuffer(body)) {
      if (body.length <= joinedBytesMax) {
        const whole = carrier.room.take(head.length + body.length);
        whole.write(head, 0, 'latin1');
        body.copy(whole, head.length);
        socket.write(whole);
      } else if (body.length > sliceBytes) {
        this.#sendStream(carrier, Readable.from(slicesOf(body), { objectMode: false }), head, isChunked);
      } else {
        socket.cork();
        socket.write(head, 'latin1');
        socket.write(body);
        socket.uncork();
      }
    } else {
      this.#sendStream(carrier, body, head, isChunked);
    }
  }

  /** Sends a stream as it arrives. If it breaks off, closes the connection, so that the body cannot look complete. */
  #sendStream(carrier: Carrier, body: Readable, head: string, isChunked: boolean): void {
    const { socket } = carrier;
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
    const onDrain = () => {
      carrier.moved();
      body.resume();
    };
    const stop = () => {
      this.isWriting = false;
      this.#stopWriting = undefined;
      body.off('data', onData);
      body.off('end', onEnd);
      body.off('close', onBroken);
      socket.off('drain', onDrain);
    };
    const onEnd = () => {
      if (isReset(body)) {
        onBroken();
        return;
      }
      stop();
      carrier.moved();
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

  /** Reads a response head; passes on interim responses immediately (RFC 9110 §15.2). */
  startAnswer(text: string, rest: Buffer): void {
    const head = readAnswerHead(text);
    const { status, message, minor, fields } = head;
    if (status === 101) throw new Http1Error('HTTP1_MALFORMED', 'an unsolicited upgrade');
    this.rawHeaders = fields;
    this.httpVersion = `1.${minor}`;
    const { body, keeps, keepAlive } = answerFraming(head, this.#request.method);
    if (status < 200) {
      if (++this.#interims > interimMax) throw new Http1Error('HTTP1_MALFORMED', 'too many interim responses');
      this.#handler.onResponseStart?.(this, status, noHeaders, message);
      return;
    }
    this.#keeps = keeps;
    this.#keepAlive = keepAlive;
    this.reader = new BodyReader(body, this);
    this.#handler.onResponseStart?.(this, status, noHeaders, message);
    if (body.kind === 'none') this.end(rest, []);
  }

  /** Passes on a piece of the response body. */
  data(bytes: Buffer): void {
    if (this.aborted) return;
    this.#handler.onResponseData?.(this, bytes);
  }

  /** Completes the response; `rest` is the data after it. */
  end(rest: Buffer | undefined, trailers: readonly string[]): void {
    if (this.isOver || this.aborted) return;
    this.isOver = true;
    const isSent = !this.isWriting;
    this.#stopWriting?.();
    const carrier = this.#carrier as Carrier;
    // Before notifying the handler, which may already have the connection's next request.
    if (this.paused) carrier.socket.resume();
    carrier.done(this.#keeps && isSent && (rest === undefined || rest.length === 0), this.#keepAlive);
    this.#handler.onResponseEnd?.(this, asObject(trailers));
  }

  /** Fails the exchange: the response is missing or incomplete. */
  failed(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#queue?.delete(this);
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

/** True for an HTTP/2 stream reset by its client with NO_ERROR, which ends like a complete one (RFC 9113 §8.1). */
function isReset(body: Readable): boolean {
  return (body as { readonly stream?: { readonly closed?: boolean } }).stream?.closed === true;
}
