/** A text of an event stream: sent in pieces, or cumulatively as the complete text so far in each event. */
import type { Continued } from '../formats/format.ts';
import type { WireFormats } from '../formats/wire-formats.ts';
import { ownCopy } from '../own-copy.ts';
import type { JsonMember } from '../payload/json-strings.ts';
import type { Ending, EventScope } from './run-key.ts';
import type { TextRun } from './text-run.ts';

/** The last event of a run: the path of its text, and the pieces of other runs that were already sent. */
export type Template = {
  readonly json: string;
  readonly name: string | undefined;
  readonly pointer: string;
  readonly sent: readonly string[];
  /** Position of the event in its stream; see `numbered-events.ts`. */
  readonly at?: number | undefined;
  /** The event that continues the one that opened the block. */
  readonly continued?: Continued | undefined;
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
  /** Number of events, from the start, that repeated and continued the previous one; -1 after one that did not. */
  growths: number;
  isCumulative: boolean;
  /** Text so far of a cumulative or patched run, masked. */
  whole: string;
  /** Length of the texts above, as counted by {@link RunTable}. */
  kept: number;
  held: boolean;
};

/** Creates an empty run. */
export function newRun(place: Pick<Run, 'key' | 'text' | 'family' | 'indexes' | 'path' | 'isTool'>): Run {
  const empty = { template: undefined, previous: '', growths: 0, isCumulative: false, whole: '', kept: 0, held: false };
  // These outlive the event.
  return { ...place, ...empty, path: ownCopy(place.path), indexes: place.indexes.map(ownCopy) };
}

/** True if the event ends this run. */
export function isEnded(run: Run, { all, only, paths, keys, scope }: Ending): boolean {
  if (only !== undefined && run.indexes.some((index) => index !== only && isOfAnother(index, only))) return false;
  if (all || paths.some((path) => isBelow(run.path, path)) || keys?.includes(run.key)) return true;
  if (!scope || (scope.family !== undefined && scope.family !== run.family)) return false;
  return scope.indexes.every((index) => run.indexes.includes(index));
}

/** True for the path itself, and for what is in the container there. */
function isBelow(path: string, container: string): boolean {
  if (!path.startsWith(container)) return false;
  const next = path.charCodeAt(container.length);
  return path.length === container.length || next === 0x2e || next === 0x5b;
}

/** True for another answer's index, and for that of an item that belongs to no answer. */
function isOfAnother(index: string, only: string): boolean {
  return index.startsWith('item_id=') || index.startsWith(only.slice(0, only.indexOf('=') + 1));
}

/** How the events at a path are expected to grow. */
export type GrowthRule = 'delta' | 'cumulative' | 'unknown';

/** The growth rule for a member. */
export function growthRule(member: JsonMember, scope: EventScope): GrowthRule {
  const { isCumulative, isPiece } = scope.formats.place(member.where);
  if (isCumulative) return 'cumulative';
  return isPiece || scope.type.endsWith('delta') ? 'delta' : 'unknown';
}

/** Resets the run, because its text starts over. */
export function startAnew(run: Run): void {
  run.text.reset();
  run.previous = '';
  run.growths = 0;
  run.isCumulative = false;
  run.whole = '';
}

/** True at paths where services send text in pieces; elsewhere a string may be the event's kind. */
export function isPiece({ where }: JsonMember, formats: WireFormats): boolean {
  const { isPiece, isMaybePiece } = formats.place(where);
  return isPiece || isMaybePiece;
}

/** Records an unchanged text. */
export function observeValue(run: Run, value: string, rule: GrowthRule): void {
  if (!isGrown(run, value, rule)) run.text.observe(value);
  if (value !== '') run.previous = value;
}

/** True if the run's events repeat the text so far. */
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
  // A repeated beginning can be coincidence ("1", "10"); where deltas are usual, require more evidence.
  if (rule === 'delta') return previous.length >= 48 || run.growths >= 4;
  // A held piece would appear twice, which never happens with deltas.
  return previous.length >= 12 || run.growths >= 2 || (run.held && previous.length >= 3);
}
