/** CPU time of short work in this thread. */

/** Minimum CPU time per call over several rounds, in microseconds; robust on a busy machine. */
export function microsecondsOf(work: () => unknown, calls: number, rounds = 7): number {
  for (let i = 0; i < calls; i++) work();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.threadCpuUsage();
    for (let i = 0; i < calls; i++) work();
    const { user, system } = process.threadCpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}
