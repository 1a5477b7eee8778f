/**
 * Passes a client's data to the current reader: the listener, the first-bytes check, the tunnel. The socket keeps its
 * listeners; replacing them for each reader, with a pause and resume in between, is a tenth of the cost of a short
 * tunnel.
 */
import type { Socket } from 'node:net';

/** A reader of client data. */
export type InletReader = {
  data(bytes: Buffer): void;
  /** The client has half-closed; also reported to a later reader. */
  end(): void;
};

/** The only reader of data from a client. */
export class Inlet {
  readonly socket: Socket;
  private reader: InletReader | undefined = undefined;
  private hasEnded: boolean;

  /** Takes over a socket; data already read may have been put back with `unshift`. */
  constructor(socket: Socket) {
    this.socket = socket;
    // The end may have arrived before and is not reported again.
    this.hasEnded = socket.readableEnded;
    socket.on('data', this.onData);
    socket.on('end', this.onEnd);
    socket.resume();
  }

  /** Passes all data to this reader from now on. */
  read(reader: InletReader): void {
    this.reader = reader;
    if (this.hasEnded) reader.end();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** Pauses: data waits for a reader. */
  hold(): void {
    this.reader = undefined;
  }

  /** Returns the paused socket for another reader; `bytes` are read from it first. */
  release(bytes?: Buffer): Socket {
    const { socket } = this;
    socket.off('data', this.onData);
    socket.off('end', this.onEnd);
    this.reader = undefined;
    socket.pause();
    if (bytes !== undefined && bytes.length > 0) socket.unshift(bytes);
    return socket;
  }

  private readonly onData = (bytes: Buffer): void => {
    if (this.reader !== undefined) {
      this.reader.data(bytes);
      return;
    }
    this.socket.pause();
    this.socket.unshift(bytes);
  };

  private readonly onEnd = (): void => {
    this.hasEnded = true;
    this.reader?.end();
  };
}
