/**
 * Starts that the gateway refuses. A process for each takes most of a second of CPU time to load, so those of a test file
 * share one; start-up.test.ts starts real ones.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { closedAtEnd } from './closing.ts';
import { plainEnv } from './run.ts';

/** The working directory of a start and its environment. */
export type Start = { readonly folder: string; readonly env: Readonly<Record<string, string>> };

/** The exit code and what was said. */
export type Refusal = { readonly code: number; readonly stderr: string };

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `privet serve` in a folder, with PATH, HOME and the given environment, until it is refused.
 * @throws Error if it is not
 */
export function refusedStart(start: Start): Promise<Refusal> {
  const next = last.then(() => ask(start));
  last = next.catch(() => undefined);
  return next;
}

function ask({ folder, env }: Start): Promise<Refusal> {
  child ??= begin();
  const asked = child;
  const { PATH = '', HOME = '' } = plainEnv();
  asked.send({ folder, env: { PATH, HOME, ...env } } satisfies Start);
  return new Promise((resolve, reject) => {
    const onEnd = (code: number | null, signal: string | null) =>
      reject(new Error(`its process ended: ${code ?? signal}`));
    asked.once('exit', onEnd);
    // The log of a gateway that was not refused.
    const onLine = (text: Buffer) =>
      void (text.includes('"event":"listening"') && reject(new Error('it was not refused')));
    asked.stdout?.on('data', onLine);
    asked.once('message', (answer: Refusal) => {
      asked.off('exit', onEnd).stdout?.off('data', onLine);
      resolve(answer);
    });
  });
}

function begin(): ChildProcess {
  const begun = fork(join(import.meta.dirname, 'refused-starts.ts'), {
    env: plainEnv(),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  closedAtEnd(async () => {
    child = undefined;
    begun.kill('SIGKILL');
  });
  return begun;
}
