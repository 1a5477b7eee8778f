/** What a process uses, as Linux tells it (proc(5)). */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Begins to watch the memory of a process. What it returns tells by how many MiB the process has been larger since, at its
 * largest, than it is now: memory that was given back meanwhile counts.
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

/** Processor time that all threads of a process have had, in milliseconds. */
export function processorMs(pid: number): number {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]);
  }
  return nanos / 1e6;
}
