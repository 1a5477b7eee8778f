/** Where a registration plate may stand: around the digits that have letters beside them. Few digits of a text do. */

import { markOf } from '../byte-marks.ts';
import type { KeywordHit } from '../keywords.ts';
import { firstFrom } from '../places.ts';
import type { MatchInText, ScanText } from '../shadow.ts';

const capital = 1;
const digit = 2;
const lower = 3;
const joint = 4;
const kinds = new Uint8Array(256);
for (let c = 0; c < 128; c++) {
  const sign = String.fromCharCode(c);
  if (/[A-Z]/.test(sign)) kinds[c] = capital;
  else if (/[0-9]/.test(sign)) kinds[c] = digit;
  else if (/[a-z]/.test(sign)) kinds[c] = lower;
  else if (/[ :.-]/.test(sign)) kinds[c] = joint;
}
kinds[markOf(0xc4)] = capital; // Ä
const parts = kinds.map((kind) => (kind !== 0 && kind !== lower ? 1 : 0));
const middleDot = 0xb7;
const bullet = 0x2022;

/** No plate has a longer word, and none that is of digits or of letters only a longer one than the second. */
const wordMax = 12;
const partMax = 6;
/** How far from a word for vehicles digits are looked at: further than any rule looks. */
const reach = 192;
/** How much before and behind a stretch the look-arounds of a form see at most. */
const sightBefore = 28;
const sightBehind = 6;

/** The first characters of plates of China. */
const provinces = new Set(
  [...'京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼'].map((sign) => sign.charCodeAt(0)),
);

const none: readonly MatchInText[] = [];

type Range = { readonly start: number; readonly end: number; readonly before: number; readonly after: number };

/**
 * The stretches of capitals, digits and the signs that join them in which letters stand beside digits. No form of a plate
 * reaches out of one, so that a search through them finds what a search through the whole text finds.
 */
export class PlatePlaces {
  /** True when there may be one as people type it, `abc123`: only the word directly before it makes it one. */
  hasLowerCase = false;
  /** True when digits stand beside letters of Korea, China, Russia or Thailand. */
  hasOtherScript = false;
  readonly #shadow: string;
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** The end of the last stretch that was followed: the digits before it need no look. */
  #done = 0;

  /** @param words looks near these only; without, at all of the text */
  constructor({ shadow, bytes, digitStarts }: ScanText, words?: readonly KeywordHit[]) {
    this.#shadow = shadow;
    this.#bytes = bytes;
    if (words === undefined) {
      for (const start of digitStarts) this.#look(start);
      return;
    }
    let next = 0;
    for (const word of words) {
      next = firstFrom(digitStarts, word.start - reach, next);
      for (; (digitStarts[next] ?? Number.POSITIVE_INFINITY) < word.end + reach; next++)
        this.#look(digitStarts[next] as number);
    }
  }

  get isEmpty(): boolean {
    return this.#starts.length === 0;
  }

  /** True when one of the stretches reaches between the places. */
  mayHave(from: number, to: number): boolean {
    const next = this.#starts[this.#firstBehind(from)];
    return next !== undefined && next < to;
  }

  /** The matches of a global pattern that start within the range; it sees as much around it as `matchesIn` lets it see. */
  matches(pattern: RegExp, { start, end, before, after }: Range): readonly MatchInText[] {
    let found: MatchInText[] | undefined;
    const floor = Math.max(0, start - before);
    for (let n = this.#firstBehind(floor); n < this.#starts.length; n++) {
      const first = this.#starts[n] as number;
      if (first >= end) break;
      const last = this.#ends[n] as number;
      const from = Math.max(floor, first - sightBefore);
      const window = this.#shadow.slice(from, Math.min(end + after, last + sightBehind));
      const limit = Math.min(end, last) - from;
      pattern.lastIndex = Math.max(floor, first) - from;
      for (let groups = pattern.exec(window); groups !== null && groups.index < limit; groups = pattern.exec(window)) {
        const at = from + groups.index;
        if (at < start) continue;
        found ??= [];
        found.push({ start: at, end: at + groups[0].length, groups });
      }
    }
    return found ?? none;
  }

  /** The index of the first stretch that ends behind the place. */
  #firstBehind(at: number): number {
    const ends = this.#ends;
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] as number) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #add(start: number, end: number): void {
    const last = this.#ends.length - 1;
    if (last >= 0 && start <= (this.#ends[last] as number))
      this.#ends[last] = Math.max(end, this.#ends[last] as number);
    else {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }

  /** Looks at the digits that start at the place, and adds the stretch around them if it may hold a plate. */
  #look(start: number): void {
    if (start < this.#done) return;
    const bytes = this.#bytes;
    const shadow = this.#shadow;
    let end = start + 1;
    while (kinds[bytes[end] as number] === digit) end++;
    if (isAlone(shadow, bytes, start - 1) && isAlone(shadow, bytes, end)) return;
    // The word of the digits, and what it has beside them.
    let from = start;
    let to = end;
    let seen = 0;
    for (let kind = 0; from > 0 && start - from <= wordMax; from--) {
      kind = kinds[bytes[from - 1] as number] as number;
      if (kind === 0 || kind === joint) break;
      seen |= 1 << kind;
    }
    for (let kind = 0; to - from <= wordMax; to++) {
      kind = kinds[bytes[to] as number] as number;
      if (kind === 0 || kind === joint) break;
      seen |= 1 << kind;
    }
    if (to - from > wordMax) {
      this.#done = to;
      return;
    }
    this.hasOtherScript ||= hasScriptBeside(shadow, bytes, from, to);
    const hasLower = (seen & (1 << lower)) !== 0;
    if (hasLower) this.hasLowerCase ||= isLowerWord(start - from, end - start, to - end);
    else if ((seen & (1 << capital)) !== 0 || hasCapitals(shadow, bytes, from, to) || isBehindTag(bytes, from, to))
      this.#follow(from, to);
    else this.hasLowerCase ||= to - from >= 3 && to - from <= 4 && lowersBefore(bytes, from) === 3;
    if (isBritish(bytes, start, end)) this.#add(Math.max(0, start - 3), end + 4);
  }

  /** Adds the stretch around a word. */
  #follow(from: number, to: number): void {
    const shadow = this.#shadow;
    const bytes = this.#bytes;
    const floor = this.#ends.at(-1) ?? 0;
    let start = from;
    while (start > floor && isPart(shadow, bytes, start - 1)) start--;
    // The zero bytes behind the text end the last one.
    let end = to;
    while (isPart(shadow, bytes, end)) end++;
    this.#add(start, end);
    this.#done = end;
  }
}

/** True for a character beside digits that joins them to nothing. */
function isAlone(shadow: string, bytes: Uint8Array, at: number): boolean {
  const c = bytes[at];
  if (c !== 0) return c !== undefined && kinds[c] === 0;
  const wide = shadow.charCodeAt(at);
  return (wide > 0x2e7f && wide < 0xac00) || wide > 0xd7a3;
}

function isDot(shadow: string, at: number): boolean {
  const c = shadow.charCodeAt(at);
  return c === middleDot || c === bullet;
}

/** Capitals, digits and what joins them. */
function isPart(shadow: string, bytes: Uint8Array, at: number): boolean {
  const c = bytes[at] as number;
  return c === 0 ? isDot(shadow, at) : parts[c] === 1;
}

/** Between letters and digits of a plate. */
function isJoint(shadow: string, bytes: Uint8Array, at: number): boolean {
  const c = bytes[at] as number;
  return c === 0x20 || c === 0x2d || (c === 0 && isDot(shadow, at));
}

/** True when a word of capitals stands beside the digits. */
function hasCapitals(shadow: string, bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > partMax) return false;
  if (from > 1 && isJoint(shadow, bytes, from - 1)) {
    let at = from - 2;
    while (at >= 0 && from - at <= partMax + 2 && kinds[bytes[at] as number] === capital) at--;
    const length = from - 2 - at;
    if (length > 0 && length <= partMax && (at < 0 || kinds[bytes[at] as number] !== lower)) return true;
  }
  if (!isJoint(shadow, bytes, to)) return false;
  let at = to + 1;
  while (at - to <= partMax + 1 && kinds[bytes[at] as number] === capital) at++;
  const length = at - to - 1;
  return length > 0 && length <= partMax && kinds[bytes[at] as number] !== lower;
}

/** `tag 260426`, `LP 260426`: the only plates without letters. */
function isBehindTag(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < 5 || to - from > 7 || from < 3 || bytes[from - 1] !== 0x20) return false;
  const last = bytes[from - 2];
  return last === 0x67 || (last === 0x73 && bytes[from - 3] === 0x67) || (last === 0x50 && bytes[from - 3] === 0x4c);
}

/** The words `ab12`, `ab12cde`, `1abc234` and `abc1234`, told by the number of letters and digits. */
function isLowerWord(before: number, digits: number, behind: number): boolean {
  if (digits === 2) return before === 2 && (behind === 0 || behind === 3);
  return behind === 0 && ((digits === 3 && before === 4) || (before === 3 && (digits === 3 || digits === 4)));
}

/** How many small letters end before the place, behind a blank or hyphen or without. */
function lowersBefore(bytes: Uint8Array, at: number): number {
  const c = at > 0 ? (bytes[at - 1] as number) : 0;
  const end = c === 0x20 || c === 0x2d ? at - 1 : at;
  let start = end;
  while (start > 0 && end - start <= partMax && kinds[bytes[start - 1] as number] === lower) start--;
  return end - start;
}

/** `ab12 cde`, with two, two and three characters. */
function isBritish(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== 2 || lowersBefore(bytes, start) !== 2) return false;
  let at = bytes[end] === 0x20 ? end + 1 : end;
  const from = at;
  while (at - from <= 3 && kinds[bytes[at] as number] === lower) at++;
  return at - from === 3;
}

/** True for letters of other scripts that plates have, beside the word or with one sign between. */
function hasScriptBeside(shadow: string, bytes: Uint8Array, from: number, to: number): boolean {
  let at = from - 1;
  if (at > 0 && (kinds[bytes[at] as number] === joint || (bytes[at] === 0 && isDot(shadow, at)))) at--;
  if (at >= 0 && bytes[at] === 0) {
    const c = shadow.charCodeAt(at);
    // `京A12345`
    if (isOtherLetter(c) || (kinds[bytes[at + 1] as number] === capital && provinces.has(c))) return true;
  } else if (at > 0 && bytes[at - 1] === 0 && kinds[bytes[at] as number] === capital) {
    // `京A·12345`
    if (provinces.has(shadow.charCodeAt(at - 1))) return true;
  }
  const behind = bytes[to] === 0x20 ? to + 1 : to;
  return bytes[behind] === 0 && isOtherLetter(shadow.charCodeAt(behind));
}

/** Of Russia, Thailand, Korea. */
function isOtherLetter(c: number): boolean {
  return c > 0x40f && (c < 0x430 || (c > 0xe00 && c < 0xe2f) || (c >= 0xac00 && c < 0xd7a4));
}
