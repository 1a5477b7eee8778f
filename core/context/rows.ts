/** Candidates for numbers: rows of groups of letters and digits with single joints between them. */
import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';
import type { ScanText } from '../detect/scan.ts';

/** Maximum number of groups in one candidate. */
export const groupsMax = 6;
const rowMax = 24;
/** A longer run of letters and digits is a hash or a key. */
export const groupMax = 22;
const capitalsMax = 5;

/** Where the groups of a row start and end. */
export type Row = { readonly starts: readonly number[]; readonly ends: readonly number[] };

/** All rows of a text with a digit in them, in order. */
export function rowsOf({ shadow, digitStarts }: ScanText): Row[] {
  const rows: Row[] = [];
  let done = 0;
  for (const at of digitStarts) {
    if (at < done) continue;
    const row = rowAt(shadow, at, done);
    done = row.ends.at(-1) as number;
    rows.push(row);
  }
  return rows;
}

function rowAt(shadow: string, at: number, floor: number): Row {
  let start = at;
  while (start > floor && isUnit(shadow.charCodeAt(start - 1))) start--;
  const starts: number[] = [];
  const ends: number[] = [];
  for (let left = start; starts.length < 2; ) {
    const end = left - jointBefore(shadow, left);
    if (end === left || end <= floor) break;
    let from = end;
    while (from > floor && end - from <= capitalsMax && isUpper(shadow.charCodeAt(from - 1))) from--;
    if (from === end || end - from > capitalsMax || isUnit(shadow.charCodeAt(from - 1))) break;
    starts.unshift(from);
    ends.unshift(end);
    left = from;
  }
  for (let from = start; starts.length < rowMax; ) {
    let end = from;
    while (isUnit(shadow.charCodeAt(end))) end++;
    starts.push(from);
    ends.push(end);
    const next = end + jointBehind(shadow, end);
    if (next === end || !isGroup(shadow, next)) break;
    from = next;
  }
  return { starts, ends };
}

/** True for a group that continues a number: a digit near its start, a few capitals, or up to three lower-case letters. */
function isGroup(shadow: string, from: number): boolean {
  let i = from;
  while (i < from + capitalsMax + 1 && isUpper(shadow.charCodeAt(i))) i++;
  if (i === from) while (i < from + 4 && isAsciiLetter(shadow.charCodeAt(i))) i++;
  const c = shadow.charCodeAt(i);
  return isDigit(c) || (i > from && i - from <= capitalsMax && !isUnit(c));
}

function isUnit(c: number): boolean {
  return isDigit(c) || isAsciiLetter(c) || (c >= 0xc0 && c <= 0xff);
}

function isUpper(c: number): boolean {
  return isCapital(c) || (c >= 0xc0 && c <= 0xdf);
}

/** Blank, `-`, `.`, `/`, `·`, `・`, `:`. */
function isJoint(c: number): boolean {
  return c === 0x20 || (c >= 0x2d && c <= 0x2f) || c === 0xb7 || c === 0x30fb || c === 0x3a;
}

function jointBehind(shadow: string, at: number): number {
  if (!isJoint(shadow.charCodeAt(at))) return 0;
  return shadow.charCodeAt(at) === 0x20 && shadow.startsWith(' - ', at) ? 3 : 1;
}

function jointBefore(shadow: string, at: number): number {
  if (at < 1 || !isJoint(shadow.charCodeAt(at - 1))) return 0;
  return shadow.startsWith(' - ', at - 3) ? 3 : 1;
}
