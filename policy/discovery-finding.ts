/**
 * What is kept of a domain that may be an AI service: counts, names of signals and a sketch of how many people use it.
 * Findings of several replicas are merged, so every part of one can be.
 */
import type { Evidence, Family, Signal } from './discovery.ts';

/** `open` until a person has decided. */
export type FindingState = 'open' | 'dismissed' | 'registered';

/** A finding as it is stored. Times are RFC 3339 in UTC. */
export type Finding = {
  readonly hosts: readonly string[];
  readonly signals: Readonly<Partial<Record<Signal, number>>>;
  readonly requests: number;
  /** The smallest keyed hashes of subjects, ascending: see {@link countDistinct}. */
  readonly subjects: readonly number[];
  /** Days (UTC) of use, ascending. */
  readonly days: readonly string[];
  readonly bytesUp: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly family?: Family;
  /** The registered domain that the name imitates. */
  readonly imitates?: string;
  readonly state: FindingState;
  /** Id of the service that it was registered as. */
  readonly service?: string;
};

const hostsMax = 20;
const daysMax = 31;
/** Hashes kept: exact up to this many subjects, then an estimate within about 12 %. */
export const sketchMax = 64;
/** Hashes are below this: 48 bits. */
export const hashRange = 2 ** 48;

/** How many distinct values a sketch has seen (k minimum values, Bar-Yossef et al. 2002). */
export function countDistinct(sketch: readonly number[]): number {
  if (sketch.length < sketchMax) return sketch.length;
  return Math.round(((sketchMax - 1) * hashRange) / (sketch.at(-1) as number));
}

/** Two findings of the same domain as one; the state is that of the first. */
export function mergeFindings(a: Finding, b: Finding): Finding {
  const signals: Partial<Record<Signal, number>> = { ...a.signals };
  for (const [name, count] of Object.entries(b.signals) as [Signal, number][])
    signals[name] = (signals[name] ?? 0) + count;
  const family = a.family ?? b.family;
  const imitates = a.imitates ?? b.imitates;
  return {
    hosts: union(a.hosts, b.hosts).slice(0, hostsMax),
    signals,
    requests: a.requests + b.requests,
    subjects: union(a.subjects, b.subjects)
      .sort((x, y) => x - y)
      .slice(0, sketchMax),
    days: union(a.days, b.days).sort().slice(-daysMax),
    bytesUp: a.bytesUp + b.bytesUp,
    firstSeen: a.firstSeen < b.firstSeen ? a.firstSeen : b.firstSeen,
    lastSeen: a.lastSeen > b.lastSeen ? a.lastSeen : b.lastSeen,
    ...(family === undefined ? {} : { family }),
    ...(imitates === undefined ? {} : { imitates }),
    state: a.state,
    ...(a.service === undefined ? {} : { service: a.service }),
  };
}

/** What a finding is judged by. */
export function evidenceOf(finding: Finding): Evidence {
  return {
    signals: new Map(Object.entries(finding.signals) as [Signal, number][]),
    subjects: countDistinct(finding.subjects),
    days: finding.days.length,
    bytesUp: finding.bytesUp,
  };
}

function union<T>(a: readonly T[], b: readonly T[]): T[] {
  return [...new Set([...a, ...b])];
}
