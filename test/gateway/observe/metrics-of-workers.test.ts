/** Metrics of several workers: counters never fall, whichever worker ends or is silent. */
import { describe, expect, test } from 'vitest';
import { Metrics } from '../../../gateway/observe/metrics.ts';
import { type MetricsOfProcess, MetricsOfWorkers } from '../../../gateway/observe/metrics-of-workers.ts';

/** A worker with one metric of each kind: a counter, a gauge, a histogram. */
function workerOf(count: number): Metrics {
  const metrics = new Metrics({ defaults: false });
  metrics.tokensRestored.value = count;
  metrics.leafCerts.with('hit').value = count;
  metrics.connections.with('client').value = count;
  for (let i = 0; i < count; i++) metrics.observeMask(1);
  return metrics;
}

const series = [
  'privet_tokens_restored_total',
  'privet_leaf_certs_total{result="hit"}',
  'privet_overhead_seconds_count{step="mask"}',
  'privet_overhead_seconds_bucket{le="0.0025",step="mask"}',
  'privet_connections{kind="client"}',
];
const valuesOf = (text: string): (number | undefined)[] =>
  series.map((name) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  });

describe('counters', () => {
  test('of an ended worker stay in the sum, its gauges do not, and its successor is added', async () => {
    const sum = new MetricsOfWorkers<string>();
    sum.take('a', 1, await workerOf(3).collect());
    sum.take('b', 1, await workerOf(5).collect());
    expect(valuesOf(await sum.sum())).toEqual([8, 8, 8, 8, 8]);
    sum.end('a');
    expect(valuesOf(await sum.sum())).toEqual([8, 8, 8, 8, 5]);
    sum.take('c', 2, await workerOf(1).collect());
    expect(valuesOf(await sum.sum())).toEqual([9, 9, 9, 9, 6]);
    sum.end('c');
    sum.end('b');
    sum.end('b');
    expect(valuesOf(await sum.sum())).toEqual([9, 9, 9, 9, undefined]);
  });

  test('of a silent worker are its last ones, and late older ones are ignored', async () => {
    const sum = new MetricsOfWorkers<string>();
    sum.take('a', 1, await workerOf(3).collect());
    sum.take('b', 2, await workerOf(5).collect());
    sum.take('a', 3, await workerOf(4).collect());
    sum.take('a', 2, await workerOf(3).collect());
    expect(valuesOf(await sum.sum())).toEqual([9, 9, 9, 9, 9]);
  });

  test('on their own leave gauges unchanged', async () => {
    const sum = new MetricsOfWorkers<string>();
    sum.take('a', 1, await workerOf(3).collect());
    const counters = await workerOf(7).collect({ countersOnly: true });
    expect(counters.map(({ name }) => name)).not.toContain('privet_connections');
    sum.take('a', 2, counters);
    expect(valuesOf(await sum.sum())).toEqual([7, 7, 7, 7, 3]);
    sum.end('a');
    expect(valuesOf(await sum.sum())).toEqual([7, 7, 7, 7, undefined]);
  });
});

test('the longest event loop lag is shown, and process counters add up', async () => {
  const sum = new MetricsOfWorkers<string>();
  const lag = /^nodejs_eventloop_lag_/;
  const collected = await new Metrics().collect();
  const withValue = (value: number) =>
    structuredClone(collected).map((metric) => ({
      ...metric,
      values: metric.values.map((one) => ({ ...one, value })),
    })) as MetricsOfProcess;
  for (const [worker, value] of [4, 0, 0, 0].entries()) sum.take(String(worker), 1, withValue(value));
  const text = await sum.sum();
  const lags = text.split('\n').filter((line) => lag.test(line));
  expect(lags).toHaveLength(8);
  expect(lags.filter((line) => line.endsWith(' 4'))).toHaveLength(7);
  expect(text).toContain('nodejs_eventloop_lag_min_seconds 0\n');
  expect(text).toContain('process_cpu_seconds_total 4\n');
});
