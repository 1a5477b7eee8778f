/**
 * Lines in a file, written in groups. The file may be rotated by us, or by somebody else: when another file (or none) has
 * its name, it is opened anew.
 */
import { closeSync, fstatSync, fsyncSync, openSync, statSync, write, writeSync } from 'node:fs';
import { PrivetError } from '../../../core/errors.ts';
import type { Log } from '../log.ts';
import { type Rotation, Rotator } from './rotation.ts';
import type { OnDropped, Sink } from './sink.ts';

/** Options of {@link FileSink}. */
export type FileSinkOptions = {
  readonly path: string;
  readonly rotate?: Rotation;
  readonly log: Log;
  readonly onDropped: OnDropped;
  /** Characters that may wait for a slow or full disk; beyond it lines are dropped and counted. 8 Mi. */
  readonly bufferedMax?: number;
  /** Longest time in ms that a line waits for others to be written with. 100. */
  readonly flushMs?: number;
};

const retryMs = 1_000;

/** Writes lines in groups; at most one write is under way. */
export class FileSink implements Sink {
  readonly kind = 'file';
  readonly #options: FileSinkOptions;
  readonly #bufferedMax: number;
  readonly #flushMs: number;
  readonly #rotator: Rotator | undefined;
  #descriptor: number | undefined;
  #lines: string[] = [];
  #length = 0;
  /** Bytes taken from the buffer and not on disk yet. */
  #writing: Buffer | undefined;
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
    this.#lines.push(line, '\n');
    this.#length += line.length + 1;
    if (this.#timer === undefined && this.#writing === undefined) this.#schedule(this.#flushMs);
  }

  reopen(): void {
    this.flush();
    this.#open();
  }

  /** Writes all that waits, blocking. What cannot be written is counted as dropped. */
  flush(): void {
    if (this.#descriptor === undefined || this.#writing !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines.length / 2;
    if (lines === 0) return;
    try {
      this.#renew();
      const bytes = this.#take();
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    } catch (error) {
      this.#lines = [];
      this.#length = 0;
      this.#options.onDropped('file', lines);
      this.#fail(error);
    }
  }

  /** Waits for the write under way, writes the rest, syncs and closes the file. */
  async close(): Promise<void> {
    for (let waited = 0; this.#writing !== undefined && waited < 5_000; waited += 5) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    this.flush();
    if (this.#descriptor === undefined) return;
    try {
      fsyncSync(this.#descriptor);
    } catch {
      // Pipes and some file systems cannot sync.
    }
    if (this.#writing === undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    clearTimeout(this.#timer);
    await this.#rotator?.done();
  }

  /** Opens the file, and closes the one that was open. */
  #open(): void {
    const { path } = this.#options;
    let next: number;
    try {
      next = openSync(path, 'a', 0o600);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      throw new PrivetError('unavailable', `The audit log ${path} cannot be opened (${code}).`, { cause: error });
    }
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = next;
  }

  /** Rotates where it is time, and follows a file that somebody else has moved away. No write is under way. */
  #renew(): void {
    const descriptor = this.#descriptor as number;
    const { size, mtime, ino, dev } = fstatSync(descriptor);
    const now = statSync(this.#options.path, { throwIfNoEntry: false });
    if (now === undefined || now.ino !== ino || now.dev !== dev) this.#open();
    else if (this.#rotator?.isDue(size, mtime)) {
      this.#rotator.rotate();
      this.#open();
    }
  }

  #schedule(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#writing !== undefined) return this.#writeMore(this.#writing);
      try {
        this.#renew();
        this.#writeMore(this.#take());
      } catch (error) {
        this.#fail(error);
        this.#schedule(retryMs);
      }
    }, ms).unref();
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    return bytes;
  }

  #writeMore(bytes: Buffer): void {
    if (this.#descriptor === undefined || bytes.length === 0) {
      this.#writing = undefined;
      return;
    }
    this.#writing = bytes;
    write(this.#descriptor, bytes, (error, written) => {
      if (error) {
        this.#fail(error);
        this.#schedule(retryMs);
        return;
      }
      this.#isFailing = false;
      if (written < bytes.length) return this.#writeMore(bytes.subarray(written));
      this.#writing = undefined;
      if (this.#lines.length > 0) this.#schedule(this.#flushMs);
    });
  }

  /** One log line per failure, not one per event. */
  #fail(error: unknown): void {
    if (!this.#isFailing)
      this.#options.log.error({ event: 'audit_write_failed', error }, 'the audit log cannot be written');
    this.#isFailing = true;
  }
}
