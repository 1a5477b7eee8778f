/**
 * CPU shares for processes (control groups). A generator, an origin and two workers need more than two cores; with a
 * fixed share per worker, one and two of them run under the same conditions on any machine.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folder } from '../support.ts';

/** Maximum pause of a throttled process: short compared with the measured latencies. */
const periodUs = 10_000;
const legacy = '/sys/fs/cgroup/cpu';
const unified = '/sys/fs/cgroup';

/**
 * Puts each process into its own group with high priority, limited to `share` of a core if given. The result removes
 * the groups once the processes have ended.
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
