/**
 * Event counts by minute, hour and day, stored with the events so that statistics need not read them.
 * Every process writes its own rollups (`part`), always whole and never as an increment: writing one twice changes
 * nothing, and no locks are needed. A reader adds up the parts.
 */
import { randomBytes } from 'node:crypto';
import { dayMs } from '../durations.ts';
import { countedAs } from '../observe/counted.ts';

/** The lengths of time that are counted. */
export type Level = 'minute' | 'hour' | 'day';

/** Milliseconds of a level. A day is one of UTC. */
export const levelMs: Readonly<Record<Level, number>> = { minute: 60_000, hour: 3_600_000, day: dayMs };

/** The counts over all requests. `unregistered`: those without a service; `none`: refused before a decision. */
export const countNames = ['allow', 'warn', 'block', 'none', 'unregistered', 'masked', 'restored'] as const;
type CountName = (typeof countNames)[number];
/** Numbers in the order of {@link countNames}. */
export type Counts = readonly number[];

/** What is counted by name. `types`: values that were masked, `seen`: values that were detected and sent. */
const topNames = ['services', 'subjects', 'types', 'seen'] as const;
type TopName = (typeof topNames)[number];
/** Counts of the most frequent names, and of all others together. */
export type Top = { readonly names: Readonly<Record<string, number>>; readonly other: number };
export type Tops = Readonly<Record<TopName, Top>>;

function byTop<T>(ofName: (name: TopName) => T): Record<TopName, T> {
  return Object.fromEntries(topNames.map((name) => [name, ofName(name)])) as Record<TopName, T>;
}

/** The counts of one process for the period that begins at `at` (Unix time in milliseconds). */
export type Rollup = {
  readonly level: Level;
  readonly at: number;
  readonly part: string;
  readonly counts: Counts;
  readonly tops: Tops;
};

/** The rollup of a database row, whose counts are JSON. */
export function rollupOf(level: Level, row: Readonly<Record<string, unknown>>): Rollup {
  const { at, part, counts, tops = 'null' } = row;
  return {
    level,
    at: Number(at),
    part: String(part),
    counts: JSON.parse(String(counts)),
    tops: JSON.parse(String(tops)),
  } as Rollup;
}

/** Names per kind that a process counts exactly; beyond that the rarer half is added to `other`. */
const countedMax = 1_000;
/** Names per kind that a rollup stores. */
const keptMax = 200;
/** Open rollups per level, most recently written last; events of another time begin a new part. */
const openMax = 4;
/** Maximum points of a series: a quarter by the hour fits, and two days by the minute. */
export const pointsMax = 3_000;

class Names {
  readonly counts: Map<string, number>;
  other: number;

  constructor(from?: Names) {
    this.counts = new Map(from?.counts);
    this.other = from?.other ?? 0;
  }

  add(name: string, count: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + count);
    if (this.counts.size <= countedMax) return;
    const rarest = [...this.counts].sort((a, b) => a[1] - b[1]).slice(0, countedMax / 2);
    for (const [rare, times] of rarest) {
      this.counts.delete(rare);
      this.other += times;
    }
  }

  addAll(more: Names): void {
    for (const [name, count] of more.counts) this.add(name, count);
    this.other += more.other;
  }

  top(most: number): Top {
    if (this.counts.size <= most) return { names: Object.fromEntries(this.counts), other: this.other };
    const sorted = [...this.counts].sort((a, b) => b[1] - a[1]);
    const rest = sorted.slice(most).reduce((sum, [, count]) => sum + count, 0);
    return { names: Object.fromEntries(sorted.slice(0, most)), other: this.other + rest };
  }
}

/** Counts being added up. */
class Sum {
  readonly counts: number[];
  readonly tops: Readonly<Record<TopName, Names>>;

  constructor(from?: Sum) {
    this.counts = from === undefined ? countNames.map(() => 0) : [...from.counts];
    this.tops = byTop((name) => new Names(from?.tops[name]));
  }

  addEvent({ subject, service, action, fields }: StoredEvent): void {
    const { tops } = this;
    const counted = countedAs(fields, action);
    if (counted === undefined) return;
    this.#count(counted, 1);
    if (counted === 'none') return;
    if (service === '') this.#count('unregistered', 1);
    else tops.services.add(service, 1);
    tops.subjects.add(subject, 1);
    if (typeof fields.masked === 'number') this.#count('masked', fields.masked);
    if (typeof fields.restored === 'number') this.#count('restored', fields.restored);
    const { piiTypes } = fields;
    if (piiTypes === null || typeof piiTypes !== 'object') return;
    const isMasked = typeof fields.masked === 'number' && fields.masked > 0;
    if (!isMasked && counted === 'block') return;
    const kind = isMasked ? tops.types : tops.seen;
    for (const type in piiTypes) {
      const found = (piiTypes as Record<string, unknown>)[type];
      if (typeof found === 'number') kind.add(type, found);
    }
  }

  add(more: Sum): void {
    for (const [i, count] of more.counts.entries()) this.counts[i] = (this.counts[i] ?? 0) + count;
    for (const name of topNames) this.tops[name].addAll(more.tops[name]);
  }

  topsKept(): Tops {
    return byTop((name) => this.tops[name].top(keptMax));
  }

  #count(name: CountName, by: number): void {
    const at = countNames.indexOf(name);
    this.counts[at] = (this.counts[at] ?? 0) + by;
  }
}

type Open = { readonly level: Level; readonly at: number; readonly part: string; readonly sum: Sum };

/** Adds up the events of one process. */
export class RollupWriter {
  readonly #id = randomBytes(6).toString('base64url');
  readonly #open = new Map<string, Open>();
  #parts = 0;

  /** The rollups including these events. They become permanent with `commit`, so a failed write can be staged again. */
  stage(events: readonly StoredEvent[]): { readonly rollups: readonly Rollup[]; readonly commit: () => void } {
    const minutes = new Map<number, Sum>();
    for (const event of events) {
      const at = startOf('minute', event.at);
      const sum = minutes.get(at) ?? new Sum();
      minutes.set(at, sum);
      sum.addEvent(event);
    }
    const staged = new Map<string, Open>();
    for (const [minute, more] of minutes) {
      for (const level of Object.keys(levelMs) as Level[]) {
        const at = startOf(level, minute);
        const key = `${level} ${at}`;
        const open = staged.get(key) ?? this.#continued(key, level, at);
        open.sum.add(more);
        staged.set(key, open);
      }
    }
    const rollups = [...staged.values()].map(({ sum, ...rest }) => ({
      ...rest,
      counts: sum.counts,
      tops: sum.topsKept(),
    }));
    return { rollups, commit: () => this.#commit(staged) };
  }

  /** A copy of the open rollup, or a new part: a process that returns to a closed period starts a new one. */
  #continued(key: string, level: Level, at: number): Open {
    const open = this.#open.get(key);
    if (open === undefined) return { level, at, part: `${this.#id}.${++this.#parts}`, sum: new Sum() };
    return { ...open, sum: new Sum(open.sum) };
  }

  #commit(staged: ReadonlyMap<string, Open>): void {
    for (const [key, open] of staged) {
      this.#open.delete(key);
      this.#open.set(key, open);
    }
    for (const level of Object.keys(levelMs) as Level[]) {
      const ofLevel = [...this.#open].filter(([, open]) => open.level === level);
      for (const [key] of ofLevel.slice(0, Math.max(0, ofLevel.length - openMax))) this.#open.delete(key);
    }
  }
}

/** The period to count (milliseconds, `to` exclusive), the bucket length, and the number of names per kind. */
export type StatsQuery = { readonly from: number; readonly to: number; readonly bucket: Level; readonly top?: number };

/** The counts of a period: widened to whole buckets, with zeros for empty buckets. */
export type EventStats = {
  readonly from: number;
  readonly to: number;
  readonly bucket: Level;
  readonly series: readonly { readonly at: number; readonly counts: Counts }[];
  readonly counts: Counts;
  readonly tops: Readonly<
    Record<TopName, { readonly top: readonly (readonly [name: string, count: number])[]; readonly other: number }>
  >;
};

/**
 * The rollups needed for a query: those of the bucket for the series, and the fewest that cover the period for the
 * names.
 */
export type StatsPlan = {
  readonly query: StatsQuery;
  readonly series: Range;
  readonly tops: readonly Range[];
};
type Range = { readonly level: Level; readonly from: number; readonly to: number };

/** The plan for a query. The caller must limit the number of points ({@link pointsMax}). */
export function statsPlan(query: StatsQuery): StatsPlan {
  const { bucket } = query;
  const from = startOf(bucket, query.from);
  const to = startOf(bucket, query.to - 1) + levelMs[bucket];
  return { query: { ...query, from, to }, series: { level: bucket, from, to }, tops: cover(bucket, from, to) };
}

/** Whole days, the hours before and after them, and the minutes before and after those. */
function cover(bucket: Level, from: number, to: number): Range[] {
  if (from >= to) return [];
  const coarser = bucket === 'minute' ? 'hour' : bucket === 'hour' ? 'day' : undefined;
  if (coarser === undefined) return [{ level: bucket, from, to }];
  const first = startOf(coarser, from + levelMs[coarser] - 1);
  const last = startOf(coarser, to);
  if (first >= last) return [{ level: bucket, from, to }];
  return [
    ...(from < first ? [{ level: bucket, from, to: first }] : []),
    ...cover(coarser, first, last),
    ...(last < to ? [{ level: bucket, from: last, to }] : []),
  ];
}

export function statsFrom({ query }: StatsPlan, series: readonly Rollup[], parts: readonly Rollup[]): EventStats {
  const { from, to, bucket, top = 20 } = query;
  const points = new Map<number, number[]>();
  for (let at = from; at < to; at += levelMs[bucket])
    points.set(
      at,
      countNames.map(() => 0),
    );
  for (const { at, counts } of series) addCounts(points.get(at), counts);
  const counts = countNames.map(() => 0);
  for (const point of points.values()) addCounts(counts, point);
  const topOf = (name: TopName) => {
    const sums = new Map<string, number>();
    let other = 0;
    for (const part of parts) {
      other += part.tops[name].other;
      for (const [key, count] of Object.entries(part.tops[name].names)) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    const sorted = [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    for (const [, count] of sorted.slice(top)) other += count;
    return { top: sorted.slice(0, top), other };
  };
  const shown = [...points].map(([at, point]) => ({ at, counts: point }));
  return { from, to, bucket, series: shown, counts, tops: byTop(topOf) };
}

function addCounts(into: number[] | undefined, counts: Counts): void {
  if (into === undefined) return;
  for (const [i, count] of counts.entries()) into[i] = (into[i] ?? 0) + count;
}

/** The start of the minute, hour or day. */
export function startOf(level: Level, at: number): number {
  return Math.floor(at / levelMs[level]) * levelMs[level];
}

/** One event; `fields` is what the audit log writes. `at` is Unix time in milliseconds. */
export type StoredEvent = {
  readonly at: number;
  readonly subject: string;
  readonly service: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, unknown>>;
};
