/** The commands of `privet`, run in this process. */
import { runCli } from '../../gateway/cli/index.ts';

/** The exit code and the output of a command. */
export type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command with PATH and the given environment. */
export async function runPrivet(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  input: string | readonly Uint8Array[] = '',
): Promise<CommandResult> {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err') => ({
    write(text: string, done?: () => void) {
      written[name] += text;
      setImmediate(() => done?.());
    },
  });
  const stdin = (async function* () {
    yield* typeof input === 'string' ? [Buffer.from(input)] : input;
  })();
  const io = { stdin, stdout: output('out'), stderr: output('err'), env: { PATH: process.env.PATH ?? '', ...env } };
  return { code: await runCli(args, io), ...written };
}
