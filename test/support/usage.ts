/** Resource usage of a process, as reported by Linux (proc(5)). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Starts watching the memory of a process. The returned function reports by how many MiB its peak since then exceeds
 * its current size, including memory freed meanwhile.
 */
export function watchMemory(pid: number): () => number {
  // "5" sets the high-water mark to what is resident (proc_pid_clear_refs(5)).
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = residentKiB(pid, 'VmRSS');
  return () => (residentKiB(pid, 'VmHWM') - before) / 1024;
}

function residentKiB(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
}

/** CPU time of all threads of a process, in milliseconds. */
export function processorMs(pid: number): number {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  }
  return nanos / 1e6;
}
