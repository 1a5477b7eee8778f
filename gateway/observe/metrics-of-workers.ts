/**
 * The figures of several workers as those of one gateway. Counters never fall: what a worker has counted stays in the sum
 * when it ends, and one that does not answer is there with what it said last. Prometheus would take a counter that falls
 * for one that began at 0 again, and the whole of its value for new.
 */
import { AggregatorRegistry, type Registry } from 'prom-client';

/** Figures of one process as prom-client gives them. */
export type MetricsOfProcess = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

type MetricKind = MetricsOfProcess[number]['type'];

/** What is now, and so ends with its process; everything else counts on. */
export function isGauge(kind: MetricKind): boolean {
  // The declarations have numbers for what are words.
  return String(kind) === 'gauge';
}

type Said = { readonly number: number; readonly metrics: MetricsOfProcess };

/** Adds up what workers say; `Worker` is whatever stands for one process. */
export class MetricsOfWorkers<Worker> {
  /** What ended workers have counted. */
  #ended: MetricsOfProcess = [];
  readonly #said = new Map<Worker, Said>();

  /** Takes what a worker has said when it was asked for the `number`th time; what it said later than that is kept. */
  take(worker: Worker, number: number, metrics: MetricsOfProcess): void {
    const before = this.#said.get(worker);
    if (before !== undefined && before.number > number) return;
    const isWhole = metrics.some(({ type }) => isGauge(type));
    const gauges = isWhole ? [] : (before?.metrics.filter(({ type }) => isGauge(type)) ?? []);
    this.#said.set(worker, { number, metrics: [...metrics, ...gauges] });
  }

  /** Keeps what a worker has counted, which has ended; what it is to have said later does not count. */
  end(worker: Worker): void {
    const said = this.#said.get(worker);
    this.#said.delete(worker);
    if (said === undefined) return;
    const counted = said.metrics.filter(({ type }) => !isGauge(type));
    // At once, as a sum may be asked for now: the values are in what is registered.
    this.#ended = AggregatorRegistry.aggregate([this.#ended, counted]).getMetricsAsArray() as MetricsOfProcess;
  }

  /** The sum in the text format of Prometheus. */
  sum(): Promise<string> {
    const all = [this.#ended, ...[...this.#said.values()].map(({ metrics }) => metrics)];
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
