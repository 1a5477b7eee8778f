/**
 * Which of the changes to a paragraph are made where its readings (readings.ts) find values that overlap. Two of them in
 * one place would say a part of the text twice when they are restored.
 */
import type { Run } from './text-runs.ts';

/** A part of a run. */
export type Part = { readonly run: Run; readonly start: number; readonly end: number };

/** A value of one reading that has another text. */
export type Change = {
  /** Where it stands, in order. */
  readonly parts: readonly Part[];
  readonly text: string;
  /** Whether the reading is that of the paragraph before tracked changes. */
  readonly isFormer: boolean;
  /** Whether the reading has gaps where runs touch. */
  readonly hasGaps: boolean;
  /** Between which raw offsets it may stand as an element of its own. */
  readonly from: number;
  readonly to: number;
  /** Beside a value of the other time, with which it shares runs: in a run that only its own time has, */
  readonly isApart?: boolean;
  /** or as an element before the one at this raw offset. */
  readonly before?: number;
};

/**
 * The changes that are made: every value that is left out shares a character with one that is not, so none stays whole.
 * Of one time the longest wins. A value of another time has its text beside it; where it cannot have, the longer one is
 * left out that holds more of what both times have, so that the paragraph can be restored as it was. Time grows with the
 * length of the values.
 */
export function settledChanges(changes: readonly Change[]): Change[] {
  const longestFirst = changes
    .map((change) => ({ change, length: lengthOf(change.parts) }))
    .sort((a, b) => b.length - a.length)
    .map(({ change }) => change);
  const outer = outerChanges(longestFirst);
  const places = new Places();
  const settled = new Map<Change, Change>();
  for (const change of longestFirst) {
    if (outer.has(change) || places.of(change.parts, change.isFormer).size > 0) continue;
    const [other, ...more] = places.of(change.parts, !change.isFormer);
    if (other === undefined) {
      settled.set(change, change);
      places.add(change, change);
      continue;
    }
    if (more.length > 0 || settled.get(other) !== other) continue;
    const [own, beside] = [placed(change, other), placed(other, change)];
    if (!own || !beside || !isSame(common(own), common(beside))) continue;
    const isFree = (made: Change, of: Change) => [...places.of(made.parts, made.isFormer)].every((at) => at === of);
    if (!isFree(own, change) || !isFree(beside, other)) continue;
    settled.set(change, own).set(other, beside);
    places.add(own, change);
    places.add(beside, other);
  }
  return [...settled.values()];
}

/**
 * Values that hold one of the other time and more of what both times have, and those across a gap where the values that
 * are found beside it say as much.
 */
function outerChanges(longestFirst: readonly Change[]): Set<Change> {
  const outer = new Set<Change>();
  const withGaps = new Places();
  for (const change of longestFirst) if (change.hasGaps) withGaps.add(change, change);
  for (const change of longestFirst) {
    if (change.hasGaps) continue;
    const found = [...withGaps.of(change.parts, change.isFormer)];
    if (found.length === 0 || (found.length === 1 && isSame(found[0]?.parts ?? [], change.parts))) continue;
    if (lengthOf(found.flatMap(({ parts }) => parts)) >= lengthOf(change.parts)) outer.add(change);
  }
  const places = new Places();
  const kept: Change[] = [];
  for (const change of longestFirst) {
    if (outer.has(change) || places.of(change.parts, change.isFormer).size > 0) continue;
    places.add(change, change);
    kept.push(change);
  }
  for (const change of kept) {
    for (const other of places.of(change.parts, !change.isFormer)) {
      if (isSame(common(extended(change, other)), common(extended(other, change)))) continue;
      const length = lengthOf(common(change));
      if (lengthOf(common(other)) < length) outer.add(change);
    }
  }
  return outer;
}

/** A change beside one of the other time; undefined where it has no place of its own. */
function placed(change: Change, other: Change): Change | undefined {
  const own = extended(change, other);
  const isOwn = ({ run }: Part) => run.change !== undefined && run.form !== 'separator';
  if (own.parts.some(isOwn)) return { ...own, isApart: true };
  const at = other.parts.find(({ run: { changeAt = -1 } }) => changeAt >= own.from && changeAt <= own.to)?.run.changeAt;
  return at === undefined ? undefined : { ...own, before: at };
}

/** A change with what stands before and behind it in its runs, as far as the other one reaches. */
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

/** What both times have. */
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

/** Which change a character belongs to, at each time. */
class Places {
  readonly #current = new Map<Run, Change[]>();
  readonly #former = new Map<Run, Change[]>();

  /** The changes at some parts of runs. */
  of(parts: readonly Part[], isFormer: boolean): Set<Change> {
    const found = new Set<Change>();
    for (const { run, start, end } of parts) {
      const own = (isFormer ? this.#former : this.#current).get(run);
      for (let i = start; own && i < end; i++) if (own[i] !== undefined) found.add(own[i] as Change);
    }
    return found;
  }

  /** Puts a change where it is made. */
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
