/** Days of birth whose word stands in another line: questions and answers, members of objects, columns without a sign between. */
import type { KeywordHit } from '../keywords.ts';
import { birthYear, date } from './birth-dates.ts';
import { isOtherDay } from './birth-signs.ts';

/** Before a word in a question, and behind one. */
const asking =
  /(?<![a-z])(?:what|when|please|can i|could i|may i|get|have|need|confirm|verify|tell|give|enter|provide|share|ask\w*|your|his|her)(?![a-z])|お?名前/i;
const askingBehind =
  /^[^\n]{0,60}(?:[?？]|(?<![a-z])(?:please|pls)(?![a-z])|ください|下さい|お願い|伺|教えて|\?)|^ (?:and|&) [^\n.]{3,40}[.?]/i;
/** Another question about a day. */
const otherQuestion =
  /(?:(?<![a-z])(?:when|since when|start|appointment|last|move|order|bought|placed|expiry|visit)(?![a-z])|いつ|何日|日付|お?支払|予約日)[^\n]{0,60}[?？]|(?:いつ|何日)[^\n]{0,24}か/i;
/** `[10:43] Caller: oh okay, it's ` at the beginning of a line. */
const turnStart =
  /^[ \t>*-]{0,6}(?:\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]m)?\]?[ -]{0,3})?(?:[^\n:：0-9]{1,24}[0-9]{0,2}(?: ?\([^()\n]{1,12}\))?[:：>] ?)?(?:(?:yes|yeah|yep|sure|oh|ok|okay|um|uh|er|hmm|well|so|it's|it is|its|that's|that is|it would be|the|my birthday is|and|date|birthday|he's|she's|born|[a-z' ]{2,32}(?:,|:| is|'s)(?= )|はい|ええ|えっと|えーと|あ|では|私は)[,.、。 …]{0,4}){0,5}["「]?$/i;
const answerEnd = /^(?:["'」.,、。!）) ]|です|だ|になり|でござ|年?生まれ|\r|\n|$)/;
/** The value of a prompt: `prompt=enter_dob`, `input=04121976`. */
const keyedAnswer =
  /^[^\n]{0,12}\r?\n[^\n]{0,24}(?:input|value|answer|response|entered|reply|text)["']?[ \t]?[:=][ \t]?["']?$/i;
const turnsMax = 8;

/** True when the label is asked for and the day is the first answer that can be one. */
export function questionBefore(shadow: string, label: KeywordHit, gap: string, tail: string): boolean {
  if (keyedAnswer.test(gap)) return true;
  if (!gap.includes('\n') || !answerEnd.test(tail)) return false;
  const lines = gap.split('\n');
  if (lines.length > turnsMax) return false;
  const before = shadow.slice(Math.max(0, label.start - 80), label.start);
  const question = before.slice(before.lastIndexOf('\n') + 1);
  if (!asking.test(question) && !askingBehind.test(gap)) return false;
  if (!turnStart.test(lines.at(-1) ?? '')) return false;
  return !lines.some((line) => otherQuestion.test(line));
}

const opening = /^["']?>?\s{0,2}[:=]?\s{0,2}(?:[{[|>]\s{0,4}|\r?\n\s{1,12}|[ \t]value="$)/;
const member =
  /(?:^|[{,\n\s"'<])(?:date|day|on|value|dob|iso|full|和暦|西暦|text|gregorian|japanese)["']?\s{0,2}(?:[:=]|>)\s{0,2}["']?$/i;

/** True behind a label that names an object or an element, for its member with the day. */
export function isMemberOfBirth(gap: string, isFurther: boolean): boolean {
  if (gap.length > 120 || /[}\]]|<\//.test(gap) || /\n\s*\n/.test(gap)) return false;
  if (/^["']?\s?value=["']$/i.test(gap.trimStart())) return true;
  return opening.test(gap) && member.test(gap) && (!isFurther || /和暦|西暦|gregorian|japanese/i.test(gap));
}

/** `<dateOfBirth/><startDate>`; not the next cell of a table. */
const otherElement =
  /(?:\/>|<\/[a-z]+>)\s*<(?!\/|(?:t[dhr]|tbody|thead|table|d[dlt]|span|[abip]|em|div|li|label|strong|input|br|font)(?![a-z]))[a-z]{3}/i;
export const isOfOtherElement = (gap: string) => otherElement.test(gap);

const cell = /[^\s|／/,;]+/g;
const headingOfDay = /日$|日付|date|dob|birth|born|期限|since|until|admitted|joined|expir|issued|seen|start/i;
const rowsMax = 2_000;
const lineMax = 200;

/** Where the days of columns start whose headings and cells are parted by single blanks or slashes. */
export function columnOfRows(shadow: string, labels: readonly KeywordHit[]): ReadonlySet<number> {
  const starts = new Set<number>();
  let done = 0;
  for (const label of labels) {
    // `<dateOfBirth>` is no heading.
    if (label.start < done || /<\/?$/.test(shadow.slice(Math.max(0, label.start - 2), label.start))) continue;
    const lineStart = shadow.lastIndexOf('\n', label.start) + 1;
    const lineEnd = shadow.indexOf('\n', label.end);
    if (lineEnd < 0) break;
    done = lineEnd;
    if (lineEnd - label.start > lineMax || label.start - lineStart > lineMax) continue;
    const header = shadow.slice(lineStart, lineEnd);
    if (header.includes('|'))
      done = takePiped(shadow, { header, at: label.start - lineStart, from: lineEnd + 1 }, starts);
    // Separated values are tables of their own.
    if (/[0-9:：。?？.!,;\t|_]/.test(header)) continue;
    const headings = header.match(cell) ?? [];
    if (headings.length < 2 || headings.length > 14 || headings.some((heading) => heading.length > 16)) continue;
    const own = (header.slice(0, label.start - lineStart).match(cell) ?? []).filter((one) =>
      headingOfDay.test(one),
    ).length;
    const all = headings.filter((one) => headingOfDay.test(one)).length;
    done = takeRows(shadow, { from: lineEnd + 1, own, all }, starts);
  }
  return starts;
}

/** The same for headings behind words of a sentence, `columns: id|dob|state`, and an empty line before the rows. */
function takePiped(
  shadow: string,
  { header, at, from }: { readonly header: string; readonly at: number; readonly from: number },
  starts: Set<number>,
): number {
  const column = header.slice(0, at).split('|').length - 1;
  const count = header.split('|').length;
  let next = from + (/^\r?\n/.exec(shadow.slice(from, from + 2))?.[0].length ?? 0);
  for (let rows = 0; count > 2 && rows < rowsMax && next < shadow.length; rows++) {
    const newline = shadow.indexOf('\n', next);
    const end = newline < 0 ? shadow.length : newline;
    if (end - next > lineMax) break;
    const cells = shadow.slice(next, end).split('|');
    if (cells.length !== count) break;
    const value = cells[column] ?? '';
    if (birthYear(value.trim()) !== undefined)
      starts.add(next + cells.slice(0, column).join('|').length + (column > 0 ? 1 : 0) + value.search(/\S/));
    next = end + 1;
  }
  return next;
}

/** Adds the days of the column from the rows below; returns where the rows end. */
function takeRows(
  shadow: string,
  { from, own, all }: { readonly from: number; readonly own: number; readonly all: number },
  starts: Set<number>,
): number {
  let at = from;
  for (let rows = 0; rows < rowsMax && at < shadow.length; rows++) {
    const newline = shadow.indexOf('\n', at);
    const end = newline < 0 ? shadow.length : newline;
    if (end - at > lineMax) break;
    const row = ` ${shadow.slice(at, end)}`;
    const days: number[] = [];
    date.lastIndex = 1;
    for (let groups = date.exec(row); groups !== null; groups = date.exec(row))
      if ((birthYear(groups[0]) !== undefined && !isOtherDay(row.slice(1, groups.index), '')) || all > 1)
        days.push(at - 1 + groups.index);
    if (days.length === 0 && !/^ *[-=+| ]*$/.test(row)) break;
    const start = days.length === all ? days[own] : days.length > 0 && own === 0 ? days[0] : undefined;
    if (start !== undefined) starts.add(start);
    at = end + 1;
    if (/^\s*$/.test(row)) break;
  }
  return at;
}
