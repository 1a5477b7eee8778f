/**
 * The parts of prom-client that the gateway uses, each from its own file: the package's entry also loads OpenTelemetry,
 * for links from metrics to traces, 25 ms of every start. The package promises nothing about its files, so package.json
 * accepts only its patches.
 */
import { createRequire } from 'node:module';
import type * as client from 'prom-client';

const load = createRequire(import.meta.url);

export const AggregatorRegistry = load('prom-client/lib/cluster.js') as typeof client.AggregatorRegistry;
export const Counter = load('prom-client/lib/counter.js') as typeof client.Counter;
export const Gauge = load('prom-client/lib/gauge.js') as typeof client.Gauge;
export const Registry = load('prom-client/lib/registry.js') as typeof client.Registry;

type Collect = (register: client.Registry, options: { readonly eventLoopMonitoringPrecision: number }) => void;

/** The package's default metrics except `processCpuTotal`, whose file loads OpenTelemetry. */
const defaults = [
  load('prom-client/lib/metrics/processStartTime.js'),
  load('prom-client/lib/metrics/osMemoryHeap.js'),
  load('prom-client/lib/metrics/processOpenFileDescriptors.js'),
  load('prom-client/lib/metrics/processMaxFileDescriptors.js'),
  load('prom-client/lib/metrics/eventLoopLag.js'),
  load('prom-client/lib/metrics/processResources.js'),
  load('prom-client/lib/metrics/processHandles.js'),
  load('prom-client/lib/metrics/processRequests.js'),
  load('prom-client/lib/metrics/heapSizeAndUsed.js'),
  load('prom-client/lib/metrics/heapSpacesSizeAndUsed.js'),
  load('prom-client/lib/metrics/version.js'),
  load('prom-client/lib/metrics/gc.js'),
] as readonly Collect[];

/** Adds the metrics of Node and of the process; `eventLoopMonitoringPrecision` in milliseconds. */
export const collectDefaultMetrics: Collect = (register, options) => {
  countCpu(register, 'process_cpu_user_seconds_total', 'Total user CPU time spent in seconds.', ({ user }) => user);
  countCpu(
    register,
    'process_cpu_system_seconds_total',
    'Total system CPU time spent in seconds.',
    ({ system }) => system,
  );
  const help = 'Total user and system CPU time spent in seconds.';
  countCpu(register, 'process_cpu_seconds_total', help, ({ user, system }) => user + system);
  for (const collect of defaults) collect(register, options);
};

function countCpu(
  register: client.Registry,
  name: string,
  help: string,
  microseconds: (usage: NodeJS.CpuUsage) => number,
): void {
  new Counter({
    name,
    help,
    registers: [register],
    collect() {
      this.reset();
      this.inc(microseconds(process.cpuUsage()) / 1e6);
    },
  });
}
