/** Determines a load that suits the machine: a share of the gateway's capacity on one core. */
import { cpuSeconds, median } from '../support.ts';
import { percent, type Sample } from './samples.ts';

const loadShare = 0.7;
/** Number of capacity measurements. */
const turns = 5;
/** The load is too high after this many consecutive measurements above this share of a core. */
const busySamples = 3;
const busyShare = 0.8;

/**
 * 70 % of the capacity, in exchanges per second. Capacity is the number of exchanges per CPU second while clients keep
 * the gateway as busy as possible; the median of a few measurements, because the speed of a shared machine varies.
 *
 * @param of.seconds duration of a measurement, and of the warm-up
 * @param of.done number of finished exchanges
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
    // Limit the load to what the clients and the origin can do on this machine.
    loads.push(Math.min(loadShare * capacity, 0.9 * perSecond));
  }
  const load = median(loads);
  of.print(`load: ${load.toFixed(0)}/s`);
  return load;
}

/** The load, or a lower one if the last samples clearly exceed its share of the machine. */
export function lowered(load: number, samples: readonly Sample[]): number {
  const last = samples.slice(-busySamples);
  const share = Math.min(...last.map(({ cpuShare }) => cpuShare));
  return last.length < busySamples || share < busyShare ? load : (load * loadShare) / share;
}
