/** The connection limits and buffers derived from the memory and descriptors of a process. */
import { describe, expect, test } from 'vitest';
import {
  keptBytesMax,
  type LimitSettings,
  type Machine,
  machineOf,
  numbersOf,
} from '../../../../gateway/proxy/listen/machine.ts';

const MiB = 1024 * 1024;
const auto: LimitSettings = {
  connections: 'auto',
  client_connections: 'auto',
  tunnels: 'auto',
  client_tunnels: 'auto',
};
const machine = (of: Partial<Machine>): Machine => ({
  openFiles: 1_048_576,
  memoryBytes: 1024 * MiB,
  heapBytes: 4096 * MiB,
  ...of,
});

describe('connection limits', () => {
  test.each<[what: string, of: Partial<Machine>, connections: number, tunnels: number, ofRead: number]>([
    ['1 GiB', {}, 36_864, 18_432, 5],
    ['a worker of four in 1 GiB', { memoryBytes: 256 * MiB }, 4_096, 2_048, 5],
    ['a worker of four in 2 GiB', { memoryBytes: 512 * MiB }, 15_018, 7_509, 5],
    ['less memory than a process takes', { memoryBytes: 128 * MiB }, 1_365, 682, 5],
    ['1 GiB and 20,000 descriptors', { openFiles: 20_000 }, 19_488, 9_744, 3],
    ['1 GiB and the descriptors of a shell', { openFiles: 1_024 }, 512, 256, 1],
    ['hardly any descriptors', { openFiles: 512 }, 128, 64, 1],
    ['more memory than the heap can use', { memoryBytes: 65_536 * MiB, heapBytes: 1024 * MiB }, 87_381, 43_690, 5],
  ])('%s', (_what, of, connections, tunnels, ofRead) => {
    expect(numbersOf(auto, machine(of))).toEqual({
      connections,
      client_connections: Math.ceil(connections * 0.95),
      tunnels,
      client_tunnels: Math.ceil(tunnels * 0.95),
      read: { total: ofRead, ofClient: ofRead },
    });
  });

  test.each<[what: string, limits: Partial<LimitSettings>, expected: object]>([
    ['tunnels', { tunnels: 50_000 }, { tunnels: 50_000, client_tunnels: 47_500, read: { total: 1, ofClient: 1 } }],
    ['tunnels of a client', { client_tunnels: 8 }, { client_tunnels: 8, read: { total: 5, ofClient: 1 } }],
    ['connections', { connections: 100 }, { connections: 100, client_connections: 95, tunnels: 18_432 }],
  ])('%s as configured, whatever the machine has', (_what, limits, expected) => {
    expect(numbersOf({ ...auto, ...limits }, machine({}))).toMatchObject(expected);
  });

  test.each([128, 256, 512, 1_024, 2_048, 16_384].flatMap((mebibytes) => [1, 2, 4, 8].map((of) => [mebibytes, of])))(
    'the limits of %d MiB are never exceeded by %d workers together',
    (mebibytes, workers) => {
      const each = machine({ memoryBytes: ((mebibytes as number) * MiB) / (workers as number) });
      const { connections, tunnels, read } = numbersOf(auto, each);
      const tunnelsBytes = tunnels * 24 * 1024;
      expect(tunnelsBytes * (workers as number)).toBeLessThanOrEqual(((mebibytes as number) / 2) * MiB);
      expect(Math.floor(tunnels / read.total) * 120 * 1024).toBeLessThanOrEqual(tunnelsBytes);
      expect(connections).toBeLessThanOrEqual(tunnels * 2 + 1);
    },
  );
});

test.each<[what: string, memoryMiB: number, keptMiB: number]>([
  ['1 GiB', 1_024, 216],
  ['a worker of four in 2 GiB', 512, 88],
  ['a worker of four in 1 GiB: one body of the default length', 256, 32],
  ['a worker of four in 256 MiB', 64, 32],
])('buffered bodies: %s', (_what, memoryMiB, keptMiB) => {
  expect(keptBytesMax(machine({ memoryBytes: memoryMiB * MiB }))).toBe(keptMiB * MiB);
});

test('workers share the memory of the machine, but not descriptors', () => {
  const [alone, ofFour] = [machineOf(1), machineOf(4)];
  expect(ofFour).toEqual({ ...alone, memoryBytes: alone.memoryBytes / 4 });
});
