/**
 * Small files that are replaced atomically: a reader sees the old text or the new one, never a part, even after a
 * crash.
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

/** Owner and mode of a file, as from `statSync`. */
export type FileRights = { readonly mode: number; readonly uid: number; readonly gid: number };

/**
 * Writes a temporary file next to `file` (mode 0600, or `rights`), syncs it and renames it into place. Throws
 * PrivetError `unavailable` when the disk is full or not writable; the old file is untouched then.
 */
export function replaceFile(file: string, text: string, rights?: FileRights): void {
  viaTemporary(file, text, (temporary) => {
    if (rights !== undefined) giveRights(temporary, rights);
    renameSync(temporary, file);
  });
}

/**
 * Reads a file that is created once: its text, or what `make` returns if there is none. When several processes start
 * together, all get the text of the first. `isNew`: this call created it. Throws PrivetError `unavailable`.
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
      // Without hard links the text is still complete, but the last of several processes wins.
      if (!existsSync(file)) renameSync(temporary, file);
    }
  });
  const text = readFileIfPresent(file) ?? made;
  return { text, isNew: text === made };
}

/** Containers in which every process has the same id may share the folder, hence the random part of the name. */
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

/** Keeps the owner if possible: only root can change it. */
function giveRights(file: string, { mode, uid, gid }: FileRights): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // The file then belongs to the current user, as after editing it.
  }
  chmodSync(file, mode & 0o777);
}

/** The text of a file, undefined if there is none. Throws PrivetError `unavailable` when it cannot be read. */
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
    hint: 'Check its path, its permissions and the free space on its disk.',
    cause: error,
  });
}

/** Makes the rename itself durable. Not every file system can sync a folder, and the text is safe already. */
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
