/**
 * Lines for stdout, written in the background. A sink of our own, because that of pino (sonic-boom 4.2) tries for ever to
 * write the rest at the end of the process when its reader has gone: a gateway behind `| head` could only be killed.
 */
import { write, writeSync } from 'node:fs';
import type { LineSink } from './log.ts';

/** Characters that wait for a reader who does not read; beyond it lines are dropped. */
const waitingMax = 16 * 1024 * 1024;
/** Characters of one write. */
const pieceMax = 64 * 1024;
/** A pipe that is full is tried again after this time. */
const retryMs = 20;
/** How long the end of the process waits for a reader who does not read. */
const patienceMs = 1_000;

/** Writes lines to a file descriptor. Open → closed, when its reader has gone: then lines are lost, which is told to nobody. */
export class StdoutSink implements LineSink {
  readonly #fd: number;
  readonly #waiting: string[] = [];
  #waitingLength = 0;
  /** What is being written in the background, without what has been. */
  #piece: Buffer | undefined;
  #isClosed = false;
  #onDrop: (() => void) | undefined;

  /** A pipe or socket has to be non-blocking, or a thread that waits for its reader keeps the process from ending. */
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
    if (this.#piece === undefined) this.#writeNext();
  }

  on(_event: 'drop', take: () => void): void {
    this.#onDrop = take;
  }

  /** Writes what waits, now; gives up when nobody reads. What is being written in the background goes on there. */
  flushSync(): void {
    const until = performance.now() + patienceMs;
    for (let rest = this.#nextPiece(); rest !== undefined; ) {
      try {
        const written = writeSync(this.#fd, rest);
        rest = written < rest.length ? rest.subarray(written) : this.#nextPiece();
      } catch (error) {
        if (!isFull(error) || performance.now() > until) {
          this.#close();
          return;
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    }
  }

  #writeNext(): void {
    this.#piece = this.#nextPiece();
    if (this.#piece !== undefined) this.#writeOn(this.#piece);
  }

  #writeOn(piece: Buffer): void {
    write(this.#fd, piece, 0, piece.length, null, (error, written) => {
      if (error === null && written === piece.length) this.#writeNext();
      else if (error === null) this.#writeOn(piece.subarray(written));
      else if (isFull(error)) setTimeout(() => this.#writeOn(piece), retryMs);
      else this.#close();
    });
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
    this.#piece = undefined;
    this.#waiting.length = 0;
    this.#waitingLength = 0;
  }
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EAGAIN' || code === 'EBUSY';
}
