/** The connections of short calls. */
import type { Socket } from 'node:net';
import type { Seat } from '../http1/roster.ts';
import type { Caller } from '../stores/accounts.ts';
import { type ShortAnswer, ShortCall } from './short-call.ts';
import type { ShortCalls } from './short-calls.ts';
import { type ShortRequest, ShortRequests } from './short-request.ts';
import type { Step } from './turns.ts';

/** Seconds for which a connection may wait for the rest of a request; the others are those of the server behind. */
const restSeconds = 1;
/** What a client may send ahead while a call of it is being worked on. */
const aheadBytesMax = 65_536;

/**
 * A connection: waiting for a request, or with a call at work, one at a time. It ends, or goes to the server behind with
 * the first request that is none of ours.
 */
export class ShortConnection {
  readonly socket: Socket;
  /** Among the connections of the owner. */
  seat: Seat<ShortConnection> | undefined = undefined;
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
    if (this.#unread !== undefined && this.#unread.buffer === bytes.buffer) this.#unread = Buffer.from(this.#unread);
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
    const call = new ShortCall(this.#owner.requestIds.next(), caller, body);
    const first = () => this.#work(call, () => paths.get(path)?.(json.value, call));
    // Who has sent more waits for its turn, lest one answer leads to the next from within.
    turns.take(first, this.#unread !== undefined ? 'no' : this.#owner.hasOne ? 'yes' : 'maybe');
  }

  /** Does a part of a call; then comes the next one, or the answer. */
  #work(call: ShortCall, part: () => unknown): Step | undefined {
    let result: unknown;
    try {
      result = part();
    } catch (error) {
      return this.#answer(this.#refused(call, error));
    }
    if (typeof result === 'function') return () => this.#work(call, result as () => unknown);
    if (!(result instanceof Promise)) return this.#answer(call.done(result));
    void this.#wait(call, result);
    return undefined;
  }

  async #wait(call: ShortCall, result: Promise<unknown>): Promise<void> {
    const done = await result.then(
      (body) => call.done(body),
      (error) => this.#refused(call, error),
    );
    const send = this.#answer(done);
    await this.#owner.options.turns.end();
    send();
  }

  #refused({ requestId, fields }: ShortCall, error: unknown): ShortAnswer {
    const refusal = this.#owner.options.refuse(error, requestId, fields);
    return { requestId, status: refusal.status, fields: refusal.fields, json: JSON.stringify(refusal.body) };
  }

  /** The answer, put together; what is returned sends it. */
  #answer(answer: ShortAnswer): () => undefined {
    const closes = this.#owner.isDraining || this.#isLast();
    const { text, isAscii } = this.#owner.answer(answer, closes);
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
      const value: unknown = JSON.parse(body);
      return { value: isFlat(value) ? value : this.#owner.options.parseJson(body) };
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
      caller = await this.#owner.options.callers.byConnection(this.socket, request.authorization);
    } catch {}
    if (caller === undefined) {
      this.#handOver();
      return;
    }
    this.socket.resume();
    this.#start(request, caller);
  }

  /** Whether the client has ended its side and nothing whole of it follows. */
  #isLast(): boolean {
    return this.#hasEnded && (this.#unread === undefined || this.#requests.read(this.#unread) === 'more');
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

/** False for what may hold any of that which `parseJson` refuses, for which it searches all of the text. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) {
    if (name === '__proto__' || name === 'constructor') return false;
    if (typeof (value as Record<string, unknown>)[name] === 'object') return false;
  }
  return true;
}
