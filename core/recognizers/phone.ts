/** Telephone numbers: Japan, the North American plan, and the international form with `+`. */

import { codesOf } from '../detect/code-set.ts';
import { type DigitRun, matchesIn, type ScanText } from '../detect/scan.ts';
import things from '../lexicon/number-things.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { CellHeadings } from '../records/cell-headings.ts';
import { labelFor } from '../records/labels.ts';
import { identifierLabels } from './identifiers/recognizer.ts';
import { labelsOf } from './label-words.ts';

const patterns = patternsOf('phone', things);

const name = 'phone';
const digitsMin = 6;
/** Longer runs of digits are serial numbers. */
const plainMax = 20;

const ofThingMax = 40;

/** Checks runs of digits that are long enough. */
export const phone: Recognizer = {
  name,
  type: 'PHONE',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const hasLabels = text.keywords.labels(name).length > 0;
    let headings: CellHeadings | undefined;
    const add = (from: number, end: number, score: number, context?: string) => {
      // A closing bracket outside the number means that the opening one is not part of it.
      const start = text.shadow[from] === '(' && !text.shadow.slice(from, end).includes(')') ? from + 1 : from;
      if (isOfThing(text.shadow, start) || isInDoi(text.shadow, start, end)) return;
      headings ??= new CellHeadings(text.shadow);
      const heading = headings.over(start, end);
      if (heading !== undefined && patterns.headingOfThing.test(heading)) return;
      found.push(detectionAt(text, start, end, { type: 'PHONE', score, recognizer: name, context }));
    };
    const isLabelled = ({ start, end, digits }: DigitRun) =>
      isNumberIs(text.shadow, start) ||
      patterns.kindAfter.test(text.shadow.slice(end, end + 10)) ||
      (hasLabels &&
        (labelFor(text, name, start, end, { reach: 40, back: 12 }) !== undefined ||
          (end - start > digits + 1 && isLastCellLabelled(text, start, end))));
    for (const run of text.digitRuns) {
      if (run.digits < digitsMin) continue;
      const isPlain = run.end - run.start === run.digits;
      if (isPlain && run.digits > plainMax) continue;
      const written = text.shadow.slice(Math.max(0, run.start - 2), run.end);
      // Only the international form allows single-digit groups.
      if (run.longest < 2 && !written.includes('+')) continue;
      const hasPlus = written.includes('+');
      const hasZero = written.includes('0');
      const range = { start: Math.max(0, run.start - 2), end: run.end, before: 6, after: 12 };
      if (
        isPlain &&
        !hasPlus &&
        !isLabelled(run) &&
        !(run.digits === 11 && patterns.mobileStart.test(written.slice(-run.digits)))
      )
        continue;
      const contextOf = (start: number, end: number) => labelFor(text, name, start, end)?.context;
      if (hasZero && run.longest > 2 && patterns.japaneseStart.test(text.shadow.slice(range.start, run.end + 12)))
        for (const { start, end, groups } of matchesIn(text.shadow, patterns.japan, range)) {
          const score = isInList(text.shadow, start, groups[0]) ? 0 : japaneseScore(groups);
          const context = score === 0 ? undefined : contextOf(start, end);
          if (score > 0 || context !== undefined) add(start, end, score > 0 ? score : 0.7, context);
        }
      if (hasZero && run.longest > 3 && patterns.britishStart.test(written))
        for (const { start, end } of matchesIn(text.shadow, patterns.britain, range))
          add(start, end, 0.8, contextOf(start, end));
      if (hasPlus)
        for (const { start, end } of matchesIn(text.shadow, patterns.international, range))
          add(start, end, 0.85, contextOf(start, end));
      if (run.digits >= 10 && run.longest > 3)
        for (const { start, end, groups } of matchesIn(text.shadow, patterns.america, range))
          if (
            !isInList(text.shadow, start, groups[0]) &&
            (!patterns.round.test(groups[0]) || isLabelled(run)) &&
            !patterns.versionBefore.test(text.shadow.slice(Math.max(0, start - 9), start))
          )
            add(start, end, 0.8, contextOf(start, end));
      if (isLabelled(run))
        for (const { start, end, groups } of matchesIn(text.shadow, patterns.spoken, range)) {
          const digits = digitsOf(groups[0]);
          if (digits < digitsMin || digits > 15 || patterns.date.test(groups[0])) continue;
          // Japanese numbers are longer than `03-1234`.
          if (digits < 8 && /^0[1-9][0-9]?-[0-9]{4}$/.test(groups[0])) continue;
          const label = labelFor(text, name, start, end);
          const { gap = '', isBehind = false } = label ?? {};
          if (/[;{}<]/.test(gap) || (digits < 10 && patterns.otherThing.test(gap))) continue;
          if (isBehind && patterns.otherNumber.test(gap)) continue;
          // `Telefon, Bestellnummer 4711 0815`
          const nearest = isBehind ? identifierLabels().before(text.shadow, start) : undefined;
          if (nearest?.owners.length === 0 && nearest.gapWords === 0) continue;
          // `4000-447 Porto, tel. 220 …`: the label belongs to the next number.
          if (!isBehind && gap.includes(',') && patterns.numberNext.test(text.shadow.slice(end, end + 40))) continue;
          const isVerb = patterns.verbs.test(label?.context ?? '') && !(isBehind && patterns.verbGap.test(gap));
          const context =
            (isVerb ? undefined : label?.context) ??
            patterns.kindAfter
              .exec(text.shadow.slice(end, end + 10))?.[0]
              .trim()
              .toLowerCase() ??
            (digits >= 10 && isNumberIs(text.shadow, start) ? 'number is' : undefined);
          if (context !== undefined) add(start, end, 0.6, context);
        }
    }
    return found;
  },
};

/** True when the last of several space-separated cells has a labelled column. */
function isLastCellLabelled(text: ScanText, start: number, end: number): boolean {
  const gap = text.shadow.slice(start, end).lastIndexOf('  ');
  return gap > 0 && labelFor(text, name, start + gap + 2, end) !== undefined;
}

/** True when the words directly before the number name something else. */
function isOfThing(shadow: string, start: number): boolean {
  return patterns.ofThing.test(shadow.slice(Math.max(0, start - ofThingMax), start));
}

const doiMax = 100;

/** True for part of the DOI itself; a number that a sign or word separates is a phone number. */
function isInDoi(shadow: string, start: number, end: number): boolean {
  if (patterns.doiStart.test(shadow.slice(start, start + 13))) return true;
  const before = shadow.slice(Math.max(0, start - doiMax), start);
  return (
    patterns.doiBefore.test(before) &&
    patterns.doiPart.test(shadow.slice(start, end)) &&
    !patterns.phoneWordBefore.test(before)
  );
}

/** The number of digits, excluding the extension. */
function digitsOf(written: string): number {
  let digits = 0;
  for (let i = 0; i < written.length; i++) {
    const c = written.charCodeAt(i);
    if (c >= 0x30 && c <= 0x39) digits++;
    // `x`, `ext`, 内線.
    else if (c > 0x40) break;
  }
  return digits;
}

/** True when `my number is` directly precedes the number. */
function isNumberIs(shadow: string, start: number): boolean {
  let i = start;
  while (i > 0 && isSignBefore(shadow.charCodeAt(i - 1))) i--;
  // The last letter of `is` or `number`.
  const last = shadow.charCodeAt(i - 1) | 0x20;
  return (
    i < start &&
    (last === 0x73 || last === 0x72) &&
    patterns.numberIs.test(shadow.slice(Math.max(0, start - 30), start))
  );
}

/** True for a space, `:`, `(` and `+`. */
const isSignBefore = codesOf(' :(+');

/** True in a list of space-separated groups of digits. */
function isInList(shadow: string, start: number, written: string): boolean {
  return /[0-9] $/.test(shadow.slice(Math.max(0, start - 2), start)) && /^[0-9]+ /.test(written);
}

/** Positive for a grouping of the Japanese numbering plan, negative when it needs a context word, 0 for none. */
function japaneseScore(groups: RegExpExecArray): number {
  const [whole, first = '', between = '', second = '', between2 = '', third = ''] = groups;
  const isForeign = whole.startsWith('+81');
  const area = isForeign && !first.startsWith('0') ? `0${first}` : first;
  const digits = area.length + second.length + third.length;
  if (!/^0[1-9]/.test(area)) return 0;
  if (between === '' && between2 === '') {
    const number = area + second + third;
    if (isForeign) return digits === 10 || digits === 11 ? 0.85 : 0;
    if (/^0[5789]0[0-9]{8}$/.test(number)) return 0.75;
    return digits === 10 ? -1 : 0;
  }
  if (between === '' || between2 === '') return 0;
  if (/^0[5789]0$/.test(area)) return digits === 11 && second.length === 4 ? 0.9 : 0;
  if (/^0(?:120|570|800)$/.test(area)) return digits === 10 || (digits === 11 && area === '0800') ? 0.9 : 0;
  return digits === 10 && area.length <= 5 && third.length === 4 ? 0.85 : 0;
}
