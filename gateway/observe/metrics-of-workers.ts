/**
 * Merges the metrics of several workers into those of one gateway. Counters never fall: what a worker has counted stays
 * in the sum after it ends, and one that does not answer contributes its last values. Prometheus would treat a falling
 * counter as restarted from 0, and count its whole value again.
 */
import type { Registry } from 'prom-client';
import { AggregatorRegistry } from './prom-client.ts';

/** Metrics of one process in prom-client's format. */
export type MetricsOfProcess = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

type MetricKind = MetricsOfProcess[number]['type'];

/** Gauges describe the present and end with their process; everything else accumulates. */
export function isGauge(kind: MetricKind): boolean {
  // The type declarations use numbers where the values are strings.
  return String(kind) === 'gauge';
}

type Said = { readonly number: number; readonly metrics: MetricsOfProcess };

/** Adds up the metrics of workers; `Worker` is any object that identifies a process. */
export class MetricsOfWorkers<Worker> {
  #ended: MetricsOfProcess = [];
  readonly #said = new Map<Worker, Said>();

  /** Takes a worker's metrics from collection `number`, unless newer ones are already known. */
  take(worker: Worker, number: number, metrics: MetricsOfProcess): void {
    const before = this.#said.get(worker);
    if (before !== undefined && before.number > number) return;
    const isWhole = metrics.some(({ type }) => isGauge(type));
    const gauges = isWhole ? [] : (before?.metrics.filter(({ type }) => isGauge(type)) ?? []);
    this.#said.set(worker, { number, metrics: [...metrics, ...gauges] });
  }

  /** Keeps the counts of a worker that has ended; late reports from it are ignored. */
  end(worker: Worker): void {
    const said = this.#said.get(worker);
    this.#said.delete(worker);
    if (said === undefined) return;
    const counted = said.metrics.filter(({ type }) => !isGauge(type));
    // Computed synchronously, because the sum may be requested now: the values are in the registry.
    this.#ended = AggregatorRegistry.aggregate([this.#ended, counted]).getMetricsAsArray() as MetricsOfProcess;
  }

  /** The sum in Prometheus text format. */
  sum(): Promise<string> {
    const all = [this.#ended, ...[...this.#said.values()].map(({ metrics }) => metrics)];
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
