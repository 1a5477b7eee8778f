/** The forms of numbers of bank accounts, where they stand in a text, and what has the same form. */
import { isDigit } from '../characters.ts';
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

/** Before a number: no word, amount, decimal or time; behind strokes only when these are of the code of a branch. */
const left =
  '(?:(?<![0-9A-Za-z_$€£¥₹#@+-])|(?<=(?<![A-Za-z])N[oO])|(?<=(?<![0-9])[0-9]{4}-[0-9]{3}-[1249]-)|(?<=(?<![0-9-])[0-9]{4}-[0-9]{3}-)(?=[0-9]{7}(?![0-9-])))(?<![0-9]\\.|[0-9]:)(?<![0-9]{1,3},(?=[0-9]{3}(?![0-9])))(?<!(?<![0-9]{9}|[0-9]{2}-[0-9]{2}-[0-9]{2}|[0-9]{3}-[0-9]{3})/)';
const right = '(?![0-9A-Za-z_%]|-[0-9A-Za-z]|/(?![0-9]{7})[0-9A-Za-z]|\\.[0-9]|:[0-9])';
/**
 * Numbers in groups: of Singapore, Hong Kong, New Zealand, Canada, Norway, Brazil and the data of Japanese banks, or three
 * groups of two to four. Tried where digits start.
 */
const inGroups = new RegExp(
  `${left}(?:[0-9]{2}-[0-9]{4}-[0-9]{7}-[0-9]{2,3}|[0-9]{3}-[0-9]{6}-[0-9](?:[0-9]{2})?|[0-9]{5}-[0-9]{3}-[0-9]{7,12}|0[0-9]{2}-[0-9]{5}-[0-9]{7,12}|[0-9]{4}[ .][0-9]{2}[ .][0-9]{5}|[0-9]{4} [0-9]{4}(?: [0-9]{2,4}){0,2}|[0-9]{4} [0-9]{5}|(?<![0-9]{3,5} )[0-9]{3} [0-9]{4}|[0-9]{4} [0-9]{3}(?! ?[0-9])|[0-9] [0-9]{3} [0-9]{4} [0-9]{4}|[0-9]{3}-[0-9]{5}-[0-9]|[0-9]{4}-[0-9]{4}-[0-9]{2}|[0-9]{3}-[0-9]-[0-9]{5}-[0-9]|[0-9]{3}-[0-9]{3}-[0-9]{3}-[0-9]|(?<=(?<![0-9])[0-9]{5}-[0-9]{3} {1,3})[0-9]{4}-[0-9]{3}|[0-9](?: [0-9]){6,9}|[0-9]{2,3} [0-9]{3} [0-9]{3,4}|1[0-9]{3}0-[0-9]{6,8})${right}`,
  'y',
);
/** Digits alone; tried apart, since most numbers are so. */
const plain = new RegExp(`${left}(?:[0-9]{20}|[0-9]{6,18})${right}`, 'y');
/** The first group of a number has no more digits. */
const groupMax = 5;

/** Of New Zealand, Canada and Singapore. */
const ofNation = /^(?:[0-9]{2}-[0-9]{4}-[0-9]{7}-|[0-9]{5}-[0-9]{3}-|0[0-9]{2}-[0-9]{5}-|[0-9]{3}-[0-9]{5,6}-)/;

/** 1.5 for groups that few other numbers have, less for any groups, for few digits and for very many. */
export function weightOfForm(written: string): number {
  if (ofNation.test(written)) return 1.5;
  return /[ -]/.test(written) || written.length < 7 ? -0.5 : 0;
}

/** A number of six digits in all and more. */
const digitsMin = 6;
/** The words are in order of their ends, and none is longer. */
const wordMax = 32;

/** How far behind and before a word for banks a number may stand; characters. */
type Reach = { readonly behind: number; readonly before: number };

/** Numbers of these forms in the reach of what may be a word for banks, in order. Each lies in a run of digits. */
export function numbersNear(
  { shadow, bytes, digitRuns, keywords }: ScanText,
  owner: string,
  reach: Reach,
): readonly Stretch[] {
  const anchors = keywords.anchors(owner);
  const labels = keywords.labels(owner);
  const numbers: Stretch[] = [];
  let anchor = 0;
  let label = 0;
  for (const run of digitRuns) {
    if (run.digits < digitsMin) continue;
    anchor = passedBy(anchors, anchor, run.start - reach.behind);
    label = passedBy(labels, label, run.start - reach.behind);
    const to = run.end + reach.before + wordMax;
    if (startOf(anchors[anchor]) >= to && startOf(labels[label]) >= to) continue;
    for (let at = run.start; at < run.end; ) {
      let end = at + 1;
      while (isDigit(bytes[end])) end++;
      const form = end - at > groupMax ? plain : inGroups;
      form.lastIndex = at;
      if (mayBeForm(bytes, at, end) && form.test(shadow)) {
        end = form.lastIndex;
        numbers.push({ start: at, end });
      }
      for (at = end; at < run.end && !isDigit(bytes[at]); ) at++;
    }
  }
  return numbers;
}

const strokeCode = 0x2d;

/** False for most digits at which no such number starts: few of them go on behind a joint, or start behind one. */
function mayBeForm(bytes: Uint8Array, start: number, end: number): boolean {
  const before = bytes[start - 1] as number;
  // Behind the code of a branch only: `0001-210-1-1829304`.
  if (before === strokeCode) return end - start === 7 || bytes[start - 3] === strokeCode;
  // Times, addresses of computers, decimals.
  if ((before === 0x3a || before === 0x2e) && isDigit(bytes[start - 2])) return false;
  if (end - start > groupMax) return true;
  const behind = bytes[end];
  return (behind === 0x20 || behind === strokeCode || behind === 0x2e) && isDigit(bytes[end + 1]);
}

/** The first word, from the given one on, that ends behind the place. */
function passedBy(words: readonly Stretch[], from: number, place: number): number {
  let next = from;
  while (next < words.length && (words[next] as Stretch).end <= place) next++;
  return next;
}

const startOf = (word: Stretch | undefined) => word?.start ?? Number.POSITIVE_INFINITY;

const calendarDate = /^(?:(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])|(?:19|20)[0-9]{2} [0-9]{4})/;

/** Of programs: powers of two, and the digits in order. */
const ofPrograms: ReadonlySet<string> = new Set([
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '1048576',
  '1234567890',
  '16777216',
]);

/** True for days, times in seconds, powers of two, digits all alike or with many zeros before, and what is too short. */
export function isOtherForm(written: string): boolean {
  const isPlain = /^[0-9]+$/.test(written);
  const digits = isPlain ? written : written.replace(/[^0-9]/g, '');
  return (
    digits.length < (isPlain ? 6 : 7) ||
    calendarDate.test(written) ||
    /^(?:([0-9])\1+$|0{4})/.test(digits) ||
    (isPlain && isOfPrograms(written)) ||
    (digits.length === 13 && /^1[5-9]/.test(digits))
  );
}

/** Numbers of programs and seconds, or to call. */
function isOfPrograms(digits: string): boolean {
  if (digits.length < 7 || digits.length > 11) return false;
  return (
    ofPrograms.has(digits) || /^(?:1[67][0-9]{8}|8(?:00|33|44|55|66|77|88)[0-9]{7}|0[1-3578][0-9]{9})$/.test(digits)
  );
}
