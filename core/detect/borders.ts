/**
 * Removes what touches a value but is not part of it: Markdown marks (`_078-05-1120_`), adjacent words (`card_4111…`,
 * `SSN:078-05-1120DOB:`), backslashes of JSON in a string, line breaks within a number. Recognizers read such paragraphs a
 * second time without them, so no pattern has to handle them.
 */

import { isAsciiLetter, isDigit } from '../characters.ts';
import { patternsOf } from '../pattern-data.ts';
import type { Detection } from '../recognizer.ts';
import { firstFrom } from './candidates.ts';
import { codesOf } from './code-set.ts';
import type { Decoded } from './escapes.ts';
import { type DigitRun, lengthAt, type ScanText } from './scan.ts';

const patterns = patternsOf('borders');
const { inside, marks, bullets, openings, joints, escapes, lineEnd, beforeLineEnd } = patterns;
const { touchingWord, grouped, firstCapitals } = patterns;

/** A replacement in the text. */
type Edit = { readonly start: number; readonly end: number; readonly by: string; readonly kind: Kind };

/** `mark` hides only what it touches; `joint` and `escape` also hide labels; `escape`, `lineEnd` and `inside` may be inside a value. */
type Kind = 'mark' | 'joint' | 'escape' | 'lineEnd' | 'inside';

/** A text without borders. */
export type Bare = Decoded & {
  /** True for a detection that a border may have hidden. */
  mayHaveBeenHidden(detection: Detection): boolean;
};

const closings: Readonly<Record<string, string>> = {
  ...{ '(': ')', '[': ']', '{': '}', '<': '>', '“': '”', '‘': '’', '«': '»' },
};

/** Maximum distance from a border to a digit. */
const reach = 48;
/** Maximum length between a pair of signs. */
const pairMax = 64;
/** Maximum length before and after an edit that is read again. */
const paragraphMax = 4_000;
/** Maximum number of edits; the rest of the text is not read again. */
const editsMax = 20_000;
/** A label may be hidden as well as its value. */
const labelReach = 48;

/** The paragraphs with borders around something that was not found; undefined if there are none. */
export function withoutBorders(text: ScanText, found: readonly Detection[]): Bare | undefined {
  const { shadow, original, digitStarts, digitRuns, ats } = text;
  if (digitStarts.length === 0 && ats.length === 0) return undefined;
  const edits: Edit[] = [];
  const add = (pattern: RegExp, by: string, kind: Kind) => {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(shadow); found !== null; found = pattern.exec(shadow)) {
      if (edits.length >= editsMax) return;
      const { index: start } = found;
      const end = start + found[0].length;
      if (isNearDigit(shadow, start, end)) edits.push({ start, end, by, kind });
    }
  };
  if (/[_*`~<]/.test(shadow)) {
    add(inside, '', 'inside');
    add(marks, '', 'mark');
    if (shadow.includes('_')) add(joints, ' ', 'joint');
  }
  if (shadow.includes('\\"') || shadow.includes('\\/')) add(escapes, '', 'escape');
  if (digitStarts.length > 0) {
    add(bullets, ' ', 'mark');
    addPairs(shadow, edits);
  }
  addLineEnds(shadow, edits);
  const glue = (at: number) => {
    if (at >= 0 && edits.length < editsMax) edits.push({ start: at, end: at, by: ' ', kind: 'joint' });
  };
  let run = 0;
  for (const start of digitStarts) {
    let end = start + 1;
    while (isDigit(shadow.charCodeAt(end))) end++;
    while (run < digitRuns.length && (digitRuns[run] as DigitRun).end < start) run++;
    // A short group counts as part of a longer number.
    const isLong = end - start > 3 || (digitRuns[run] !== undefined && (digitRuns[run] as DigitRun).start <= start);
    if (!isLong) continue;
    const behind = isAsciiLetter(shadow.charCodeAt(end)) ? wordBehind(shadow, end) : end;
    // Letters on both sides make it a code.
    if (behind < 0) continue;
    if (behind > end || isAsciiLetter(shadow.charCodeAt(end))) glue(behind);
    const before = shadow.charCodeAt(start - 1);
    if (isAsciiLetter(before) || before === 0x2e || before === 0x2b || before === 0x28) glue(wordBefore(shadow, start));
  }
  if (edits.length === 0) return undefined;
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  return isAllFound(edits, found) ? undefined : bareText(original, edits);
}

function addLineEnds(shadow: string, edits: Edit[]): void {
  for (let at = shadow.indexOf('\n'); at >= 0 && edits.length < editsMax; at = shadow.indexOf('\n', at + 1)) {
    let start = at;
    while (start > at - 8 && isBlank(shadow.charCodeAt(start - 1))) start--;
    // The last character of most lines, or the first of the next one, excludes a continuation.
    const last = shadow.charCodeAt(start - 1);
    if (last !== 0x40 && last !== 0x2d && !isDigit(last) && !isAsciiLetter(last)) continue;
    if (isAsciiLetter(last) && !shadow.startsWith('@', at + 1) && !shadow.startsWith('>', at + 1)) continue;
    lineEnd.lastIndex = start;
    const end = lineEnd.exec(shadow);
    const before = beforeLineEnd.exec(shadow.slice(Math.max(0, start - 8), start));
    if (end === null || before === null) continue;
    const goesOn = (before[1] && end[1]) || (before[2] && end[2]) || ((before[3] || before[1]) && end[3]);
    if (goesOn) edits.push({ start, end: start + end[0].length, by: '', kind: 'lineEnd' });
  }
}

const isBlank = codesOf(' \t\r');

/** Adds both signs of pairs that contain a number or a code. */
function addPairs(shadow: string, edits: Edit[]): void {
  openings.lastIndex = 0;
  for (let found = openings.exec(shadow); found !== null && edits.length < editsMax; found = openings.exec(shadow)) {
    const start = found.index;
    const closing = closings[found[0]] ?? found[0];
    const inside = shadow.slice(start + 1, start + pairMax);
    const length = lengthUntil(inside, closing);
    if (length < 4 || !holdsCode(inside.slice(0, length))) continue;
    for (const at of [start, start + 1 + length]) edits.push({ start: at, end: at + 1, by: '', kind: 'mark' });
  }
}

/** The distance to the closing sign on the same line; -1 if there is none. */
function lengthUntil(inside: string, closing: string): number {
  for (let at = inside.indexOf(closing); at >= 0; at = inside.indexOf(closing, at + 1)) {
    const after = inside.charCodeAt(at + 1);
    if (!isDigit(after) && !isAsciiLetter(after)) {
      const newline = inside.indexOf('\n');
      return newline >= 0 && newline < at ? -1 : at;
    }
  }
  return -1;
}

/** True for five digits, or three and a capital, without a word. */
function holdsCode(inside: string): boolean {
  const digits = inside.match(/[0-9]/g)?.length ?? 0;
  return (digits > 4 || (digits > 2 && /[A-Z]/.test(inside))) && !/[A-Za-z][a-z]/.test(inside);
}

/** Types of which only a part may have been found. */
const partly: ReadonlySet<string> = new Set(['NAME', 'ADDRESS', 'COMPANY_NAME_JP']);

/** True when each edit touches a detection. */
function isAllFound(edits: readonly Edit[], found: readonly Detection[]): boolean {
  let next = 0;
  return edits.every(({ start, end, kind }) => {
    if (kind === 'inside') return false;
    while (next < found.length && (found[next] as Detection).end < start) next++;
    const one = found[next];
    return one !== undefined && one.start <= end && !partly.has(one.type);
  });
}

function bareText(original: string, edits: readonly Edit[]): Bare {
  const starts: number[] = [];
  const places: Record<Kind, number[]> = { mark: [], joint: [], escape: [], lineEnd: [], inside: [] };
  let text = '';
  let done = 0;
  let paragraphEnd = -1;
  const take = (to: number) => {
    text += original.slice(done, to);
    for (; done < to; done++) starts.push(done);
  };
  const put = (what: string, at: number) => {
    text += what;
    for (let i = 0; i < what.length; i++) starts.push(at);
  };
  for (const { start, end, by, kind } of edits) {
    if (start < done) continue;
    if (start >= paragraphEnd) {
      if (paragraphEnd >= 0) {
        take(paragraphEnd);
        put('\n\n', paragraphEnd - 1);
      }
      done = Math.max(done, paragraphStart(original, start));
      paragraphEnd = paragraphEndOf(original, start);
    }
    take(start);
    places[kind].push(text.length);
    put(kind === 'lineEnd' && isDigit(original.charCodeAt(start - 1)) ? ' ' : by, start);
    done = end;
  }
  take(paragraphEnd);
  starts.push(done);
  return { text, starts: Int32Array.from(starts), mayHaveBeenHidden: newJudge(places) };
}

function newJudge(places: Record<Kind, number[]>): Bare['mayHaveBeenHidden'] {
  const { mark, joint, escape: escaped, lineEnd, inside } = places;
  return ({ start, end, type, score, checksum, context }) => {
    if (hasIn(mark, start + 1, end - 1) || hasIn(joint, start + 2, end - 1)) return false;
    if (hasIn(inside, start + 1, end - 1)) return score >= 0.9;
    // Two numbers on consecutive lines are separate.
    if (hasIn(lineEnd, start + 1, end - 1)) return checksum === true || context !== undefined || type === 'EMAIL';
    if (hasIn(mark, start - 1, start) || hasIn(mark, end, end)) return true;
    return hasIn(joint, start - labelReach, end) || hasIn(escaped, start - labelReach, end);
  };
}

/** True when one of the sorted offsets is in the range. */
function hasIn(places: readonly number[], from: number, to: number): boolean {
  return (places[firstFrom(places, from)] ?? Number.POSITIVE_INFINITY) <= to;
}

function paragraphStart(text: string, at: number): number {
  const from = Math.max(0, at - paragraphMax);
  const before = text.slice(from, at);
  const blank = Math.max(before.lastIndexOf('\n\n'), before.lastIndexOf('\n\r\n'));
  if (blank >= 0) return from + blank;
  return from === 0 ? 0 : from + Math.max(before.indexOf('\n'), 0);
}

function paragraphEndOf(text: string, at: number): number {
  const window = text.slice(at, at + paragraphMax);
  const blank = window.search(/\n\r?\n/);
  return blank < 0 ? at + window.length : at + blank;
}

/** True when a number or address may be next to it. */
function isNearDigit(shadow: string, start: number, end: number): boolean {
  return (
    /^[^\n]*?[0-9@]/.test(shadow.slice(end, end + reach)) ||
    /[0-9@][^\n]*$/.test(shadow.slice(Math.max(0, start - reach + 1), start))
  );
}

const wordMax = 24;
const isBetween = codesOf('.+(');

/** The end of a word directly before a number: `Phone`, `No.`; not `3f`, `xB`, `bad`. */
function wordBefore(shadow: string, at: number): number {
  let last = at - 1;
  while (last > at - 3 && isBetween(shadow.charCodeAt(last))) last--;
  // Most are hexadecimal digits or a single capital.
  if (!isAsciiLetter(shadow.charCodeAt(last)) || !isAsciiLetter(shadow.charCodeAt(last - 1))) return -1;
  const before = shadow.slice(Math.max(0, at - wordMax - 3), at);
  const [, word = '', signs = ''] = touchingWord.exec(before) ?? [];
  // Capitals are a code, unless the number is grouped.
  if (!/[a-z]/.test(word) && (word.length < 3 || lengthAt(grouped, shadow, at) === 0)) return -1;
  if (!isWord(word)) return -1;
  return at - signs.length + (signs.startsWith('.') ? 1 : 0);
}

/** The start of a word directly after a number; a few capitals may belong to the number: `606CDFax`. */
function wordBehind(shadow: string, at: number): number {
  let end = at;
  while (end < at + wordMax && isAsciiLetter(shadow.charCodeAt(end))) end++;
  if (end === at || /[0-9/+_]/.test(shadow.charAt(end))) return -1;
  const capitals = lengthAt(firstCapitals, shadow, at);
  // The whole word is in capitals.
  const start = isAsciiLetter(shadow.charCodeAt(at + capitals + 2)) ? at + capitals : at;
  return isWord(shadow.slice(start, end)) ? start : -1;
}

/** True for letters that are no hexadecimal number, no identifier and not too many. */
function isWord(word: string): boolean {
  if (word.length < 2 || word.length >= wordMax || /^[a-f]+$/i.test(word)) return false;
  return (word.match(/[a-z](?=[A-Z])/g)?.length ?? 0) < 3;
}
