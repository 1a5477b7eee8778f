/** A request of a client over HTTP/1.1; as a stream it is the body, freed of its framing. */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
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
/** So many parts in a row that are smaller than this are made one. */
const smallCount = 64;
const smallBytes = 1_024;

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
  #parts: Buffer[] = [];
  #size = 0;
  /** How many of the last parts are small. */
  #small = 0;
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
    return this.#size;
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
    if (!this.complete || this.#size > bytesMax || this.#isWanted || this.errored) return undefined;
    return this.#join();
  }

  #join(): Buffer {
    const parts = this.#parts;
    this.#parts = [];
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, this.#size);
  }

  #checkCollected(): void {
    const { bytesMax, done } = this.#collecting as Collecting;
    if (this.#size > bytesMax) {
      this.#source.pauseBody();
      done(null, { isWhole: false, body: empty });
    } else if (this.complete) {
      done(null, { isWhole: true, body: this.#join() });
    }
  }

  /** A piece of the body has come. */
  takeBody(bytes: Buffer): void {
    if (this.destroyed) return;
    if (this.#isWanted) {
      if (!this.push(bytes)) this.#source.pauseBody();
      return;
    }
    this.#keep(bytes);
    if (this.#collecting) this.#checkCollected();
    else if (this.#size > 65_536) this.#source.pauseBody();
  }

  /** Small pieces are joined, so that a body that comes byte by byte does not take a hundred times its size. */
  #keep(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#small = bytes.length < smallBytes ? this.#small + 1 : 0;
    if (this.#small < smallCount) return;
    this.#small = 0;
    this.#parts.push(Buffer.concat(this.#parts.splice(-smallCount)));
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
      const parts = this.#parts;
      this.#parts = [];
      for (const part of parts) this.push(part);
      if (this.complete) {
        this.push(null);
        return;
      }
    }
    this.#source.resumeBody();
  }
}
