/**
 * What is stored about a domain that may be an AI service: counts, names of signals and a sketch of how many people use
 * it. Replicas merge their findings, so every field can be merged.
 */
import type { Evidence, Family, Signal } from './discovery.ts';

/** `open` until a person decides. */
export type FindingState = 'open' | 'dismissed' | 'registered';

/** A finding as stored. Times are RFC 3339 in UTC. */
export type Finding = {
  readonly hosts: readonly string[];
  readonly signals: Readonly<Partial<Record<Signal, number>>>;
  readonly requests: number;
  /** The smallest keyed hashes of subjects, ascending. See {@link countDistinct}. */
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
  /** Id of the service it was registered as. */
  readonly service?: string;
};

const hostsMax = 20;
const daysMax = 31;
/** Number of hashes kept: counts are exact up to this many subjects, then estimated within about 12 %. */
export const sketchMax = 64;
/** Hashes are smaller than this: 48 bits. */
export const hashRange = 2 ** 48;

/** Estimates how many distinct values a sketch has seen (k minimum values, Bar-Yossef et al. 2002). */
export function countDistinct(sketch: readonly number[]): number {
  if (sketch.length < sketchMax) return sketch.length;
  return Math.round(((sketchMax - 1) * hashRange) / (sketch.at(-1) as number));
}

/** Merges two findings of the same domain; the first one's state wins. */
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
    family,
    imitates,
    state: a.state,
    service: a.service,
  };
}

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
