/** Labelled values: `Passport No. TK1234567`, `生年月日：1985年4月1日`, `AB12345678CD (residence card)`. */
import { countBefore, type KeywordHit } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { headingOver } from './tables.ts';

type Label = {
  /** The label, in lower case. */
  readonly context: string;
  /** The text between the label and the value. */
  readonly gap: string;
  /** False when the label follows the value. */
  readonly isBehind: boolean;
};

/** A value with its label. Offsets of the text. */
export type LabelledValue = Label & {
  readonly start: number;
  readonly end: number;
  readonly groups: RegExpExecArray;
};

/** Maximum distance of a label before the value (default 30) and after it (default 10). */
export type LabelReach = { readonly reach?: number; readonly back?: number };

/** A label followed only by these has its value on the next line. */
const endOfLabel = /^[\s"'`*_:|>)\]}{[(#=]*$|^[ \t]*(?:no\.?|number|番号)[\s:]*$/i;
/** The label is in a question and the answer starts with the value: `Your account number?\nCaller: 1234567`. */
const answer = /^[^\n0-9:：]{0,40}[?？。.][ \t"'*]*\r?\n\s{0,4}(?:[^\n:：]{1,24}[:：] ?)?$/;

/** The matches of a global pattern that have one of the recognizer's labels before, above or directly after them. */
export function labelledValues(
  text: ScanText,
  owner: string,
  pattern: RegExp,
  options: LabelReach = {},
): LabelledValue[] {
  const found: LabelledValue[] = [];
  if (text.keywords.labels(owner).length === 0) return found;
  pattern.lastIndex = 0;
  for (let groups = pattern.exec(text.shadow); groups !== null; groups = pattern.exec(text.shadow)) {
    const start = groups.index;
    const end = start + groups[0].length;
    const label = labelFor(text, owner, start, end, options);
    if (label !== undefined) found.push({ start, end, groups, ...label });
  }
  return found;
}

/** The recognizer's label for the value at `start..end`; see {@link labelledValues}. */
export function labelFor(
  text: ScanText,
  owner: string,
  start: number,
  end: number,
  options: LabelReach = {},
): Label | undefined {
  const hits = text.keywords.labels(owner);
  if (hits.length === 0) return undefined;
  const { reach = 30, back = 10 } = options;
  const low = countBefore(hits, start);
  const before = low === 0 ? undefined : hits[low - 1];
  const heading = headingOver(text, start);
  if (heading !== undefined) {
    const over = hits[countBefore(hits, heading.end) - 1];
    if (over !== undefined && over.start >= heading.start)
      return { context: labelOf(text, over), gap: ': ', isBehind: true };
  }
  if (
    before !== undefined &&
    before.start >= (heading?.row ?? 0) &&
    start - before.end <= 2 * reach &&
    (start <= reachOf(text, before, reach) || answer.test(text.shadow.slice(before.end, start)))
  ) {
    return { context: labelOf(text, before), gap: text.shadow.slice(before.end, start), isBehind: true };
  }
  const after = hits[low];
  if (after === undefined || after.start < end || after.start - end > back) return undefined;
  const gap = text.shadow.slice(end, after.start);
  return gap.includes('\n') ? undefined : { context: labelOf(text, after), gap, isBehind: false };
}

/** The underline of a heading. */
const rule = /^[ \t]*[=-]{3,60}[ \t]*\r?\n/;
const ruleMax = 64;

/** The last offset at which the label's value may start. */
function reachOf({ shadow }: ScanText, hit: KeywordHit, reach: number): number {
  const limit = Math.min(hit.end + reach, hit.nextStart, shadow.length);
  const line = shadow.slice(hit.end, limit).indexOf('\n');
  if (line < 0) return limit;
  const rest = shadow.slice(hit.end, hit.end + line);
  if (!endOfLabel.test(rest)) return hit.end + line;
  const below = hit.end + line + 1;
  const from = below + (rule.exec(shadow.slice(below, below + ruleMax))?.[0].length ?? 0);
  const next = shadow.slice(from, Math.min(from + reach, hit.nextStart));
  const lead = next.search(/\S/);
  const end = lead < 0 ? -1 : next.indexOf('\n', lead);
  return from + (end < 0 ? next.length : end);
}

function labelOf(text: ScanText, hit: KeywordHit): string {
  return text.shadow.slice(hit.start, hit.end).toLowerCase();
}
