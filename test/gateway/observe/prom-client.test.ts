import * as client from 'prom-client';
import { expect, test } from 'vitest';
import { collectDefaultMetrics, Registry } from '../../../gateway/observe/prom-client.ts';

test('the metrics of the process are those of prom-client, and CPU time counts from the start of the process', async () => {
  const [own, theirs] = [new Registry(), new client.Registry()];
  collectDefaultMetrics(own, { eventLoopMonitoringPrecision: 50 });
  client.collectDefaultMetrics({ register: theirs });
  const described = async (registry: client.Registry) =>
    (await registry.getMetricsAsJSON())
      .map(({ name, help, type, aggregator }) => ({ name, help, type, aggregator }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(await described(own)).toEqual(await described(theirs));

  const seconds = async (name: string) =>
    (await own.getSingleMetric(`process_cpu_${name}seconds_total`)?.get())?.values[0]?.value ?? 0;
  const before = process.cpuUsage();
  const [user, system, all] = [await seconds('user_'), await seconds('system_'), await seconds('')];
  expect(user).toBeGreaterThanOrEqual(before.user / 1e6);
  expect(system).toBeGreaterThanOrEqual(before.system / 1e6);
  expect(all).toBeGreaterThanOrEqual(user + system);
});
