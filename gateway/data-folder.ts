/** The folder of the CA, the keys and what is stored. */
import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../certs/folders.ts';
import { PrivetError } from '../core/errors.ts';

/** A file that takes another one's place exists for a moment; one that is older was left by a process that was killed. */
const leftMs = 3_600_000;
/** As stores/atomic-file.ts and certs/ca-files.ts name them. */
const leftName = /\.[0-9a-f]{12}\.tmp$/;

/** Removes what is left of files that were being replaced: keys may be among it. */
function removeLeft(dir: string): void {
  for (const folder of [dir, path.join(dir, 'ca'), path.join(dir, 'license')]) {
    try {
      for (const name of readdirSync(folder).filter((name) => leftName.test(name))) {
        const file = path.join(folder, name);
        if (Date.now() - statSync(file).mtimeMs > leftMs) rmSync(file, { recursive: true, force: true });
      }
    } catch {
      // A folder that is not there, or may not be changed: nothing needs these files to be gone.
    }
  }
}

/** Makes the folder, readable by its owner alone, or @throws PrivetError `unavailable` when it cannot be written. */
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
