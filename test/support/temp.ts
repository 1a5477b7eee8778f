/** Folders for one test file, or for one run of a program that is no test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

const remove = () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
};
// Hooks run in reverse order, so that this one, registered when a test file imports us, comes last.
if (process.env.VITEST === undefined) process.once('exit', remove);
else (await import('vitest')).afterAll(remove);

/** Makes an empty folder that is removed after the last test of the file, or at the end of the process. */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `privet-test-${name}-`));
  folders.push(folder);
  return folder;
}
