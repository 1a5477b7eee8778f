/** A lock for a small file that several programs read, change and write back. */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../certs/folders.ts';
import { PrivetError } from '../../core/errors.ts';

/** A change takes milliseconds; an older lock was left behind by a program that died. */
const staleMs = 10_000;
const waitMsMax = 15_000;
const stepMs = 15;

/**
 * Runs `work` and returns its result while no other program that uses the lock changes the file. The lock is
 * `<file>.lock`. Rejects with PrivetError `unavailable` when the lock cannot be acquired, and with whatever `work`
 * throws.
 */
export async function withLock<T>(file: string, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const start = performance.now();
  while (!take(lock)) {
    if (isStale(lock)) rmSync(lock, { force: true });
    else if (performance.now() - start > waitMsMax)
      throw new PrivetError('unavailable', `Another program is changing ${file}; if none is, remove ${lock}.`);
    else await new Promise((resolve) => setTimeout(resolve, stepMs * (1 + Math.random())));
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    makeFolder(dirname(lock));
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new PrivetError('unavailable', `The file ${lock} cannot be written (${code}).`, { cause });
  }
}

function isStale(lock: string): boolean {
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  // A lock from the future was created before the clock was set back.
  return made !== undefined && Math.abs(Date.now() - made) > staleMs;
}
