/** The answer to a request over HTTP/1.1. Names and shapes are those of node:http, as far as they are used here. */
import { EventEmitter } from 'node:events';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** What an answer tells the connection on which it goes out. */
export type AnswerOwner = {
  readonly socket: Socket;
  /** Whether the client and the server agree to keep the connection after this answer. */
  readonly keeps: boolean;
  readonly keepAliveSeconds: number;
  /** All of it was given to the system; `closes`: nothing may follow it on the connection. */
  answered(closes: boolean): void;
};

/** What is written in one go is joined up to this size, so that it leaves in one piece. */
const joinedBytesMax = 65_536;
/** With this much waiting for the client, it is asked whether it takes more. */
const highWaterMark = 65_536;

/** What is no byte of text; latin1 would make line ends of some characters above it. */
const illegalInValue = /[^\t -~\x80-\xff]/;
const allIllegalInValue = /[^\t -~\x80-\xff]/g;

/** One answer. Emits `close` once, when it is over or the client has left, and `drain`. */
export class ServerResponse extends EventEmitter {
  /** For callers that know node:http; a Date field is never added. */
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

  /** Bytes that have not been given to the system. */
  get writableLength(): number {
    return this.#size + this.#owner.socket.writableLength;
  }

  /** 100 (Continue), at once. */
  writeContinue(): void {
    if (!this.destroyed && !this.headersSent) this.#owner.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1');
  }

  /** An interim answer, at once. */
  writeInformation(status: number, fields: Readonly<Record<string, string | readonly string[]>>): void {
    if (this.destroyed || this.headersSent) return;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === 'string' ? [value] : value) head += `${name}: ${one}\r\n`;
    }
    this.#owner.socket.write(`${head}\r\n`, 'latin1');
  }

  /**
   * Begins the answer; it goes out with the first piece of the body, or by {@link flushSoon}. `fields` is a flat list.
   * The framing follows from it (RFC 9112 §6): its Content-Length, else chunks, else the end of the connection.
   * Characters of a value that are no bytes of text become question marks.
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
        // Some would wait for the bytes that it speaks of (RFC 9110 §8.6).
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

  /** Sends what there is without waiting for more, once the work at hand is done. */
  flushSoon(): void {
    if (this.#isScheduled || this.destroyed) return;
    this.#isScheduled = true;
    process.nextTick(flushScheduled, this);
  }

  /** Sends a piece of the body; false when the client is slow: `drain` tells when it has caught up. */
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

  /** Fields behind a body in chunks; others have no place for them. */
  addTrailers(fields: Readonly<Record<string, string | readonly string[]>>): void {
    for (const [name, value] of Object.entries(fields)) {
      for (const one of typeof value === 'string' ? [value] : value) this.#trailers += `${name}: ${one}\r\n`;
    }
  }

  /** Ends the answer, with a last piece of the body. Without a head the connection is cut. */
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

  /** Cuts the connection. */
  destroy(): void {
    if (this.destroyed) return;
    this.#owner.socket.destroy();
    this.closed();
  }

  /** The connection is gone, or the answer is over. */
  closed(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#parts = [];
    this.#size = 0;
    process.nextTick(emitClose, this);
  }

  /** The socket takes more. */
  drained(): void {
    if (!this.#needsDrain || this.destroyed) return;
    this.#needsDrain = false;
    this.emit('drain');
  }

  #put(part: Buffer | string): void {
    this.#parts.push(part);
    this.#size += part.length;
  }

  /** Writes what has gathered since the last time. */
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
    // What could not be written ends the connection, which tells.
    if (this.destroyed || error) return;
    this.writableFinished = true;
    this.destroyed = true;
    process.nextTick(finish, this);
  };

  /** All was written: whoever listens is told, and then the connection. */
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
