/** Whether something takes linear time: asserted as a ratio within one run, never as a time. */
import { expect } from 'vitest';

/** The ratio of the lengths. */
const growth = 16;
/** Quadratic work would take 16 times as long, linear work about once. */
const ratioMax = 5;
/** Retry before failing: a busy machine or a garbage collection may slow down one half. */
const attempts = 6;

/**
 * Expects that one long input costs about as much CPU time of this thread as the same amount in 16 short ones.
 *
 * `prepare` makes an input of a length and returns what reads it; only the reading is measured.
 */
export function expectLinear(prepare: (length: number) => () => unknown, short: number, repeat = 1): void {
  const measured = (length: number, times: number): number => {
    const runs = Array.from({ length: times }, () => prepare(length));
    const before = process.threadCpuUsage();
    for (const run of runs) run();
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  measured(short, growth);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < attempts && least >= ratioMax; i++) {
    least = Math.min(least, measured(growth * short, repeat) / Math.max(1, measured(short, growth * repeat)));
  }
  expect(least).toBeLessThan(ratioMax);
}
