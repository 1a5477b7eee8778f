/** An HTTP/1.1 client connection, from hand-over until it ends or is passed on. */
import type { Socket } from 'node:net';
import { BodyReader } from './body-reader.ts';
import type { SetEntry } from './connection-set.ts';
import {
  type BodyFraming,
  expectation,
  type Framing,
  HeadCollector,
  Http1Error,
  type RequestHead,
  readRequestHead,
} from './head.ts';
import { keepsConnection } from './keep-alive.ts';
import { destroyWhenGone } from './left-client.ts';
import { ServerRequest } from './server-request.ts';
import { type AnswerOwner, ServerResponse } from './server-response.ts';

/** Maximum size of data that a client may send ahead of a response. */
const aheadBytesMax = 65_536;
const noBody: BodyFraming = { kind: 'none', length: 0 };

/** The server's interface for a connection; limits are in ticks of its timer. */
export type ConnectionOwner = {
  readonly handlers: Handlers;
  readonly keepAliveSeconds: number;
  readonly headTicks: number;
  readonly keepAliveTicks: number;
  readonly unwantedTicks: number;
  /** True if every response is now the last on its connection. */
  readonly isDraining: boolean;
  forget(connection: ServerConnection): void;
};

/** Reads one request after another and passes each to the server's handlers. */
export class ServerConnection implements AnswerOwner {
  readonly socket: Socket;
  /** Its position in the server's set of connections. */
  entry: SetEntry<ServerConnection> | undefined = undefined;
  readonly #server: ConnectionOwner;
  readonly #head = new HeadCollector();
  #request: ServerRequest | undefined;
  #response: ServerResponse | undefined;
  #body: BodyReader | undefined;
  /** Data after the current request. */
  #ahead: Buffer[] = [];
  #aheadSize = 0;
  /** Ticks until the connection times out; 0 while there is no limit. */
  #ticks: number;
  /** True once a head has started. */
  #isInHead = false;
  /** True while the timer for the next head runs; empty lines do not restart it. */
  #hasBegun = false;
  /** True if client and request allow another request on the connection. */
  #keeps = true;
  /** True once the client has half-closed; it still gets the responses to its requests. */
  #isLast = false;
  /** True once nothing more is read; input is discarded until the client closes. */
  #isClosing = false;
  /** True once the socket has been handed over. */
  #isReleased = false;

  constructor(server: ConnectionOwner, socket: Socket) {
    this.#server = server;
    this.socket = socket;
    this.#ticks = server.keepAliveTicks;
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
    socket.on('drain', this.#onDrain);
    socket.resume();
  }

  /** Processes data read earlier. The client's FIN may already have been reported to the previous reader. */
  begin(early: Buffer): void {
    this.#onData(early);
    if (this.socket.readableEnded && !this.#isReleased) this.#onEnd();
  }

  get keepAliveSeconds(): number {
    return this.#server.keepAliveSeconds;
  }

  get keeps(): boolean {
    return this.#keeps && !this.#server.isDraining;
  }

  tick(): void {
    if (this.#ticks === 0) return;
    this.#ticks--;
    if (this.#ticks > 0) return;
    if (this.#isInHead) this.#refuse(new Http1Error('HTTP1_HEAD_TIMEOUT', 'the head did not come in time'));
    else this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  closeIfIdle(): void {
    if (this.#request === undefined && !this.#isInHead) this.socket.destroy();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isClosing) return;
    if (this.#body !== undefined) {
      try {
        this.#body.push(bytes);
      } catch (error) {
        this.#breakOff(error as Error);
      }
    } else if (this.#request !== undefined) {
      this.#ahead.push(bytes);
      this.#aheadSize += bytes.length;
      if (this.#aheadSize > aheadBytesMax) this.socket.pause();
    } else {
      this.#readHead(bytes);
    }
  };

  #readHead(bytes: Buffer): void {
    // Skip an empty line before a request (RFC 9112 §2.2).
    let start = 0;
    while (!this.#isInHead && bytes[start] === 0x0d && bytes[start + 1] === 0x0a) start += 2;
    const rest = start === 0 ? bytes : bytes.subarray(start);
    if (rest.length === 0) return;
    if (!this.#isInHead && !beginsRequest(rest[0] as number)) {
      this.#refuse(new Http1Error('HTTP1_MALFORMED', 'no request line'));
      return;
    }
    try {
      const found = this.#head.push(rest);
      if (found === undefined) {
        this.#isInHead = true;
        if (!this.#hasBegun) this.#ticks = this.#server.headTicks;
        this.#hasBegun = true;
        return;
      }
      this.#isInHead = false;
      const text = found.text.startsWith('\r') ? found.text.replace(/^(?:\r\n)+/, '') : found.text;
      if (text === '') {
        this.#readHead(found.rest);
        return;
      }
      this.#ticks = 0;
      this.#hasBegun = false;
      this.#take(readRequestHead(text), found.rest);
    } catch (error) {
      if (!(error instanceof Http1Error)) throw error;
      this.#refuse(error);
    }
  }

  #take(head: RequestHead, rest: Buffer): void {
    const { handlers } = this.#server;
    if (head.method === 'CONNECT') {
      const request = new ServerRequest(head, this.socket, this);
      request.complete = true;
      this.#release();
      handlers.connect(request, this.socket, rest);
      return;
    }
    let declared: Framing | undefined;
    try {
      declared = handlers.framing(head);
    } catch {
      // The handler sends its own error response; the data after it cannot be told apart from the body.
    }
    const isClear = declared !== undefined;
    const framing = declared === undefined ? noBody : framingOf(declared);
    const request = new ServerRequest(head, this.socket, this, declared);
    if (isClear && handlers.isUpgrade(request)) {
      request.complete = true;
      this.#release();
      handlers.upgrade(request, this.socket, rest);
      return;
    }
    this.#keeps = isClear && keepsConnection(head.minor, head.fields);
    const response = new ServerResponse(this, head.method, head.minor);
    this.#request = request;
    this.#response = response;
    const expect = head.minor === 1 ? expectation(head.fields) : undefined;
    if (expect === 'unknown') {
      response.writeHead(417, '', ['Content-Length', '0', 'Connection', 'close']);
      response.end();
      return;
    }
    if (framing === noBody) {
      request.complete = true;
      if (rest.length > 0 && isClear) this.#onData(rest);
    } else {
      this.#body = new BodyReader(framing, {
        data: (bytes) => request.takeBody(bytes),
        end: (behind) => {
          this.#body = undefined;
          request.endBody();
          // Do not wait for a slow reader any longer, or the client could leave unnoticed.
          this.socket.resume();
          if (behind.length > 0) this.#onData(behind);
        },
      });
      if (rest.length > 0) this.#onData(rest);
      if (this.#request !== request) return;
    }
    handlers.request(request, response, expect === 'continue');
  }

  /** The response is out: reads the next request, drains the remaining body first, or closes. */
  answered(closes: boolean): void {
    const request = this.#request;
    if (closes) {
      this.#close();
      return;
    }
    if (request !== undefined && !request.complete) {
      this.#ticks = this.#server.unwantedTicks;
      request.once('end', () => process.nextTick(next, this));
      request.resume();
      return;
    }
    this.next();
  }

  /** Reads the next request. */
  next(): void {
    if (this.socket.destroyed) return;
    this.#request = undefined;
    this.#response = undefined;
    if (this.#server.isDraining) {
      this.#close();
      return;
    }
    this.#ticks = this.#server.keepAliveTicks;
    // Before the next head, which may hand the socket over.
    this.socket.resume();
    const ahead = this.#ahead;
    if (ahead.length > 0) {
      this.#ahead = [];
      this.#aheadSize = 0;
      this.#readHead(ahead.length === 1 ? (ahead[0] as Buffer) : Buffer.concat(ahead));
    }
    if (this.#isLast) this.#onEnd();
  }

  /** Ends our direction. Unread client data would make the system discard the response. */
  #close(): void {
    this.#isClosing = true;
    this.#response = undefined;
    this.#request?.forget();
    this.#ahead = [];
    this.#ticks = this.#server.unwantedTicks;
    this.socket.end();
    this.socket.resume();
  }

  pauseBody(): void {
    this.socket.pause();
  }

  resumeBody(): void {
    if (this.#body !== undefined) this.socket.resume();
  }

  /** Hands the socket over. */
  #release(): void {
    this.#isReleased = true;
    this.#isLast = false;
    this.socket.pause();
    this.socket.off('data', this.#onData);
    this.socket.off('end', this.#onEnd);
    this.socket.off('close', this.#onClose);
    this.socket.off('error', this.#onError);
    this.socket.off('drain', this.#onDrain);
    this.#server.forget(this);
  }

  #refuse(error: Http1Error): void {
    const { socket } = this;
    this.#release();
    this.#server.handlers.malformed(error, socket);
  }

  /** Fails a body that cannot be read further; also notifies the client if no response has started. */
  #breakOff(error: Error): void {
    const request = this.#request;
    const response = this.#response;
    this.#body = undefined;
    this.#request = undefined;
    request?.breakOff(error);
    if (response === undefined || response.headersSent) {
      this.socket.destroy();
      return;
    }
    response.closed();
    this.#refuse(error as Http1Error);
  }

  readonly #onEnd = (): void => {
    if (this.#isClosing) this.socket.end();
    else if (this.#body !== undefined) this.#breakOff(new Http1Error('HTTP1_CLOSED', 'the client left within a body'));
    else if (this.#isInHead) this.#refuse(new Http1Error('HTTP1_CLOSED', 'the client left within a head'));
    else if (this.#request === undefined) this.socket.end();
    else if (!this.#isLast) this.#serveLast();
  };

  /** Handles a client that half-closes while waiting for a response. */
  #serveLast(): void {
    this.#isLast = true;
    destroyWhenGone(this.socket);
  }

  readonly #onClose = (): void => {
    this.#server.forget(this);
    this.#request?.breakOff(new Http1Error('HTTP1_CLOSED', 'the client left'));
    this.#response?.closed();
  };

  readonly #onError = (): void => {};

  readonly #onDrain = (): void => {
    this.#response?.drained();
  };
}

function framingOf({ chunked, length }: Framing): BodyFraming {
  if (chunked) return { kind: 'chunked', length: 0 };
  return length === undefined || length === 0 ? noBody : { kind: 'length', length };
}

function next(connection: ServerConnection): void {
  connection.next();
}

/** True for a visible character, or the CR of an empty line; other input is rejected without waiting for its end. */
function beginsRequest(first: number): boolean {
  return (first > 0x20 && first < 0x7f) || first === 0x0d;
}

/** Handlers for the server's input. */
export type Handlers = {
  /** The framing of the body; throws for a message that two parsers could read differently. */
  framing(head: RequestHead): Framing;
  request(request: ServerRequest, response: ServerResponse, expectsContinue: boolean): void;
  /** The receiver owns the socket and the bytes after the head. */
  connect(request: ServerRequest, socket: Socket, behind: Buffer): void;
  /** Like {@link connect}; `isUpgrade` decides whether a request is an upgrade. */
  upgrade(request: ServerRequest, socket: Socket, behind: Buffer): void;
  isUpgrade(request: ServerRequest): boolean;
  /** For input that is not HTTP or did not arrive in time (`HTTP1_HEAD_TIMEOUT`); the handler answers on the socket. */
  malformed(error: Http1Error, socket: Socket): void;
};
