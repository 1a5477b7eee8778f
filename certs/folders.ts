/** Folders, and whose the files are that a command makes in the folder of a service. */
import { existsSync, fchownSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those that it is in, where they are missing. Step by step, because node's own `recursive` never returns
 * where the system refuses a name, as in /proc. @throws the system's error
 */
export function makeFolder(dir: string, mode = 0o700): void {
  const whole = resolve(dir);
  if (existsSync(whole)) return;
  const parent = dirname(whole);
  if (parent !== whole) makeFolder(parent, mode);
  try {
    mkdirSync(whole, { mode });
  } catch (error) {
    // Another process was first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Gives a new, open file to the owner of its folder where root has made it: a service that runs as another user could not
 * read it otherwise (mode 0600), and would not start again.
 */
export function giveToFolderOwner(descriptor: number, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}
