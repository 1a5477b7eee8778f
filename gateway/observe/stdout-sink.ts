/**
 * Writes lines to stdout. Our own sink, because pino's (sonic-boom 4.2) retries forever at process end when its reader
 * is gone: a gateway behind `| head` could only be killed.
 */
import { writeSync } from 'node:fs';

/** Characters that may wait for a reader that does not read; beyond that, lines are dropped. */
const waitingMax = 16 * 1024 * 1024;
/** Characters per write, and maximum number of consecutive writes. */
const pieceMax = 64 * 1024;
const writesMax = 16;
/** Retry delay for a full pipe, and for a full disk. */
const fullPipeMs = 20;
const fullDiskMs = 1_000;
/** How long shutdown waits for a reader that does not read; one that reads slowly gets everything. */
const patienceMs = 5_000;

/**
 * Writes the lines of one turn of the event loop together, at its end; what does not fit waits. Open → closed when the
 * reader is gone: then lines are lost.
 */
export class StdoutSink implements LineSink {
  readonly #fd: number;
  readonly #waiting: string[] = [];
  #waitingLength = 0;
  /** The rest of a partial write. */
  #rest: Buffer | undefined;
  #written = 0;
  #turn: NodeJS.Immediate | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #onDrop: (() => void) | undefined;

  /** A pipe or socket must be non-blocking, or a reader that does not read would block the process. */
  constructor(fd: number) {
    this.#fd = fd;
  }

  write(line: string): void {
    if (this.#isClosed) return;
    if (this.#waitingLength + line.length > waitingMax) {
      this.#onDrop?.();
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#retry === undefined) this.#turn ??= setImmediate(this.#writeTurn);
  }

  on(_event: 'drop', take: () => void): void {
    this.#onDrop = take;
  }

  /** Writes pending lines now; gives up when nobody reads. */
  flushSync(): void {
    let until = performance.now() + patienceMs;
    for (;;) {
      const before = this.#written;
      const error = this.#writeSome(Number.POSITIVE_INFINITY);
      if (this.#written > before) until = performance.now() + patienceMs;
      if (error === undefined || !isFullPipe(error) || performance.now() > until) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs);
    }
  }

  readonly #writeTurn = (): void => {
    this.#turn = undefined;
    this.#retry = undefined;
    const error = this.#writeSome(writesMax);
    if (error !== undefined && !this.#isClosed) {
      const isPipe = isFullPipe(error);
      this.#retry = setTimeout(this.#writeTurn, isPipe ? fullPipeMs : fullDiskMs);
      // A disk may stay full, so this must not keep the process alive.
      if (!isPipe) this.#retry.unref();
    } else if (this.#rest !== undefined || this.#waiting.length > 0) this.#turn ??= setImmediate(this.#writeTurn);
  };

  /** Writes up to this many chunks; returns the error that stopped it. */
  #writeSome(writes: number): unknown {
    for (let n = 0; n < writes; n++) {
      this.#rest ??= this.#nextPiece();
      const piece = this.#rest;
      if (piece === undefined) return undefined;
      try {
        const written = writeSync(this.#fd, piece);
        this.#written += written;
        this.#rest = written < piece.length ? piece.subarray(written) : undefined;
      } catch (error) {
        if (isGone(error)) this.#close();
        return error;
      }
    }
    return undefined;
  }

  #nextPiece(): Buffer | undefined {
    let count = 0;
    let length = 0;
    while (count < this.#waiting.length && length < pieceMax) length += (this.#waiting[count++] as string).length;
    if (count === 0) return undefined;
    this.#waitingLength -= length;
    return Buffer.from(this.#waiting.splice(0, count).join(''));
  }

  #close(): void {
    this.#isClosed = true;
    this.#rest = undefined;
    this.#waiting.length = 0;
    this.#waitingLength = 0;
  }
}

function isFullPipe(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'EBADF';
}

/** Where lines go; default stdout. */
export type LineSink = {
  write(line: string): unknown;
  flushSync?(): void;
  on?(event: 'drop', take: () => void): unknown;
};
