/** Counters by labels. */
import type { Registry } from 'prom-client';
import { Counter, Gauge } from './prom-client.ts';

/** Maximum number of label sets per metric; further ones are counted under `other`. */
const labelSetsMax = 500;

/** A counter of one label set; hot paths may increase `value` directly. */
export type Count = { value: number };

type Child = { readonly labels: Record<string, string>; readonly count: Count };
type Branch = { readonly next: Map<string, Branch>; child: Child | undefined };

/**
 * A family of counters. Counting only adds to a number, and prom-client reads the numbers when it is scraped: its own
 * `inc` hashes the labels every time.
 */
export class CountFamily {
  readonly #labels: readonly string[];
  /** A tree: first label value, then the second, and so on. */
  readonly #root: Branch = { next: new Map(), child: undefined };
  readonly #children: Child[] = [];

  constructor(
    registry: Registry,
    options: { name: string; help: string; labels?: readonly string[]; gauge?: boolean },
  ) {
    this.#labels = options.labels ?? [];
    const collectInto = (metric: { reset(): void; inc(labels: Record<string, string>, by: number): void }) => {
      metric.reset();
      for (const { labels, count } of this.#children) metric.inc(labels, count.value);
    };
    const { name, help } = options;
    const settings = { name, help, labelNames: [...this.#labels], registers: [registry] };
    if (options.gauge)
      new Gauge({
        ...settings,
        collect: function collect() {
          collectInto(this);
        },
      });
    else
      new Counter({
        ...settings,
        collect: function collect() {
          collectInto(this);
        },
      });
    if (this.#labels.length === 0) this.with();
  }

  /** The counter for the label values, in label order; keep a reference on hot paths. */
  with(...values: string[]): Count {
    let at = this.#root;
    for (const value of values) {
      let next = at.next.get(value);
      if (next === undefined) {
        const isFull = this.#children.length >= labelSetsMax;
        if (isFull && values.some((one) => one !== 'other')) return this.with(...values.map(() => 'other'));
        next = { next: new Map(), child: undefined };
        at.next.set(value, next);
      }
      at = next;
    }
    at.child ??= this.#add(values);
    return at.child.count;
  }

  #add(values: readonly string[]): Child {
    const child = {
      labels: Object.fromEntries(this.#labels.map((label, i) => [label, values[i] ?? ''])),
      count: { value: 0 },
    };
    this.#children.push(child);
    return child;
  }
}
