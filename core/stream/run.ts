/** The text that one place of a stream of events says, piece by piece, or as the whole so far in each event. */
import type { JsonMember } from '../payload/json-strings.ts';
import type { EventScope } from './run-key.ts';
import type { TextRun } from './text-run.ts';

/**
 * The last event of a run: where its text is in there (of a patch: at which path), and the pieces of other runs, which
 * have been sent with it.
 */
export type Template = {
  readonly json: string;
  readonly name: string | undefined;
  readonly pointer: string;
  readonly sent: readonly string[];
};

/** One text over many events. */
export type Run = {
  readonly key: string;
  readonly text: TextRun;
  readonly family: string;
  readonly indexes: readonly string[];
  readonly path: string;
  readonly isTool: boolean;
  /** Set while something is held. */
  template: Template | undefined;
  /** What the last event said, to see whether events repeat the text so far. */
  previous: string;
  /** How often in a row from the start an event repeated the one before and went on; -1 once one did not. */
  growths: number;
  isCumulative: boolean;
  /** Text so far of a cumulative run, masked; the carry of such a run is its end. Also that of a text that is patched. */
  whole: string;
  held: boolean;
};

// The start of the one before can be repeated by chance ("1", "10"), so where deltas are the rule more of it is asked for.
const deltaPath =
  /(?:^|\.)delta(?:s)?(?:\.|$)|\.writeAtCursor$|^(?:choices\[\]\.text|token\.text|message\.content|response|content|text|completion|content_block\.text)$/;
const reasoningPath = /(?:^|\.)(?:thinking|reasoning|reasoning_content|refusal)$/;
const geminiPath = /^(?:response\.)?candidates\[\]\.content\.parts\[\]\.text$/;
const cumulativePath = /message\.content\.parts\[\]$/;

/** What is expected of the events at a place. */
export type GrowthRule = 'delta' | 'cumulative' | 'unknown';

/** What is expected at the place of a member. */
export function growthRule(member: JsonMember, scope: EventScope): GrowthRule {
  const { path } = member;
  if (cumulativePath.test(path)) return 'cumulative';
  return deltaPath.test(path) || scope.type.endsWith('delta') ? 'delta' : 'unknown';
}

/** Forgets what the run said: its text begins anew. */
export function startAnew(run: Run): void {
  run.text.reset();
  run.previous = '';
  run.growths = 0;
  run.isCumulative = false;
  run.whole = '';
}

/** True at the places where services say a text piece by piece; elsewhere a string may be the kind of the event. */
export function isPiece({ path }: JsonMember): boolean {
  return deltaPath.test(path) || reasoningPath.test(path) || geminiPath.test(path);
}

/** Takes note of a text that was sent as it is. */
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
  if (rule === 'delta') return previous.length >= 48 || run.growths >= 4;
  // A piece that is held would stand there twice, which no sequence of deltas says.
  return previous.length >= 12 || run.growths >= 2 || (run.held && previous.length >= 3);
}
