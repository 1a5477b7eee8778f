/** Periodic measurements of the gateway, and their trends. */
import { isFlat, type Point, trendOf } from './verdict.ts';
import type { Memory } from './watch.ts';

/** One measurement; sizes in bytes. */
export type Sample = {
  readonly atS: number;
  readonly rss: number;
  readonly memory: Memory;
  readonly fds: Readonly<Record<string, number>>;
  readonly threads: number;
  readonly disk: number;
  readonly cpuShare: number;
};

/** Minimum duration for judging trends: limited caches (events, searched texts) fill in its first third. */
const judgedMinutes = 15;
const mib = 1_048_576;

/** Prints the trend of each figure after the warm-up, and returns those that have grown. */
export function judgeGrowth(
  all: readonly Sample[],
  { minutes, print }: { readonly minutes: number; readonly print: (line: string) => void },
): string[] {
  const problems: string[] = [];
  const samples = all.slice(Math.ceil(all.length / 3));
  if (samples.length < 6) {
    print('too few measurements for a trend');
    return problems;
  }
  const rows: [name: string, value: (sample: Sample) => number, share: number, floor: number][] = [
    ['heap after collection', ({ memory }) => memory.heap, 0.02, mib],
    ['external memory', ({ memory }) => memory.external, 0.03, 2 * mib],
    ['resident memory', ({ rss }) => rss, 0.03, 8 * mib],
    ['sockets', ({ fds }) => fds.socket ?? 0, 0.03, 20],
    ['other descriptors', ({ fds }) => total(fds) - (fds.socket ?? 0), 0, 4],
    ['threads', ({ threads }) => threads, 0, 1],
  ];
  print(`\n${'after the warm-up'.padEnd(26)}${'mean'.padStart(12)}${'growth'.padStart(12)}${'± 2σ'.padStart(12)}`);
  for (const [name, value, share, floor] of rows) {
    const trend = trendOf(samples.map((sample): Point => [sample.atS, value(sample)]));
    const isBytes = name.includes('memory') || name.includes('heap');
    const show = (figure: number) => (isBytes ? `${(figure / mib).toFixed(2)} MiB` : figure.toFixed(1)).padStart(12);
    const flat = isFlat(trend, { share, floor });
    print(`${name.padEnd(26)}${show(trend.mean)}${show(trend.growth)}${show(2 * trend.error)}${flat ? '' : '  GROWS'}`);
    if (!flat && minutes >= judgedMinutes)
      problems.push(`${name} grows: ${show(trend.growth).trim()} after the warm-up`);
  }
  if (minutes < judgedMinutes) print(`under ${judgedMinutes} minutes caches still fill: not judged`);
  const diskMax = Math.max(...all.map(({ disk }) => disk));
  print(`disk: ${(diskMax / mib).toFixed(1)} MiB at most, ${((all.at(-1)?.disk ?? 0) / mib).toFixed(1)} in the end`);
  if (diskMax > 120 * mib) problems.push('the audit trail takes more space than its rotation allows');
  return problems;
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
/** A share as a percentage. */
export const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** A measurement on one line. */
export function describe({ rss, memory, fds, threads, cpuShare }: Sample): string {
  const inMib = (bytes: number) => (bytes / mib).toFixed(1);
  return (
    `rss ${inMib(rss)} heap ${inMib(memory.heap)} ext ${inMib(memory.external)} MiB, ` +
    `fds ${total(fds)} (${fds.socket ?? 0} sockets), threads ${threads}, cpu ${percent(cpuShare)}`
  );
}
