/**
 * Lines for stdout. A sink of our own, because that of pino (sonic-boom 4.2) tries for ever to write the rest at the end of the
 * process when its reader has gone: a gateway behind `| head` could only be killed.
 */
import { writeSync } from 'node:fs';
import type { LineSink } from './log.ts';

/** Characters that wait for a reader who does not read; beyond it lines are dropped. */
const waitingMax = 16 * 1024 * 1024;
/** Characters of one write, and how many writes follow each other. */
const pieceMax = 64 * 1024;
const writesMax = 16;
/** A pipe that is full is tried again after this time, a disk that is full after that. */
const fullPipeMs = 20;
const fullDiskMs = 1_000;
/** How long the end of the process waits for a reader who does not read. */
const patienceMs = 1_000;

/**
 * Writes the lines of a turn of the event loop together, at its end; what finds no room waits. Open → closed, when its reader
 * has gone: then lines are lost.
 */
export class StdoutSink implements LineSink {
  readonly #fd: number;
  readonly #waiting: string[] = [];
  #waitingLength = 0;
  /** The rest of what was written in part. */
  #rest: Buffer | undefined;
  #turn: NodeJS.Immediate | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #onDrop: (() => void) | undefined;

  /** A pipe or socket has to be non-blocking, or a reader who does not read holds up the process. */
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

  /** Writes what waits, now; gives up when nobody reads. */
  flushSync(): void {
    const until = performance.now() + patienceMs;
    for (;;) {
      const error = this.#writeSome(Number.POSITIVE_INFINITY);
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
      // A disk may stay full; nobody waits for that with the end of the process.
      if (!isPipe) this.#retry.unref();
    } else if (this.#rest !== undefined || this.#waiting.length > 0) this.#turn ??= setImmediate(this.#writeTurn);
  };

  /** Writes up to so many pieces; what kept it from writing more. */
  #writeSome(writes: number): unknown {
    for (let n = 0; n < writes; n++) {
      this.#rest ??= this.#nextPiece();
      const piece = this.#rest;
      if (piece === undefined) return undefined;
      try {
        const written = writeSync(this.#fd, piece);
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
