/** One text of an event stream: sent in pieces, or cumulatively as the whole so far in each event. */
import type { WireFormats } from '../formats/wire-formats.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import type { Ending, EventScope } from './run-key.ts';
import type { TextRun } from './text-run.ts';

/**
 * The last event of a run: where it has its text (for a patch: the path), and the already sent pieces of other runs.
 */
export type Template = {
  readonly json: string;
  readonly name: string | undefined;
  readonly pointer: string;
  readonly sent: readonly string[];
  /** Which event of its stream it is; see `numbered-events.ts`. */
  readonly at?: number | undefined;
};

/** One text over many events. */
export type Run = {
  readonly key: string;
  readonly text: TextRun;
  readonly family: string;
  readonly indexes: readonly string[];
  readonly path: string;
  readonly isTool: boolean;
  /** Set while text is held. */
  template: Template | undefined;
  /** The last event's text, to detect events that repeat the text so far. */
  previous: string;
  /** How many events in a row, from the start, repeated the previous one and continued; -1 once one did not. */
  growths: number;
  isCumulative: boolean;
  /** Text so far of a cumulative or patched run, masked; the carry of a cumulative run is its end. */
  whole: string;
  held: boolean;
};

/** A run without text so far. */
export function newRun(place: Pick<Run, 'key' | 'text' | 'family' | 'indexes' | 'path' | 'isTool'>): Run {
  const empty = { template: undefined, previous: '', growths: 0, isCumulative: false, whole: '', held: false };
  return { ...place, ...empty };
}

/** Whether an event ends this run. */
export function isEnded(run: Run, { all, paths, keys, scope }: Ending): boolean {
  const isIn = (path: string) =>
    run.path === path || run.path.startsWith(`${path}.`) || run.path.startsWith(`${path}[`);
  if (all || paths.some(isIn) || keys?.includes(run.key)) return true;
  if (!scope || (scope.family !== undefined && scope.family !== run.family)) return false;
  return scope.indexes.every((index) => run.indexes.includes(index));
}

/** What is expected of the events at a path. */
export type GrowthRule = 'delta' | 'cumulative' | 'unknown';

/** The growth rule for a member. */
export function growthRule(member: JsonMember, scope: EventScope): GrowthRule {
  const { isCumulative, isPiece } = scope.formats.place(member.where);
  if (isCumulative) return 'cumulative';
  return isPiece || scope.type.endsWith('delta') ? 'delta' : 'unknown';
}

/** Discards the run's state: its text starts over. */
export function startAnew(run: Run): void {
  run.text.reset();
  run.previous = '';
  run.growths = 0;
  run.isCumulative = false;
  run.whole = '';
}

/** True at the paths where services send text in pieces; elsewhere a string may be the kind of the event. */
export function isPiece({ where }: JsonMember, formats: WireFormats): boolean {
  const { isPiece, isMaybePiece } = formats.place(where);
  return isPiece || isMaybePiece;
}

/** Records a text that was sent unchanged. */
export function observeValue(run: Run, value: string, rule: GrowthRule): void {
  if (!isGrown(run, value, rule)) run.text.observe(value);
  if (value !== '') run.previous = value;
}

/** True when events of the run repeat the text so far. */
export function isGrown(run: Run, value: string, rule: GrowthRule): boolean {
  const { previous } = run;
  if (run.isCumulative) return true;
  if (previous === '' || value === previous) return false;
  if (run.growths < 0 || value.length <= previous.length || !value.startsWith(previous)) {
    if (value !== '') run.growths = -1;
    return false;
  }
  run.growths++;
  if (rule === 'cumulative') return true;
  // A repeated beginning can be a coincidence ("1", "10"), so where deltas are usual, more evidence is needed.
  if (rule === 'delta') return previous.length >= 48 || run.growths >= 4;
  // A held piece would appear twice, which never happens with deltas.
  return previous.length >= 12 || run.growths >= 2 || (run.held && previous.length >= 3);
}
