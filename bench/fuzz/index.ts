/**
 * Coverage-guided fuzzing, limited in time and count, one target after the other. An input that reveals a fault is
 * written to a folder and listed in the report, to become a named test.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Plant } from './instrument.ts';
import type { Failure, Report } from './loop.ts';
import { targets } from './targets.ts';
import type { WorkerData } from './worker.ts';

export type { Failure, Plant, Report };

export type FuzzOptions = {
  /** Time for all targets together, divided evenly. */
  readonly seconds: number;
  readonly seed: number;
  /** Names or prefixes of names; default all. */
  readonly targets?: readonly string[];
  /** Maximum number of tries per target. */
  readonly executionsMax?: number;
  /** A target stops after this many different faults; default 20. */
  readonly failuresMax?: number;
  /** Inputs to try instead of a run. */
  readonly inputs?: readonly Uint8Array[];
  /** A planted fault that should be found. */
  readonly plant?: Plant;
  /** Called when a target is done. */
  readonly onReport?: (report: Report) => void;
};

const inputBytesMax = 1 << 20;
/** Time after which a try counts as endless. */
const hangMs = 30_000;

/** Names of the targets that match the words. */
export function targetNames(words: readonly string[] = []): string[] {
  const names = Object.keys(targets);
  const unknown = words.find((word) => !names.some((name) => name.startsWith(word)));
  if (unknown !== undefined) throw new Error(`There is no target "${unknown}": ${names.join(' ')}`);
  return words.length === 0 ? names : names.filter((name) => words.some((word) => name.startsWith(word)));
}

/** Runs the targets; `failures` is empty on success. */
export async function fuzz(options: FuzzOptions): Promise<{ failures: readonly Failure[] }> {
  const names = targetNames(options.targets);
  const failures: Failure[] = [];
  for (const name of names) {
    const report = await runTarget({
      name,
      seconds: options.seconds / names.length,
      executionsMax: options.executionsMax ?? 50_000_000,
      seed: options.seed,
      current: new SharedArrayBuffer(8 + inputBytesMax),
      ...(options.failuresMax ? { failuresMax: options.failuresMax } : {}),
      ...(options.inputs ? { inputs: options.inputs } : {}),
      ...(options.plant ? { plant: options.plant } : {}),
    });
    options.onReport?.(report);
    failures.push(...report.failures);
  }
  return { failures };
}

/** One line per target, with the input for each fault. */
export function formatReport(report: Report, folder: string): string {
  const { target, executions, seconds, cpuSeconds, corpus, reached, branches } = report;
  const figures = [
    `${executions} executions`,
    `${Math.round(executions / seconds)}/s (${Math.round(executions / Math.max(0.01, cpuSeconds))}/s of CPU)`,
    `corpus ${corpus}`,
    ...(branches > 0 ? [`${reached} of ${branches} branches`] : []),
    `${report.failures.length} faults`,
  ];
  let text = `${target.padEnd(20)} ${figures.join(', ')}\n`;
  for (const { input, message } of report.failures) {
    const file = saved(folder, target, input);
    text += `  ${message.replaceAll('\n', '\n  ')}\n  input: ${file}\n  base64: ${Buffer.from(input).toString('base64')}\n`;
  }
  return text;
}

/** A folder for inputs that reveal faults. */
export function faultFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'privet-fuzz-'));
}

function saved(folder: string, target: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`);
  writeFileSync(file, input);
  return file;
}

function runTarget(data: WorkerData): Promise<Report> {
  return new Promise((resolve) => {
    const count = new Int32Array(data.current, 0, 2);
    const began = performance.now();
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: data,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    let seen = -1;
    let since = performance.now();
    const finish = (report: Report): void => {
      clearInterval(timer);
      void worker.terminate();
      resolve(report);
    };
    /** The thread has died or is stuck, so its current input is the fault. */
    const fail = (message: string): void => {
      const input = Buffer.from(new Uint8Array(data.current, 8, count[1]));
      const seconds = (performance.now() - began) / 1000;
      const failure = { target: data.name, message, input };
      const executions = count[0] as number;
      finish({
        target: data.name,
        executions,
        seconds,
        cpuSeconds: seconds,
        corpus: 0,
        reached: 0,
        branches: 0,
        failures: [failure],
      });
    };
    const timer = setInterval(() => {
      const now = Atomics.load(count, 0);
      if (now !== seen) {
        seen = now;
        since = performance.now();
      } else if (now > 0 && performance.now() - since > hangMs) {
        fail(`no end after ${hangMs} ms`);
      }
    }, 1000);
    worker.once('message', finish);
    worker.once('error', (error) => fail(`the thread ended: ${error instanceof Error ? error.stack : String(error)}`));
  });
}
