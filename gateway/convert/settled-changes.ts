/**
 * Selects the changes to apply to a paragraph whose readings (readings.ts) contain overlapping values. Two changes of
 * the same text would restore part of it twice.
 */
import type { Run } from './office/text-runs.ts';

/** A part of a run. */
export type Part = { readonly run: Run; readonly start: number; readonly end: number };

/** A value to replace in one reading. */
export type Change = {
  /** The value's parts of runs, in order. */
  readonly parts: readonly Part[];
  readonly text: string;
  /** True in the reading before tracked changes. */
  readonly isFormer: boolean;
  /** True if the reading has gaps where runs touch. */
  readonly hasGaps: boolean;
  /** Raw offsets between which it may be placed as a separate element. */
  readonly from: number;
  readonly to: number;
  /** True next to a value of the other state that shares its runs: placed in a run that only its own state has, */
  readonly isApart?: boolean;
  /** or as an element before the one at this raw offset. */
  readonly before?: number;
};

/**
 * The changes to apply. Every omitted value shares a character with an applied one, so none stays complete. Displayed
 * text without gaps takes precedence, then the longest value. A former value's text goes next to the displayed one; if
 * that is impossible, its deleted part is replaced. Linear time.
 */
export function settledChanges(changes: readonly Change[]): Change[] {
  const inOrder = changes
    .map((change) => ({
      change,
      rank: (change.isFormer ? 2 : 0) + (change.hasGaps ? 1 : 0),
      length: lengthOf(change.parts),
    }))
    .sort((a, b) => a.rank - b.rank || b.length - a.length)
    .map(({ change }) => change);
  const within = coveredChanges(inOrder);
  const places = new Places();
  const settled = new Map<Change, Change>();
  const unplaced: Change[] = [];
  for (const change of inOrder) {
    if (within.has(change) || places.of(change.parts, change.isFormer).size > 0) continue;
    const [other, ...more] = places.of(change.parts, !change.isFormer);
    if (other === undefined) {
      settled.set(change, change);
      places.add(change, change);
      continue;
    }
    const pair = more.length > 0 || settled.get(other) !== other ? undefined : pairOf(change, other, places);
    if (pair === undefined) {
      unplaced.push(change);
      continue;
    }
    const [own, beside] = pair;
    settled.set(change, own).set(other, beside);
    places.add(own, change);
    places.add(beside, other);
  }
  for (const change of unplaced) {
    const isFree = (part: Part) => part.run.change === 'deleted' && places.of([part], true).size === 0;
    const made = { ...change, parts: change.parts.filter(isFree), isApart: true };
    if (made.parts.length === 0) continue;
    settled.set(change, made);
    places.add(made, change);
  }
  return [...settled.values()];
}

/** Places two changes of different states next to each other; undefined if that is impossible. */
function pairOf(change: Change, other: Change, places: Places): [own: Change, beside: Change] | undefined {
  const [own, beside] = [placed(change, other), placed(other, change)];
  if (!own || !beside || !isSame(common(own), common(beside))) return undefined;
  const isFree = (made: Change, of: Change) => [...places.of(made.parts, made.isFormer)].every((at) => at === of);
  return isFree(own, change) && isFree(beside, other) ? [own, beside] : undefined;
}

/**
 * Values to omit: those contained in a longer value found across a gap, those of which less would remain than of one
 * that starts before them, and displayed values mostly contained in a former one that is still complete and can be
 * restored in both states.
 */
function coveredChanges(changes: readonly Change[]): Set<Change> {
  const covered = new Set<Change>();
  const withGaps = new Places();
  const former = new Places();
  for (const change of changes) {
    if (change.hasGaps) withGaps.add(change, change);
    else if (change.isFormer && change.parts.every(({ run }) => run.change === undefined)) former.add(change, change);
  }
  for (const change of changes) {
    if (change.hasGaps) continue;
    const found = [...withGaps.of(change.parts, change.isFormer)];
    const isOne = found.length === 1 && isSame(found[0]?.parts ?? [], change.parts);
    if (found.length > 0 && !isOne) {
      const left = withGaps.outside(change);
      if (left === 0 || left < leftBefore(found, change)) covered.add(change);
    }
    if (change.isFormer) continue;
    const [other, ...more] = former.of(change.parts, true);
    if (other === undefined || more.length > 0 || lengthOf(common(change)) <= lengthOf(other.parts)) continue;
    if (isWithin(other, change) && lengthOf(change.parts) < 2 * lengthOf(other.parts)) covered.add(change);
  }
  return covered;
}

/** Number of characters, of values that start before a change, that are outside it. */
function leftBefore(others: readonly Change[], change: Change): number {
  const own = new Map(change.parts.map((part) => [part.run, part]));
  const isIn = ({ run, start }: Part) => start >= (own.get(run)?.start ?? Number.POSITIVE_INFINITY);
  let left = 0;
  for (const { parts } of others) {
    if (parts[0] === undefined || isIn(parts[0])) continue;
    for (const { run, start, end } of parts) {
      const part = own.get(run);
      const both = part === undefined ? 0 : Math.max(0, Math.min(end, part.end) - Math.max(start, part.start));
      if (run.form !== 'separator') left += end - start - both;
    }
  }
  return left;
}

/** True if every part of one change is in another. */
function isWithin(inner: Change, outer: Change): boolean {
  return inner.parts.every(({ run, start, end }) => {
    const around = outer.parts.find((part) => part.run === run);
    return around !== undefined && around.start <= start && end <= around.end;
  });
}

/** Places a change next to one of the other state; undefined if it has no position of its own. */
function placed(change: Change, other: Change): Change | undefined {
  const own = extended(change, other);
  const isOwn = ({ run }: Part) => run.change !== undefined && run.form !== 'separator';
  if (own.parts.some(isOwn)) return { ...own, isApart: true };
  const at = other.parts.find(({ run: { changeAt = -1 } }) => changeAt >= own.from && changeAt <= own.to)?.run.changeAt;
  return at === undefined ? undefined : { ...own, before: at };
}

/** Extends a change by its runs' surrounding text, as far as the other change reaches. */
function extended(change: Change, other: Change): Change {
  const parts = [...change.parts];
  let { text } = change;
  const first = parts[0] as Part;
  const start = other.parts.find(({ run }) => run === first.run)?.start ?? first.start;
  if (start < first.start) {
    parts[0] = { ...first, start };
    text = first.run.text.slice(start, first.start) + text;
  }
  const last = parts.at(-1) as Part;
  const end = other.parts.findLast(({ run }) => run === last.run)?.end ?? last.end;
  if (end > last.end) {
    parts[parts.length - 1] = { ...last, end };
    text += last.run.text.slice(last.end, end);
  }
  return { ...change, parts, text };
}

/** The parts common to both states. */
function common({ parts }: Change): Part[] {
  return parts.filter(({ run }) => run.change === undefined);
}

function isSame(a: readonly Part[], b: readonly Part[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ run, start, end }, i) => {
      const other = b[i] as Part;
      return run === other.run && start === other.start && end === other.end;
    })
  );
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { run, start, end }) => sum + (run.form === 'separator' ? 0 : end - start), 0);
}

/** The change of each character, per state. */
class Places {
  readonly #current = new Map<Run, Change[]>();
  readonly #former = new Map<Run, Change[]>();

  /** The changes at these parts. */
  of(parts: readonly Part[], isFormer: boolean): Set<Change> {
    const found = new Set<Change>();
    for (const { run, start, end } of parts) {
      const own = (isFormer ? this.#former : this.#current).get(run);
      for (let i = start; own && i < end; i++) if (own[i] !== undefined) found.add(own[i] as Change);
    }
    return found;
  }

  /** Number of characters of a change that are in no other one. */
  outside({ parts, isFormer }: Change): number {
    let count = 0;
    for (const { run, start, end } of parts) {
      if (run.form === 'separator') continue;
      const own = (isFormer ? this.#former : this.#current).get(run);
      for (let i = start; i < end; i++) if (own?.[i] === undefined) count++;
    }
    return count;
  }

  /** Records an applied change. */
  add({ parts, isFormer }: Change, change: Change): void {
    const runs = isFormer ? this.#former : this.#current;
    for (const { run, start, end } of parts) {
      let own = runs.get(run);
      if (own === undefined) {
        own = new Array(run.text.length);
        runs.set(run, own);
      }
      for (let i = start; i < end; i++) own[i] = change;
    }
  }
}
