/** Folders for one test file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];

// Hooks run in reverse order, so that this one, registered when a test file imports us, comes last.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder that is removed after the last test of the file. */
export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `privet-test-${name}-`));
  folders.push(folder);
  return folder;
}
