/** A request of a client over HTTP/1.1; as a stream it is the body, freed of its framing. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Pieces } from '../../core/stream/pieces.ts';
import type { Framing, RequestHead } from './head.ts';

/** What a request tells the connection on which it came. */
export type BodySource = {
  /** More of the body is wanted. */
  resumeBody(): void;
  /** The reader is slower than the client. */
  pauseBody(): void;
};

/** A body that was collected: whole, or as much as was there when it passed the limit. */
export type Collected = { readonly isWhole: boolean; readonly body: Buffer };

type Collecting = { readonly bytesMax: number; readonly done: (error: Error | null, collected?: Collected) => void };

const empty = Buffer.alloc(0);
const join = (parts: readonly Buffer[]) => Buffer.concat(parts);

/** One request. Names and shapes are those of node:http. */
export class ServerRequest extends Readable {
  readonly method: string;
  readonly url: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly rawHeaders: string[];
  readonly socket: Socket;
  /** What the framing fields say; undefined where they cannot be told apart. */
  readonly framing: Framing | undefined;
  /** True when the whole body has come. */
  complete = false;
  readonly #source: BodySource;
  #fields: Record<string, string> | undefined;
  /** What came before somebody asked for it. */
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

  /** Bytes of the body that wait to be collected. */
  get received(): number {
    return this.#kept.size;
  }

  get httpVersion(): string {
    return `${this.httpVersionMajor}.${this.httpVersionMinor}`;
  }

  /** The fields by their names in lower case; several with one name are joined (RFC 9110 §5.3). */
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
   * Collects the body up to a limit, without the cost of a stream. When it is longer, what was collected is handed out
   * and `stream` begins with it again. Not to be mixed with reading.
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

  /** The whole body, where all of it has come and is within the limit: what {@link collect} would give, at once. */
  takeWhole(bytesMax: number): Buffer | undefined {
    if (!this.complete || this.#kept.size > bytesMax || this.#isWanted || this.errored) return undefined;
    return this.#kept.takeWhole();
  }

  /** Nobody wants what has come of the body. */
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

  /** A piece of the body has come. */
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

  /** The body is complete. */
  endBody(): void {
    this.complete = true;
    if (this.#isWanted) this.push(null);
    else if (this.#collecting) this.#checkCollected();
  }

  /** The client has left before the end. */
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
