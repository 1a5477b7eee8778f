/** The candidates of a type: rows of groups in one of its forms, near one of its words or in its column. */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { codesOf } from '../detect/code-set.ts';
import type { KeywordHit } from '../detect/keywords.ts';
import { isContinued } from '../detect/other-numbers.ts';
import type { ScanText } from '../detect/scan.ts';
import { keptIn } from '../kept.ts';
import { columnUnder } from '../records/tables.ts';
import type { ContextType, Span } from './context-type.ts';
import type { Candidate } from './features.ts';
import { groupMax, groupsMax, type Row, rowsOf } from './rows.ts';

/** How many characters before and after a label and a topic word are searched. */
const reaches = { label: { before: 200, behind: 600 }, topic: { before: 240, behind: 300 } };
const noGroups: readonly Candidate[][] = [];

/** Candidates in order of their starts; overlapping ones share a group. */
export function candidateGroups(text: ScanText, type: ContextType): readonly (readonly Candidate[])[] {
  const stretches = stretchesOf(text, type);
  if (stretches.length === 0 && type.mayHold?.(text) !== true) return noGroups;
  const found: Candidate[] = [];
  if (type.forms.length > 0) addRows(text, type, stretches, found);
  if (type.spans !== undefined)
    for (const { start, end, form } of type.spans(text, stretches))
      found.push({ start, end, form: type.forms.length + form });
  if (found.length === 0) return noGroups;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const groups: Candidate[][] = [];
  let end = -1;
  for (const one of found) {
    if (one.start < end) groups.at(-1)?.push(one);
    else groups.push([one]);
    end = Math.max(end, one.end);
  }
  return groups;
}

/** The stretches near the words of a type, and the cells under its labels, in order and without overlaps. */
function stretchesOf(text: ScanText, { name }: ContextType): Span[] {
  const { keywords, shadow } = text;
  const labels = keywords.labels(name);
  const topics = keywords.anchors(name);
  if (labels.length + topics.length === 0) return [];
  const all: Span[] = [];
  const add = ({ start, end }: KeywordHit, { before, behind }: { before: number; behind: number }) =>
    all.push({ start: Math.max(0, start - before), end: Math.min(shadow.length, end + behind) });
  for (const hit of topics) add(hit, reaches.topic);
  let column = -1;
  for (const hit of labels) {
    add(hit, reaches.label);
    const under = columnUnder(text, hit);
    if (under === undefined || under.id === column) continue;
    column = under.id;
    for (const [start, end] of under.cells()) all.push({ start, end });
  }
  all.sort((a, b) => a.start - b.start);
  const apart: { start: number; end: number }[] = [];
  for (const one of all) {
    const last = apart.at(-1);
    if (last !== undefined && one.start <= last.end) last.end = Math.max(last.end, one.end);
    else apart.push({ ...one });
  }
  return apart;
}

const rowsByText = new WeakMap<object, readonly Row[]>();

function addRows(text: ScanText, type: ContextType, stretches: readonly Span[], found: Candidate[]): void {
  const { shadow } = text;
  const whole = wholeForms(type);
  let stretch = 0;
  for (const row of keptIn(rowsByText, text.shared, () => rowsOf(text))) {
    const end = row.ends.at(-1) as number;
    const start = row.starts[0] as number;
    while (stretch < stretches.length && (stretches[stretch] as Span).end <= start) stretch++;
    if (stretch === stretches.length) return;
    if ((stretches[stretch] as Span).start >= end) continue;
    for (let first = 0; first < row.starts.length; first++) {
      const from = row.starts[first] as number;
      if (isOfAmount(shadow.charCodeAt(from - 1)) || isContinued(shadow, from)) continue;
      for (let last = first; last < Math.min(row.starts.length, first + groupsMax); last++) {
        const to = row.ends[last] as number;
        if (to - (row.starts[last] as number) > groupMax) break;
        if (last > first && whole.excludes(shadow.charAt(row.ends[last - 1] as number))) break;
        if (!addCandidate(shadow, from, to, whole, found)) addWithoutWord(shadow, from, to, whole, found);
      }
    }
  }
}

function addCandidate(shadow: string, start: number, end: number, whole: Forms, found: Candidate[]): boolean {
  if (isDecimal(shadow, start, end)) return false;
  const value = shadow.slice(start, end);
  if (!whole.any.test(value)) return false;
  found.push({ start, end, form: whole.each.findIndex((form) => form.test(value)) });
  return true;
}

/** A word may touch a value: `No1829304`, `Nr.4711DOB`. */
function addWithoutWord(shadow: string, start: number, end: number, whole: Forms, found: Candidate[]): void {
  // Most groups neither begin nor end with a letter.
  const isBefore = isAsciiLetter(shadow.charCodeAt(start)) && isAsciiLetter(shadow.charCodeAt(start + 1));
  const isBehind = isAsciiLetter(shadow.charCodeAt(end - 1)) && isAsciiLetter(shadow.charCodeAt(end - 2));
  if (!isBefore && !isBehind) return;
  const value = shadow.slice(start, end);
  const before = /^[A-Za-z]{2,}(?<=[a-z]|NO|DL|SSN|ID)(?=[0-9])/.exec(value)?.[0].length ?? 0;
  const behind = /(?<=[0-9])(?:[A-Z][a-z]{2,}|DOB|FAX|TEL|EXP|ISS)$/.exec(value)?.[0].length ?? 0;
  if (before + behind > 0) addCandidate(shadow, start + before, end - behind, whole, found);
}

/** Signs of currencies, operators and escapes. */
const isOfAmount = codesOf('$€£¥&\\');

/** True for part of an amount, a decimal or a percentage: `1,234`, `3.5`, `7%`. */
function isDecimal(shadow: string, start: number, end: number): boolean {
  const behind = shadow.charCodeAt(end);
  if (behind === 0x2e && isDigit(shadow.charCodeAt(end + 1))) return true;
  if (behind === 0x2c && /^,\d{3}(?!\d)/.test(shadow.slice(end, end + 5)) && end - start < 4) return true;
  return behind === 0x25;
}

/** `excludes` a joint that is in no form, so that no value continues after it. */
type Forms = { readonly any: RegExp; readonly each: readonly RegExp[]; readonly excludes: (joint: string) => boolean };
const formsByType = new WeakMap<ContextType, Forms>();

function wholeForms(type: ContextType): Forms {
  return keptIn(formsByType, type, () => {
    const sources = type.forms.map(({ source }) => source);
    const written = sources.join('|').replace(/\(\?[:=!]|\.\*/g, '');
    const excluded = new Set([...':/.·・'].filter((joint) => !written.includes(joint)));
    return {
      any: new RegExp(`^(?:${sources.join('|')})$`),
      each: sources.map((one) => new RegExp(`^(?:${one})$`)),
      excludes: (joint) => excluded.has(joint),
    };
  });
}
