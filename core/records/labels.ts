/**
 * Values beside their label: `Passport No. TK1234567`, `生年月日：1985年4月1日`, `AB12345678CD (residence card)`.
 */
import { countBefore, type KeywordHit } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import { memberStart } from './members.ts';
import { answersTo, lineFrom } from './numbered-answers.ts';
import { columnUnder, headingOver } from './tables.ts';

/** A value that a label speaks for. Offsets of the text. */
export type LabelledValue = {
  readonly start: number;
  readonly end: number;
  readonly groups: RegExpExecArray;
  /** The label, in lower case. */
  readonly context: string;
  /** What stands between the label and the value. */
  readonly gap: string;
  readonly isBehind: boolean;
  /** Where the label starts. */
  readonly labelStart: number;
  /** Of a cell of a table: all headings, in lower case, each on a line. */
  readonly headings?: string;
};

/** How far from its label a value may start, and how long it may be; characters. */
export type LabelReach = {
  readonly reach?: number;
  readonly back?: number;
  readonly valueMax?: number;
  /** Labels that stand behind their value only; tried on the label and the character before it. */
  readonly suffixes?: RegExp;
  /** False at a label that no value would count at; cells of its column aside. */
  readonly mayCount?: (hit: KeywordHit) => boolean;
};

/** A label ends its line with nothing but these; its value is on the next one. */
const endOfLabel =
  /^[\s"'`*_:|>)\]}{[(#=]*$|^[ \t]*(?:no\.?|number|番号)[\s:]*$|^s? (?:on file|below|listed below|as follows|are as follows|are)[:.]?\s*$/i;
/** Asks for the value, which is on the next line. */
const request =
  /^(?:,? (?:please|pls|plz)[.!]?|を(?:お?教えて|入力して|送って)?(?:ください|下さい)。?|を?お願い(?:いた)?します。?)[ \t]*\r?(?:\n|$)/i;
const none: readonly LabelledValue[] = [];
/** No value is shorter. */
const valueMin = 4;
const cellMax = 64;
const nextOfList =
  /^["']?[ \t]*(?:[,;/&、・]|and\b|or\b|to\b|not\b|instead of\b|→|-{1,2}>|=>|と|及び|または|\r?\n[ \t]{0,4}(?:[-*•・]|[0-9]{1,2}[.)])[ \t]{1,4})?[ \t]*(?:(?:and|or|not|maybe|possibly)\b[ \t]*){0,2}["']?$/;
/** Before the first value of a list with an element a line. */
const listMark = /\n[ \t]{0,4}(?:[-*•・]|[0-9]{1,2}[.)])[ \t]{1,4}$/;
/** Between two values of a list. */
const listGapMax = 12;
/** Says that the next value is meant in place of the one before, or was. */
const correctionCue =
  /(?<![A-Za-z])(?:should (?:be|have been|read)|sorry|i meant?|correct(?:ed|ion)?|actually|make that|wrong|mistyped|typo|instead of|rather than|(?:changed|updated|corrected|moved) (?:it )?to|replaced (?:by|with)|the (?:right|new|other|correct) one(?: is)?|(?:new|other|second|corrected) one(?: says| reads| shows| has)?|and not|but not|no longer(?: to)?|(?:it'?s|it is|that'?s)(?= ?$))(?![A-Za-z])|訂正|正しくは|ではなく|じゃなく|誤り|[、,] ?正[ :：]{0,2}$/i;
const correctionMax = 72;
const shapeOf = (value: string) => value.replace(/[A-Za-z]/g, 'a').replace(/[0-9]/g, '0');
const claimed = /[\n。！？]|[.!?;]\s/;
const bracketed = /^\s?[(（[「]\s?$/;

/**
 * The values of a recognizer's labels: the first that starts within `reach` characters behind the label, on its line or
 * on the next one when the label ends its line, and those that follow as a list; else one that ends within `back`
 * characters before the label. Never behind the next label, of whichever recognizer.
 * @param pattern a global pattern; it sees two characters more on both sides.
 */
export function labelledValues(
  text: ScanText,
  owner: string,
  pattern: RegExp,
  options: LabelReach = {},
): LabelledValue[] {
  const { reach = 30, back = 10, valueMax = 40, suffixes, mayCount } = options;
  const found: LabelledValue[] = [];
  let lastColumn = -1;
  for (const hit of text.keywords.labels(owner)) {
    const column = columnUnder(text, hit);
    if (column !== undefined) {
      if (column.id !== lastColumn) {
        const headings = column.headings();
        for (const [start, end] of column.cells()) {
          const value = valueOfCell(text, hit, pattern, start, end);
          if (value !== undefined) found.push({ ...value, headings });
        }
      }
      lastColumn = column.id;
      continue;
    }
    if (mayCount?.(hit) === false) continue;
    const member = memberStart(text.shadow, hit);
    const own = member < 0 ? undefined : valueAt(text, hit, pattern, { at: member, leadMax: 0 });
    if (own !== undefined) {
      found.push(own);
      continue;
    }
    const behind =
      suffixes?.test(text.shadow.slice(Math.max(0, hit.start - 1), hit.end)) === true
        ? none
        : valuesBehind(text, hit, pattern, reach, valueMax);
    if (behind.length > 0) for (const value of behind) found.push(value);
    else {
      const value =
        (member < 0 ? valueOfAnswer(text, hit, pattern) : undefined) ??
        (back > 0 ? valueBefore(text, hit, pattern, { reach, back, valueMax }) : undefined);
      if (value !== undefined) found.push(value);
    }
  }
  return found;
}

/** A time behind a date, or a remark in brackets. */
const restOfCell = /^(?:[ T]?[0-9:.]+Z?|\s*[(（].*)?$/;

/** Nothing, or the mark of a list. */
const startOfCell = /^(?:(?:[-*•・]|[0-9]{1,2}[.)])[ \t]{1,4})?$/;

function valueOfCell(
  text: ScanText,
  hit: KeywordHit,
  pattern: RegExp,
  start: number,
  end: number,
): LabelledValue | undefined {
  if (end - start < valueMin || end - start > cellMax) return undefined;
  const cell = text.shadow.slice(start, end);
  pattern.lastIndex = 0;
  const groups = pattern.exec(cell);
  if (
    groups === null ||
    !startOfCell.test(cell.slice(0, groups.index)) ||
    !restOfCell.test(cell.slice(groups.index + groups[0].length))
  )
    return undefined;
  const at = start + groups.index;
  return labelled(text, hit, { start: at, end: at + groups[0].length, groups, gap: ': ', isBehind: true });
}

/** The value in the answer to the question that holds the label. */
function valueOfAnswer(text: ScanText, hit: KeywordHit, pattern: RegExp): LabelledValue | undefined {
  for (const at of answersTo(text.shadow, hit)) {
    const value = valueAt(text, hit, pattern, { at, leadMax: answerLeadMax });
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Before a value in an answer: `Yes, Ontario, `. */
const answerLeadMax = 48;
const answerLead = /^(?:[^\n0-9:：]*[,、 (「])?$/;

/** The value that starts at the place, or after the first words of an answer there. */
function valueAt(
  text: ScanText,
  hit: KeywordHit,
  pattern: RegExp,
  { at, leadMax }: { readonly at: number; readonly leadMax: number },
): LabelledValue | undefined {
  const { shadow } = text;
  const from = Math.max(0, at - 2);
  const window = lineFrom(shadow, from, at, at + leadMax + cellMax);
  pattern.lastIndex = at - from;
  const groups = pattern.exec(window);
  if (groups === null || groups[0] === '' || from + groups.index > at + leadMax) return undefined;
  const start = from + groups.index;
  if (!answerLead.test(shadow.slice(at, start))) return undefined;
  return labelled(text, hit, { start, end: start + groups[0].length, groups, gap: ': ', isBehind: true });
}

function labelled(
  text: ScanText,
  hit: KeywordHit,
  value: Omit<LabelledValue, 'context' | 'labelStart'>,
): LabelledValue {
  return { ...value, context: labelOf(text, hit), labelStart: hit.start };
}

/** The label of a recognizer that speaks for the value at `start..end`; see {@link labelledValues}. */
export function labelFor(
  text: ScanText,
  owner: string,
  start: number,
  end: number,
  options: Omit<LabelReach, 'valueMax'> = {},
): Pick<LabelledValue, 'context' | 'gap' | 'isBehind'> | undefined {
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
    (start <= reachOf(text, before, reach) || isAnswer(text, before, start))
  ) {
    return { context: labelOf(text, before), gap: text.shadow.slice(before.end, start), isBehind: true };
  }
  const after = hits[low];
  if (after === undefined || after.start < end || after.start - end > back) return undefined;
  const gap = text.shadow.slice(end, after.start);
  return gap.includes('\n') ? undefined : { context: labelOf(text, after), gap, isBehind: false };
}

/** True when the place is the answer to a question that holds the label. */
function isAnswer(text: ScanText, hit: KeywordHit, start: number): boolean {
  const length = answerLength(text, hit);
  return length > 0 && start >= hit.end + length && start <= hit.end + length + answerGap;
}

/** A question that holds the label, and who answers it, most often on the next line: `Your account number?\nCaller: It's 1234567`. */
const answerTurn =
  /^[^\n0-9:：]{0,40}(?:(?:[?？。.]|(?<=please|pls|plz|ください|下さい|します|教えて|か))[ \t"'*_」』]*\r?\n\s{0,4}(?:[<>]{1,3} ?)?[「『]?(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]? {0,2})?(?:[^\n:：0-9]{1,24}(?:[0-9]{1,2}|\([0-9:]{4,8}\))?[:：>][ \t]{0,2})?|[?？。][ \t"'*_]{1,4}(?:(?:-?>|→)[ \t]?|(?:customer|caller|user|guest|client|member|patient|applicant|visitor|me|reply|response|answer|a|お客様|回答)[:：>][ \t]{0,2})?|[?？][ \t]{1,8}(?=[0-9A-Z]))(?:(?:(?:yes|yeah|yep|sure|ok|okay|hi|um|uh|well|it's|it is|it was|it should be|that's|that is|that would be|my \w{2,12} is|its|the|number(?: is)?:?|no\.?:?)(?![A-Za-z])|はい|ええ|えっと|えーと)[,、. ]{0,3}){0,4}(?:\r?\n[^\n:：0-9]{1,24}[:：>][ \t]{0,2})?/i;

const isRequest = /(?:please|pls|plz|ください|下さい|します|教えて|か)[」』"]?\s*$/i;
/** How much of a question follows its label. */
const questionMax = 41;
/** A question, who answers, and how the answer opens. */
const turnsMax = 128;
/** An answer begins with its value. */
const answerGap = 2;

/** `…the policy number\nAgent: it's ` */
const itsTurn =
  /^[ \t]*\r?\n\s{0,4}(?:[<>]{1,3} ?)?(?:[^\n:：0-9]{1,20}(?: [0-9])?[:：>] ?(?:(?:yes|yeah|sure|ok|it'?s|it is|that'?s|it was|はい)[,.:]? ?){1,3}|(?:speaker|caller|customer|client|guest|user|member|patient|visitor|renter|お客様|お客さま)(?: [0-9A-Z])?[:：>] ?)/i;

function directAnswer(shadow: string, at: number): number {
  const c = shadow.charCodeAt(at);
  return c === 0x0a || c === 0x0d ? (itsTurn.exec(shadow.slice(at, at + 56))?.[0].length ?? 0) : 0;
}

/** How many characters stand between a label in a question and the answer to it, the speaker's name among them; 0 without one. */
export function answerLength({ shadow }: ScanText, hit: KeywordHit): number {
  const direct = directAnswer(shadow, hit.end);
  if (direct > 0) return direct;
  for (let i = hit.end; i < hit.end + questionMax; i++) {
    const c = shadow.charCodeAt(i);
    if (c === 0x3f || c === 0x3002 || (c === 0x2e && shadow.charCodeAt(i + 1) < 0x0e))
      return answerTurn.exec(shadow.slice(hit.end, hit.end + turnsMax))?.[0].length ?? 0;
    // A line that ends with `please` asks, too.
    if (c === 0x0a && isRequest.test(shadow.slice(hit.end, i)))
      return answerTurn.exec(shadow.slice(hit.end, hit.end + turnsMax))?.[0].length ?? 0;
    // A line's end, a digit, a colon, the end of the text.
    if (c === 0x0a || (c >= 0x30 && c <= 0x3a) || Number.isNaN(c)) return 0;
  }
  return 0;
}

/** A heading is underlined. */
const rule = /^[ \t]*[=-]{3,60}[ \t]*\r?\n/;
const ruleMax = 64;

/** The end of the stretch behind a label in which a value may start. */
function reachOf({ shadow }: ScanText, hit: KeywordHit, reach: number): number {
  const limit = Math.min(hit.end + reach, hit.nextStart, shadow.length);
  const line = shadow.slice(hit.end, limit).indexOf('\n');
  if (line < 0) return limit;
  const rest = shadow.slice(hit.end, hit.end + line);
  if (!endOfLabel.test(rest) && !request.test(rest)) return hit.end + line;
  const below = hit.end + line + 1;
  const from = below + (rule.exec(shadow.slice(below, below + ruleMax))?.[0].length ?? 0);
  const next = shadow.slice(from, Math.min(from + reach, hit.nextStart));
  const lead = next.search(/\S/);
  const end = lead < 0 ? -1 : next.indexOf('\n', lead);
  return from + (end < 0 ? next.length : end);
}

/** Between a label and its value: marks of HTML, a leader of dots, Japanese quotes. */
const marks =
  /[「『“【】→⇒•·«»~]|<\/?[a-z][^<>]{0,40}>|(?: [a-z:]{1,16}="[^"\n]{0,24}"){1,2}>|\.{3,}|…+|[-=_]{3,}|\n\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]? [A-Za-z]{1,16}: ?/gi;
const remarkPattern = /^ ?[(（][^()（）\n]{1,12}(?:[)）]|[^()（）\n]{1,16}[)）](?= ?[:：=]))/;

function isBracketBehind(shadow: string, at: number): boolean {
  const first = shadow.charCodeAt(shadow.charCodeAt(at) === 0x20 ? at + 1 : at);
  return first === 0x28 || first === 0xff08;
}

/** A label with a remark in brackets behind it, such as `免許証(普通)`: the remark holds no label of another value. */
function remarkBehind(text: ScanText, label: KeywordHit): KeywordHit | undefined {
  const { shadow } = text;
  if (!isBracketBehind(shadow, label.end)) return undefined;
  const remark = remarkPattern.exec(shadow.slice(label.end, label.end + 34))?.[0];
  if (remark === undefined || /[0-9][^0-9]*[0-9][^0-9]*[0-9]/.test(remark)) return undefined;
  const end = label.end + remark.length;
  return extended(text, label, end);
}

/** A label with what stands behind it, up to `end`; labels within speak for nothing. */
function extended({ shadow, keywords }: ScanText, label: KeywordHit, end: number): KeywordHit {
  if (label.nextStart >= end) return { ...label, end };
  const next = keywords.ordered[countBefore(keywords.ordered, end)];
  return { ...label, end, nextStart: next === undefined ? shadow.length : Math.max(next.start, end) };
}

function valuesBehind(
  text: ScanText,
  label: KeywordHit,
  pattern: RegExp,
  reach: number,
  valueMax: number,
): readonly LabelledValue[] {
  const isTight = label.nextStart - label.end < valueMin && label.nextStart < text.shadow.length;
  if (isTight && !isBracketBehind(text.shadow, label.end)) return none;
  const answer = answerLength(text, label);
  if (answer > 0) {
    const answered = valuesFrom(text, label, extended(text, label, label.end + answer), pattern, answerGap, valueMax);
    // A letters-only value can end with a full stop, which looks like the end of a question.
    if (answered.length > 0) return answered;
  }
  return valuesFrom(text, label, remarkBehind(text, label) ?? label, pattern, reach, valueMax);
}

/** The values behind a label with what belongs to it. */
function valuesFrom(
  text: ScanText,
  label: KeywordHit,
  hit: KeywordHit,
  pattern: RegExp,
  reach: number,
  valueMax: number,
): readonly LabelledValue[] {
  if (hit !== label && hit.end > hit.nextStart) return none;
  const isCut = hit.nextStart - hit.end < valueMin && hit.nextStart < text.shadow.length;
  const limit = isCut ? 0 : reachOf(text, hit, reach);
  if (limit <= hit.end) return none;
  const { shadow } = text;
  const from = Math.max(0, hit.end - 2);
  const window = shadow.slice(from, Math.min(limit + valueMax, Math.max(hit.nextStart, limit + 2)) + 2);
  pattern.lastIndex = hit.end - from;
  const first = pattern.exec(window);
  if (first === null || from + first.index > limit) return none;
  const start = from + first.index;
  const gap = shadow.slice(hit.end, start).replace(marks, ' ').replace(listMark, '\n').replace(request, '\n');
  const value = labelled(text, label, { start, end: start + first[0].length, groups: first, gap, isBehind: true });
  return first[0] === '' ? [value] : listFrom(text, value, hit.nextStart, pattern, valueMax);
}

/** True for `and it should be ` between two values of one shape. */
function isCorrection(gap: string, value: string, next: string): boolean {
  return (
    gap.length <= correctionMax && correctionCue.test(gap) && shapeOf(value) === shapeOf(next) && !/[0-9]{2}/.test(gap)
  );
}

/** A value and those that follow it as a list; the link of a list is that of its first value. */
function listFrom(
  { shadow }: ScanText,
  first: LabelledValue,
  limit: number,
  pattern: RegExp,
  valueMax: number,
): readonly LabelledValue[] {
  const found = [first];
  for (let done = first.end; done < limit; ) {
    const from = done - 2;
    const window = shadow.slice(from, Math.min(done + correctionMax + valueMax, limit) + 2);
    pattern.lastIndex = 2;
    const groups = pattern.exec(window);
    if (groups === null || groups[0] === '') break;
    const gap = window.slice(2, groups.index);
    const isNext = gap.length <= listGapMax && nextOfList.test(gap);
    if (!isNext && !isCorrection(gap, first.groups[0], groups[0])) break;
    const start = from + groups.index;
    done = start + groups[0].length;
    found.push({ ...first, start, end: done, groups });
  }
  return found;
}

function valueBefore(
  text: ScanText,
  hit: KeywordHit,
  pattern: RegExp,
  { reach, back, valueMax }: Required<Pick<LabelReach, 'reach' | 'back' | 'valueMax'>>,
): LabelledValue | undefined {
  const { shadow } = text;
  const from = Math.max(hit.previousEnd, hit.start - back - valueMax, 0);
  if (hit.start - from < valueMin) return undefined;
  const lead = Math.min(2, from);
  const window = shadow.slice(from - lead, hit.start);
  let last: RegExpExecArray | undefined;
  pattern.lastIndex = lead;
  for (let groups = pattern.exec(window); groups !== null && groups[0] !== ''; groups = pattern.exec(window))
    last = groups;
  if (last === undefined) return undefined;
  const start = from - lead + last.index;
  const end = start + last[0].length;
  const gap = shadow.slice(end, hit.start);
  if (gap.length > back || claimed.test(gap)) return undefined;
  // A label that stands before the value speaks first.
  const between = shadow.slice(hit.previousEnd, Math.min(start, hit.previousEnd + reach + 1));
  const isClaimed = hit.previousEnd > 0 && between.length <= reach && !claimed.test(between);
  if (isClaimed && gap !== '' && !bracketed.test(gap)) return undefined;
  return labelled(text, hit, { start, end, groups: last, gap, isBehind: false });
}

function labelOf(text: ScanText, hit: KeywordHit): string {
  return text.shadow.slice(hit.start, hit.end).toLowerCase();
}
