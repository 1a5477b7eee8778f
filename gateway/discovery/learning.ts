/** Learns unregistered AI services, and hosts whose clients reject our certificate, by observing requests. */

import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/load.ts';
import type { Policy } from '../../policy/decide.ts';
import type { Exemption } from '../../policy/decision.ts';
import { assess } from '../../policy/discovery.ts';
import { evidenceOf } from '../../policy/discovery-finding.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import type { AuditEvent } from '../observe/audit-event.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { ProxyObserver } from '../proxy/request/record.ts';
import { nextRequestId, whoOf } from '../proxy/request/record.ts';
import type { Commit } from '../reconfigurable.ts';
import { createFileOnce } from '../stores/atomic-file.ts';
import { keepInFile } from '../stores/kept-in-file.ts';
import type { Stores } from '../stores/stores.ts';
import { Discovery } from './collector.ts';
import { type Curated, curatedOf } from './curated.ts';
import { type PinChange, Pins } from './pins.ts';

/** Both learners, and their interface to the gateway. */
export class Learning {
  readonly discovery: Discovery;
  readonly pins: Pins;
  #curated: Curated;
  /** The last applied configuration, if any. */
  #wanted: Config['policy']['curated_bypass'] | undefined;
  readonly #ends: readonly (() => Promise<void>)[];

  private constructor(discovery: Discovery, pins: Pins, curated: Curated, ends: readonly (() => Promise<void>)[]) {
    this.discovery = discovery;
    this.pins = pins;
    this.#curated = curated;
    this.#ends = ends;
  }

  /** Loads earlier findings. `policy` returns the current policy. */
  static async open(options: {
    readonly stores: Stores;
    readonly registry: ServiceRegistry;
    readonly config: Config;
    readonly dataDir: string;
    readonly log: Log;
    readonly policy: () => Policy;
    readonly onPinChange?: ConstructorParameters<typeof Pins>[0]['onChange'];
  }): Promise<Learning> {
    const { stores, registry, config, dataDir, log, policy } = options;
    const ends = [
      await keepInFile({ stores, kind: 'discovery', dataDir, log }),
      await keepInFile({ stores, kind: 'pin', dataDir, log }),
    ];
    const own = stores.kind === 'memory' ? keyOf(dataDir, log) : undefined;
    const discovery = new Discovery({
      stores,
      registry,
      settings: config.discovery,
      log,
      secret: own === undefined ? stores.secret : () => own,
    });
    const pins = new Pins({
      stores,
      settings: config.policy.bypass_learning,
      decide: (host, client) => policy().decide({ host, port: 443, ...whoOf(client) }),
      log,
      onChange: (change) => {
        log.warn(
          { event: 'pinned_host', ...change },
          'the state of a host whose clients reject our certificate has changed',
        );
        options.onPinChange?.(change);
      },
    });
    return new Learning(discovery, pins, curatedOf(config), ends);
  }

  /** Applies a new configuration. */
  prepare(config: Config): Commit {
    return () => this.#configure(config);
  }

  #configure(config: Config): void {
    this.discovery.configure(config.discovery);
    this.pins.configure(config.policy.bypass_learning);
    const { curated_bypass: wanted } = config.policy;
    if (isDeepStrictEqual(wanted, this.#wanted)) return;
    this.#wanted = wanted;
    this.#curated = curatedOf(config);
  }

  /** Why a host that the configuration does not list is exempt. */
  readonly exempt = (host: string, isService: boolean): Exemption | undefined =>
    (isService ? undefined : this.#curated(host)) ?? this.pins.exemption(host);

  /** Wraps an observer to inform both learners. */
  watching(observer: ProxyObserver): ProxyObserver {
    const { discovery, pins } = this;
    return {
      finished(record, durationMs) {
        discovery.take(record);
        observer.finished(record, durationMs);
      },
      tlsClientReject(facts) {
        pins.rejected(facts.host, facts.client, facts.code);
        if (!pins.isSpare(facts.host, facts.client, facts.code)) observer.tlsClientReject(facts);
      },
      tlsClientAccept({ host, client }) {
        pins.accepted(host, client);
      },
      connection: (kind, change) => observer.connection(kind, change),
      turnedAway: () => observer.turnedAway?.(),
      fault: (facts) => observer.fault(facts),
    };
  }

  /** Number of proposals awaiting a decision. */
  readonly proposed = {
    discoveryProposed: (): number => {
      const { weak: _weak, ...proposed } = this.#findingsByConfidence();
      return Object.values(proposed).reduce((sum, count) => sum + count, 0);
    },
    pinsProposed: (): number => this.#pinsByState().proposed ?? 0,
  };

  /** Registers metrics for both. */
  measure(metrics: Metrics): void {
    metrics.gauge('discovery_hosts', 'Hosts that look like AI and await a decision, by confidence.', 'confidence', () =>
      this.#findingsByConfidence(),
    );
    metrics.gauge('pinned_hosts', 'Hosts whose clients reject our certificate, by state.', 'state', () =>
      this.#pinsByState(),
    );
  }

  #findingsByConfidence(): Record<string, number> {
    const counts: Record<string, number> = { weak: 0, low: 0, medium: 0, high: 0 };
    for (const finding of this.discovery.list().values()) {
      if (finding.state === 'open') add(counts, assess(evidenceOf(finding)).confidence);
    }
    return counts;
  }

  #pinsByState(): Record<string, number> {
    const counts: Record<string, number> = { seen: 0, proposed: 0, bypassed: 0, dismissed: 0 };
    for (const { state } of this.pins.list().values()) add(counts, state);
    return counts;
  }

  /** Writes changes, and stops. */
  async close(): Promise<void> {
    await this.discovery.close();
    await this.pins.close();
    for (const end of this.#ends) await end();
  }
}

/** An audit event for a pinned host's state change: the exemption, and who decided. */
export function pinEvent({ host, state, by, expiresAt }: PinChange): AuditEvent {
  return {
    requestId: nextRequestId(),
    subject: by === 'auto' ? 'gateway' : 'administrator',
    clientAddress: '',
    kind: 'bypass',
    host,
    rule: 'learned bypass',
    reason: `clients reject the certificate: ${state}${expiresAt === undefined ? '' : ` until ${expiresAt}`}`,
    method: '',
    status: 0,
    bytesIn: 0,
    bytesOut: 0,
    durationMs: 0,
    intercepted: false,
  };
}

/** The key for hashing subjects without a store, kept in the data folder so that a restart counts nobody twice. */
function keyOf(dataDir: string, log: Log): Buffer {
  const file = join(dataDir, 'discovery-key');
  try {
    const { text } = createFileOnce(file, () => randomBytes(32).toString('hex'));
    return hash('sha256', text, 'buffer');
  } catch (error) {
    log.warn({ event: 'file_not_written', error }, 'the key for hashing subjects cannot be saved');
    return randomBytes(32);
  }
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
