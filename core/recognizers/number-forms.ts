/** Where numbers of some form stand in a text: tried beside its digits only, of which most are told from afar. */
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

/** The forms of a kind, each with digits that tell it. */
export type DigitForms = {
  /** A sticky pattern; a match starts with a capital or a digit, and no letter or digit stands before it. */
  readonly forms: RegExp;
  /** How many characters of a form stand before those digits, at most. */
  readonly leadMax: number;
  /** False where digits start that tell no form; the bytes are those of {@link ScanText}. */
  mayBe(bytes: Uint8Array, at: number): boolean;
};

/** A number that starts so little before a stretch is none of it, nor is its rest. */
const before = 8;
const none: readonly Stretch[] = [];

/** The numbers that start within `from..to`, in order. */
export function formsAtDigits(
  { shadow, bytes, digitStarts }: ScanText,
  { forms, leadMax, mayBe }: DigitForms,
  from: number,
  to: number,
): readonly Stretch[] {
  let found: Stretch[] | undefined;
  let done = Math.max(0, from - before);
  for (let n = indexFrom(digitStarts, done); n < digitStarts.length; n++) {
    const at = digitStarts[n] as number;
    if (at - leadMax >= to) break;
    if (at < done || !mayBe(bytes, at)) continue;
    for (let start = Math.max(done, at - leadMax); start <= at && start < to; start++) {
      if (!isCapitalOrDigit(bytes[start]) || (start > 0 && kinds[bytes[start - 1] as number] !== 0)) continue;
      forms.lastIndex = start;
      if (!forms.test(shadow)) continue;
      done = forms.lastIndex;
      if (start >= from) {
        found ??= [];
        found.push({ start, end: done });
      }
      start = done - 1;
    }
  }
  return found ?? none;
}

/** True when a word of capitals and digits that is so long or longer has a digit within `from..to`. */
export function hasWordOf({ bytes, digitStarts }: ScanText, lengthMin: number, from: number, to: number): boolean {
  for (let n = indexFrom(digitStarts, from); n < digitStarts.length; n++) {
    const at = digitStarts[n] as number;
    if (at >= to) return false;
    if (wordLength(bytes, at, lengthMin) >= lengthMin) return true;
  }
  return false;
}

/** The index of the first place at `from` or behind it. */
function indexFrom(places: readonly number[], from: number): number {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the first stretch that starts at `from` or behind it. */
export function firstFrom(places: readonly Stretch[], from: number): number {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as Stretch).start < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

const smallKind = 1;
const capitalKind = 2;
const digitKind = 3;
const kinds = new Uint8Array(256);
kinds.fill(smallKind, 0x61, 0x7b);
kinds.fill(capitalKind, 0x41, 0x5b);
kinds.fill(digitKind, 0x30, 0x3a);

const isCapitalOrDigit = (c: number | undefined) => (kinds[c as number] as number) >= capitalKind;

/** How many capitals and digits stand side by side around the place; no more than `most` on each side are counted. */
export function wordLength(bytes: Uint8Array, at: number, most: number): number {
  let start = at;
  while (start > 0 && at - start < most && isCapitalOrDigit(bytes[start - 1])) start--;
  let end = at;
  while (end - at < most && isCapitalOrDigit(bytes[end])) end++;
  return end - start;
}
