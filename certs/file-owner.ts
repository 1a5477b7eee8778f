/** Whose the files are that a command makes in the folder of a service. */
import { fchownSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Gives a new, open file to the owner of its folder where root has made it: a service that runs as another user could not
 * read it otherwise (mode 0600), and would not start again.
 */
export function giveToFolderOwner(descriptor: number, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}
