/** Labelled candidates with their features: the training data of the scorer. */
import { candidateGroups } from '../../core/context/candidates.ts';
import type { ContextType, Span } from '../../core/context/context-type.ts';
import { type Candidate, FeatureReader } from '../../core/context/features.ts';
import { KeywordIndex } from '../../core/detect/keywords.ts';
import { type ScanText, TextScanner } from '../../core/detect/scan.ts';
import { contextTypes } from '../../core/recognizers/context-types.ts';
import { recognizers } from '../../core/recognizers/index.ts';
import type { PiiRecord, Zone } from '../../eval/records.ts';

/** One candidate; `isValue` is its label. */
export type Example = Zone & { readonly features: readonly string[]; readonly isValue: boolean };

/** The candidates of one type in a text, overlapping ones in one group, and the values without a candidate. */
export type TextExamples = {
  readonly type: ContextType;
  readonly family: string;
  readonly isClean: boolean;
  readonly groups: readonly (readonly Example[])[];
  readonly missed: number;
};

const scanner = new TextScanner(new KeywordIndex(recognizers));

/** The examples of each type in a text, without candidates that are neither right nor wrong. */
export function examplesOf(record: PiiRecord, family: string): TextExamples[] {
  const text = scanner.scan(record.text);
  return contextTypes.flatMap((type) => {
    if (record.judge !== undefined && !record.judge.includes(type.type)) return [];
    const values = record.spans.filter((span) => span.type === type.type);
    if (values.length === 0 && record.isRecallOnly) return [];
    return [examplesOfType(text, type, record, values, family)];
  });
}

function examplesOfType(
  text: ScanText,
  type: ContextType,
  record: PiiRecord,
  values: readonly Zone[],
  family: string,
): TextExamples {
  const reader = new FeatureReader(text);
  const covered = new Set<Zone>();
  const groups: Example[][] = [];
  let before: (Span & { isValue: boolean }) | undefined;
  for (const group of candidateGroups(text, type)) {
    const right = new Map<Candidate, Zone>();
    for (const value of values) {
      const best = bestFor(value, group);
      if (best === undefined) continue;
      right.set(best, value);
      covered.add(value);
    }
    const examples = group.map((one): Example => {
      const features = reader.list(type, one, before);
      return { start: one.start, end: one.end, features, isValue: right.has(one) };
    });
    const isUndecided =
      right.size === 0 &&
      (record.isRecallOnly || record.optional.some((zone) => group.some((one) => overlap(zone, one) > 0)));
    if (!isUndecided) groups.push(examples);
    const last = (examples.filter(({ isValue }) => isValue).at(-1) ?? examples.at(-1)) as Example;
    before = { start: last.start, end: last.end, isValue: last.isValue };
  }
  return { type, family, isClean: record.isClean, groups, missed: values.length - covered.size };
}

/** The candidate that covers a value best: exactly, or at least half of it. */
function bestFor(value: Zone, group: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  let most = 0.5;
  for (const candidate of group) {
    const shared = overlap(value, candidate);
    const share = shared / Math.max(value.end - value.start, candidate.end - candidate.start);
    if (shared * 2 >= value.end - value.start && share > most - 1e-9 && (best === undefined || share > most)) {
      best = candidate;
      most = share;
    }
  }
  return best;
}

function overlap(a: Zone, b: Zone): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}
