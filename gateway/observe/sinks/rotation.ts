/**
 * Log file rotation: the file gets the time as a suffix (`audit.log.20261120T090000Z`), is compressed if configured,
 * and the oldest files beyond a number are removed. All times in UTC.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Log } from '../log.ts';

/** When a file is rotated, and what happens to old ones. A line is never split, so a file may be slightly larger. */
export type Rotation = {
  /** Bytes. */
  readonly size: number | null;
  readonly every: 'hour' | 'day' | null;
  /** Number of old files to keep. */
  readonly keep: number;
  readonly gzip: boolean;
};

const settleMs = 250;
const suffix = /^\d{8}T\d{6}Z(?:-\d+)?$/;

export class Rotator {
  readonly #path: string;
  readonly #rotation: Rotation;
  readonly #log: Log;
  #last: Promise<void> = Promise.resolve();
  #isEnding = false;

  constructor(path: string, rotation: Rotation, log: Log) {
    this.#path = path;
    this.#rotation = rotation;
    this.#log = log;
  }

  /** Whether a file of this size, last written at that time, must be rotated before the next write. */
  isDue(size: number, written: Date, now = new Date()): boolean {
    if (size === 0) return false;
    const { size: most, every } = this.#rotation;
    if (most !== null && size >= most) return true;
    const length = every === 'hour' ? 13 : 10;
    return every !== null && written.toISOString().slice(0, length) !== now.toISOString().slice(0, length);
  }

  /** Moves the file away immediately; compressing and removing continue in the background. */
  rotate(now = new Date()): void {
    const stamp = `${this.#path}.${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
    let old = stamp;
    for (let n = 1; !claim(old); n++) old = `${stamp}-${String(n).padStart(3, '0')}`;
    try {
      renameSync(this.#path, old);
    } catch (error) {
      rmSync(old, { force: true });
      // Another of our processes was faster.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw error;
    }
    this.#last = this.#last.then(() => this.#finish(old));
  }

  /** Resolves when compressing and removing are finished. */
  done(): Promise<void> {
    this.#isEnding = true;
    return this.#last;
  }

  async #finish(old: string): Promise<void> {
    const temporary = `${old}.gz.tmp`;
    try {
      this.#removeSurplus();
      if (!this.#rotation.gzip || !existsSync(old)) return;
      let size: number;
      do {
        // Another process may have been about to write to it when it was moved.
        if (!this.#isEnding) await new Promise((resolve) => setTimeout(resolve, settleMs));
        ({ size } = statSync(old));
        await pipeline(createReadStream(old), createGzip(), createWriteStream(temporary, { mode: 0o600 }));
      } while (statSync(old).size !== size);
      renameSync(temporary, `${old}.gz`);
      rmSync(old);
    } catch (error) {
      rmSync(temporary, { force: true });
      this.#log.error({ event: 'audit_rotation_failed', error }, 'an old audit log could not be compressed or removed');
    }
  }

  #removeSurplus(): void {
    const folder = dirname(this.#path);
    const name = basename(this.#path);
    const plain = (file: string) => file.replace(/\.gz$/, '');
    const olds = readdirSync(folder)
      .filter((file) => file.startsWith(`${name}.`) && suffix.test(plain(file).slice(name.length + 1)))
      .sort((a, b) => (plain(a) < plain(b) ? -1 : 1));
    for (const file of olds.slice(0, Math.max(0, olds.length - this.#rotation.keep)))
      rmSync(join(folder, file), { force: true });
  }
}

/** Claims the name, so that of two processes none overwrites the file the other has moved there. */
function claim(old: string): boolean {
  if (existsSync(`${old}.gz`)) return false;
  try {
    closeSync(openSync(old, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
