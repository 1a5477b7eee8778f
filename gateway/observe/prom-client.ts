/** The parts of prom-client that the gateway uses. Its entry also loads OpenTelemetry: 20 ms of CPU at each start. */
import { createRequire } from 'node:module';
import type * as prom from 'prom-client';

const load = createRequire(import.meta.url);
const part = (name: string): unknown => load(`prom-client/lib/${name}.js`);

export type Registry = prom.Registry;
export type Counter = prom.Counter;
export const Registry = part('registry') as typeof prom.Registry;
export const Counter = part('counter') as typeof prom.Counter;
export const Gauge = part('gauge') as typeof prom.Gauge;
export const AggregatorRegistry = part('cluster') as typeof prom.AggregatorRegistry;

const standardMetrics = [
  ...['processStartTime', 'osMemoryHeap', 'processOpenFileDescriptors', 'processMaxFileDescriptors', 'eventLoopLag'],
  ...['processResources', 'processHandles', 'processRequests', 'heapSizeAndUsed', 'heapSpacesSizeAndUsed', 'version'],
  'gc',
];

/** The metrics of prom-client's `collectDefaultMetrics`, except that CPU times count from the start of the process. */
export function collectDefaultMetrics(registry: Registry, options: { eventLoopMonitoringPrecision: number }): void {
  cpuSeconds(registry, 'process_cpu_user_seconds_total', 'user', ({ user }) => user);
  cpuSeconds(registry, 'process_cpu_system_seconds_total', 'system', ({ system }) => system);
  cpuSeconds(registry, 'process_cpu_seconds_total', 'user and system', ({ user, system }) => user + system);
  for (const name of standardMetrics) {
    const collect = part(`metrics/${name}`) as (registry: Registry, options: object) => void;
    collect(registry, options);
  }
}

function cpuSeconds(registry: Registry, name: string, kind: string, read: (usage: NodeJS.CpuUsage) => number): void {
  new Counter({
    name,
    help: `Total ${kind} CPU time spent in seconds.`,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read(process.cpuUsage()) / 1e6);
    },
  });
}
