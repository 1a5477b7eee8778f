/** The folder of the CA, the keys and what is stored. */
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { PrivetError } from '../core/errors.ts';

/** Step by step, because node's own `recursive` never returns where the system refuses a name, as in /proc. */
function makeFolder(dir: string): void {
  if (existsSync(dir)) return;
  const parent = path.dirname(dir);
  if (parent !== dir) makeFolder(parent);
  mkdirSync(dir, { mode: 0o700 });
}

/** Makes the folder, readable by its owner alone, or @throws PrivetError `unavailable` when it cannot be written. */
export function prepareDataDir(dir: string): void {
  try {
    makeFolder(path.resolve(dir));
    accessSync(dir, constants.W_OK);
  } catch (cause) {
    throw new PrivetError(
      'unavailable',
      `The data folder ${dir} cannot be written; choose another with PROXY_DATA_DIR.`,
      { cause },
    );
  }
}
