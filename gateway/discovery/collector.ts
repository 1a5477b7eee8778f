/**
 * Finds candidates for AI services among unregistered hosts. On the request path it costs one lookup by host; a host's
 * name is scored once. Findings are kept here and in the store, merged with those of other replicas. Discovery only
 * observes and never changes a decision.
 */

import { PrivetError } from '../../core/errors.ts';
import type { PolicyDecision } from '../../policy/decision.ts';
import { assess, isWorthKeeping, type Signal } from '../../policy/discovery.ts';
import { registrableDomain } from '../../policy/discovery-domain.ts';
import { evidenceOf, type Finding, type FindingState, mergeFindings } from '../../policy/discovery-finding.ts';
import { hostSignals } from '../../policy/discovery-host.ts';
import { LookalikeIndex } from '../../policy/discovery-lookalike.ts';
import type { Shapes } from '../../policy/discovery-shapes.ts';
import { HostSet } from '../../policy/host-set.ts';
import type { ServiceRegistry } from '../../policy/registry.ts';
import { boundedCache } from '../bounded-cache.ts';
import { Hmac } from '../hmac.ts';
import type { Log } from '../observe/log.ts';
import type { RequestRecord } from '../proxy/request/record.ts';
import { changeRecords } from '../stores/records.ts';
import type { Stores } from '../stores/stores.ts';
import { FreshFinding } from './fresh-finding.ts';
import { Probe, type ProbeRequest } from './probe.ts';

/** Number of cached hosts, and of domains with a finding; the least recently used are evicted. */
const hostsMax = 20_000;
const findingsMax = 2_000;
const subjectHashesMax = 10_000;
/** Exchanges whose shape is examined, per host and hour. */
const probesPerHour = 32;
const hourMs = 3_600_000;
const flushMs = 5_000;

/** The settings: `discovery` in config/schema.ts. */
export type DiscoverySettings = {
  readonly enabled: boolean;
  readonly shapes: boolean;
  readonly ignore: readonly string[];
};

type HostState = {
  readonly domain: string;
  readonly signals: readonly Signal[];
  readonly imitates: string | undefined;
  probesLeft: number;
  probesFromMs: number;
};

export type DiscoveryOptions = {
  readonly stores: Pick<Stores, 'records' | 'changes' | 'opened'>;
  /** The key for hashing subjects, shared by all replicas and kept across restarts. */
  readonly secret: () => Buffer;
  readonly registry: ServiceRegistry;
  readonly settings: DiscoverySettings;
  readonly log: Log;
  readonly now?: () => number;
};

/** Watches hosts and keeps findings. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #now: () => number;
  readonly #hosts = boundedCache<string, HostState>(hostsMax);
  /** The last stored state by domain, least recently used first. */
  readonly #stored = new Map<string, Finding>();
  /** Changes that are not stored yet. */
  readonly #fresh = new Map<string, FreshFinding>();
  /** Evicted findings that may still be in the store. */
  readonly #dropped = new Set<string>();
  readonly #subjects = boundedCache<string, number>(subjectHashesMax);
  #settings: DiscoverySettings;
  #ignored: HostSet;
  #lookalikes: { readonly index: LookalikeIndex; readonly version: number } | undefined;
  #hmac: { readonly secret: Buffer; readonly hmac: Hmac } | undefined;
  #day = { text: '', untilMs: 0 };
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  readonly #endListening: () => void;

  constructor(options: DiscoveryOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#settings = options.settings;
    this.#ignored = new HostSet(options.settings.ignore);
    const { stores } = options;
    this.#endListening = stores.changes.onChange(({ kind, ids }) => {
      if (kind === 'discovery') void this.#follow(ids);
    });
    stores.opened.then(
      () => this.#follow(),
      () => {},
    );
  }

  /** Applies new settings and scores hosts again. */
  configure(settings: DiscoverySettings): void {
    this.#settings = settings;
    this.#ignored = new HostSet(settings.ignore);
    this.#hosts.clear();
  }

  /** Counts a finished request or tunnel. */
  take({ host, decision, client, bytesIn }: RequestRecord): void {
    const state = this.#stateOf(host, decision);
    if (state === undefined) return;
    // A host whose name gives no signals is counted only after its shapes have produced one.
    if (state.signals.length === 0 && !this.#isNoted(state.domain, host)) return;
    this.#add(host, state, { signals: state.signals, requests: 1, subject: client.subject, bytesUp: bytesIn });
  }

  /** Examines the shape of a request and its response; undefined for nearly all of them. */
  probe(request: ProbeRequest, decision: PolicyDecision): Probe | undefined {
    if (!this.#settings.shapes) return undefined;
    const state = this.#stateOf(request.host, decision);
    if (state === undefined || !this.#takeProbe(state)) return undefined;
    return new Probe(request, (shapes) => this.#seen(request.host, state, shapes));
  }

  /** The findings by domain. */
  list(): ReadonlyMap<string, Finding> {
    const all = new Map(this.#stored);
    for (const [domain, fresh] of this.#fresh) all.set(domain, merged(this.#stored.get(domain), fresh.value()));
    return all;
  }

  /** The finding for a host. */
  find(host: string): { readonly domain: string; readonly finding: Finding } | undefined {
    const isKnown = this.#stored.has(host) || this.#fresh.has(host);
    const domain = isKnown ? host : registrableDomain(host);
    const stored = this.#stored.get(domain);
    const fresh = this.#fresh.get(domain)?.value();
    const finding = fresh === undefined ? stored : merged(stored, fresh);
    return finding === undefined ? undefined : { domain, finding };
  }

  /**
   * Records an administrator's decision about a domain (or a host below it), in the store first.
   * @throws PrivetError `not_found`; `unavailable` if the store is
   */
  async decide(host: string, decision: { readonly state: FindingState; readonly service?: string }): Promise<Finding> {
    const found = this.find(host);
    if (found === undefined) throw new PrivetError('not_found', 'There is no finding with this name.');
    const { domain, finding } = found;
    await this.flush();
    const { records } = this.#options.stores;
    const result = await changeRecords({
      records,
      kind: 'discovery',
      read: () => records.get('discovery', [domain]),
      decide: (set) => {
        const before = (set.records.get(domain) ?? finding) as Finding;
        const { service: _, ...rest } = before;
        const after: Finding = { ...rest, ...decision };
        return { changes: new Map([[domain, after]]), result: after };
      },
    });
    this.#stored.set(domain, result);
    return result;
  }

  /** Writes changes to the store; changes that fail are retried. */
  async flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  /** Writes changes once, and stops. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush();
    clearTimeout(this.#timer);
    this.#endListening();
  }

  /** The state of a host, scoring its name if it is new; undefined if it is not observed. */
  #stateOf(host: string, decision: PolicyDecision | undefined): HostState | undefined {
    if (!this.#settings.enabled || decision === undefined || host === '') return undefined;
    if (decision.service !== undefined || decision.ruleKind === 'bypass') return undefined;
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#ignored.match(host) !== undefined) return undefined;
    const imitates = this.#lookalikeIndex().find(host);
    const named = hostSignals(host);
    const signals: Signal[] = imitates === undefined ? named : [...named, 'host-lookalike'];
    const state: HostState = {
      domain: registrableDomain(host),
      signals: isWorthKeeping(signals) ? signals : [],
      imitates,
      probesLeft: probesPerHour,
      probesFromMs: this.#now(),
    };
    this.#hosts.set(host, state);
    return state;
  }

  #lookalikeIndex(): LookalikeIndex {
    const { registry } = this.#options;
    if (this.#lookalikes?.version !== registry.version) {
      this.#lookalikes = { index: new LookalikeIndex(namesOf(registry)), version: registry.version };
    }
    return this.#lookalikes.index;
  }

  #takeProbe(state: HostState): boolean {
    if (state.probesLeft > 0) {
      state.probesLeft--;
      return true;
    }
    const now = this.#now();
    if (now - state.probesFromMs < hourMs) return false;
    state.probesFromMs = now;
    state.probesLeft = probesPerHour - 1;
    return true;
  }

  #seen(host: string, state: HostState, { signals, family }: Shapes): void {
    if (!isWorthKeeping(signals) && !this.#isNoted(state.domain, host)) return;
    this.#add(host, state, { signals, requests: 0, bytesUp: 0, ...(family === undefined ? {} : { family }) });
  }

  #isNoted(domain: string, host: string): boolean {
    return this.#fresh.get(domain)?.hosts.has(host) === true || this.#stored.get(domain)?.hosts.includes(host) === true;
  }

  #add(
    host: string,
    { domain, imitates }: HostState,
    use: {
      signals: readonly Signal[];
      requests: number;
      bytesUp: number;
      subject?: string;
      family?: Finding['family'];
    },
  ): void {
    const now = this.#now();
    let fresh = this.#fresh.get(domain);
    if (fresh === undefined) {
      if (!this.#stored.has(domain) && this.#stored.size + this.#fresh.size >= findingsMax) this.#forgetOne();
      this.#dropped.delete(domain);
      fresh = new FreshFinding(now, imitates);
      this.#fresh.set(domain, fresh);
      this.#schedule();
    }
    fresh.add({
      ...use,
      host,
      now,
      day: this.#dayOf(now),
      hash: use.subject === undefined ? undefined : this.#hashOf(use.subject),
    });
  }

  /** Evicts the least recently used weak finding, else any; administrators' decisions stay. */
  #forgetOne(): void {
    let oldest: string | undefined;
    let looked = 0;
    for (const [domain, finding] of this.#stored) {
      if (finding.state !== 'open') continue;
      oldest ??= domain;
      const isWeak = assess(evidenceOf(finding)).confidence === 'weak';
      if (isWeak || ++looked === 64) {
        if (isWeak) oldest = domain;
        break;
      }
    }
    const first = oldest ?? this.#fresh.keys().next().value ?? this.#stored.keys().next().value;
    if (first === undefined) return;
    this.#fresh.delete(first);
    if (this.#stored.delete(first)) this.#dropped.add(first);
  }

  #hashOf(subject: string): number {
    const secret = this.#options.secret();
    if (this.#hmac?.secret !== secret) {
      this.#hmac = { secret, hmac: new Hmac(secret) };
      this.#subjects.clear();
    }
    let hash = this.#subjects.get(subject);
    if (hash === undefined) {
      hash = this.#hmac.hmac.digest(`discovery\n${subject}`).readUIntBE(0, 6);
      this.#subjects.set(subject, hash);
    }
    return hash;
  }

  #dayOf(now: number): string {
    if (now >= this.#day.untilMs) {
      const text = new Date(now).toISOString().slice(0, 10);
      this.#day = { text, untilMs: Date.parse(`${text}T00:00:00Z`) + 24 * hourMs };
    }
    return this.#day.text;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, flushMs).unref();
  }

  async #write(): Promise<void> {
    if (this.#fresh.size + this.#dropped.size === 0) return;
    const taken = new Map([...this.#fresh].map(([domain, fresh]): [string, Finding] => [domain, fresh.value()]));
    const known = new Map(
      [...taken.keys()].flatMap(
        (domain) => (this.#stored.has(domain) ? [[domain, this.#stored.get(domain)]] : []) as [string, Finding][],
      ),
    );
    // Also show findings while they are being written.
    for (const [domain, finding] of taken) this.#show(domain, merged(this.#stored.get(domain), finding));
    const dropped = [...this.#dropped];
    this.#fresh.clear();
    this.#dropped.clear();
    const { records } = this.#options.stores;
    try {
      const stored = await changeRecords({
        records,
        kind: 'discovery',
        read: () => records.get('discovery', [...taken.keys()]),
        decide: (set) => {
          const result = new Map<string, Finding>();
          for (const [domain, finding] of taken) {
            const before = set.records.get(domain) as Finding | undefined;
            result.set(domain, merged(before, finding));
          }
          const changes = new Map<string, unknown>(result);
          for (const domain of dropped) changes.set(domain, null);
          return { changes, result };
        },
      });
      for (const [domain, finding] of stored) this.#show(domain, finding);
    } catch (error) {
      for (const domain of dropped) this.#dropped.add(domain);
      for (const [domain, finding] of taken) {
        const fresh = this.#fresh.get(domain);
        this.#fresh.set(domain, FreshFinding.of(fresh === undefined ? finding : mergeFindings(finding, fresh.value())));
        const before = known.get(domain);
        if (before === undefined) this.#stored.delete(domain);
        else this.#stored.set(domain, before);
      }
      this.#options.log.warn({ event: 'discovery_not_stored', error }, 'findings are waiting for the store');
      this.#schedule();
    }
  }

  /** Loads changes by other replicas, or by an earlier run. */
  async #follow(ids?: readonly string[]): Promise<void> {
    const { records, changes } = this.#options.stores;
    try {
      const set = ids === undefined ? await records.list('discovery') : await records.get('discovery', ids);
      for (const id of ids ?? []) if (!set.records.has(id)) this.#stored.delete(id);
      for (const [domain, finding] of set.records) this.#show(domain, finding as Finding);
    } catch (error) {
      this.#options.log.warn(
        { event: 'discovery_not_read', error },
        'the findings of other replicas could not be read',
      );
      changes.again('discovery');
    }
  }

  /** Marks a finding as the most recently used. */
  #show(domain: string, stored: Finding): void {
    this.#stored.delete(domain);
    this.#stored.set(domain, stored);
  }
}

/** A generator, because the index reads only the first names of a large registry. */
function* namesOf(registry: ServiceRegistry): Generator<string, void> {
  for (const { scope, domain, alternate_domains: more } of registry.services()) {
    if (scope === 'path') continue;
    yield domain;
    yield* more;
  }
}

function merged(before: Finding | undefined, fresh: Finding): Finding {
  return before === undefined ? fresh : mergeFindings(before, fresh);
}
