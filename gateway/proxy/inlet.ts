/**
 * What a client sends, handed to whoever reads at the moment: the listener, the look at the first bytes, the tunnel. The
 * listeners of the socket stay the same from the first byte on; putting them on anew for each of them, with a pause and a
 * start in between, is a tenth of what a short tunnel costs.
 */
import type { Socket } from 'node:net';

/** Takes what a client sends. */
export type InletReader = {
  data(bytes: Buffer): void;
  /** The client has ended its side; told to a new reader, too, when it was so before. */
  end(): void;
};

/** The receiving side of a connection, read from here alone. */
export class Inlet {
  readonly socket: Socket;
  private reader: InletReader | undefined = undefined;
  private hasEnded: boolean;

  /** Takes a socket over; bytes that were read from it already may be given back with `unshift` before. */
  constructor(socket: Socket) {
    this.socket = socket;
    // The end may have come before, and is not told again.
    this.hasEnded = socket.readableEnded;
    socket.on('data', this.onData);
    socket.on('end', this.onEnd);
    socket.resume();
  }

  /** Hands everything to this reader from now on. */
  read(reader: InletReader): void {
    this.reader = reader;
    if (this.hasEnded) reader.end();
    else if (this.socket.isPaused()) this.socket.resume();
  }

  /** Nobody reads for a while: what comes waits. */
  hold(): void {
    this.reader = undefined;
  }

  /** The socket, paused, for somebody else to read; `bytes` are read from it first. */
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
