/** Scores: what was found, compared with what must be found. */
import type { InjectionRecord, PiiRecord, Zone } from './records.ts';

/** Hits, wrong hits and misses; `strict` counts the hits with exactly the right edges. */
export type Counts = { tp: number; fp: number; fn: number; strict: number };

/** Shares from 0 to 1; undefined when the divisor is 0. */
export type Shares = {
  readonly gold: number;
  readonly precision: number | undefined;
  readonly recall: number | undefined;
  readonly f1: number | undefined;
  readonly strictRecall: number | undefined;
};

/** Texts in which nothing may be found. */
export type CleanCounts = { chars: number; found: number; records: number };

/** One wrong answer: what is expected or found where. */
export type Miss = {
  readonly kind: 'missed' | 'extra' | 'clean';
  readonly id: string;
  readonly type: string;
  readonly value: string;
  readonly around: string;
};

export type PiiScores = {
  readonly perType: Map<string, Counts>;
  readonly perFile: Map<string, Counts>;
  /** Types in our own held-out files only. */
  readonly perTypeHeldOut: Map<string, Counts>;
  readonly clean: Map<string, CleanCounts>;
  readonly misses: Miss[];
  readonly bytes: number;
  readonly seconds: number;
};

type Found = Zone & { readonly type: string };

/** A token, key or password reported as a key hides the same characters. */
const equalTypes: Readonly<Record<string, string>> = { JWT: 'API_KEY', PRIVATE_KEY: 'API_KEY', PASSWORD: 'API_KEY' };
/** Names without a space are a stretch goal: their own row, not in the totals of a type. */
const isStretch = (file: string) => file.startsWith('x_');

/** Runs a detector over the records. A hit has the right type, covers half of the span and is not far too long. */
export function scorePii(records: readonly PiiRecord[], detect: (text: string) => readonly Found[]): PiiScores {
  const scores = {
    perType: new Map<string, Counts>(),
    perFile: new Map<string, Counts>(),
    perTypeHeldOut: new Map<string, Counts>(),
    clean: new Map<string, CleanCounts>(),
    misses: [] as Miss[],
  };
  let bytes = 0;
  let milliseconds = 0;
  for (const record of records) {
    bytes += Buffer.byteLength(record.text);
    const start = performance.now();
    const found = detect(record.text);
    milliseconds += performance.now() - start;
    if (record.isClean) scoreClean(record, found, scores);
    else scoreRecord(record, found, scores);
  }
  return { ...scores, bytes, seconds: milliseconds / 1000 };
}

type Sink = Pick<PiiScores, 'perType' | 'perFile' | 'perTypeHeldOut' | 'clean' | 'misses'>;

function scoreClean(record: PiiRecord, found: readonly Found[], { clean, misses }: Sink): void {
  const counts = clean.get(record.file) ?? { chars: 0, found: 0, records: 0 };
  clean.set(record.file, counts);
  counts.chars += record.text.length;
  counts.found += found.length;
  counts.records++;
  for (const hit of found) misses.push(missOf('clean', record, hit));
}

function scoreRecord(record: PiiRecord, found: readonly Found[], sink: Sink): void {
  const used = new Set<Found>();
  for (const span of record.spans) {
    const hits = found.filter((hit) => isSame(span.type, hit.type) && overlapOf(span, hit) > 0);
    const covered = hits.reduce((sum, hit) => sum + overlapOf(span, hit), 0) / (span.end - span.start);
    const shortest = Math.min(...hits.map((hit) => hit.end - hit.start));
    const isHit = covered >= 0.5 && shortest <= 2 * (span.end - span.start) + 24;
    const isStrict = hits.some((hit) => hit.start === span.start && hit.end === span.end);
    if (isHit) for (const hit of hits) used.add(hit);
    else sink.misses.push(missOf('missed', record, span));
    for (const counts of countsOf(record, span.type, sink)) {
      counts[isHit ? 'tp' : 'fn']++;
      if (isHit && isStrict) counts.strict++;
    }
  }
  if (record.isRecallOnly) return;
  for (const hit of found) {
    if (used.has(hit) || (record.judge !== undefined && !record.judge.includes(hit.type))) continue;
    if (record.optional.some((zone) => overlapOf(zone, hit) > 0)) continue;
    sink.misses.push(missOf('extra', record, hit));
    for (const counts of countsOf(record, hit.type, sink)) counts.fp++;
  }
}

function countsOf({ file }: PiiRecord, type: string, { perType, perFile, perTypeHeldOut }: Sink): Counts[] {
  const counts = [entry(perFile, file)];
  if (!isStretch(file)) counts.push(entry(perType, type));
  if (file.startsWith('heldout_')) counts.push(entry(perTypeHeldOut, type));
  return counts;
}

function entry(map: Map<string, Counts>, key: string): Counts {
  const counts = map.get(key) ?? { tp: 0, fp: 0, fn: 0, strict: 0 };
  map.set(key, counts);
  return counts;
}

function isSame(expected: string, found: string): boolean {
  return expected === found || equalTypes[expected] === found;
}

function overlapOf(a: Zone, b: Zone): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function missOf(kind: Miss['kind'], { id, text }: PiiRecord, zone: Found): Miss {
  const around = text.slice(Math.max(0, zone.start - 30), zone.end + 20);
  return { kind, id, type: zone.type, value: text.slice(zone.start, zone.end), around };
}

/** Precision, recall, F1 of counts. */
export function sharesOf({ tp, fp, fn, strict }: Counts): Shares {
  const divide = (a: number, b: number) => (b === 0 ? undefined : a / b);
  return {
    gold: tp + fn,
    precision: divide(tp, tp + fp),
    recall: divide(tp, tp + fn),
    f1: divide(2 * tp, 2 * tp + fp + fn),
    strictRecall: divide(strict, tp + fn),
  };
}

/** Attacks found and harmless texts flagged, per source. */
export type InjectionCounts = { attacks: number; caught: number; benign: number; flagged: number };

export type InjectionScores = {
  readonly perSource: Map<string, InjectionCounts>;
  readonly misses: {
    readonly id: string;
    readonly isAttack: boolean;
    readonly source: string;
    readonly text: string;
  }[];
  readonly bytes: number;
  readonly seconds: number;
};

/** Sources with too few rows are left out of the average. */
export const sourceRowsMin = 15;

/** Runs a check over the records of its kind. */
export function scoreInjection(
  records: readonly InjectionRecord[],
  isDetected: (text: string) => boolean,
): InjectionScores {
  const perSource = new Map<string, InjectionCounts>();
  const misses: InjectionScores['misses'] = [];
  let bytes = 0;
  let milliseconds = 0;
  for (const { id, source, category, text, isAttack } of records) {
    // A planted sentence that looks like any request cannot be recognised by its text alone.
    if (category.includes('unmarked')) continue;
    const counts = perSource.get(source) ?? { attacks: 0, caught: 0, benign: 0, flagged: 0 };
    perSource.set(source, counts);
    bytes += Buffer.byteLength(text);
    const start = performance.now();
    const isFlagged = isDetected(text);
    milliseconds += performance.now() - start;
    if (isAttack) {
      counts.attacks++;
      if (isFlagged) counts.caught++;
    } else {
      counts.benign++;
      if (isFlagged) counts.flagged++;
    }
    if (isFlagged !== isAttack) misses.push({ id, isAttack, source, text });
  }
  return { perSource, misses, bytes, seconds: milliseconds / 1000 };
}

/** Mean recall and mean false-positive rate over the sources that have enough rows of the kind. */
export function meansOf(
  perSource: ReadonlyMap<string, InjectionCounts>,
  source: (name: string) => boolean = () => true,
) {
  const counted = [...perSource].filter(([name]) => source(name)).map(([, counts]) => counts);
  const mean = (values: number[]) =>
    values.length === 0 ? undefined : values.reduce((a, b) => a + b, 0) / values.length;
  return {
    recall: mean(counted.filter((c) => c.attacks >= sourceRowsMin).map((c) => c.caught / c.attacks)),
    falsePositives: mean(counted.filter((c) => c.benign >= sourceRowsMin).map((c) => c.flagged / c.benign)),
  };
}
