/** Runs a real program to its end. */
import { spawn } from 'node:child_process';

/** What a program left: its exit code (null when killed) and its output. */
export type RunResult = {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly text: string;
  readonly stderr: string;
};

/** Options of {@link run}. `env` replaces the environment except for PATH and HOME; `timeoutMs` kills. */
export type RunOptions = {
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
  readonly timeoutMs?: number;
};

/**
 * Runs a program without a shell and waits for its end.
 * The environment is empty but for PATH, HOME and `env`, so that proxy settings of the machine play no part.
 */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, HOME, ...options.env },
    cwd: options.cwd,
    timeout: options.timeoutMs ?? 25_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined); // The program may end before it has read all.
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const out = Buffer.concat(stdout);
      resolve({ code, stdout: out, text: out.toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
