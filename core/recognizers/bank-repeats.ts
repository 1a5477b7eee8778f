/** The same number once more: what is an account in one place of a text is one in all. */
import { isOtherNumber } from '../other-numbers.ts';
import { isOtherNear, type Stretch } from './bank-context.ts';

/** A number of six digits and more, alone or in groups. */
const standing = /(?<![0-9A-Za-z]|[0-9][.,:/-])[0-9]{6,17}(?![0-9A-Za-z]|[.,:/-][0-9])/g;
/** Fewer digits are often another number, too. */
const digitsMin = 6;

/** So many numbers are compared with one another. */
const comparedMax = 24;
/** Shorter ones look alike by chance. */
const comparedLength = 7;

/**
 * Where the numbers stand that are found already, apart from there, and those that differ from one of them by a slip of
 * the pen; in order.
 */
export function repeatsOf(shadow: string, found: readonly Stretch[]): Stretch[] {
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
  for (const { index, 0: number } of shadow.matchAll(standing)) {
    while (next < ordered.length && (ordered[next] as Stretch).end <= index) next++;
    const own = ordered[next];
    if (own !== undefined && own.start < index + number.length) continue;
    if (taken.has(index)) continue;
    if (numbers.has(number) || isSlip(shadow, index, number, numbers))
      repeats.push({ start: index, end: index + number.length });
  }
  return repeats;
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
