/**
 * Small files that are replaced as a whole: a reader sees the old text or the new one, never a part, also after a crash.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { PrivetError } from '../../core/errors.ts';

/**
 * Writes a temporary file beside `file` (mode 0600), syncs it and renames it into place.
 * Throws PrivetError `unavailable` when the disk is full or not writable; the old file is untouched then.
 */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(temporary, 'w', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true, recursive: true });
    throw unavailable('cannot be written', file, error);
  }
  syncFolder(dirname(file));
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
  return new PrivetError('unavailable', `The file ${file} ${fault} (${code}).`, { cause: error });
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
