/**
 * Shares of a core for processes (control groups). A generator, an origin and two workers need more than two cores; with
 * a share for each worker, one and two of them find the same room beside the generator, whatever the machine has.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from '../support.ts';

/** How long a process may be held up at once: short beside the latencies that are measured. */
const periodUs = 10_000;
const legacy = '/sys/fs/cgroup/cpu';
const unified = '/sys/fs/cgroup';

/**
 * Puts each process into a group of its own, before what else the machine has to do, and with no more than `share` of a
 * core where one is given. The result takes the groups away once the processes have ended.
 */
export function giveShares(pids: readonly number[], share?: number): () => void {
  const isLegacy = existsSync(path.join(legacy, 'cpu.shares'));
  const groups = pids.map((pid) => {
    const group = path.join(isLegacy ? legacy : unified, `${path.basename(folder)}-${pid}`);
    mkdirSync(group);
    const set = (file: string, value: string | number) => writeFileSync(path.join(group, file), String(value));
    if (isLegacy) set('cpu.shares', 65_536);
    else set('cpu.weight', 10_000);
    if (share !== undefined) {
      const quotaUs = Math.round(periodUs * share);
      if (isLegacy) {
        set('cpu.cfs_period_us', periodUs);
        set('cpu.cfs_quota_us', quotaUs);
      } else set('cpu.max', `${quotaUs} ${periodUs}`);
    }
    set('cgroup.procs', pid);
    return group;
  });
  return () => {
    for (const group of groups) rmdirSync(group);
  };
}
