/**
 * Shares of a core for processes (control groups). A generator, an origin and two workers need more than two cores; with
 * a share for each worker, one and two of them find the same room beside the generator, whatever the machine has.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** How long a process may be held up at once: short beside the latencies that are measured. */
const periodUs = 10_000;
const legacy = '/sys/fs/cgroup/cpu';
const unified = '/sys/fs/cgroup';

/** Gives each process a share of a core; the result takes the groups away once the processes have ended. */
export function giveShares(pids: readonly number[], share: number): () => void {
  const isLegacy = existsSync(path.join(legacy, 'cpu.cfs_quota_us'));
  const quota = Math.round(periodUs * share);
  const groups = pids.map((pid) => {
    const group = path.join(isLegacy ? legacy : unified, `privet-bench-${process.ppid}-${pid}`);
    mkdirSync(group);
    if (isLegacy) {
      writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(periodUs));
      writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(quota));
    } else writeFileSync(path.join(group, 'cpu.max'), `${quota} ${periodUs}`);
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
    return group;
  });
  return () => {
    for (const group of groups) rmdirSync(group);
  };
}
