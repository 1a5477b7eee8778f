/** Runs one target in its own thread, so that an endless loop or lack of memory stops only the thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { instrument, type Plant } from './instrument.ts';
import { loop, type Report } from './loop.ts';
import { targets } from './targets.ts';

/** The input of the thread. `current` has the number of tries, the input length and its bytes. */
export type WorkerData = {
  readonly name: string;
  readonly seconds: number;
  readonly executionsMax: number;
  readonly seed: number;
  readonly failuresMax?: number;
  readonly current: SharedArrayBuffer;
  /** Inputs to try instead of a run. */
  readonly inputs?: readonly Uint8Array[];
  /** A planted fault that should be found. */
  readonly plant?: Plant;
};

const { name, current, inputs, plant, ...limits } = workerData as WorkerData;
const [count, bytes] = [new Int32Array(current, 0, 2), new Uint8Array(current, 8)];
const instrumented = instrument(plant);
const target = await targets[name]?.();
if (!target) throw new Error(`There is no target ${name}.`);
await target.open?.();
let report: Report;
try {
  report = await loop(inputs ? { ...target, seeds: () => inputs } : target, {
    ...limits,
    name,
    instrumented,
    onTry(input) {
      bytes.set(input.subarray(0, bytes.length));
      count[1] = Math.min(input.length, bytes.length);
      count[0] = ((count[0] as number) + 1) | 0;
    },
  });
} finally {
  await target.close?.();
}
// The thread is terminated after this message, so stop the processes it started first.
parentPort?.postMessage(report);
