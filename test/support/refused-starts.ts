/**
 * Runs `privet serve` for starts that are refused, one after the other; started by refused-start.ts. A refused start ends
 * with `process.exit`, which here only reports the code.
 */
import process from 'node:process';
import { runCli } from '../../gateway/cli/index.ts';
import type { Refusal, Start } from './refused-start.ts';

let said = '';

process.exit = ((code = 0) => {
  throw { exitCode: Number(code) };
}) as typeof process.exit;
process.stderr.write = ((text: string | Uint8Array, ...[done]: (() => void)[]) => {
  said += text;
  done?.();
  return true;
}) as typeof process.stderr.write;
// What a refused start leaves behind ends with this process; in a process of its own it would have ended already.
process.on('uncaughtException', () => undefined);

process.on('message', async ({ folder, env }: Start) => {
  process.chdir(folder);
  said = '';
  const { stdin, stdout, stderr } = process;
  const code = await runCli(['serve'], { stdin, stdout, stderr, env }).catch(
    (error) => error.exitCode ?? String(error),
  );
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
  process.send?.({ code, stderr: said } satisfies Refusal);
});
