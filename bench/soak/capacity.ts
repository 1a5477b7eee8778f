/** How much load is right for the machine: a share of what the gateway can do with one core. */
import { cpuSeconds, median } from '../support.ts';
import { percent, type Sample } from './samples.ts';

const loadShare = 0.7;
/** How often the capacity is measured. */
const turns = 5;
/** So many measurements in a row above this share of a core: the load is too high. */
const busySamples = 3;
const busyShare = 0.8;

/**
 * Exchanges a second that are 70 % of the capacity: of what the gateway does for a second of its CPU while it is as busy as
 * clients can make it. The median of a few measurements counts, since a machine that others share is now faster and now
 * slower.
 *
 * @param of.seconds of one measurement, and of a warm-up before the first
 * @param of.done how many exchanges have ended until now
 */
export async function measureLoad(of: {
  readonly pid: number;
  readonly seconds: number;
  readonly done: () => Promise<number>;
  readonly print: (line: string) => void;
}): Promise<number> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, of.seconds * 1000));
  await pause();
  const loads: number[] = [];
  for (let n = 0; n < turns; n++) {
    const before = await of.done();
    const [cpuBefore, atBefore] = [cpuSeconds(of.pid), performance.now()];
    await pause();
    const after = await of.done();
    const elapsed = (performance.now() - atBefore) / 1000;
    const share = (cpuSeconds(of.pid) - cpuBefore) / elapsed;
    const perSecond = (after - before) / elapsed;
    const capacity = perSecond / Math.min(1, share);
    of.print(
      `capacity: ${perSecond.toFixed(0)} exchanges/s at ${percent(share)} of a core, so ${capacity.toFixed(0)}/s`,
    );
    // What the clients and the origin cannot do on this machine is no load.
    loads.push(Math.min(loadShare * capacity, 0.9 * perSecond));
  }
  const load = median(loads);
  of.print(`load: ${load.toFixed(0)}/s`);
  return load;
}

/** The load, or a lower one when the last samples say that it has come to be clearly more than its share of the machine. */
export function lowered(load: number, samples: readonly Sample[]): number {
  const last = samples.slice(-busySamples);
  const share = Math.min(...last.map(({ cpuShare }) => cpuShare));
  return last.length < busySamples || share < busyShare ? load : (load * loadShare) / share;
}
