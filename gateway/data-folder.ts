/** The data folder: CA, keys and stored data. */
import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../certs/folders.ts';
import { PrivetError } from '../core/errors.ts';

/** A temporary file for an atomic replacement exists only for a moment; an older one was left by a killed process. */
const leftMs = 3_600_000;
/** The names used by stores/atomic-file.ts and certs/ca-files.ts. */
const leftName = /\.[0-9a-f]{12}\.tmp$/;

/** Removes leftover temporary files, which may contain keys. */
function removeLeft(dir: string): void {
  for (const folder of [dir, path.join(dir, 'ca'), path.join(dir, 'license')]) {
    try {
      for (const name of readdirSync(folder).filter((name) => leftName.test(name))) {
        const file = path.join(folder, name);
        if (Date.now() - statSync(file).mtimeMs > leftMs) rmSync(file, { recursive: true, force: true });
      }
    } catch {
      // The folder is missing or read-only. Nothing depends on this clean-up.
    }
  }
}

/** Creates the folder with access for its owner only. @throws PrivetError `unavailable` when it cannot be written. */
export function prepareDataDir(dir: string): void {
  try {
    makeFolder(dir);
    if (!statSync(dir).isDirectory()) throw new Error('it is a file');
    accessSync(dir, constants.W_OK);
    removeLeft(dir);
  } catch (cause) {
    throw new PrivetError(
      'unavailable',
      `The data folder ${dir} cannot be written; choose another with PROXY_DATA_DIR.`,
      { cause },
    );
  }
}
