/** An HTTP/1.1 request from a client. As a stream, it is the body without its framing. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Pieces } from '../../core/stream/pieces.ts';
import type { Framing, RequestHead } from './head.ts';

/** The connection's interface for a request. */
export type BodySource = {
  /** Reads more of the body. */
  resumeBody(): void;
  /** Pauses for a slow reader. */
  pauseBody(): void;
};

/** A collected body: complete, or up to the limit. */
export type Collected = { readonly isWhole: boolean; readonly body: Buffer };

type Collecting = { readonly bytesMax: number; readonly done: (error: Error | null, collected?: Collected) => void };

const empty = Buffer.alloc(0);
const join = (parts: readonly Buffer[]) => Buffer.concat(parts);

/** One request, with the names and shapes of node:http. */
export class ServerRequest extends Readable {
  readonly method: string;
  readonly url: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: string[];
  readonly socket: Socket;
  /** The parsed framing fields; undefined if they are ambiguous. */
  readonly framing: Framing | undefined;
  /** True once the complete body has arrived. */
  complete = false;
  readonly #source: BodySource;
  #fields: Record<string, string> | undefined;
  /** Data that arrived before it was requested. */
  readonly #kept = new Pieces<Buffer>(join);
  #isWanted = false;
  #collecting: Collecting | undefined;

  constructor(head: RequestHead, socket: Socket, source: BodySource, framing?: Framing) {
    super({ highWaterMark: 65_536 });
    this.method = head.method;
    this.url = head.url;
    this.httpVersionMajor = head.major;
    this.httpVersionMinor = head.minor;
    this.rawHeaders = head.fields;
    this.framing = framing;
    this.socket = socket;
    this.#source = source;
  }

  /** Number of body bytes waiting to be collected. */
  get received(): number {
    return this.#kept.size;
  }

  get httpVersion(): string {
    return `${this.httpVersionMajor}.${this.httpVersionMinor}`;
  }

  /** The fields by lower-case name; repeated fields are joined (RFC 9110 §5.3). */
  get headers(): Readonly<Record<string, string | undefined>> {
    if (this.#fields === undefined) {
      const fields: Record<string, string> = Object.create(null);
      for (let i = 0; i < this.rawHeaders.length; i += 2) {
        const name = (this.rawHeaders[i] as string).toLowerCase();
        const value = this.rawHeaders[i + 1] as string;
        fields[name] = fields[name] === undefined ? value : `${fields[name]}${name === 'cookie' ? ';' : ','} ${value}`;
      }
      this.#fields = fields;
    }
    return this.#fields;
  }

  /**
   * Collects the body up to a limit, without the cost of a stream. A longer body is returned in part, and `stream`
   * starts with that part again. Do not mix with reading.
   */
  collect(bytesMax: number): Promise<Collected> {
    return new Promise((resolve, reject) => {
      const done: Collecting['done'] = (error, collected) => {
        this.#collecting = undefined;
        if (error) reject(error);
        else resolve(collected as Collected);
      };
      if (this.errored) return done(this.errored);
      this.#collecting = { bytesMax, done };
      this.#checkCollected();
      if (this.#collecting !== undefined) this.#source.resumeBody();
    });
  }

  /** The complete body if it has arrived and is within the limit; the synchronous form of {@link collect}. */
  takeWhole(bytesMax: number): Buffer | undefined {
    if (!this.complete || this.#kept.size > bytesMax || this.#isWanted || this.errored) return undefined;
    return this.#kept.takeWhole();
  }

  /** Discards the received body. */
  forget(): void {
    this.#kept.take();
  }

  #checkCollected(): void {
    const { bytesMax, done } = this.#collecting as Collecting;
    if (this.#kept.size > bytesMax) {
      this.#source.pauseBody();
      done(null, { isWhole: false, body: empty });
    } else if (this.complete) {
      done(null, { isWhole: true, body: this.#kept.takeWhole() });
    }
  }

  /** Adds a piece of the body. */
  takeBody(bytes: Buffer): void {
    if (this.destroyed) return;
    if (this.#isWanted) {
      if (!this.push(bytes)) this.#source.pauseBody();
      return;
    }
    this.#kept.push(bytes);
    if (this.#collecting) this.#checkCollected();
    else if (this.#kept.size > 65_536) this.#source.pauseBody();
  }

  /** Completes the body. */
  endBody(): void {
    this.complete = true;
    if (this.#isWanted) this.push(null);
    else if (this.#collecting) this.#checkCollected();
  }

  /** Fails the body: the client left before its end. */
  breakOff(error: Error): void {
    if (this.complete) return;
    this.#collecting?.done(error);
    if (this.listenerCount('error') === 0) this.on('error', () => {});
    this.destroy(error);
  }

  override _read(): void {
    if (!this.#isWanted) {
      this.#isWanted = true;
      for (const part of this.#kept.take()) this.push(part);
      if (this.complete) {
        this.push(null);
        return;
      }
    }
    this.#source.resumeBody();
  }
}
