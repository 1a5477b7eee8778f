/**
 * The shadow copy of a text, on which recognizers match, and what one cheap pass finds in it: the places worth a look.
 */

import { type KeywordHits, type KeywordIndex, noKeywords } from './keywords.ts';

/** A run of digits with at most two separators between them; offsets of the text. */
export type DigitRun = { readonly start: number; readonly end: number; readonly digits: number; readonly dots: number };

/** A run of letters, digits and the characters of keys. */
export type WordRun = { readonly start: number; readonly end: number; readonly hasDigit: boolean };

/** A text prepared for recognizers. All offsets are the same in `original` and `shadow`. */
export type ScanText = {
  readonly original: string;
  /** Full-width letters, digits and signs as ASCII, the dash family as `-`; one code unit for one code unit. */
  readonly shadow: string;
  /** Offsets of every `@` that stands behind an ASCII character other than `@` and white space. */
  readonly ats: readonly number[];
  /** Runs of at least six digits in all (of at most forty without a joint), or of fewer with three dots, in order. */
  readonly digitRuns: readonly DigitRun[];
  /** Runs of at least {@link longWordLength} of `[A-Za-z0-9_+/=-]`, in order: where keys may be. */
  readonly longWords: readonly WordRun[];
  /** Offsets of the colons between hexadecimal digits or colons that have another within five characters: IPv6, MAC. */
  readonly hexColons: readonly number[];
  /** Offsets of full stops with four hexadecimal digits between them and the next one: where a dotted MAC address may be. */
  readonly dotPairs: readonly number[];
  /** Offsets of hiragana behind a digit, a capital or a space: where a Japanese plate may be. */
  readonly kanaJoints: readonly number[];
  /** The words that recognizers asked for. */
  readonly keywords: KeywordHits;
  /** Language of the text as far as the caller said it. */
  readonly lang: Lang | undefined;
};

/** The languages that a caller may name. Without one, a text is taken as either. */
export type Lang = 'en' | 'ja';

/** A shorter key is not looked for. */
export const longWordLength = 12;
const digitsMin = 6;
/** No number of ours has more digits without a joint. */
const plainDigitsMax = 40;
const none: readonly number[] = [];

// Ordered so that the commonest need the fewest comparisons. `0` is all that breaks words and numbers.
const letter = 1;
const other = 0;
const digit = 2;
const wordJoint = 3; // `-`, `/`, `+`: inside words, and between the digits of one number.
const joint = 4; // Space, `.`, `(`, `)`: between the digits of one number.
const at = 5;
const colon = 6;
const kinds = buildKinds();
const hexDigit = 0x80;

function buildKinds(): Uint8Array {
  const table = new Uint8Array(256);
  for (let c = 0; c < 128; c++) {
    const character = String.fromCharCode(c);
    let kind = other;
    if (/[A-Za-z_=]/.test(character)) kind = letter;
    else if (/[0-9]/.test(character)) kind = digit;
    else if (/[-/+]/.test(character)) kind = wordJoint;
    else if (/[ .()]/.test(character)) kind = joint;
    table[c] = kind;
  }
  table[0x40] = at;
  table[0x3a] = colon;
  return table;
}

const hexCharacters = buildHex();

function buildHex(): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of '0123456789abcdefABCDEF') table[character.charCodeAt(0)] = hexDigit;
  return table;
}

/** Buffers up to this size are kept for the next text. */
const keptUnitsMax = 65_536;

/** Prepares texts; keeps its work buffers between them. Every text takes time linear in its length. */
export class TextScanner {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
  #bytes = new Uint8Array(1024);
  #units = new Uint16Array(0);
  readonly #keywords: KeywordIndex | undefined;

  constructor(keywords?: KeywordIndex) {
    this.#keywords = keywords;
  }

  scan(original: string, lang?: Lang): ScanText {
    const bytes = this.#bytesFor(original.length);
    // Much faster than reading code units, and true of most texts: as many bytes as code units means ASCII.
    const { read, written } = this.#encoder.encodeInto(original, bytes.subarray(0, original.length));
    const isAscii = read === original.length && written === read;
    const length = original.length;
    if (isAscii) {
      const keywords = this.#keywords?.search(bytes, length) ?? noKeywords;
      return { original, shadow: original, kanaJoints: none, keywords, lang, ...collect(bytes, length) };
    }
    const units = this.#unitsFor(length);
    const kanaJoints: number[] = [];
    const shadow = this.#fold(original, bytes, units, kanaJoints);
    const keywords = this.#keywords?.search(units, length) ?? noKeywords;
    return { original, shadow, kanaJoints, keywords, lang, ...collect(bytes, length) };
  }

  #bytesFor(length: number): Uint8Array<ArrayBuffer> {
    if (length <= this.#bytes.length) return this.#bytes;
    const bytes = new Uint8Array(Math.max(length, Math.min(length * 2, keptUnitsMax)));
    if (bytes.length <= keptUnitsMax) this.#bytes = bytes;
    return bytes;
  }

  #unitsFor(length: number): Uint16Array<ArrayBuffer> {
    if (length <= this.#units.length) return this.#units;
    const units = new Uint16Array(Math.max(length, 1024));
    if (units.length <= keptUnitsMax) this.#units = units;
    return units;
  }

  /** Writes the folded text into `units`, and into `bytes` (0 for what is not ASCII); gives it as a string. */
  #fold(original: string, bytes: Uint8Array, units: Uint16Array, kanaJoints: number[]): string {
    const length = original.length;
    let isChanged = false;
    for (let i = 0; i < length; i++) {
      let c = original.charCodeAt(i);
      if (c >= 0x2010) {
        const folded = foldUnit(c);
        if (folded !== c) {
          c = folded;
          isChanged = true;
        } else if (
          c === 0x30fc &&
          i > 0 &&
          isDigit(units[i - 1] as number) &&
          isDigit(foldUnit(original.charCodeAt(i + 1)))
        ) {
          c = 0x2d;
          isChanged = true;
        } else if (c >= 0x3041 && c <= 0x3093 && i > 0 && isPlateCode(units[i - 1] as number)) kanaJoints.push(i);
      }
      units[i] = c;
      bytes[i] = c < 0x80 ? c : 0;
    }
    return isChanged ? this.#decoder.decode(units.subarray(0, length)) : original;
  }
}

/** Full-width ASCII, the ideographic space and the dash family as ASCII; the long vowel mark only between digits. */
function foldUnit(c: number): number {
  if (c >= 0xff01 && c <= 0xff5e) return c - 0xfee0;
  if (c === 0x3000) return 0x20;
  return (c >= 0x2010 && c <= 0x2015) || c === 0x2212 ? 0x2d : c;
}

function isPlateCode(c: number): boolean {
  return c === 0x20 || isDigit(c) || (c >= 0x41 && c <= 0x5a);
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** Prepares one text; for many, keep a {@link TextScanner}. */
export function scanText(original: string): ScanText {
  return new TextScanner().scan(original);
}

type Places = Pick<ScanText, 'ats' | 'digitRuns' | 'longWords' | 'hexColons' | 'dotPairs'>;

function collect(bytes: Uint8Array, length: number): Places {
  const ats: number[] = [];
  const digitRuns: DigitRun[] = [];
  const longWords: WordRun[] = [];
  const hexColons: number[] = [];
  const dotPairs: number[] = [];
  let wordStart = 0;
  let digitEnd = 0;
  let i = 0;
  while (i < length) {
    const kind = kinds[bytes[i] as number] as number;
    if (kind === letter || kind === wordJoint) {
      i++;
      continue;
    }
    if (kind !== digit) {
      if (i - wordStart >= longWordLength) longWords.push({ start: wordStart, end: i, hasDigit: digitEnd > wordStart });
      wordStart = i + 1;
      if (kind === at) {
        if (i > 0 && (bytes[i - 1] as number) > 0x20 && bytes[i - 1] !== 0x40) ats.push(i);
      } else if (kind === colon) {
        if (isHexColon(bytes, i, length)) hexColons.push(i);
      } else if (kind === joint && isDotPair(bytes, i, length)) dotPairs.push(i);
      i++;
      continue;
    }
    const start = i;
    let end = i;
    let digits = 0;
    let dots = 0;
    for (let joints = 0; i < length; i++) {
      const next = kinds[bytes[i] as number] as number;
      if (next === digit) {
        digits++;
        joints = 0;
        end = i + 1;
        digitEnd = end;
        continue;
      }
      if ((next !== wordJoint && next !== joint) || ++joints > 2) break;
      if (next === joint) {
        if (bytes[i] === 0x2e) {
          dots++;
          if (isDotPair(bytes, i, length)) dotPairs.push(i);
        }
        if (i - wordStart >= longWordLength)
          longWords.push({ start: wordStart, end: i, hasDigit: digitEnd > wordStart });
        wordStart = i + 1;
      }
    }
    if (digits > plainDigitsMax && end - start === digits) continue;
    if (digits >= digitsMin || (dots >= 3 && digits >= 4)) digitRuns.push({ start, end, digits, dots });
  }
  if (length - wordStart >= longWordLength)
    longWords.push({ start: wordStart, end: length, hasDigit: digitEnd > wordStart });
  return { ats, digitRuns, longWords, hexColons, dotPairs };
}

function isDotPair(bytes: Uint8Array, i: number, length: number): boolean {
  if (bytes[i] !== 0x2e || i + 5 >= length || bytes[i + 5] !== 0x2e) return false;
  for (let k = 1; k < 5; k++) if (hexCharacters[bytes[i + k] as number] !== hexDigit) return false;
  return true;
}

/** A colon before a hexadecimal digit or a colon, not after a letter that is none, and with another colon near. */
function isHexColon(bytes: Uint8Array, i: number, length: number): boolean {
  const after = i + 1 < length ? (bytes[i + 1] as number) : 0;
  if (after !== 0x3a && hexCharacters[after] !== hexDigit) return false;
  const before = i > 0 ? (bytes[i - 1] as number) : 0;
  if (hexCharacters[before] !== hexDigit && kinds[before] === letter && before !== 0x3d) return false;
  for (let k = 1; k <= 5; k++)
    if (bytes[i + k] === 0x3a || bytes[i - k] === 0x3a) return i + k < length || bytes[i - k] === 0x3a;
  return false;
}

/**
 * Matches of a global pattern that start within `start..end`, with some text before and after in its sight for
 * look-arounds. The offsets are those of the text.
 */
export function* matchesIn(
  text: string,
  pattern: RegExp,
  range: { readonly start: number; readonly end: number; readonly before?: number; readonly after?: number },
): Generator<{ readonly start: number; readonly end: number; readonly groups: RegExpExecArray }> {
  const from = Math.max(0, range.start - (range.before ?? 2));
  const window = text.slice(from, range.end + (range.after ?? 2));
  for (const groups of window.matchAll(pattern)) {
    const start = from + groups.index;
    if (start >= range.start && start < range.end) yield { start, end: start + groups[0].length, groups };
  }
}
