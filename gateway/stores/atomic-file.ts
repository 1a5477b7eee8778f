/**
 * Small files that are replaced as a whole: a reader sees the old text or the new one, never a part, also after a crash.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { giveToFolderOwner, makeFolder } from '../../certs/folders.ts';
import { PrivetError } from '../../core/errors.ts';

/** Whose a file is and who may read it, as `statSync` tells. */
export type FileRights = { readonly mode: number; readonly uid: number; readonly gid: number };

/**
 * Writes a temporary file beside `file` (mode 0600, or with `rights`), syncs it and renames it into place.
 * Throws PrivetError `unavailable` when the disk is full or not writable; the old file is untouched then.
 */
export function replaceFile(file: string, text: string, rights?: FileRights): void {
  viaTemporary(file, text, (temporary) => {
    if (rights !== undefined) giveRights(temporary, rights);
    renameSync(temporary, file);
  });
}

/**
 * The text of a file that is made once: what it holds, or what `make` gives when there is none. Of several processes that
 * begin at the same time all get the text of the one that was first. `isNew`: this call made it.
 * Throws PrivetError `unavailable`.
 */
export function createFileOnce(file: string, make: () => string): { readonly text: string; readonly isNew: boolean } {
  const known = readFileIfPresent(file);
  if (known !== undefined) return { text: known, isNew: false };
  const made = make();
  viaTemporary(file, made, (temporary) => {
    try {
      linkSync(temporary, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
      // A file system without hard links: the whole text all the same, though the last of several processes wins.
      if (!existsSync(file)) renameSync(temporary, file);
    }
  });
  const text = readFileIfPresent(file) ?? made;
  return { text, isNew: text === made };
}

/** The folder may be shared by containers in which every process has the same id, hence the random part of the name. */
function viaTemporary(file: string, text: string, place: (temporary: string) => void): void {
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    makeFolder(dirname(file));
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      giveToFolderOwner(descriptor, file);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    place(temporary);
  } catch (error) {
    throw unavailable('cannot be written', file, error);
  } finally {
    rmSync(temporary, { force: true, recursive: true });
  }
  syncFolder(dirname(file));
}

/** The owner is kept where the system lets us: only root gives files away. */
function giveRights(file: string, { mode, uid, gid }: FileRights): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // The file is this user's then, as after any editor.
  }
  chmodSync(file, mode & 0o777);
}

/** The text of a file, undefined when there is none. Throws PrivetError `unavailable` when it cannot be read. */
export function readFileIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unavailable('cannot be read', file, error);
  }
}

function unavailable(fault: string, file: string, error: unknown): PrivetError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new PrivetError('unavailable', `The file ${file} ${fault} (${code}).`, {
    hint: 'Check its path, its rights and the room on its disk.',
    cause: error,
  });
}

/** Makes the new name itself durable. Not every file system lets a folder be synced, and the text is safe already. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return;
  }
}
