/**
 * What there is room for: the numbers behind `auto` of `auth.limits`, and how much of bodies is kept, by the limit of open
 * files and the memory of the machine or container. Descriptors are those of the process; memory is shared by all workers.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { Weight } from './places.ts';

/** Limits as they are configured (`auth.limits`). */
export type PlaceLimits = {
  readonly connections: number | 'auto';
  readonly client_connections: number | 'auto';
  readonly tunnels: number | 'auto';
  readonly client_tunnels: number | 'auto';
};

/** What one process may use. `heapBytes`: limit of its JavaScript heap. */
export type Machine = { readonly openFiles: number; readonly memoryBytes: number; readonly heapBytes: number };

/** Limits in numbers, and the places that a tunnel takes whose inside is read. */
export type PlaceNumbers = Record<keyof PlaceLimits, number> & { readonly read: Weight };

/** One client leaves at least a twentieth to the others. */
const clientShare = 0.95;
/** Descriptors for everything else: files, stores, connections of the pools. */
const reservedFiles = 512;
const MiB = 1024 * 1024;
/** What a process takes before the first connection: four workers and the one that starts them have 640 MiB. */
const processBytes = 160 * MiB;
/**
 * What an open tunnel takes with both of its sides. Measured in a cgroup, kernel included: 14 KiB when it is idle and memory
 * is scarce, 20 when the collector has time; a connection in plain HTTP 15, one that says nothing 5.
 */
const tunnelBytes = 24 * 1024;
/**
 * What a tunnel takes whose inside is read, with TLS on both sides. Measured in the same way: 48 to 80 KiB over HTTP/1.1 and
 * 62 to 110 over HTTP/2 when it is idle, 90 to 150 while an answer streams.
 */
const readBytes = 120 * 1024;
/** The longest body by default (`masking.max_body`): at least one of them finds room. */
const keptBytesMin = 32 * MiB;

/** What this process may use as one of `workers` of the same machine or container. */
export function machineOf(workers: number): Machine {
  const total = os.totalmem();
  const constrained = process.constrainedMemory();
  return {
    openFiles: openFilesMax(),
    memoryBytes: (constrained > 0 && constrained < total ? constrained : total) / workers,
    heapBytes: getHeapStatistics().heap_size_limit,
  };
}

/** The numbers behind `auto`. All connections and tunnels may take half of the memory that the process leaves. */
export function numbersOf(limits: PlaceLimits, machine: Machine): PlaceNumbers {
  // A third of what a connection takes is on the heap, or half of it in a tunnel.
  const bytes = Math.min(freeBytes(machine) / 2, machine.heapBytes);
  // A tunnel has a connection on either side.
  const room = Math.max(128, Math.min(machine.openFiles - reservedFiles, Math.floor(bytes / (tunnelBytes / 2))));
  const connections = limits.connections === 'auto' ? room : limits.connections;
  const tunnels = limits.tunnels === 'auto' ? Math.floor(room / 2) : limits.tunnels;
  const share = (value: number | 'auto', of: number) => (value === 'auto' ? Math.ceil(of * clientShare) : value);
  // Where descriptors are the limit there is memory enough for more of them. A configured number is one of tunnels.
  const places = limits.tunnels === 'auto' ? Math.max(1, Math.ceil((tunnels * readBytes) / bytes)) : 1;
  return {
    connections,
    client_connections: share(limits.client_connections, connections),
    tunnels,
    client_tunnels: share(limits.client_tunnels, tunnels),
    read: { places, ofClient: limits.client_tunnels === 'auto' ? places : 1 },
  };
}

/** What bodies may hold that are kept until they are whole: a quarter of the memory that the process leaves. */
export function keptBytesMax(machine: Machine): number {
  return Math.max(keptBytesMin, Math.floor(freeBytes(machine) / 4));
}

/** Where a process has next to nothing it is not to refuse everything: its own needs were reckoned high then. */
function freeBytes({ memoryBytes }: Machine): number {
  return Math.max(memoryBytes - processBytes, memoryBytes / 4);
}

function openFilesMax(): number {
  try {
    const limit = /Max open files\s+(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit !== undefined) return limit === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(limit);
  } catch {
    // Not Linux: the usual limit there.
  }
  return 10_240;
}
