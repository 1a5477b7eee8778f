/**
 * The metrics of the process for Prometheus. Labels come from small fixed sets; hosts, paths and users are never
 * labels.
 */
import type { Counter } from 'prom-client';
import { CountFamily } from './count-family.ts';
import { DurationFamily, type Durations } from './duration-family.ts';
import { isGauge, type MetricsOfProcess } from './metrics-of-workers.ts';
import { collectDefaultMetrics, Gauge, Registry } from './prom-client.ts';

/** The `blocked_total` reason for connections and tunnels beyond a limit. */
export const limitExceeded = 'limit_exceeded';

/** All metrics of the gateway, in their own registry. */
export class Metrics {
  readonly #registry = new Registry();
  readonly requests = this.#count('requests_total', 'Requests and tunnels answered.', [
    'action',
    'inspect',
    'category',
    'status_class',
  ]);
  readonly decisions = this.#count('decisions_total', 'Policy decisions.', ['action', 'rule_kind']);
  readonly wouldDecide = this.#count('report_only_total', 'What rules in report_only would have decided.', ['action']);
  readonly coach = this.#count('coach_total', 'Coaching questions shown to users.', ['result']);
  readonly piiDetected = this.#count('pii_detected_total', 'Personal data found in requests.', ['type', 'mode']);
  readonly piiMasked = this.#count('pii_masked_total', 'Values replaced by tokens.', ['type']);
  readonly tokensRestored = this.#count(
    'tokens_restored_total',
    'Tokens replaced by their values in responses.',
  ).with();
  readonly tokensUnresolved = this.#count(
    'tokens_unresolved_total',
    'Tokens in responses without a known value.',
  ).with();
  readonly blocked = this.#count('blocked_total', 'Requests refused, by policy or for safety.', ['reason']);
  readonly tunnelBytes = this.#count('tunnel_bytes_total', 'Bytes relayed unread.', ['direction']);
  readonly connections = this.#count('connections', 'Open connections.', ['kind'], true);
  readonly leafCerts = this.#count('leaf_certs_total', 'Requests for leaf certificates.', ['result']);
  readonly tlsClientRejects = this.#count('tls_client_rejects_total', 'Clients that refused our certificate.').with();
  readonly upstreamErrors = this.#count('upstream_errors_total', 'Failed connections to services.', ['reason']);
  readonly injectionDetected = this.#count('injection_detected_total', 'Injections found.', ['kind', 'risk']);
  readonly toolFindings = this.#count('tool_findings_total', 'Findings in tools and MCP servers.', ['kind', 'answer']);
  readonly storeErrors = this.#count('store_errors_total', 'Failures of a store.', ['store']);
  readonly storeEvictions = this.#count(
    'store_evictions_total',
    'Live sessions evicted from the full memory store.',
  ).with();
  readonly configReloads = this.#count('config_reloads_total', 'Reloads of the configuration.', ['result']);
  readonly auditDropped = this.#count('audit_dropped_total', 'Audit events lost because they could not be written.', [
    'sink',
  ]);
  readonly #mask: Durations = new DurationFamily(this.#registry, {
    name: 'privet_overhead_seconds',
    help: 'Time of the gateway itself, by step.',
    label: 'step',
    bounds: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
  }).with('mask');

  /** `caNotAfter`: expiry of the root, shown as `privet_ca_not_after_seconds`. `defaults`: Node's own metrics too. */
  constructor(options: { caNotAfter?: () => Date; defaults?: boolean } = {}) {
    const { caNotAfter } = options;
    // Create both series at start: `increase` detects the first failure only if the series existed before.
    for (const result of ['ok', 'failed']) this.configReloads.with(result);
    for (const sink of ['stdout', 'file', 'syslog', 'store']) this.auditDropped.with(sink);
    this.blocked.with(limitExceeded);
    if (caNotAfter) {
      new Gauge({
        name: 'privet_ca_not_after_seconds',
        help: 'Unix time at which the root certificate expires.',
        aggregator: 'max',
        registers: [this.#registry],
        collect() {
          this.set(Math.floor(caNotAfter().getTime() / 1000));
        },
      });
    }
    // The default precision of 10 ms wakes an idle process 100 times a second.
    if (options.defaults !== false) {
      collectDefaultMetrics(this.#registry, { eventLoopMonitoringPrecision: 50 });
      this.#showLongestLag();
    }
  }

  /** With several workers, shows the longest lag: prom-client takes the mean, which hides a single slow one. */
  #showLongestLag(): void {
    for (const metric of this.#registry.getMetricsAsArray())
      if (metric.name.startsWith('nodejs_eventloop_lag_') && metric.aggregator === 'average') metric.aggregator = 'max';
  }

  /**
   * A gauge whose values are computed at each scrape: label value → number, with labels from a small fixed set. With
   * several workers, either all see the same thing and the largest value is right, or the values add up (`sum`).
   */
  gauge(
    name: string,
    help: string,
    label: string,
    values: () => Readonly<Record<string, number>>,
    aggregator: 'max' | 'sum' = 'max',
  ): void {
    new Gauge({
      name: `privet_${name}`,
      help,
      labelNames: [label],
      aggregator,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [value, count] of Object.entries(values())) this.set({ [label]: value }, count);
      },
    });
  }

  /** Adds the duration of masking to `overhead_seconds`. */
  observeMask(ms: number): void {
    this.#mask.observe(ms / 1000);
  }

  /**
   * The metrics of this process, to be merged with those of others. `countersOnly` leaves out gauges: some are slow to
   * read, and those of the event loop reset on each read.
   */
  async collect({ countersOnly = false } = {}): Promise<MetricsOfProcess> {
    if (!countersOnly) return this.#registry.getMetricsAsJSON();
    const counters = this.#registry.getMetricsAsArray().filter(({ type }) => !isGauge(type));
    return Promise.all(counters.map((metric) => (metric as unknown as Counter).get()));
  }

  /** The metrics in Prometheus text format. */
  expose(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Content type of {@link expose}. */
  get contentType(): string {
    return this.#registry.contentType;
  }

  #count(name: string, help: string, labels?: readonly string[], gauge?: boolean): CountFamily {
    return new CountFamily(this.#registry, { name: `privet_${name}`, help, labels, gauge });
  }
}
