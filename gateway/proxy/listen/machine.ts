/**
 * Derives limits from the machine, for `auto` in `auth.limits` and the buffer for request bodies: from the open file
 * limit, which is per process, and the memory of the machine or container, which all workers share.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Weight } from '../admit/connection-limits.ts';

/** Configured limits (`auth.limits`). */
export type LimitSettings = {
  readonly connections: number | 'auto';
  readonly client_connections: number | 'auto';
  readonly tunnels: number | 'auto';
  readonly client_tunnels: number | 'auto';
};

/** Resources of one process. `heapBytes`: its JavaScript heap limit. */
export type Machine = { readonly openFiles: number; readonly memoryBytes: number; readonly heapBytes: number };

/** Limits as numbers, and the weight of an intercepted tunnel. */
export type LimitNumbers = Record<keyof LimitSettings, number> & { readonly read: Weight };

/** Maximum share of one client: a twentieth is left to others. */
const clientShare = 0.95;
/** Descriptors reserved for files, stores and pooled connections. */
const reservedFiles = 512;
const MiB = 1024 * 1024;
/** Memory of a process before the first connection: four workers and their parent use 640 MiB. */
const processBytes = 160 * MiB;
/**
 * Memory of an open tunnel with both sockets. Measured in a cgroup including the kernel: 14 KiB when idle and memory is
 * scarce, 20 when the collector has time; a plain HTTP connection 15, a silent one 5.
 */
const tunnelBytes = 24 * 1024;
/**
 * Memory of an intercepted tunnel, with TLS on both sockets. Measured in the same way: idle 48 to 80 KiB over HTTP/1.1 and 62 to
 * 110 over HTTP/2; 90 to 150 while a response streams.
 */
const readBytes = 120 * 1024;
/** The default maximum body size (`masking.max_body`): at least one such body must fit. */
const keptBytesMin = 32 * MiB;

/** Resources of this process as one of `workers` on the machine or container. */
export function machineOf(workers: number): Machine {
  const total = os.totalmem();
  const constrained = process.constrainedMemory();
  return {
    openFiles: openFilesMax(),
    memoryBytes: (constrained > 0 && constrained < total ? constrained : total) / workers,
    heapBytes: getHeapStatistics().heap_size_limit,
  };
}

/** The limits for `auto`. All connections and tunnels may use half of the free memory. */
export function numbersOf(limits: LimitSettings, machine: Machine): LimitNumbers {
  // A third of a connection's memory is on the heap, or half of it for a tunnel.
  const bytes = Math.min(freeBytes(machine) / 2, machine.heapBytes);
  // A tunnel consists of two connections.
  const room = Math.max(128, Math.min(machine.openFiles - reservedFiles, Math.floor(bytes / (tunnelBytes / 2))));
  const connections = limits.connections === 'auto' ? room : limits.connections;
  const tunnels = limits.tunnels === 'auto' ? Math.floor(room / 2) : limits.tunnels;
  const share = (value: number | 'auto', of: number) => (value === 'auto' ? Math.ceil(of * clientShare) : value);
  // If descriptors are the limit, there is memory for more intercepted tunnels. A configured number counts tunnels.
  const total = limits.tunnels === 'auto' ? Math.max(1, Math.ceil((tunnels * readBytes) / bytes)) : 1;
  return {
    connections,
    client_connections: share(limits.client_connections, connections),
    tunnels,
    client_tunnels: share(limits.client_tunnels, tunnels),
    read: { total, ofClient: limits.client_tunnels === 'auto' ? total : 1 },
  };
}

/** The limit for buffered bodies: a quarter of the free memory. */
export function keptBytesMax(machine: Machine): number {
  return Math.max(keptBytesMin, Math.floor(freeBytes(machine) / 4));
}

/** Free memory, with a minimum: on a very small machine our own needs are overestimated. */
function freeBytes({ memoryBytes }: Machine): number {
  return Math.max(memoryBytes - processBytes, memoryBytes / 4);
}

function openFilesMax(): number {
  try {
    const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit !== undefined) return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
  } catch {
    // Not Linux: assume the usual limit.
  }
  return 10_240;
}
