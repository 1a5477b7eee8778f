/** The commands of `privet`, run in this process. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandResult, runPrivet } from '../../support/command.ts';

export const folder = mkdtempSync(join(tmpdir(), 'privet-cli-'));

export const env = { PROXY_DATA_DIR: join(folder, 'data') };

export const privet = (
  args: readonly string[],
  options: { input?: string | readonly Uint8Array[]; env?: Record<string, string> } = {},
): Promise<CommandResult> => runPrivet(args, { ...env, ...options.env }, options.input);

export function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The rows of a text answer with this name. */
export function rows(result: CommandResult, name: string): string[] {
  return result.out
    .split('\n')
    .filter((line) => line.startsWith(name.padEnd(10)))
    .map((line) => line.slice(10));
}
