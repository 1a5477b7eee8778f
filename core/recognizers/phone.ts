/** Telephone numbers: Japan, the North American plan, and the international form with `+`. */

import { type DigitRun, matchesIn, type ScanText } from '../detect/scan.ts';
import things from '../lexicon/number-things.json' with { type: 'json' };
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { CellHeadings } from '../records/cell-headings.ts';
import { labelFor } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'phone';
const digitsMin = 6;
// The label may touch the number: `TEL03-…`.
const left =
  '(?<![0-9_+])(?:(?<![A-Za-z])|(?<=(?<![A-Za-z])(?:[Tt][Ee][Ll]|[Ff][Aa][Xx]|[Pp]hone)))(?<![0-9][-./])(?<![A-Za-z]-)';
// A trailing `-B` marks the number of a thing.
const right = '(?![0-9A-Za-z_])(?![-/.][0-9])(?!-[A-Z](?![0-9A-Za-z]))';
const extension = '(?: ?(?:x|ext\\.? ?|extension |内線 ?)[0-9]{1,6})?';
const japan = new RegExp(
  `${left}(?:\\+81[- ]?(?:\\(0\\) ?)?|(?=\\(?0[1-9]))\\(?([0-9]{1,5})(\\)[- ]?|[- ]?|\\()([0-9]{1,4})([- ]?|\\)[- ]?)([0-9]{3,4})(?![0-9])${right}(?: ?内線 ?[0-9]{1,6})?`,
  'g',
);
const america = new RegExp(
  `${left}(?:\\+?1[-. ]?)?(?:\\([2-9][0-9]{2}\\)[- ]?|[2-9][0-9]{2}([-. ]))[2-9][0-9]{2}([-. ])[0-9]{4}${extension}${right}`,
  'gi',
);
/** United Kingdom (mobile, large cities, four-digit area codes) and Australian mobiles. */
const britain = new RegExp(
  `${left}0(?:7[0-9]{3} [0-9]{3} ?[0-9]{3}|4[0-9]{2} [0-9]{3} [0-9]{3}|2[03489] [0-9]{4} [0-9]{4}|1(?:[0-9]1|1[3-8]) [0-9]{3} [0-9]{4}|1[0-9]{3} [0-9]{3} ?[0-9]{3}|800 [0-9]{3} [0-9]{3,4})${extension}${right}`,
  'gi',
);
/** Brazil: area code in brackets, then nine digits (mobile) or eight (landline). */
const brazil = new RegExp(`${left}\\([1-9][0-9]\\) ?(?:9[0-9]{4}|[2-5][0-9]{3})-[0-9]{4}${right}`, 'g');
/** Unassigned country codes (ITU-T E.164): `+4294967296` is not a phone number. */
const unassigned = '(?:21[04579]|28|42[24-9]|83|89)';
const international = new RegExp(
  `(?<![0-9A-Za-z_+)\\]])\\+(?![0-9]+\\.[0-9]+(?![0-9.-]))(?!${unassigned})[1-9](?:[ .()-]{0,2}[0-9]){7,14}${extension}(?![0-9A-Za-z_*])(?![-.][0-9])`,
  'gi',
);
// Any other grouping counts with a context word.
const spoken = new RegExp(
  `(?<!:#)${left}(?:00[1-9]?[-. ]?|[1-9][0-9]?[-. ])?\\(?[0-9]{1,5}\\)?(?:[-. ]?[0-9]{2,5}){1,5}${extension}${right}`,
  'gi',
);
/** Amounts and sizes: `200-300-4000`. */
const round = /^[2-9]00[- .][2-9]00[- .][0-9]{2}00$/;
const versionBefore = /\bversion $/i;
/** Words after a number in an address block. */
const kindAfter = /^ ?\(?(?:office|fax|mobile|cell|home|work)\b/i;
/** `my number is`, with an optional word in between. */
const numberIs = /\b(?:my|his|her|our|your|their) (?:(?:\w{2,12} )?number is|number):? \+?\(?$/i;
/** A verb must directly precede the number. */
const verbs = /^(?:call$|contact$|ph$|mob$|reach|text|dial|ring|message|whatsapp|registered)/;
const verbGap = /^(?: me| us| him| her| them| you)?(?: directly)?(?: at| on| to| under)?(?: (?:the )?number)?:? ?$/i;
const numberNext = /^[^\d\n]{1,28}\d[\d ()-]{4}/;
const date =
  /^(?:[0-9]{4}[-./ ][0-9]{1,2}[-./ ][0-9]{1,2}|[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ][0-9]{4})$|(?:^| )(?:19|20)[0-9]{2}[-./](?:0[1-9]|1[0-2])$/;
const britishStart = /0[12478][0-9]{1,3} [0-9]/;
/** Every {@link japan} number contains this, or follows its start. */
const japaneseStart = /(?:^|[^0-9])0[1-9](?:[-() ]{0,2}[0-9]){3}|\+81/;
const mobileStart = /^0[5789]0/;
/** Longer runs of digits are serial numbers. */
const plainMax = 20;

const oneOf = (words: readonly string[]) => `(?:${words.join('|')})`;
/** Between a label and a short number of something else: `phone operator 12345678`. */
const otherThing = new RegExp(`(?<![A-Za-z])${oneOf(things.between)}(?![A-Za-z])`, 'i');
/** Directly before any other number. */
const otherNumber = new RegExp(`(?<![A-Za-z])${oneOf(things.directly)}(?: (?:no|number|id)\\.?)?[ #:.]{1,3}$`, 'i');
/**
 * Directly before a number that is not a phone number. 注文 and `order` also precede phone numbers, so they count only with a
 * word such as `number`.
 */
const numberWord = '[ _](?:id|no|num|number|code|#)\\.?';
const ofThing = new RegExp(
  `(?<![A-Za-z])(?:${oneOf(things.things)}${numberWord}|${oneOf(things.numberedAlone)}(?:${numberWord})?)(?: (?:is|was))?[ .:#="'(]{0,4}$` +
    `|${oneOf(things.japanese)}の?(?:番号|ナンバー|No\\.?|コード|ID)[はが：:=#「（(, "]{0,4}$`,
  'i',
);
const ofThingMax = 40;
/** Column headings of such numbers. */
const headingOfThing = new RegExp(`^(?!.*${oneOf(things.phoneHeadings)}).*${oneOf(things.headings)}`);

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
      if (heading !== undefined && headingOfThing.test(heading)) return;
      found.push(detectionAt(text, start, end, { type: 'PHONE', score, recognizer: name, context }));
    };
    const isLabelled = ({ start, end, digits }: DigitRun) =>
      isNumberIs(text.shadow, start) ||
      isKindAfter(text.shadow, end) ||
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
        !(run.digits === 11 && mobileStart.test(written.slice(-run.digits)))
      )
        continue;
      const contextOf = (start: number, end: number) => labelFor(text, name, start, end)?.context;
      if (hasZero && run.longest > 2 && japaneseStart.test(text.shadow.slice(range.start, run.end + range.after))) {
        for (const { start, end, groups } of matchesIn(text.shadow, japan, range)) {
          if (isInList(text.shadow, start, groups[0])) continue;
          const score = japaneseScore(groups);
          if (score === 0) continue;
          const context = contextOf(start, end);
          if (score > 0) add(start, end, score, context);
          else if (context !== undefined) add(start, end, 0.7, context);
        }
      }
      if (hasZero && run.longest > 3 && britishStart.test(written)) {
        for (const { start, end } of matchesIn(text.shadow, britain, range))
          add(start, end, 0.8, contextOf(start, end));
      }
      if (hasPlus) {
        let isWhole = false;
        for (const { start, end } of matchesIn(text.shadow, international, range)) {
          add(start, end, 0.85, contextOf(start, end));
          isWhole ||= start <= run.start && end >= run.end && endsThere(text.shadow, end);
        }
        // No other form would add anything.
        if (isWhole) continue;
      }
      if (run.digits >= 10 && run.longest > 3) {
        for (const { start, end, groups } of matchesIn(text.shadow, america, range))
          if (
            !isInList(text.shadow, start, groups[0]) &&
            (!round.test(groups[0]) || isLabelled(run)) &&
            !versionBefore.test(text.shadow.slice(Math.max(0, start - 9), start))
          )
            add(start, end, 0.8, contextOf(start, end));
      }
      if (text.shadow[run.start - 1] === '(') {
        for (const { start, end } of matchesIn(text.shadow, brazil, range)) add(start, end, 0.8, contextOf(start, end));
      }
      if (isLabelled(run)) {
        for (const { start, end, groups } of matchesIn(text.shadow, spoken, range)) {
          const digits = digitsOf(groups[0]);
          if (digits < digitsMin || digits > 15 || date.test(groups[0])) continue;
          // Japanese numbers are longer than `03-1234`.
          if (digits < 8 && /^0[1-9][0-9]?-[0-9]{4}$/.test(groups[0])) continue;
          const label = labelFor(text, name, start, end);
          const isVerb =
            label !== undefined && verbs.test(label.context) && !(label.isBehind && verbGap.test(label.gap));
          if (label !== undefined && (/[;{}<]/.test(label.gap) || (digits < 10 && otherThing.test(label.gap))))
            continue;
          // `4000-447 Porto, tel. 220 …`: the label belongs to the next number.
          if (
            label !== undefined &&
            !label.isBehind &&
            label.gap.includes(',') &&
            numberNext.test(text.shadow.slice(end, end + 40))
          )
            continue;
          if (label?.isBehind && otherNumber.test(label.gap)) continue;
          const context =
            (isVerb ? undefined : label?.context) ??
            kindAfter
              .exec(text.shadow.slice(end, end + 10))?.[0]
              .trim()
              .toLowerCase() ??
            (digits >= 10 && isNumberIs(text.shadow, start) ? 'number is' : undefined);
          if (context !== undefined) add(start, end, 0.6, context);
        }
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
  return ofThing.test(shadow.slice(Math.max(0, start - ofThingMax), start));
}

/** True inside a DOI (ISO 26324), where a journal may be called "cell": `10.1016/j.cell.2020.01.001`. */
const doiStart = /^10\.[0-9]{4,9}\//;
const doiBefore = /(?<![0-9.])10\.[0-9]{4,9}\/[\w.:/-]*$/;
const doiPart = /^[\w.:/-]+$/;
const phoneWordBefore = /(?<![A-Za-z])(?:tel|telephone|phone|mobile|mob|fax|whatsapp)[:/_-]{0,2}$/i;
const doiMax = 100;

/** True for part of the DOI itself; a number that a sign or word separates is a phone number. */
function isInDoi(shadow: string, start: number, end: number): boolean {
  if (doiStart.test(shadow.slice(start, start + 13))) return true;
  const before = shadow.slice(Math.max(0, start - doiMax), start);
  return doiBefore.test(before) && doiPart.test(shadow.slice(start, end)) && !phoneWordBefore.test(before);
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
  return i < start && (last === 0x73 || last === 0x72) && numberIs.test(shadow.slice(Math.max(0, start - 30), start));
}

/** True for a space, `:`, `(` and `+`. */
function isSignBefore(c: number): boolean {
  return c === 0x20 || c === 0x3a || c === 0x28 || c === 0x2b;
}

function isKindAfter(shadow: string, end: number): boolean {
  const c = shadow.charCodeAt(end);
  const isWordNear = c === 0x20 || c === 0x28 || c > 0x40;
  return isWordNear && kindAfter.test(shadow.slice(end, end + 10));
}

/** True when no extension can follow. */
function endsThere(shadow: string, end: number): boolean {
  const first = shadow.charCodeAt(end);
  const c = (first === 0x20 ? shadow.charCodeAt(end + 1) : first) | 0x20;
  // `x`, `ext`, `内線`
  return c !== 0x78 && c !== 0x65 && c < 0x80;
}

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
