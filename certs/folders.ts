/** Creates folders, and gives files that a command creates in a service's folder to the owner of that folder. */
import { existsSync, fchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents. Step by step, because Node's `recursive` option never returns where the
 * system refuses a name, as in /proc. @throws the system's error
 */
export function makeFolder(dir: string, mode = 0o700): void {
  const whole = resolve(dir);
  if (existsSync(whole)) return;
  const parent = dirname(whole);
  if (parent !== whole) makeFolder(parent, mode);
  try {
    mkdirSync(whole, { mode });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * When root creates a file, gives it to the owner of its folder. Otherwise a service running as another user could not
 * read the file (mode 0600) and would fail to start.
 */
export function giveToFolderOwner(descriptor: number, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}
