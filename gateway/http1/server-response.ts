/** The response to an HTTP/1.1 request, with those names and shapes of node:http that are used here. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { http } from './node-http.ts';

const { STATUS_CODES } = http;

/** The connection's interface for a response. */
export type AnswerOwner = {
  readonly socket: Socket;
  /** True if client and server agree to keep the connection after this response. */
  readonly keeps: boolean;
  readonly keepAliveSeconds: number;
  /** Everything was handed to the system; `closes`: nothing may follow on the connection. */
  answered(closes: boolean): void;
};

/** Writes up to this total size leave in one piece. */
const joinedBytesMax = 65_536;
/** With this much pending, callers must wait for `drain`. */
const highWaterMark = 65_536;

/** Characters that are not text bytes; latin1 would turn some above 0xff into line ends. */
const illegalInValue = /[^\t -~\x80-\xff]/;
const allIllegalInValue = /[^\t -~\x80-\xff]/g;

/** A response. Emits `close` once, when finished or when the client has left, and `drain`. */
export class ServerResponse extends EventEmitter {
  /** Expected by callers that use node:http; a Date field is never added. */
  sendDate = false;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  readonly #owner: AnswerOwner;
  readonly #method: string;
  readonly #minor: number;
  #parts: (Buffer | string)[] = [];
  #size = 0;
  #isScheduled = false;
  #isChunked = false;
  #isBodiless = false;
  #closes = false;
  #trailers = '';
  #needsDrain = false;

  constructor(owner: AnswerOwner, method: string, minor: number) {
    super();
    this.#owner = owner;
    this.#method = method;
    this.#minor = minor;
  }

  get socket(): Socket {
    return this.#owner.socket;
  }

  /** Bytes not yet handed to the system. */
  get writableLength(): number {
    return this.#size + this.#owner.socket.writableLength;
  }

  /** Sends 100 (Continue) immediately. */
  writeContinue(): void {
    if (!this.destroyed && !this.headersSent) this.#owner.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
  }

  /** Sends an interim response immediately. */
  writeInformation(status: number, fields: Readonly<Record<string, string | readonly string[]>>): void {
    if (this.destroyed || this.headersSent) return;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    for (const [name, value] of Object.entries(fields)) {
      for (const text of typeof value === 'string' ? [value] : value) head += `${name}: ${text}\r\n`;
    }
    this.#owner.socket.write(`${head}\r\n`, 'latin1');
  }

  /**
   * Starts the response, which is sent with the first piece of the body or by {@link flushSoon}. `fields` is a flat
   * list and determines the framing (RFC 9112 §6): Content-Length, else chunks, else the end of the connection.
   * Characters that are not text bytes become question marks.
   */
  writeHead(status: number, message: string, fields: readonly string[]): void {
    if (this.headersSent || this.destroyed) return;
    this.#isBodiless = this.#method === 'HEAD' || status === 204 || status === 304;
    let head = `HTTP/1.1 ${status} ${message || (STATUS_CODES[status] ?? '')}\r\n`;
    let hasLength = false;
    let closes = !this.#owner.keeps;
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i] as string;
      let value = fields[i + 1] as string;
      if (illegalInValue.test(value)) value = value.replace(allIllegalInValue, '?');
      if (name.length === 14 && name.toLowerCase() === 'content-length') {
        // Some clients would wait for the announced bytes (RFC 9110 §8.6).
        if (status === 204 && value !== '0') continue;
        hasLength = true;
      } else if (name.length === 10 && name.toLowerCase() === 'connection') {
        closes ||= value.toLowerCase() === 'close';
        continue;
      }
      head += `${name}: ${value}\r\n`;
    }
    if (!hasLength && !this.#isBodiless) {
      if (this.#minor === 1) {
        this.#isChunked = true;
        head += 'Transfer-Encoding: chunked\r\n';
      } else {
        closes = true;
      }
    }
    head += closes
      ? 'Connection: close\r\n\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${this.#owner.keepAliveSeconds}\r\n\r\n`;
    this.headersSent = true;
    this.#closes = closes;
    this.#put(head);
  }

  /** Sends pending data at the end of the current task, without waiting for more. */
  flushSoon(): void {
    if (this.#isScheduled || this.destroyed) return;
    this.#isScheduled = true;
    process.nextTick(flushScheduled, this);
  }

  /** Sends a piece of the body; false if the client is slow, then wait for `drain`. */
  write(bytes: Uint8Array | string, written?: () => void): boolean {
    if (this.destroyed || this.writableEnded) return false;
    if (bytes.length > 0 && !this.#isBodiless) {
      const body = typeof bytes === 'string' ? Buffer.from(bytes) : asBuffer(bytes);
      if (this.#isChunked) {
        this.#put(`${body.length.toString(16)}\r\n`);
        this.#put(body);
        this.#put('\r\n');
      } else {
        this.#put(body);
      }
    }
    if (written) {
      this.#flush();
      this.#owner.socket.write('', written);
    } else if (this.writableLength >= highWaterMark) {
      this.#flush();
    } else {
      this.flushSoon();
    }
    this.#needsDrain = this.#owner.socket.writableNeedDrain;
    return !this.#needsDrain;
  }

  /** Adds trailers to a chunked body; other framings cannot carry them. */
  addTrailers(fields: Readonly<Record<string, string | readonly string[]>>): void {
    for (const [name, value] of Object.entries(fields)) {
      for (const text of typeof value === 'string' ? [value] : value) this.#trailers += `${name}: ${text}\r\n`;
    }
  }

  /** Ends the response, with an optional last piece of the body. Without a head, closes the connection abruptly. */
  end(bytes?: Uint8Array | string): void {
    if (this.writableEnded || this.destroyed) return;
    if (!this.headersSent) {
      this.destroy();
      return;
    }
    if (bytes !== undefined) this.write(bytes);
    this.writableEnded = true;
    if (this.#isChunked) this.#put(`0\r\n${this.#trailers}\r\n`);
    this.#flush(true);
  }

  /** Closes the connection abruptly. */
  destroy(): void {
    if (this.destroyed) return;
    this.#owner.socket.destroy();
    this.closed();
  }

  /** Called when the connection is gone or the response is finished. */
  closed(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#parts = [];
    this.#size = 0;
    process.nextTick(emitClose, this);
  }

  /** Called when the socket accepts more. */
  drained(): void {
    if (!this.#needsDrain || this.destroyed) return;
    this.#needsDrain = false;
    this.emit('drain');
  }

  #put(part: Buffer | string): void {
    this.#parts.push(part);
    this.#size += part.length;
  }

  /** Writes accumulated data. */
  flushScheduled(): void {
    this.#isScheduled = false;
    this.#flush();
  }

  #flush(isLast = false): void {
    const { socket } = this.#owner;
    const parts = this.#parts;
    const size = this.#size;
    if (this.destroyed || (parts.length === 0 && !isLast)) return;
    this.#parts = [];
    this.#size = 0;
    const written = isLast ? this.#onWritten : undefined;
    if (parts.length === 0) {
      if (socket.writableLength === 0) this.#onWritten();
      else socket.write('', this.#onWritten);
    } else if (parts.length === 1 && typeof parts[0] === 'string') {
      socket.write(parts[0], 'latin1', written);
    } else if (parts.length === 1) {
      socket.write(parts[0] as Buffer, written);
    } else if (size <= joinedBytesMax) {
      socket.write(join(parts, size), written);
    } else {
      socket.cork();
      const last = parts.length - 1;
      for (const [i, part] of parts.entries()) socket.write(part as string, 'latin1', i === last ? written : undefined);
      socket.uncork();
    }
  }

  readonly #onWritten = (error?: Error | null): void => {
    // A failed write closes the connection, which reports it.
    if (this.destroyed || error) return;
    this.writableFinished = true;
    this.destroyed = true;
    process.nextTick(finish, this);
  };

  /** Everything was written: notifies the listeners, then the connection. */
  finish(): void {
    this.emit('close');
    this.#owner.answered(this.#closes);
  }
}

function finish(response: ServerResponse): void {
  response.finish();
}

function flushScheduled(response: ServerResponse): void {
  response.flushScheduled();
}

function emitClose(response: ServerResponse): void {
  response.emit('close');
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function join(parts: readonly (Buffer | string)[], size: number): Buffer {
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') at += whole.write(part, at, 'latin1');
    else at += part.copy(whole, at);
  }
  return whole;
}
