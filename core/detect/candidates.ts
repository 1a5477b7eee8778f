/** Finds candidates in one cheap pass over bytes: ASCII as it is, marks for the few other characters that matter. */
import { apostropheMark, capitalMark, smallMark, tableOf } from './byte-marks.ts';

/** A run of digits with at most two separators between them. Offsets of the text. */
export type DigitRun = {
  readonly start: number;
  readonly end: number;
  readonly digits: number;
  readonly dots: number;
  /** The longest group of digits. */
  readonly longest: number;
};

/** A run of letters, digits and key characters. */
export type WordRun = { readonly start: number; readonly end: number; readonly hasDigit: boolean };

/** The candidates, each list in order. */
export type Candidates = {
  /** Offsets of `@`, except after whitespace or another `@`. */
  readonly ats: readonly number[];
  /** Runs of at least six digits in all (at most forty without a separator), or fewer with three dots. */
  readonly digitRuns: readonly DigitRun[];
  /** Runs of at least {@link longWordLength} of `[A-Za-z0-9_+/=-]`: possible keys. */
  readonly longWords: readonly WordRun[];
  /** Offsets of colons between hexadecimal digits or colons, with another within five characters: IPv6, MAC. */
  readonly hexColons: readonly number[];
  /** Offsets of full stops that are followed by four hexadecimal digits and another one: dotted MAC addresses. */
  readonly dotPairs: readonly number[];
  /** Offsets of digits that do not follow a digit. */
  readonly digitStarts: readonly number[];
  /** Offsets of `!#$%&*`, rare in words and common in passwords. */
  readonly marks: readonly number[];
  /** Offsets of numbers that are not part of a word, decimal, path, time or amount. */
  readonly numbers: readonly number[];
};

/** Minimum length of a key. */
const longWordLength = 12;
/** Zero bytes required after the text, so that the pass can look ahead without bounds checks. */
export const paddingLength = 8;
const digitsMin = 6;
/** Maximum digits without a separator. */
const plainDigitsMax = 40;

// Ordered so that the commonest need the fewest comparisons. `0` ends words and numbers.
const letter = 1;
const other = 0;
const digit = 2;
const wordJoint = 3; // `-`, `/`, `+`: inside words, and between the digits of one number.
const joint = 4; // Space, `.`, `(`, `)`: between the digits of one number.
const at = 5;
const colon = 6;
const kinds = tableOf((c) => {
  if (/[A-Za-z_=]/.test(c)) return letter;
  if (/[0-9]/.test(c)) return digit;
  if (/[-/+]/.test(c)) return wordJoint;
  if (/[ .()]/.test(c)) return joint;
  return c === '@' ? at : c === ':' ? colon : other;
});
const markSigns = tableOf((c) => (/[!#$%&*]/.test(c) ? 1 : 0));
const hexDigits = tableOf((c) => (/[0-9a-fA-F]/.test(c) ? 1 : 0));
/** A digit after one of these continues something. */
const insideNumber = tableOf((c) => (/[A-Za-z0-9+\-./:=\\_@$%&]/.test(c) ? 1 : 0));
insideNumber.fill(1, smallMark, capitalMark + 1);

/** Bytes that may start a candidate; no number starts after a digit. */
const digitSign = 1;
const otherSign = 4;
/** For a pair of bytes: the signs of the first, whether the second starts a candidate, and what prevents it. */
const signMask = 7;
const secondBit = 3;
const keptShift = 4;
/** One of the two is outside a word. */
const gapBit = 7;
/** The bits of each pair of bytes, the first one low. No byte is above {@link apostropheMark}. */
const pairs = newPairs();
const kept = new Uint8Array(256).map((_, c) => keptBy(c));
const inWords = new Uint8Array(256).map((_, c) => isInWord(c));

function newPairs(): Uint8Array {
  const table = new Uint8Array(65_536);
  const codes = Array.from({ length: apostropheMark + 1 }, (_, c) => c);
  for (const second of codes) {
    const keptBySecond = keptBy(second) << keptShift;
    for (const first of codes) {
      const begins = (signsOf(second) & ~keptBy(first)) === 0 ? 0 : 1;
      const gap = (isInWord(first) & isInWord(second)) ^ 1;
      table[(second << 8) | first] = signsOf(first) | (begins << secondBit) | keptBySecond | (gap << gapBit);
    }
  }
  return table;
}

function signsOf(c: number): number {
  const kind = kinds[c];
  if (kind === digit) return digitSign;
  return kind === at || kind === colon || c === 0x2e || markSigns[c] === 1 ? otherSign : 0;
}

function keptBy(c: number): number {
  return kinds[c] === digit ? digitSign : 0;
}

function isInWord(c: number): number {
  const kind = kinds[c];
  return kind === letter || kind === digit || kind === wordJoint ? 1 : 0;
}

const blockQuads = 1024;
/** For a block: which quads may contain the start of a candidate, and which may be in a long word. */
const placeQuads = new Int32Array(blockQuads);
const wordQuads = new Int32Array(blockQuads);
/** Possible starts of candidates in the block. */
const candidates = new Int32Array(4 * blockQuads + 1);
/** The number of such quads, and whether the last quad had no space. */
const passed = { placeQuads: 0, wordQuads: 0, isJoined: 0 };

/**
 * Checks the quads of `from..to` as numbers. Prose is mostly lower-case letters and spaces, so candidates can only start
 * elsewhere; a long word has two adjacent quads without a space.
 */
function passQuads(quads: Int32Array, from: number, to: number): void {
  let { isJoined } = passed;
  let placeCount = 0;
  let wordCount = 0;
  for (let k = from; k < to; k++) {
    const quad = quads[k] as number;
    // Non-Latin script comes in long runs.
    if (quad === 0) {
      isJoined = 0;
      continue;
    }
    // Branchless: text is unpredictable, and a misprediction costs as much as ten characters.
    const solid = ((quad ^ 0x20202020) & 0x7f7f7f7f) + 0x7f7f7f7f;
    const special = solid & ~((quad << 1) & (quad << 2)) & 0x80808080;
    placeQuads[placeCount] = k;
    placeCount += (special | -special) >>> 31;
    const gaps = ~solid & 0x80808080;
    const isSolid = ((gaps | -gaps) >>> 31) ^ 1;
    wordQuads[wordCount] = k;
    wordCount += isJoined & isSolid;
    isJoined = isSolid;
  }
  passed.placeQuads = placeCount;
  passed.wordQuads = wordCount;
  passed.isJoined = isJoined;
}

/** Finds the {@link candidates} in the {@link placeQuads}, also branchless; returns their number. */
function passPlaceQuads(bytes: Uint8Array, quadCount: number): number {
  let count = 0;
  for (let n = 0; n < quadCount; n++) {
    const i = (placeQuads[n] as number) << 2;
    const before = i === 0 ? 0 : (kept[bytes[i - 1] as number] as number);
    const first = pairs[(bytes[i] as number) | ((bytes[i + 1] as number) << 8)] as number;
    const second = pairs[(bytes[i + 2] as number) | ((bytes[i + 3] as number) << 8)] as number;
    candidates[count] = i;
    count += ((first & ~before & signMask) + signMask) >>> 3;
    candidates[count] = i + 1;
    count += (first >>> secondBit) & 1;
    candidates[count] = i + 2;
    count += ((second & ~(first >>> keptShift) & signMask) + signMask) >>> 3;
    candidates[count] = i + 3;
    count += (second >>> secondBit) & 1;
  }
  return count;
}

/** True when all four bytes are in a word, in either byte order. */
function isInOneWord(quad: number): boolean {
  return (((pairs[quad & 0xffff] as number) | (pairs[quad >>> 16] as number)) & (1 << gapBit)) === 0;
}

/** The same memory as quads. @param bytes at the start of their buffer */
export function quadsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
}

/**
 * Collects the candidates in the first `length` bytes, which {@link paddingLength} zero bytes must follow.
 * @param quads their {@link quadsOf}
 */
export function collectCandidates(bytes: Uint8Array, quads: Int32Array, length: number): Candidates {
  const places = new CandidateList(bytes, length);
  const count = (length + 3) >>> 2;
  let wordEnd = 0;
  passed.isJoined = 0;
  for (let from = 0; from < count; from += blockQuads) {
    passQuads(quads, from, Math.min(from + blockQuads, count));
    const candidateCount = passPlaceQuads(bytes, passed.placeQuads);
    for (let n = 0; n < candidateCount; n++) places.addAt(candidates[n] as number);
    for (let n = 0; n < passed.wordQuads; n++) {
      const k = wordQuads[n] as number;
      if (k << 2 < wordEnd || !isInOneWord(quads[k] as number) || !isInOneWord(quads[k - 1] as number)) continue;
      let next = k + 1;
      while (next < count && isInOneWord(quads[next] as number)) next++;
      wordEnd = places.addWordAround((k - 1) << 2, next << 2);
    }
  }
  return places;
}

/** The candidates found so far. */
class CandidateList implements Candidates {
  readonly ats: number[] = [];
  readonly digitRuns: DigitRun[] = [];
  readonly longWords: WordRun[] = [];
  readonly hexColons: number[] = [];
  readonly dotPairs: number[] = [];
  readonly digitStarts: number[] = [];
  readonly marks: number[] = [];
  readonly numbers: number[] = [];
  readonly #bytes: Uint8Array;
  readonly #length: number;
  /** The end of the last run of digits; earlier starts are done. */
  #runEnd = 0;

  constructor(bytes: Uint8Array, length: number) {
    this.#bytes = bytes;
    this.#length = length;
  }

  /** Checks the word around `from..to` and returns its end. */
  addWordAround(from: number, to: number): number {
    const bytes = this.#bytes;
    let start = from;
    while (start > 0 && inWords[bytes[start - 1] as number] === 1) start--;
    let end = to;
    while (inWords[bytes[end] as number] === 1) end++;
    if (end - start >= longWordLength) {
      let hasDigit = false;
      for (let i = start; i < end && !hasDigit; i++) hasDigit = kinds[bytes[i] as number] === digit;
      this.longWords.push({ start, end, hasDigit });
    }
    return end;
  }

  /** Checks a byte with one of the signs. */
  addAt(i: number): void {
    if (i < this.#runEnd) return;
    const bytes = this.#bytes;
    const kind = kinds[bytes[i] as number] as number;
    if (kind === digit) this.#addDigits(i);
    else if (kind === joint) {
      if (isDotPair(bytes, i)) this.dotPairs.push(i);
    } else if (kind === colon) {
      if (isHexColon(bytes, i)) this.hexColons.push(i);
    } else if (kind === at) {
      const before = i > 0 ? (bytes[i - 1] as number) : 0;
      if (i > 0 && (before > 0x20 || before === 0) && before !== 0x40) this.ats.push(i);
    } else this.marks.push(i);
  }

  #addDigits(start: number): void {
    const bytes = this.#bytes;
    this.#addNumber(start);
    let end = start;
    let digits = 0;
    let dots = 0;
    let i = start;
    for (let joints = 0; i < this.#length; i++) {
      const kind = kinds[bytes[i] as number] as number;
      if (kind === digit) {
        if (joints > 0) this.#addNumber(i);
        digits++;
        joints = 0;
        end = i + 1;
        continue;
      }
      if ((kind !== wordJoint && kind !== joint) || ++joints > 2) break;
      if (bytes[i] === 0x2e) {
        dots++;
        if (isDotPair(bytes, i)) this.dotPairs.push(i);
      }
    }
    this.#runEnd = i;
    if (digits > plainDigitsMax && end - start === digits) return;
    if (digits >= digitsMin || (dots >= 3 && digits >= 4))
      this.digitRuns.push({ start, end, digits, dots, longest: longestStretch(bytes, start, end) });
  }

  #addNumber(start: number): void {
    this.digitStarts.push(start);
    if (start === 0 || insideNumber[this.#bytes[start - 1] as number] === 0) this.numbers.push(start);
  }
}

/** The index of the first offset at or after `at`, searched from `index`. */
export function firstFrom(places: readonly number[], at: number, index = 0): number {
  let low = index;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The longest group of digits in a run. */
function longestStretch(bytes: Uint8Array, start: number, end: number): number {
  let longest = 0;
  let from = start;
  for (let i = start; i <= end; i++) {
    if (i < end && kinds[bytes[i] as number] === digit) continue;
    if (i - from > longest) longest = i - from;
    from = i + 1;
  }
  return longest;
}

function isDotPair(bytes: Uint8Array, i: number): boolean {
  if (bytes[i + 5] !== 0x2e) return false;
  for (let k = 1; k < 5; k++) if (hexDigits[bytes[i + k] as number] === 0) return false;
  return true;
}

/** True for a colon of an IPv6 or MAC address. */
function isHexColon(bytes: Uint8Array, i: number): boolean {
  const after = bytes[i + 1] as number;
  if (after !== 0x3a && hexDigits[after] === 0) return false;
  const before = i > 0 ? (bytes[i - 1] as number) : 0;
  // Only the first or last of several colons decides.
  if (after === 0x3a && before === 0x3a) return false;
  if (hexDigits[before] === 0 && before !== 0x3d && kinds[before] === letter) return false;
  for (let k = 1; k <= 5; k++) if (bytes[i + k] === 0x3a || bytes[i - k] === 0x3a) return true;
  return false;
}
