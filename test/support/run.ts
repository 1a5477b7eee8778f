/** Runs a real program to its end. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The result of a program: its exit code (null when killed) and its output. */
export type RunResult = {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly text: string;
  readonly stderr: string;
};

/** Options of {@link run}. `env` is added to {@link plainEnv}. */
export type RunOptions = {
  readonly env?: Record<string, string>;
  readonly input?: string | Uint8Array;
  readonly cwd?: string;
};

/**
 * The environment for programs under test: empty except for PATH, HOME and a folder of compiled sources, so that the
 * machine's proxy settings have no effect. The tests load the same sources from another folder (vitest.config.ts):
 * compiled code is bound to V8's flags, which `gateway/main.ts` sets, so each would compile what the other has stored.
 */
export function plainEnv(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: join(NODE_COMPILE_CACHE, 'programs') }),
  };
}

/** Runs a program without a shell and waits for its end. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = spawn(command, args, {
    env: { ...plainEnv(), ...options.env },
    cwd: options.cwd,
    timeout: 300_000,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined); // The program may end before it has read everything.
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const out = Buffer.concat(stdout);
      resolve({ code, stdout: out, text: out.toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
