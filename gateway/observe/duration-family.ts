/** Histograms of durations by one label. */
import type { Metric, Registry } from 'prom-client';

/** The durations of one label value. */
export type Durations = { observe(seconds: number): void };

/** `bounds`: upper bounds of the buckets in seconds, ascending. `label`: its values come from a small fixed set. */
export type DurationOptions = {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly bounds: readonly number[];
};

/**
 * A family of histograms, in the form in which prom-client reads its own. Observing only adds to numbers: prom-client's
 * `observe` checks and hashes the labels every time.
 */
export class DurationFamily {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly #options: DurationOptions;
  readonly #children = new Map<string, Buckets>();

  constructor(registry: Registry, options: DurationOptions) {
    this.name = options.name;
    this.help = options.help;
    this.#options = options;
    registry.registerMetric(this as unknown as Metric);
  }

  /** The durations of a label value; keep a reference on hot paths. */
  with(value: string): Durations {
    let child = this.#children.get(value);
    if (child === undefined) {
      child = new Buckets(this.#options.bounds);
      this.#children.set(value, child);
    }
    return child;
  }

  /** The values in prom-client's own format. */
  async get(): Promise<object> {
    const { name, help, type, aggregator } = this;
    const { label, bounds } = this.#options;
    const values: { metricName: string; labels: Record<string, string | number>; value: number }[] = [];
    for (const [of, { counts, sum, count }] of this.#children) {
      let below = 0;
      for (const [i, bound] of bounds.entries()) {
        below += counts[i] as number;
        values.push({ metricName: `${name}_bucket`, labels: { le: bound, [label]: of }, value: below });
      }
      values.push({ metricName: `${name}_bucket`, labels: { le: '+Inf', [label]: of }, value: count });
      values.push({ metricName: `${name}_sum`, labels: { [label]: of }, value: sum });
      values.push({ metricName: `${name}_count`, labels: { [label]: of }, value: count });
    }
    return { name, help, type, values, aggregator };
  }
}

class Buckets implements Durations {
  readonly #bounds: readonly number[];
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.counts = bounds.map(() => 0);
  }

  observe(seconds: number): void {
    this.sum += seconds;
    this.count++;
    for (let i = 0; i < this.#bounds.length; i++) {
      if (seconds > (this.#bounds[i] as number)) continue;
      this.counts[i] = (this.counts[i] as number) + 1;
      return;
    }
  }
}
