/** Folders for one test file, or for one run of a program that is not a test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();

if (process.env.VITEST === undefined) process.once('exit', removeFolders);

/**
 * Creates an empty folder that is removed after the last test of the file (clean-up.ts), or at the end of the process.
 */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `privet-test-${name}-`));
  folders.add(folder);
  return folder;
}

/** Removes all folders created so far. */
export function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}
