/**
 * Values in a list of answers: the question has its number, `2) Your license number?`, or is the first or second thing that
 * is asked for, and so has the line with the value, `2) D1234567`.
 */
import type { KeywordHit } from '../detect/keywords.ts';

/** How much before a label tells the number of its question. */
const headMax = 72;
/** How far behind a question its answer may stand, in characters and in marks of a list. */
const reach = 700;
const marksMax = 12;
const question = /^[>\s*]{0,6}\(?([0-9]{1,2})[.)][ \t][^\n]{0,60}$/;
const ordinal = /(?<![A-Za-z])(first|second|third|fourth)(?:ly)?(?:,| is| one)[^.!?\n]{0,50}$/i;
const ordinalEnds = ['irst', 'econd', 'hird', 'ourth', 'IRST', 'ECOND', 'HIRD', 'OURTH'];
const ordinals = ['first', 'second', 'third', 'fourth'];
const mark = /\n[> \t]{0,6}\(?([0-9]{1,2})[.)][ \t]{1,4}/g;
/** The answer stands on a line of its own below the question. */
const nextLine = /^[^\n0-9]{0,48}\r?\n[> \t]{0,6}(?![0-9]{1,2}[.)][ \t])/;

/** Where the answers to a question start that holds the label: that below it, or that with its number. */
export function answersTo(shadow: string, hit: KeywordHit): readonly number[] {
  const before = shadow.slice(Math.max(0, hit.start - headMax), hit.start);
  const head = before.slice(before.lastIndexOf('\n') + 1);
  const numbered = question.exec(head)?.[1];
  const number = numbered ?? ordinalOf(head);
  if (number === undefined) return none;
  const starts: number[] = [];
  const below = numbered === undefined ? null : nextLine.exec(shadow.slice(hit.end, hit.end + 60));
  if (below !== null) starts.push(hit.end + below[0].length);
  const window = shadow.slice(hit.end, hit.end + reach);
  mark.lastIndex = 0;
  for (let i = 0; i < marksMax; i++) {
    const next = mark.exec(window);
    if (next === null) break;
    if (next[1] !== number) continue;
    starts.push(hit.end + next.index + next[0].length);
    break;
  }
  return starts;
}

const none: readonly number[] = [];

function ordinalOf(head: string): string | undefined {
  // Few have one.
  if (!ordinalEnds.some((end) => head.includes(end))) return undefined;
  const word = ordinal.exec(head)?.[1];
  return word === undefined ? undefined : String(ordinals.indexOf(word.toLowerCase()) + 1);
}

/** The text from the one place up to the end of the line that holds the other, and a little of the next, at most to `limit`. */
export function lineFrom(shadow: string, from: number, at: number, limit: number): string {
  const text = shadow.slice(from, limit);
  const newline = text.indexOf('\n', at - from);
  return newline < 0 ? text : text.slice(0, newline + 2);
}
