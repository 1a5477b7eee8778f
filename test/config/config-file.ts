/** Configuration files for tests. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder for them. */
export const folder = mkdtempSync(join(tmpdir(), 'privet-config-'));

/** The path of a new file with this text. */
export function fileOf(text: string, name = 'privet.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
