/** The commands of `privet`, run in this process. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../gateway/cli/index.ts';

export const folder = mkdtempSync(join(tmpdir(), 'privet-cli-'));

export const env = { PROXY_DATA_DIR: join(folder, 'data') };

type Result = { readonly code: number; readonly out: string; readonly err: string };

export async function privet(
  args: string[],
  options: { input?: string | Uint8Array[]; env?: Record<string, string> } = {},
): Promise<Result> {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({
    write(text: string, done?: () => void) {
      written[name] += text;
      setImmediate(() => done?.());
    },
  });
  const { input = '' } = options;
  const stdin = (async function* () {
    yield* typeof input === 'string' ? [Buffer.from(input)] : input;
  })();
  const code = await runCli(args, {
    stdin,
    stdout: output('out'),
    stderr: output('err'),
    env: { ...env, ...options.env },
  });
  return { code, ...written };
}

export function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The rows of a text answer with this name. */
export function rows(result: Result, name: string): string[] {
  return result.out
    .split('\n')
    .filter((line) => line.startsWith(name.padEnd(10)))
    .map((line) => line.slice(10));
}
