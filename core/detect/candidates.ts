/** Finds candidates in one cheap pass over bytes: ASCII as it is, marks for the few other characters that matter. */
import { capitalMark, smallMark, tableOf } from './byte-marks.ts';

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
export type Candidates = Omit<CandidateList, 'addWord' | 'addAt'>;

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

/** What a byte may do: end a word, begin a candidate. Most of them are letters, which do neither. */
const endsWord = 1;
const isSign = 2;
const roles = new Uint8Array(256).map((_, c) => {
  const kind = kinds[c];
  const isInWord = kind === letter || kind === digit || kind === wordJoint;
  const begins = kind === digit || kind === at || kind === colon || c === 0x2e || markSigns[c] === 1;
  return (isInWord ? 0 : endsWord) | (begins ? isSign : 0);
});

/** Collects the candidates in the first `length` bytes, which {@link paddingLength} zero bytes must follow. */
export function collectCandidates(bytes: Uint8Array, length: number): Candidates {
  const places = new CandidateList(bytes, length);
  let wordStart = 0;
  for (let i = 0; i <= length; i++) {
    const role = roles[bytes[i] as number] as number;
    if (role === 0) continue;
    if ((role & endsWord) !== 0) {
      if (i - wordStart >= longWordLength) places.addWord(wordStart, i);
      wordStart = i + 1;
    }
    if ((role & isSign) !== 0) places.addAt(i);
  }
  return places;
}

/** The candidates found so far. */
class CandidateList {
  /** Offsets of `@`, except after whitespace or another `@`. */
  readonly ats: number[] = [];
  /** Runs of at least six digits in all (at most forty without a separator), or fewer with three dots. */
  readonly digitRuns: DigitRun[] = [];
  /** Runs of at least {@link longWordLength} of `[A-Za-z0-9_+/=-]`: possible keys. */
  readonly longWords: WordRun[] = [];
  /** Offsets of colons between hexadecimal digits or colons, with another within five characters: IPv6, MAC. */
  readonly hexColons: number[] = [];
  /** Offsets of full stops that are followed by four hexadecimal digits and another one: dotted MAC addresses. */
  readonly dotPairs: number[] = [];
  /** Offsets of digits that do not follow a digit. */
  readonly digitStarts: number[] = [];
  /** Offsets of `!#$%&*`, rare in words and common in passwords. */
  readonly marks: number[] = [];
  /** Offsets of numbers that are not part of a word, decimal, path, time or amount. */
  readonly numbers: number[] = [];
  readonly #bytes: Uint8Array;
  readonly #length: number;
  /** The end of the last run of digits; earlier starts are done. */
  #runEnd = 0;

  constructor(bytes: Uint8Array, length: number) {
    this.#bytes = bytes;
    this.#length = length;
  }

  /** Adds a long word. */
  addWord(start: number, end: number): void {
    let i = start;
    while (i < end && kinds[this.#bytes[i] as number] !== digit) i++;
    this.longWords.push({ start, end, hasDigit: i < end });
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
    let group = 0;
    let longest = 0;
    let i = start;
    for (let joints = 0; i < this.#length; i++) {
      const kind = kinds[bytes[i] as number] as number;
      if (kind === digit) {
        if (joints > 0) this.#addNumber(i);
        digits++;
        if (++group > longest) longest = group;
        joints = 0;
        end = i + 1;
        continue;
      }
      if ((kind !== wordJoint && kind !== joint) || ++joints > 2) break;
      group = 0;
      if (bytes[i] === 0x2e) {
        dots++;
        if (isDotPair(bytes, i)) this.dotPairs.push(i);
      }
    }
    this.#runEnd = i;
    if (digits > plainDigitsMax && end - start === digits) return;
    if (digits >= digitsMin || (dots >= 3 && digits >= 4)) this.digitRuns.push({ start, end, digits, dots, longest });
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
