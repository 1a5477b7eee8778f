import type { NameSpan } from '../../core/names/span.ts';
import type { LabelledText } from './examples.ts';

/** Counts of one evaluation. */
export type Tally = {
  names: number;
  found: number;
  exact: number;
  reported: number;
  right: number;
  exactRight: number;
  units: number;
};

export const emptyTally = (): Tally => ({
  names: 0,
  found: 0,
  exact: 0,
  reported: 0,
  right: 0,
  exactRight: 0,
  units: 0,
});

/** True if a span covers at least half of a name and is at most twice as long. */
function hits(span: { start: number; end: number }, name: readonly [number, number]): boolean {
  const shared = Math.min(span.end, name[1]) - Math.max(span.start, name[0]);
  const length = name[1] - name[0];
  return shared * 2 >= length && span.end - span.start <= length * 2 + 2;
}

/** Adds the results for one text. */
export function tally(sum: Tally, labelled: LabelledText, spans: readonly NameSpan[]): void {
  sum.units += labelled.text.length;
  sum.names += labelled.names.length;
  sum.reported += spans.length;
  for (const name of labelled.names) {
    const [start, end] = name;
    if (spans.some((span) => span.start === start && span.end === end)) sum.exact++;
    if (spans.some((span) => hits(span, name))) sum.found++;
  }
  for (const span of spans) {
    if (labelled.names.some((name) => hits(span, name))) sum.right++;
    if (labelled.names.some(([start, end]) => span.start === start && span.end === end)) sum.exactRight++;
  }
}

const rate = (part: number, whole: number): string => (whole === 0 ? '  -  ' : (part / whole).toFixed(3));

function harmonic(precision: number, recall: number): string {
  return precision + recall === 0 || Number.isNaN(precision + recall)
    ? '  -  '
    : ((2 * precision * recall) / (precision + recall)).toFixed(3);
}

/** A line of figures: names, precision, recall and F1 by overlap, F1 of exact spans, false positives per 1,000. */
export function figures(label: string, sum: Tally): string {
  const f1 = harmonic(sum.right / sum.reported, sum.found / sum.names);
  const exact = harmonic(sum.exactRight / sum.reported, sum.exact / sum.names);
  const alarms = (((sum.reported - sum.right) * 1000) / Math.max(1, sum.units)).toFixed(3);
  return [
    label.padEnd(18),
    String(sum.names).padStart(6),
    `P ${rate(sum.right, sum.reported)}`,
    `R ${rate(sum.found, sum.names)}`,
    `F1 ${f1}`,
    `exact ${exact}`,
    `alarms/1k ${alarms}`,
  ].join('  ');
}
