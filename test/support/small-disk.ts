/** A folder that is a small separate file system for a single process. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp.ts';

/** A folder that is small for the process started `within` it; others see it under {@link SmallDisk.seen}. */
export type SmallDisk = {
  /** The path of the folder inside the process. */
  readonly folder: string;
  /** Starts a program in a separate mount namespace; its process id is that of the program. */
  readonly within: readonly string[];
  /** The path of something in it, outside the process. */
  readonly seen: (pid: number, name: string) => string;
  /** Uses up all remaining space. */
  readonly fill: (pid: number) => void;
  /** Frees it again. */
  readonly free: (pid: number) => void;
};

/** Creates a folder of this many MiB. Linux only; without root the system must allow user namespaces. */
export function smallDisk(sizeMiB: number): SmallDisk {
  const folder = tempFolder('disk');
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  const mount = `mount -t tmpfs -o size=${sizeMiB}m tmpfs ${folder} && exec "$@"`;
  const seen = (pid: number, name: string) => join(`/proc/${pid}/root`, folder, name);
  return {
    folder,
    within: ['unshare', ...namespace, 'sh', '-c', mount, 'sh'],
    seen,
    fill(pid) {
      const filler = seen(pid, 'filler');
      // First in large pieces, then the rest.
      for (const size of ['1M', '4k']) spawnSync('sh', ['-c', `dd if=/dev/zero bs=${size} >> ${filler}`]);
      try {
        writeFileSync(filler, 'x', { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
        throw error;
      }
      throw new Error('the disk is not full');
    },
    free: (pid) => rmSync(seen(pid, 'filler')),
  };
}
