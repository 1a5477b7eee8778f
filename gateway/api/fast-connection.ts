/** The connections of the API fast path. */
import type { Socket } from 'node:net';
import type { SetEntry } from '../http1/connection-set.ts';
import type { ReadRoom } from '../http1/read-room.ts';
import type { Caller } from '../stores/accounts.ts';
import type { Callers } from './auth.ts';
import { type FastAnswer, FastCall, type Parties, type Refusal } from './fast-call.ts';
import { type FastRequest, FastRequests } from './fast-request.ts';
import type { Step, Turns } from './turns.ts';
import type { Uuids } from './uuids.ts';

/** How many seconds a connection may wait for the rest of a request; other limits are those of the full server. */
const restSeconds = 1;
/** Maximum size of what a client may send ahead while its call is processed. */
const aheadBytesMax = 65_536;

/** What a connection needs of its server. */
export type ConnectionOwner = {
  readonly options: FastPathOptions;
  readonly keepAliveSeconds: number;
  readonly room: ReadRoom;
  readonly requestIds: Uuids;
  /** Connections are no longer kept open. */
  readonly isDraining: boolean;
  /** This is the only connection. */
  readonly hasOne: boolean;
  answer(answer: FastAnswer, closes: boolean): { readonly text: string; readonly isAscii: boolean };
  timedOut(connection: FastConnection): void;
  forget(connection: FastConnection): void;
  handOver(connection: FastConnection, unread: Buffer | undefined): void;
};

/**
 * A connection: waiting for a request, or processing one call at a time. It ends, or moves to the full server with the
 * first request that the fast path does not handle.
 */
export class FastConnection {
  readonly socket: Socket;
  /** Its position in the owner's set of connections. */
  entry: SetEntry<FastConnection> | undefined = undefined;
  readonly #owner: ConnectionOwner;
  readonly #requests: FastRequests;
  /** Data received but not consumed by an answered call. */
  #unread: Buffer | undefined;
  #isAtWork = false;
  #hasEnded = false;
  /** Seconds until it times out; 0 without a limit. */
  #seconds: number;
  /** No call has arrived yet. */
  #isNew = true;

  constructor(owner: ConnectionOwner, socket: Socket, seconds: number) {
    this.#owner = owner;
    this.socket = socket;
    this.#seconds = seconds;
    this.#requests = new FastRequests(owner.options.paths);
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
    // The read buffer is reused, so copy what is left.
    if (this.#unread !== undefined && this.#unread.buffer === bytes.buffer) this.#unread = Buffer.from(this.#unread);
  };

  /** Processes received data. */
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

  #start({ path, body, size }: FastRequest, caller: Caller): void {
    const { turns, paths } = this.#owner.options;
    const json = this.#parse(body);
    if (json === undefined) {
      this.#handOver();
      return;
    }
    this.#isNew = false;
    const unread = this.#unread as Buffer;
    this.#unread = unread.length === size ? undefined : unread.subarray(size);
    const call = new FastCall(this.#owner.requestIds.next(), path, caller, body);
    const first = () => this.#work(call, () => paths.get(path)?.(json.value, call));
    // With more requests pending, yield first; otherwise responses would recurse into the next call.
    turns.take(first, this.#unread !== undefined ? 'no' : this.#owner.hasOne ? 'yes' : 'maybe');
  }

  /** Runs one step of a call; returns the next step, or sends the response. */
  #work(call: FastCall, part: () => unknown): Step | undefined {
    let result: unknown;
    try {
      result = part();
    } catch (error) {
      return this.#answer(call, this.#refused(call, error));
    }
    if (typeof result === 'function') return () => this.#work(call, result as () => unknown);
    if (!(result instanceof Promise)) return this.#answer(call, call.done(result));
    void this.#wait(call, result);
    return undefined;
  }

  async #wait(call: FastCall, result: Promise<unknown>): Promise<void> {
    const done = await result.then(
      (body) => call.done(body),
      (error) => this.#refused(call, error),
    );
    const send = this.#answer(call, done);
    await this.#owner.options.turns.end();
    send();
  }

  #refused({ requestId, fields }: FastCall, error: unknown): FastAnswer {
    const refusal = this.#owner.options.refuse(error, requestId, fields);
    return { requestId, status: refusal.status, fields: refusal.fields, json: JSON.stringify(refusal.body) };
  }

  /** Builds the response; the returned function sends it. */
  #answer(call: FastCall, answer: FastAnswer): () => undefined {
    const closes = this.#owner.isDraining || this.#isLast();
    const { text, isAscii } = this.#owner.answer(answer, closes);
    return () => {
      if (this.socket.destroyed) return;
      this.socket.write(text, isAscii ? 'latin1' : 'utf8');
      this.#owner.options.answered?.(call, answer.status);
      this.#sent(closes);
    };
  }

  /** The parsed body; if it cannot be parsed, the full server rejects it. */
  #parse(body: string): { readonly value: unknown } | undefined {
    // It may replace invalid UTF-8.
    if (body.includes('\ufffd')) return undefined;
    try {
      const value: unknown = JSON.parse(body);
      return { value: isFlat(value) ? value : this.#owner.options.parseJson(body) };
    } catch {
      return undefined;
    }
  }

  /**
   * Authenticates; the full server reports a refusal. Reading pauses meanwhile: data received on a half-closed
   * connection cannot be put back for the server.
   */
  async #ask(request: FastRequest): Promise<void> {
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

  /** Whether the client has half-closed and no complete request follows. */
  #isLast(): boolean {
    return this.#hasEnded && (this.#unread === undefined || this.#requests.read(this.#unread) === 'more');
  }

  /** The response to a call is on its way. */
  #sent(closes: boolean): void {
    const { socket } = this;
    if (closes) {
      this.#release();
      this.#owner.forget(this);
      socket.on('error', this.#onError);
      // Like the full server: a client that never closes its side would keep the process from ending.
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

/** False when it may contain something that `parseJson` rejects, which requires a search of the whole text. */
function isFlat(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) {
    if (name === '__proto__' || name === 'constructor') return false;
    if (typeof (value as Record<string, unknown>)[name] === 'object') return false;
  }
  return true;
}

/** What {@link FastPath} needs. */
export type FastPathOptions = {
  /**
   * The handler per path; its body is JSON that no schema has checked. A returned function is the rest of the work, run
   * when the other calls of the turn have reached the same point.
   */
  readonly paths: ReadonlyMap<string, (body: unknown, parties: Parties) => unknown>;
  readonly callers: Callers;
  readonly turns: Turns;
  /** Throws when it is not JSON. */
  readonly parseJson: (text: string) => unknown;
  readonly refuse: (error: unknown, requestId: string, given: Readonly<Record<string, string>>) => Refusal;
  readonly fields: Readonly<Record<string, string>>;
  /** Called after each response. */
  readonly answered?: ((call: FastCall, status: number) => void) | undefined;
};
