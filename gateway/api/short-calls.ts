/**
 * Calls with a short JSON body, answered on their connection. What node:http and Fastify do for a request costs more than
 * masking a short text; here that is a look at the bytes and one write. Whatever is not plainly such a call goes, with all
 * that has come, to the server behind, which keeps the connection from then on: it alone knows HTTP, and refuses.
 */
import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ReadRoom } from '../http1/read-room.ts';
import { Roster, type Seat } from '../http1/roster.ts';
import type { Caller } from '../stores/accounts.ts';
import type { Callers } from './auth.ts';
import { type ShortRequest, ShortRequests } from './short-request.ts';
import type { Step, Turns } from './turns.ts';

/** Takes fields of an answer. */
export type AnswerFields = {
  header(name: string, value: string): unknown;
  headers(fields: Readonly<Record<string, string>>): unknown;
};

/** A call that may be answered here. */
export type Parties = { readonly caller: Caller; readonly reply: AnswerFields };

/** An error as an answer; `fields` in lower case. */
export type Refusal = {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** What {@link ShortCalls} needs. */
export type ShortCallsOptions = {
  /**
   * What a call of a path does; its body is JSON that no schema has seen. A function that is returned is the rest of the
   * work, which is done when the calls of the same turn have come as far.
   */
  readonly paths: ReadonlyMap<string, (body: unknown, parties: Parties) => unknown>;
  readonly callers: Callers;
  readonly turns: Turns;
  /** Throws when it is not JSON. */
  readonly parseJson: (text: string) => unknown;
  readonly refuse: (error: unknown, requestId: string, given: Readonly<Record<string, string>>) => Refusal;
  /** Fields of every answer. */
  readonly fields: Readonly<Record<string, string>>;
};

/** Seconds for which a connection may wait for the rest of a request; the others are those of the server behind. */
const restSeconds = 1;
/** What a client may send ahead while a call of it is being worked on. */
const aheadBytesMax = 65_536;

/** Answers short calls ahead of a server. */
export class ShortCalls {
  readonly options: ShortCallsOptions;
  readonly keepAliveSeconds: number;
  readonly #firstSeconds: number;
  readonly #server: Server;
  readonly #serve: (socket: Socket) => void;
  readonly #connections = new Roster<Connection>();
  readonly room = new ReadRoom();
  readonly #fields: string;
  #timer: NodeJS.Timeout | undefined;
  #date = { second: 0, text: '' };
  /** From now on connections are not kept. */
  isDraining = false;

  /** Takes the place of the server on its connections; those that it is given back are its own for good. */
  constructor(server: Server, options: ShortCallsOptions) {
    this.options = options;
    this.#server = server;
    this.#fields = lines(options.fields);
    this.keepAliveSeconds = Math.floor(server.keepAliveTimeout / 1_000);
    this.#firstSeconds = Math.ceil(server.headersTimeout / 1_000);
    const [serve] = server.listeners('connection') as ((socket: Socket) => void)[];
    if (serve === undefined) throw new Error('the server takes no connections');
    this.#serve = serve;
    server.removeListener('connection', serve);
    server.on('connection', (socket) => this.#take(socket));
  }

  /** Closes the connections that wait, and every other one after its answer. */
  drain(): void {
    this.isDraining = true;
    for (const connection of this.#connections.list()) connection.closeIfIdle();
  }

  /** Ends all connections. */
  close(): void {
    this.#connections.destroyAll();
  }

  /** A connection becomes the server's, with what came over it and nobody has read. */
  handOver(connection: Connection, unread: Buffer | undefined): void {
    this.forget(connection);
    const { socket } = connection;
    if (socket.destroyed) return;
    this.#serve.call(this.#server, socket);
    // A copy, as it may hold no longer than this.
    if (unread !== undefined) socket.unshift(Buffer.from(unread));
    socket.resume();
  }

  /** Tells a client that sends nothing, in the server's words. */
  timedOut(connection: Connection): void {
    this.forget(connection);
    const error = Object.assign(new Error('no request came in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', error, connection.socket);
    // It is nobody's after that: who does not close its side would stay.
    connection.socket.destroySoon();
  }

  /** A connection has ended or is another's now. */
  forget(connection: Connection): void {
    this.#connections.delete(connection.seat);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** There is but one connection. */
  get hasOne(): boolean {
    return this.#connections.size === 1;
  }

  /** A whole answer. */
  answer(requestId: string, { status, fields, body }: Refusal, closes: boolean): { text: string; isAscii: boolean } {
    const json = JSON.stringify(body);
    const length = Buffer.byteLength(json);
    const end = closes
      ? 'Connection: close\r\n\r\n'
      : `Connection: keep-alive\r\nKeep-Alive: timeout=${this.keepAliveSeconds}\r\n\r\n`;
    const head =
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: ${requestId}\r\n${this.#fields}${lines(fields)}` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${length}\r\nDate: ${this.#now()}\r\n${end}`;
    return { text: head + json, isAscii: length === json.length };
  }

  #take(socket: Socket): void {
    if (this.isDraining) {
      this.#serve.call(this.#server, socket);
      return;
    }
    const connection = new Connection(this, socket, this.#firstSeconds);
    connection.seat = this.#connections.add(connection);
    this.#timer ??= setInterval(() => this.#tick(), 1_000).unref();
  }

  #tick(): void {
    for (const connection of this.#connections.list()) connection.tick();
  }

  /** The time for the field Date. */
  #now(): string {
    const second = Math.floor(Date.now() / 1_000);
    if (second !== this.#date.second) this.#date = { second, text: new Date(second * 1_000).toUTCString() };
    return this.#date.text;
  }
}

/**
 * A connection: waiting for a request, or with a call at work, one at a time. It ends, or goes to the server behind with
 * the first request that is none of ours.
 */
class Connection {
  readonly socket: Socket;
  /** Among the connections of the owner. */
  seat: Seat<Connection> | undefined = undefined;
  readonly #owner: ShortCalls;
  readonly #requests: ShortRequests;
  /** What came and has not been taken for a call that was answered. */
  #unread: Buffer | undefined;
  #isAtWork = false;
  #hasEnded = false;
  /** Seconds that it may still wait; 0 while it need not hurry. */
  #seconds: number;
  /** No call has come yet. */
  #isNew = true;

  constructor(owner: ShortCalls, socket: Socket, seconds: number) {
    this.#owner = owner;
    this.socket = socket;
    this.#seconds = seconds;
    this.#requests = new ShortRequests(owner.options.paths);
    owner.room.read(socket, this.#onBytes);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('error', this.#onError);
    socket.on('drain', this.#onDrain);
  }

  tick(): void {
    if (this.#seconds === 0) return;
    this.#seconds--;
    if (this.#seconds > 0) return;
    if (this.#unread !== undefined) this.#handOver();
    else if (this.#isNew) {
      this.#release();
      this.socket.on('error', this.#onError);
      this.#owner.timedOut(this);
    } else this.socket.destroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  closeIfIdle(): void {
    if (!this.#isAtWork && this.#unread === undefined) this.socket.destroy();
  }

  readonly #onBytes = (bytes: Buffer): void => {
    this.#unread = this.#unread === undefined ? bytes : Buffer.concat([this.#unread, bytes]);
    if (!this.#isAtWork) this.#next();
    else if (this.#unread.length > aheadBytesMax) this.socket.pause();
    // They hold no longer.
    if (this.#unread?.buffer === bytes.buffer) this.#unread = Buffer.from(this.#unread);
  };

  /** Looks at what has come. */
  #next(): void {
    const request = this.#unread && this.#requests.read(this.#unread);
    if (request === 'more') {
      this.#seconds = restSeconds + 1;
    } else if (request === undefined || this.#owner.isDraining) {
      this.#handOver();
    } else {
      this.#isAtWork = true;
      this.#seconds = 0;
      const caller = this.#owner.options.callers.last(this.socket, request.authorization);
      if (caller === undefined) void this.#ask(request);
      else this.#start(request, caller);
    }
  }

  #start({ path, body, size }: ShortRequest, caller: Caller): void {
    const { turns, paths } = this.#owner.options;
    const json = this.#parse(body);
    if (json === undefined) {
      this.#handOver();
      return;
    }
    this.#isNew = false;
    const unread = this.#unread as Buffer;
    this.#unread = unread.length === size ? undefined : unread.subarray(size);
    const call = new Call(caller);
    const first = () => this.#work(call, () => paths.get(path)?.(json.value, call));
    // Who has sent more waits for its turn, lest one answer leads to the next from within.
    turns.take(first, this.#unread !== undefined ? 'no' : this.#owner.hasOne ? 'yes' : 'maybe');
  }

  /** Does a part of a call; then comes the next one, or the answer. */
  #work(call: Call, part: () => unknown): Step | undefined {
    let result: unknown;
    try {
      result = part();
    } catch (error) {
      return this.#answer(call, { error });
    }
    if (typeof result === 'function') return () => this.#work(call, result as () => unknown);
    if (!(result instanceof Promise)) return this.#answer(call, { body: result });
    void this.#wait(call, result);
    return undefined;
  }

  async #wait(call: Call, result: Promise<unknown>): Promise<void> {
    let end: { body: unknown } | { error: unknown };
    try {
      end = { body: await result };
    } catch (error) {
      end = { error };
    }
    const send = this.#answer(call, end);
    await this.#owner.options.turns.end();
    send();
  }

  /** The answer, put together; what is returned sends it. */
  #answer({ fields }: Call, end: { readonly body: unknown } | { readonly error: unknown }): () => undefined {
    const owner = this.#owner;
    const requestId = randomUUID();
    const answer =
      'error' in end ? owner.options.refuse(end.error, requestId, fields) : { status: 200, fields, body: end.body };
    const closes = owner.isDraining || this.#isLast();
    const { text, isAscii } = owner.answer(requestId, answer, closes);
    return () => {
      if (this.socket.destroyed) return;
      this.socket.write(text, isAscii ? 'latin1' : 'utf8');
      this.#sent(closes);
    };
  }

  /** The body read; what cannot be is the server's to refuse. */
  #parse(body: string): { readonly value: unknown } | undefined {
    // It may stand for bytes that are no UTF-8.
    if (body.includes('\ufffd')) return undefined;
    try {
      return { value: this.#owner.options.parseJson(body) };
    } catch {
      return undefined;
    }
  }

  /**
   * Whose key it is; a refusal is the server's to tell. Nothing is read meanwhile: what came over a connection whose end
   * has been seen cannot be put back for the server.
   */
  async #ask(request: ShortRequest): Promise<void> {
    this.socket.pause();
    let caller: Caller | undefined;
    try {
      caller = await this.#owner.options.callers.byKey(this.socket, request.authorization);
    } catch {}
    if (caller === undefined) {
      this.#handOver();
      return;
    }
    this.socket.resume();
    this.#start(request, caller);
  }

  /** Whether the client has ended its side and no other call of it follows. */
  #isLast(): boolean {
    return this.#hasEnded && (this.#unread === undefined || typeof this.#requests.read(this.#unread) !== 'object');
  }

  /** The answer to a call is on its way. */
  #sent(closes: boolean): void {
    const { socket } = this;
    if (closes) {
      this.#release();
      this.#owner.forget(this);
      socket.on('error', this.#onError);
      // As the server behind does: who does not close its side would keep the process from ending.
      socket.destroySoon();
      return;
    }
    if (socket.writableNeedDrain) socket.pause();
    else this.#goOn();
  }

  /** Ready for the next call. */
  #goOn(): void {
    this.#isAtWork = false;
    this.#seconds = this.#owner.keepAliveSeconds + 1;
    if (this.socket.isPaused()) this.socket.resume();
    if (this.#unread !== undefined) this.#next();
  }

  #handOver(): void {
    this.#release();
    this.#owner.handOver(this, this.#unread);
  }

  #release(): void {
    const { socket } = this;
    this.#owner.room.release(socket);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('error', this.#onError);
    socket.off('drain', this.#onDrain);
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (!this.#isAtWork) this.socket.end();
  };

  readonly #onClose = (): void => {
    this.#owner.forget(this);
  };

  readonly #onError = (): void => {};

  readonly #onDrain = (): void => {
    if (this.#isAtWork) this.#goOn();
  };
}

/** A call at work. */
class Call implements Parties, AnswerFields {
  readonly caller: Caller;
  readonly fields: Record<string, string> = {};

  constructor(caller: Caller) {
    this.caller = caller;
  }

  get reply(): AnswerFields {
    return this;
  }

  header(name: string, value: string): void {
    this.fields[name] = value;
  }

  headers(fields: Readonly<Record<string, string>>): void {
    Object.assign(this.fields, fields);
  }
}

function lines(fields: Readonly<Record<string, string>>): string {
  let text = '';
  for (const name in fields) text += `${name}: ${fields[name]}\r\n`;
  return text;
}
