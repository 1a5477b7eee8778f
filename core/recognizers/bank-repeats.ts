/** The same number once more: what is an account in one place of a text is one in all. */
import { isAsciiLetter, isDigit } from '../characters.ts';
import { isOtherNumber } from '../other-numbers.ts';
import type { ScanText } from '../shadow.ts';
import { isOtherNear } from './bank-context.ts';
import type { Stretch } from './stretch.ts';

/** Of digits alone: fewer are often another number, too, and more are none. */
const digitsMin = 6;
const digitsMax = 17;

/** So many numbers are compared with one another. */
const comparedMax = 24;
/** Shorter ones look alike by chance. */
const comparedLength = 7;

/**
 * Where the numbers stand that are found already, apart from there, and those that differ from one of them by a slip of
 * the pen; in order.
 */
export function repeatsOf(text: ScanText, found: readonly Stretch[]): Stretch[] {
  const { shadow } = text;
  const numbers = new Set<string>();
  for (const { start, end } of found) {
    const digits = shadow.slice(start, end).replace(/[ -]/g, '');
    if (digits.length >= digitsMin && !/^([0-9])\1+$/.test(digits)) numbers.add(digits);
  }
  if (numbers.size === 0) return [];
  const taken = new Set(found.map(({ start }) => start));
  const repeats: Stretch[] = [];
  let next = 0;
  const ordered = found.toSorted((a, b) => a.start - b.start);
  for (const [start, end] of numbersAlone(text)) {
    while (next < ordered.length && (ordered[next] as Stretch).end <= start) next++;
    const own = ordered[next];
    if ((own !== undefined && own.start < end) || taken.has(start)) continue;
    const number = shadow.slice(start, end);
    if (numbers.has(number) || isSlip(shadow, start, number, numbers)) repeats.push({ start, end });
  }
  return repeats;
}

/** Numbers of digits alone that are no part of a word, an amount or a longer number, in order. */
function* numbersAlone({ bytes, digitRuns }: ScanText): Generator<readonly [start: number, end: number]> {
  for (const run of digitRuns) {
    if (run.longest < digitsMin) continue;
    for (let start = run.start; start < run.end; ) {
      let end = start;
      while (isDigit(bytes[end])) end++;
      if (end - start >= digitsMin && end - start <= digitsMax && isAlone(bytes, start, end)) yield [start, end];
      start = end + 1;
    }
  }
}

/** `.`, `,`, `:`, `/`, `-`: between digits they join them. */
const isJoint = (c = 0) => (c >= 0x2c && c <= 0x2f) || c === 0x3a;

function isAlone(bytes: Uint8Array, start: number, end: number): boolean {
  const before = bytes[start - 1];
  const behind = bytes[end];
  if (isAsciiLetter(before) || isAsciiLetter(behind)) return false;
  return !(isJoint(before) && isDigit(bytes[start - 2])) && !(isJoint(behind) && isDigit(bytes[end + 1]));
}

/** True for a number that is like one of the others but for a digit or two, and is not named as another. */
function isSlip(shadow: string, start: number, number: string, numbers: ReadonlySet<string>): boolean {
  if (number.length < comparedLength || numbers.size > comparedMax) return false;
  for (const other of numbers)
    if (isLike(number, other))
      return !isOtherNear(shadow, start, start + number.length) && !isOtherNumber(shadow, start);
  return false;
}

/** True for numbers that differ in two digits at most, or by one that is missing. */
function isLike(number: string, other: string): boolean {
  const least = Math.min(number.length, other.length);
  if (least < comparedLength || Math.abs(number.length - other.length) > 1) return false;
  let head = 0;
  while (head < least && number[head] === other[head]) head++;
  let tail = 0;
  while (tail < least - head && number.at(-1 - tail) === other.at(-1 - tail)) tail++;
  return number.length === other.length ? least - head - tail <= 2 : head + tail >= least;
}
