/** Counts since findings were last stored, updated in place: this is on the request path of every candidate. */
import type { Family, Signal } from '../../policy/discovery.ts';
import { type Finding, sketchMax } from '../../policy/discovery-finding.ts';

const hostsMax = 20;
/** More hashes than a finding keeps; its sketch takes the smallest. */
const hashesMax = 1_024;

/** One use of a host. */
export type Use = {
  readonly host: string;
  readonly signals: readonly Signal[];
  readonly requests: number;
  readonly bytesUp: number;
  readonly now: number;
  readonly day: string;
  readonly hash: number | undefined;
  readonly family?: Family;
};

/** Counters of one domain. */
export class FreshFinding {
  readonly hosts = new Set<string>();
  readonly #signals = new Map<Signal, number>();
  readonly #hashes = new Set<number>();
  readonly #days = new Set<string>();
  readonly #imitates: string | undefined;
  readonly #firstMs: number;
  #lastMs: number;
  #requests = 0;
  #bytesUp = 0;
  #family: Family | undefined;

  constructor(now: number, imitates?: string) {
    this.#firstMs = now;
    this.#lastMs = now;
    this.#imitates = imitates;
  }

  /** Restores the counters of a finding that could not be stored. */
  static of(finding: Finding): FreshFinding {
    const fresh = new FreshFinding(Date.parse(finding.firstSeen), finding.imitates);
    for (const host of finding.hosts) fresh.hosts.add(host);
    for (const [name, count] of Object.entries(finding.signals) as [Signal, number][]) fresh.#signals.set(name, count);
    for (const hash of finding.subjects) fresh.#hashes.add(hash);
    for (const day of finding.days) fresh.#days.add(day);
    fresh.#lastMs = Date.parse(finding.lastSeen);
    fresh.#requests = finding.requests;
    fresh.#bytesUp = finding.bytesUp;
    fresh.#family = finding.family;
    return fresh;
  }

  add({ host, signals, requests, bytesUp, now, day, hash, family }: Use): void {
    if (this.hosts.size < hostsMax) this.hosts.add(host);
    for (const name of signals) this.#signals.set(name, (this.#signals.get(name) ?? 0) + 1);
    if (hash !== undefined) {
      if (this.#hashes.size >= hashesMax) this.#dropLargest();
      this.#hashes.add(hash);
    }
    this.#days.add(day);
    this.#lastMs = now;
    this.#requests += requests;
    this.#bytesUp += bytesUp;
    this.#family ??= family;
  }

  /** The counters as an undecided finding. */
  value(): Finding {
    const family = this.#family;
    const imitates = this.#imitates;
    return {
      hosts: [...this.hosts],
      signals: Object.fromEntries(this.#signals),
      requests: this.#requests,
      subjects: smallest(this.#hashes),
      days: [...this.#days],
      bytesUp: this.#bytesUp,
      firstSeen: new Date(this.#firstMs).toISOString(),
      lastSeen: new Date(this.#lastMs).toISOString(),
      ...(family === undefined ? {} : { family }),
      ...(imitates === undefined ? {} : { imitates }),
      state: 'open',
    };
  }

  #dropLargest(): void {
    const kept = smallest(this.#hashes);
    this.#hashes.clear();
    for (const hash of kept) this.#hashes.add(hash);
  }
}

function smallest(hashes: ReadonlySet<number>): number[] {
  return [...hashes].sort((a, b) => a - b).slice(0, sketchMax);
}
