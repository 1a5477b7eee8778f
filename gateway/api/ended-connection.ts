/** A stand-in for a connection whose client half-closed before everything it sent was processed. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Reads the remaining data and then the end, which a socket reports only once; writes go to the socket. */
export class EndedConnection extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket, rest: Buffer) {
    super();
    this.#socket = socket;
    this.push(rest);
    this.push(null);
    socket.on('error', () => {});
    socket.once('close', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
