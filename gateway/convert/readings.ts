/**
 * Alternative readings of a paragraph that may reveal a value: as before tracked changes (ECMA-376-1 §17.13.5), and
 * with gaps between words that touch but are not adjacent or not on the same line.
 */
import { type Run, separatorRun, type TextGroup } from './office/text-runs.ts';

/** True for an element with inserted or deleted runs. */
export function isChange(element: string): boolean {
  return /^w:(?:ins|del|moveTo|moveFrom)$/.test(element);
}

/** The tracked change of an element's text, given that of the surrounding text. */
export function changeOf(element: string, around: Run['change']): Run['change'] {
  if (element === 'w:ins' || element === 'w:moveTo') return around ?? 'inserted';
  if (element !== 'w:del' && element !== 'w:moveFrom' && element !== 'w:delText') return around;
  return around === 'inserted' || around === 'passing' ? 'passing' : 'deleted';
}

/** A text as displayed, and alternative readings of its runs. */
export type Readings = { readonly current: readonly Run[]; readonly others: readonly Reading[] };
type Reading = { readonly runs: readonly Run[]; readonly reading: NonNullable<TextGroup['reading']> };

/** Readings of a paragraph with tracked changes or marks: separators without text that no reading includes. */
export function paragraphReadings(runs: readonly Run[]): Readings {
  const isCurrent = ({ change, text }: Run) => text !== '' && (change === undefined || change === 'inserted');
  if (runs.every(({ change, text }) => text !== '' && change === undefined)) return { current: runs, others: [] };
  const current = chosen(runs, isCurrent);
  const former = chosen(runs, ({ change, text }) => text !== '' && (change === undefined || change === 'deleted'));
  const passing = chosen(runs, ({ change, text }) => text !== '' && change === 'passing');
  const hasFormer = runs.some(
    ({ change, form }, i) =>
      form !== 'separator' && (change === 'deleted' || (change === 'inserted' && touches(runs, i))),
  );
  const others: Reading[] = [];
  if (hasFormer) others.push({ runs: former.joined, reading: 'former' });
  if (passing.joined.length > 0) others.push({ runs: passing.apart ?? passing.joined, reading: 'apart' });
  const isTracked = runs.some(({ change }) => change !== undefined);
  for (const { apart } of isTracked ? [current, former] : [current]) {
    if (apart) others.push({ runs: apart, reading: 'apart' });
  }
  return { current: current.joined, others };
}

/** Readings of a line of an HTML page: styles may separate inline elements; a footnote mark may follow a value. */
export function lineReadings(runs: readonly Run[]): Readings {
  const isText = ({ text }: Run) => text.trim() !== '';
  const current = runs.slice(Math.max(0, runs.findIndex(isText)), runs.findLastIndex(isText) + 1);
  const apart = withGaps(current, touch);
  return { current, others: apart.length > current.length ? [{ runs: apart, reading: 'apart' }] : [] };
}

/** A selection of runs; `apart` has gaps between words that other runs separated. */
function chosen(runs: readonly Run[], isRead: (run: Run) => boolean): { joined: Run[]; apart: Run[] | undefined } {
  const places = runs.flatMap((run, i) => (isRead(run) ? [i] : []));
  const joined = runs.filter(isRead);
  const apart = withGaps(joined, (a, b, i) => places[i] !== (places[i - 1] ?? 0) + 1 && touch(a, b));
  return { joined, apart: apart.length > joined.length ? apart : undefined };
}

/** True if a run touches one of a different status, so a value may continue in it. */
function touches(runs: readonly Run[], i: number): boolean {
  const [before, run, after] = [runs[i - 1], runs[i], runs[i + 1]];
  const isOther = (other: Run) => other.text !== '' && other.change === undefined;
  if (run === undefined) return false;
  return (
    (before !== undefined && isOther(before) && touch(before, run)) ||
    (after !== undefined && isOther(after) && touch(run, after))
  );
}

/** True if no whitespace separates two runs. A full stop or hyphen hides a value as well as a digit does. */
function touch(a: Run, b: Run): boolean {
  return !/\s/.test(a.text.slice(-1)) && !/^\s/.test(b.text);
}

function withGaps(runs: readonly Run[], isGap: (a: Run, b: Run, i: number) => boolean): Run[] {
  return runs.flatMap((run, i) => {
    const before = runs[i - 1];
    return before && isGap(before, run, i) ? [separatorRun('\n', run.start), run] : [run];
  });
}
