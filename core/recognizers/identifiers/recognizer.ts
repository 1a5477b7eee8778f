/**
 * Recognizes numbers by form, check digit and label: one engine for all {@link IdentifierType}s. A text without digits costs
 * nothing; each candidate is examined once.
 */

import { isAsciiLetter, isCapital, isDigit } from '../../characters.ts';
import { type KnownLabels, type LabelHit, LabelIndex } from '../../context/label-index.ts';
import { codesOf } from '../../detect/code-set.ts';
import { isContinued, isIdMember } from '../../detect/other-numbers.ts';
import type { ScanText } from '../../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../../recognizer.ts';
import { CellHeadings } from '../../records/cell-headings.ts';
import type { IdentifierType } from './identifier.ts';
import { identifierTypes } from './types.ts';

/** Maximum number of groups in one number. */
const groupsMax = 9;
/** Maximum number of groups in a candidate; longer rows are split. */
const rowMax = 24;
/** Length of the longest identifier. */
const lengthMax = 34;

/** Length of the shortest identifier. */
const lengthMin = 3;

/** Scores by evidence. */
const scores = { checked: 0.95, labelled: 0.85, failed: 0.6, alone: 0.8, sure: 1 };

/** Groups of letters and digits with single separators between them. */
type Candidate = {
  readonly starts: number[];
  readonly ends: number[];
  /** The first group with a digit in it. */
  firstNumber: number;
  digits: number;
};

let labels: LabelIndex | undefined;

/** The labels of all built-in identifiers, loaded on first use. */
export function identifierLabels(): LabelIndex {
  labels ??= new LabelIndex(identifierTypes.map((type) => type.labels));
  return labels;
}

/** One recognizer for all types. */
export function identifierRecognizer(
  all: readonly IdentifierType[] = identifierTypes,
  index: LabelIndex = all === identifierTypes ? identifierLabels() : new LabelIndex(all.map(({ labels }) => labels)),
): Recognizer {
  const forms = all.map(({ form }) => whole(form));
  const aloneForms = all.map(({ alone, form }) => alone && whole(alone === true ? form : alone));
  const aloneByLength = Array.from({ length: lengthMax + 1 }, (_, length) => {
    const types = [...all.keys()].filter(
      (at) => aloneForms[at] !== undefined && [all[at]?.length].flat().includes(length),
    );
    // Most numbers have none of the forms.
    return { types, any: new RegExp(types.map((at) => aloneForms[at]?.source).join('|') || '(?!)') };
  });

  /** The detection of one of the types that the label names. */
  function labelled(text: ScanText, candidate: Candidate, first: number, hit: LabelHit): Detection | undefined {
    let best: Detection | undefined;
    for (let last = Math.min(first + groupsMax, candidate.ends.length) - 1; last >= first; last--) {
      const { start, end, raw } = sliceOf(text, candidate, first, last);
      const bare = bareOf(raw);
      if (bare.length < lengthMin || bare.length > lengthMax || mixedCase.test(raw)) continue;
      if (goesOn(text.shadow, candidate, first, last)) continue;
      const written = raw.toUpperCase();
      for (const at of hit.owners) {
        const type = all[at] as IdentifierType;
        // After a label any grouping counts.
        const form = forms[at] as RegExp;
        if (!form.test(written) && !(bare.length > 8 && !fraction.test(raw) && form.test(bare))) continue;
        if (type.not?.some((isOther) => isOther(written))) continue;
        const passes = type.check?.(type.keepsSigns ? written : bare);
        if (type.strict && (passes === false || hit.gapWords > 1)) continue;
        if (hit.gapWords > uncheckedGapMax && passes !== true) continue;
        const score = passes === undefined ? scores.labelled : passes ? scores.checked : scores.failed;
        if (best !== undefined && best.score >= score) continue;
        best = foundAt(text, type.type, { start, end, score, checksum: passes === true, context: hit.phrase });
      }
      if (best !== undefined && best.score > scores.failed) return best;
    }
    return best;
  }

  function alone(text: ScanText, candidate: Candidate, first: number, isRival: boolean): Detection | undefined {
    for (let last = Math.min(first + groupsMax, candidate.ends.length) - 1; last >= first; last--) {
      const ofLength = aloneByLength[lengthOf(text.shadow, candidate, first, last)];
      if (ofLength === undefined || ofLength.types.length === 0) continue;
      const { start, end, raw } = sliceOf(text, candidate, first, last);
      if (!ofLength.any.test(raw)) continue;
      const bare = bareOf(raw);
      for (const at of ofLength.types) {
        const type = all[at] as IdentifierType;
        if (!(aloneForms[at] as RegExp).test(raw)) continue;
        if (type.check?.(type.keepsSigns ? raw : bare) === false) continue;
        if (!type.isSure && (isRival || isPart(text.shadow, candidate, first, last))) continue;
        if (!type.isSure && bare === raw && isIdMember(text.shadow, start)) continue;
        const score = type.isSure ? scores.sure : scores.alone;
        return foundAt(text, type.type, { start, end, score, checksum: type.check !== undefined });
      }
    }
    return undefined;
  }

  /** The label before the number, or its column heading. */
  function labelOf(shadow: string, { headings, known }: Seen, start: number, end: number): LabelHit | undefined {
    const heading = headings.over(start, end);
    const above = heading === undefined ? undefined : index.in(heading);
    if (above !== undefined) return above;
    const before = index.before(shadow, start, known);
    if (before !== undefined && before.gapWords === 0) return before;
    const behind = labelBehind(shadow, end);
    return (behind === undefined ? undefined : index.in(behind)) ?? before;
  }

  return {
    name: 'identifier',
    type: 'IDENTIFIER',
    find(text) {
      const found: Detection[] = [];
      const seen = { headings: new CellHeadings(text.shadow), known: new Map() };
      let done = 0;
      for (const at of text.digitStarts) {
        if (at < done) continue;
        const candidate = candidateAt(text, at, done);
        const { starts, ends, firstNumber } = candidate;
        done = ends.at(-1) as number;
        if (candidate.digits < 2 || done - (starts[0] as number) < lengthMin) continue;
        for (let first = 0; first < starts.length; first++) {
          const start = starts[first] as number;
          if (isContinued(text.shadow, start)) continue;
          const isOpening = first <= firstNumber || !hasDigit(text.shadow, starts, ends, first - 1);
          const hit = isOpening ? labelOf(text.shadow, seen, start, done) : undefined;
          const isRival = hit !== undefined && hit.owners.length === 0 && hit.gapWords < 3;
          // `cvv 318, at most $600`
          const isAmount = hit !== undefined && hit.gapWords > 0 && isCurrency(text.shadow.charCodeAt(start - 1));
          const one =
            (hit && hit.owners.length > 0 && !isAmount ? labelled(text, candidate, first, hit) : undefined) ??
            alone(text, candidate, first, isRival);
          if (one === undefined) continue;
          found.push(one);
          while (first + 1 < starts.length && (starts[first + 1] as number) < one.end) first++;
        }
      }
      return found;
    },
  };
}

function whole(form: RegExp): RegExp {
  return new RegExp(`^(?:${form.source})$`);
}

/** What was found in the text so far. */
type Seen = { readonly headings: CellHeadings; readonly known: KnownLabels };

const inBrackets = / ?\(([^()\n0-9]{2,40})\)/y;

/** A label in brackets after the number: `1234 (NIF)`. */
function labelBehind(shadow: string, end: number): string | undefined {
  if (shadow.charCodeAt(end + (shadow.charCodeAt(end) === 0x20 ? 1 : 0)) !== 0x28) return undefined;
  inBrackets.lastIndex = end;
  return inBrackets.exec(shadow)?.[1];
}

/** Fractions and decimals are not groups of a number. */
const fraction = /\/|^\d+\.\d+$/;
/** Base64 and names in code. */
const mixedCase = /[a-z][A-Z]/;

/** Maximum number of words between a label and a number without a check digit. */
const uncheckedGapMax = 4;

/** The number of letters and digits in a range of groups. */
function lengthOf(shadow: string, { starts, ends }: Candidate, first: number, last: number): number {
  let length = 0;
  for (let i = first; i <= last; i++) length += (ends[i] as number) - (starts[i] as number);
  const end = ends[last] as number;
  return shadow.charCodeAt(end) === 0x28 && shadow.charCodeAt(end + 2) === 0x29 ? length + 1 : length;
}

function sliceOf({ shadow }: ScanText, { starts, ends }: Candidate, first: number, last: number) {
  const opening = starts[first] as number;
  const hasArea = last > first && isInBrackets(shadow, opening) && isArea(shadow, opening, ends[first] as number);
  const start = hasArea ? opening - 1 : opening;
  let end = ends[last] as number;
  // The check digit of a Hong Kong card is in brackets.
  if (shadow.charCodeAt(end) === 0x28 && shadow.charCodeAt(end + 2) === 0x29) end += 3;
  return { start, end, raw: shadow.slice(start, end) };
}

/** Letters and digits only. */
const bareOf = (raw: string) => raw.replace(/[^0-9A-Za-z&Ñ\u0370-\u052f]/g, '').toUpperCase();

/** True when a separator and more digits follow. */
function goesOn(shadow: string, { starts, ends }: Candidate, first: number, last: number): boolean {
  const next = starts[last + 1];
  if (next === undefined || !isDigit(shadow.charCodeAt(next))) return false;
  // Another number may follow a space, unless this one is itself grouped with spaces.
  if (shadow.charCodeAt(ends[last] as number) !== 0x20) return true;
  return last > first && shadow.charCodeAt(ends[first] as number) === 0x20 && (ends[last + 1] as number) - next > 2;
}

/** True for part of a longer number. */
function isPart(shadow: string, candidate: Candidate, first: number, last: number): boolean {
  const { starts, ends } = candidate;
  const before = shadow.charCodeAt((starts[first] as number) - 1);
  if (before === 0x2d || before === 0x2f || before === 0x5f || before === 0x2e || before === 0x2b) return true;
  // `64 734 795 673`: only a number in groups goes on over a space.
  const isSpaced = last > first && shadow.charCodeAt(ends[first] as number) === 0x20;
  if (isSpaced && before === 0x20 && isDigit(shadow.charCodeAt((starts[first] as number) - 2))) return true;
  const next = starts[last + 1];
  if (next !== undefined && isDigit(shadow.charCodeAt(next))) return true;
  const behind = shadow.charCodeAt(ends[last] as number);
  const isJoined = next !== undefined || isAsciiLetter(shadow.charCodeAt((ends[last] as number) + 1));
  return behind === 0x5f || (behind === 0x2d && isJoined);
}

function hasDigit(shadow: string, starts: readonly number[], ends: readonly number[], group: number): boolean {
  for (let i = starts[group] as number; i < (ends[group] as number); i++)
    if (isDigit(shadow.charCodeAt(i))) return true;
  return false;
}

/** The groups around a digit: each contains a digit or is a few capitals. */
function candidateAt({ shadow }: ScanText, at: number, floor: number): Candidate {
  let start = at;
  while (start > floor && isUnit(shadow.charCodeAt(start - 1))) start--;
  let starts: number[] = [];
  let ends: number[] = [];
  for (let left = start; starts.length < 2; ) {
    const end = left - 1;
    if (end <= floor || !isJoint(shadow.charCodeAt(end))) break;
    let from = end;
    while (from > floor && isUpper(shadow.charCodeAt(from - 1))) from--;
    if (from === end || end - from > 4 || isUnit(shadow.charCodeAt(from - 1))) break;
    starts.unshift(from);
    ends.unshift(end);
    left = from;
  }
  const firstNumber = starts.length;
  let digits = 0;
  for (let from = start; starts.length < rowMax; ) {
    let end = from;
    for (; isUnit(shadow.charCodeAt(end)); end++) if (isDigit(shadow.charCodeAt(end))) digits++;
    if (starts.length === 0) {
      // Most candidates have one group, and a list that grows gets room for sixteen.
      starts = [from];
      ends = [end];
    } else {
      starts.push(from);
      ends.push(end);
    }
    const slash = shadow.startsWith(' / ', end) && isDigit(shadow.charCodeAt(end + 3)) ? 2 : 0;
    const closes = from === start && isArea(shadow, from, end);
    if (!closes && !isJoint(shadow.charCodeAt(end))) break;
    from = end + (closes && isJoint(shadow.charCodeAt(end + 1)) ? 2 : 1) + slash;
    if (shadow.charCodeAt(end) === 0x20 && shadow.charCodeAt(from) === 0x2116) from += 2;
    if (!isGroup(shadow, from)) break;
  }
  return { starts, ends, firstNumber, digits };
}

/** A phone area code: `(11) 98765-4321`, in Korea also `02)345-6789`. */
function isArea(shadow: string, start: number, end: number): boolean {
  if (end - start > 5 || shadow.charCodeAt(end) !== 0x29) return false;
  return isInBrackets(shadow, start) || (shadow.charCodeAt(start) === 0x30 && isDigit(shadow.charCodeAt(end + 1)));
}

function isInBrackets(shadow: string, start: number): boolean {
  return shadow.charCodeAt(start - 1) === 0x28;
}

/** True for a group that continues a number: a digit near its start, or up to four capitals. */
function isGroup(shadow: string, from: number): boolean {
  let i = from;
  while (i < from + 5 && isCapital(shadow.charCodeAt(i))) i++;
  const c = shadow.charCodeAt(i);
  return i < from + 5 && (isDigit(c) || (i > from && !isAsciiLetter(c)));
}

/** True for letters and digits: ASCII, Greek, Cyrillic, and `Ñ` of Mexican tax numbers. */
const isUnit = codesOf('A-Za-z0-9ÑͰ-ԯ');

/** True for Latin, Greek and Cyrillic capitals. */
const isUpper = codesOf('A-ZΑ-ΩЁ-Я');

const isJoint = codesOf(' ./+-');

const isCurrency = codesOf('$€£¥');

type Found = Pick<Detection, 'start' | 'end' | 'score' | 'context' | 'checksum'>;

function foundAt(text: ScanText, type: string, { start, end, ...rest }: Found): Detection {
  return detectionAt(text, start, end, { type, recognizer: 'identifier', ...rest });
}
