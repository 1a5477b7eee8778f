/**
 * Writes lines to a file in batches. The file may be rotated by us or by another program: when the path leads to
 * another file (or none), it is reopened.
 */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
  statSync,
  write,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PrivetError } from '../../../core/errors.ts';
import type { Log } from '../log.ts';
import { type Rotation, Rotator } from './rotation.ts';
import type { OnDropped, Sink } from './sink.ts';

export type FileSinkOptions = {
  readonly path: string;
  readonly rotate?: Rotation;
  readonly log: Log;
  readonly onDropped: OnDropped;
  /** Characters that may wait for a slow or full disk; beyond that, lines are dropped and counted. 8 Mi. */
  readonly bufferedMax?: number;
  /** Maximum time in ms that a line waits to be batched. 100. */
  readonly flushMs?: number;
  /** How long shutdown waits for the disk, in ms. 5,000. */
  readonly closeMs?: number;
};

const retryMs = 1_000;
const lineBreak = 10;
/** Lines are collected in chunks of this size. */
const pieceBytes = 65_536;

/** Writes lines in batches; at most one write is in progress. */
export class FileSink implements Sink {
  readonly #options: FileSinkOptions;
  readonly #bufferedMax: number;
  readonly #flushMs: number;
  readonly #rotator: Rotator | undefined;
  #descriptor: number | undefined;
  /**
   * Pending data as bytes. As strings, recent lines and everything they were built from would survive garbage
   * collections.
   */
  #pieces: Buffer[] = [];
  /** The chunk being filled, and its fill level. */
  readonly #piece = Buffer.allocUnsafeSlow(pieceBytes);
  #used = 0;
  #lines = 0;
  #length = 0;
  /** The data being written, and how much of it is on disk. */
  #writing: { readonly bytes: Buffer; at: number } | undefined;
  /** The descriptor the system is writing to, which must stay open. */
  #busy: number | undefined;
  /** The file ends with a partial line. */
  #isTorn = false;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;

  /** @throws PrivetError `unavailable` when the file cannot be opened. */
  constructor(options: FileSinkOptions) {
    this.#options = options;
    this.#bufferedMax = options.bufferedMax ?? 8 * 1024 * 1024;
    this.#flushMs = options.flushMs ?? 100;
    this.#open();
    if (options.rotate) this.#rotator = new Rotator(options.path, options.rotate, options.log);
  }

  write(line: string): void {
    if (this.#length >= this.#bufferedMax || this.#descriptor === undefined) {
      this.#options.onDropped('file', 1);
      return;
    }
    this.#keep(line);
    this.#lines++;
    this.#length += line.length + 1;
    if (this.#timer === undefined && this.#writing === undefined) this.#schedule(this.#flushMs);
  }

  reopen(): void {
    this.flush();
    if (this.#isMoved(fstatSync(this.#descriptor as number))) this.#open();
  }

  /** Writes all pending lines, blocking. What cannot be written is counted as dropped. */
  flush(): void {
    if (this.#descriptor === undefined || this.#writing !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    if (lines === 0) return;
    let at = 0;
    let bytes: Buffer | undefined;
    try {
      this.#renew();
      bytes = this.#take();
      while (at < bytes.length) at += writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      this.#forget();
      this.#isTorn = bytes !== undefined && at > 0 && bytes[at - 1] !== lineBreak;
      this.#options.onDropped('file', bytes === undefined ? lines : linesIn(bytes.subarray(at)));
      this.#fail(error);
    }
  }

  /**
   * Waits for the current write, writes the rest, syncs and closes the file. What a full disk does not accept is
   * counted.
   */
  async close(): Promise<void> {
    const { closeMs = 5_000 } = this.#options;
    for (let waited = 0; this.#writing !== undefined && waited < closeMs; waited += 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.flush();
    const lost = this.#lines + (this.#writing ? linesIn(this.#writing.bytes.subarray(this.#writing.at)) : 0);
    if (lost > 0) this.#options.onDropped('file', lost);
    clearTimeout(this.#timer);
    this.#forget();
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    if (descriptor === undefined) return;
    try {
      fsyncSync(descriptor);
    } catch {
      // Pipes and some file systems cannot sync.
    }
    if (descriptor !== this.#busy) closeSync(descriptor);
    await this.#rotator?.done();
  }

  /** Opens the file that currently has the path, and closes the previous one. */
  #open(): void {
    const { path } = this.#options;
    let next: number;
    try {
      next = openSync(path, 'a', 0o600);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw new PrivetError('unavailable', `The audit log ${path} cannot be opened (${code}).`, { cause: error });
    }
    // While the system writes to it, its descriptor must not be reused for another file or connection.
    if (this.#descriptor !== undefined && this.#descriptor !== this.#busy) closeSync(this.#descriptor);
    this.#descriptor = next;
    this.#isTorn = false;
    if (this.#writing !== undefined) this.#writing.at = lineStart(this.#writing);
  }

  /** Rotates if due, and follows a file that another program has moved away. No write is in progress. */
  #renew(): void {
    const descriptor = this.#descriptor as number;
    const open = fstatSync(descriptor);
    if (this.#isMoved(open)) this.#open();
    else if (this.#rotator?.isDue(open.size, open.mtime)) {
      this.#rotator.rotate();
      this.#open();
    }
  }

  #isMoved({ ino, dev }: Stats): boolean {
    const now = statSync(this.#options.path, { throwIfNoEntry: false });
    return now === undefined || now.ino !== ino || now.dev !== dev;
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      try {
        // Also after a failed write: somebody may have moved the file away to free a full disk.
        this.#renew();
        this.#writing ??= { bytes: this.#take(), at: 0 };
        this.#writeMore();
      } catch (error) {
        this.#fail(error);
        this.#schedule(retryMs);
      }
    }, ms).unref();
  }

  #keep(line: string): void {
    const mostBytes = line.length * 3 + 1;
    if (mostBytes > pieceBytes - this.#used) this.#endPiece();
    if (mostBytes > pieceBytes) {
      this.#pieces.push(Buffer.from(`${line}\n`));
      return;
    }
    this.#used += this.#piece.write(line, this.#used);
    this.#piece[this.#used++] = lineBreak;
  }

  #endPiece(): void {
    if (this.#used > 0) this.#pieces.push(Buffer.from(this.#piece.subarray(0, this.#used)));
    this.#used = 0;
  }

  #take(): Buffer {
    this.#endPiece();
    const bytes = Buffer.concat(this.#isTorn ? [Buffer.of(lineBreak), ...this.#pieces] : this.#pieces);
    this.#isTorn = false;
    this.#forget();
    return bytes;
  }

  #forget(): void {
    this.#pieces = [];
    this.#used = 0;
    this.#lines = 0;
    this.#length = 0;
  }

  #writeMore(): void {
    const descriptor = this.#descriptor;
    const writing = this.#writing;
    if (descriptor === undefined || writing === undefined || writing.at === writing.bytes.length) {
      this.#writing = undefined;
      return;
    }
    this.#busy = descriptor;
    write(descriptor, writing.bytes, writing.at, (error, written) => {
      this.#busy = undefined;
      const isCurrent = descriptor === this.#descriptor;
      if (!isCurrent) closeSync(descriptor);
      if (this.#descriptor === undefined) return;
      if (error) {
        this.#fail(error);
        this.#schedule(retryMs);
        return;
      }
      this.#isFailing = false;
      if (isCurrent || writing.at + written === writing.bytes.length) writing.at += written;
      else writing.at = lineStart({ ...writing, at: writing.at + written });
      if (writing.at < writing.bytes.length) return this.#writeMore();
      this.#writing = undefined;
      if (this.#lines > 0) this.#schedule(this.#flushMs);
    });
  }

  /** One log line per failure, not one per event. */
  #fail(error: unknown): void {
    if (!this.#isFailing)
      this.#options.log.error({ event: 'audit_write_failed', error }, 'the audit log cannot be written');
    this.#isFailing = true;
  }
}

/**
 * Why lines cannot be appended to a file, or why it cannot be created in its folder (without creating it); undefined
 * when they can.
 */
export function whyNotAppended(named: string): string | undefined {
  let path = named;
  try {
    path = targetOf(named);
    const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
    const folder = dirname(path);
    if (isThere && statSync(path).isDirectory()) return `${path} cannot be written: it is a directory`;
    if (!isThere && !statSync(folder).isDirectory()) return `${path} cannot be created: ${folder} is not a directory`;
    accessSync(isThere ? path : folder, isThere ? constants.W_OK : constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code = 'error' } = error as NodeJS.ErrnoException;
    const words: Record<string, string> = {
      ENOENT: `there is no folder ${dirname(path)}`,
      ENOTDIR: 'a part of its path is not a directory',
      EACCES: 'not permitted',
      EROFS: 'its disk is read-only',
    };
    return `${path} cannot be written: ${words[code] ?? code}`;
  }
}

/** The file that is created when the path is a dangling symbolic link. */
function targetOf(path: string): string {
  let target = path;
  try {
    // The number of links that Linux follows.
    for (let links = 0; links < 40 && lstatSync(target).isSymbolicLink(); links++)
      target = resolve(dirname(target), readlinkSync(target));
  } catch {
    // It does not exist; creating it reports the reason.
  }
  return target;
}

/** Start of the line that is only partly on disk; a new file gets the whole line. */
function lineStart({ bytes, at }: { readonly bytes: Buffer; readonly at: number }): number {
  return at === 0 ? 0 : bytes.lastIndexOf(lineBreak, at - 1) + 1;
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === lineBreak) lines++;
  return lines;
}
