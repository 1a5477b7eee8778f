import { isDigit } from '../characters.ts';
import { combiningMark, foldUnit, hashEnd, hashSeed, hashStep } from './hash.ts';

/** How a word is written. */
export const shape = {
  lower: 0,
  capital: 1,
  upper: 2,
  initial: 3,
  camel: 4,
  digits: 5,
} as const;

/** Kinds of gaps between two words. */
export const gapKind = { space: 1, hyphen: 2, comma: 3, dot: 4, apostrophe: 5, line: 6, other: 7 } as const;

/** Kinds of ASCII characters in a text. */
const inGap = { plain: 0, letter: 1, digit: 2, mark: 3, line: 4 } as const;
const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/i.test(char)) return inGap.letter;
  if (isDigit(code)) return inGap.digit;
  if (code === 10) return inGap.line;
  // Marks of code and markup.
  return '{}<>;=()[]`$\\|_/'.includes(char) ? inGap.mark : inGap.plain;
});

const space = 32;

/**
 * The words of one block of text, as columns. Words are runs of letters of the alphabets with capitals (Latin, Greek,
 * Cyrillic), split at hyphens and apostrophes. A block has at most {@link Words.unitsMax} code units, so the columns
 * never grow.
 */
export class Words {
  static readonly unitsMax = 1 << 15;
  private static readonly size = Words.unitsMax / 2 + 4;

  readonly start = new Int32Array(Words.size);
  readonly end = new Int32Array(Words.size);
  readonly hash = new Int32Array(Words.size);
  readonly shape = new Uint8Array(Words.size);
  /** The gap before the word: {@link gapKind}. */
  readonly gap = new Uint8Array(Words.size);
  /** A hash of the characters before the word, digits as one. */
  readonly gapHash = new Int32Array(Words.size);
  /** The character right behind the word. */
  readonly behind = new Uint16Array(Words.size);
  /** 1 where the word has a letter that is not ASCII. */
  readonly accented = new Uint8Array(Words.size);
  /** The line of the word, counted within the block. */
  readonly line = new Int32Array(Words.size);
  /** How many marks of code each line has. */
  readonly lineMarks = new Uint8Array(Words.unitsMax + 2);
  count = 0;
  /** Whether the block has kanji, kana, hangul or hanzi. */
  hasEast = false;

  /** The code units of the block: reading these is several times faster than reading the text. */
  private readonly units = new Uint16Array(Words.unitsMax + 2);

  /**
   * Reads the words of `text` between two offsets at most {@link Words.unitsMax} apart.
   * @param all the code units of the text; copying them from the text takes longer
   */
  read(text: string, from: number, to: number, all?: Uint16Array): void {
    const { start: starts, end: ends, hash: hashes, shape: shapes, gap, behind, units } = this;
    const { gapHash: gapHashes, line: lines, accented, lineMarks } = this;
    const length = to - from;
    if (all !== undefined) units.set(all.subarray(from, to));
    else for (let i = 0; i < length; i++) units[i] = text.charCodeAt(from + i);
    let count = 0;
    let line = 0;
    let lineMark = 0;
    let at = 0;
    this.hasEast = false;
    while (at < length) {
      const gapStart = at;
      let code = 0;
      let unit = 0;
      let gapHash = hashSeed;
      let gapLast = 0;
      const lineBefore = line;
      for (; at < length; at++) {
        code = units[at] as number;
        let normal = code;
        if (code < 128) {
          const kind = asciiKinds[code] as number;
          if (kind === inGap.letter) break;
          if (kind === inGap.digit) normal = 48;
          else if (kind === inGap.mark) lineMark++;
          else if (kind === inGap.line) {
            lineMarks[line++] = lineMark < 255 ? lineMark : 255;
            lineMark = 0;
          }
        } else {
          if (foldUnit(code) > combiningMark) break;
          if (code >= 0x2e80 && code < 0xff00) {
            this.hasEast = true;
            if (code !== 0x3000) normal = 0x3042;
          }
        }
        if (normal !== gapLast && at - gapStart < 6) gapHash = hashStep(gapHash, normal);
        gapLast = normal;
      }
      const gapLength = at - gapStart;
      if (gapLength > 6) gapHash = hashStep(gapHash, gapLast);
      const digitsBefore = gapLast === 48;
      gapHashes[count] = gapHash;
      gap[count] = line > lineBefore ? gapKind.line : gapOf(units, gapStart, gapLength);
      if (at >= length) break;

      const start = at;
      let hash = hashSeed;
      let uppers = 0;
      let marks = 0;
      let innerUpper = false;
      let codes = 0;
      for (; at < length; at++) {
        code = units[at] as number;
        if (code >= 97 && code <= 122) {
          hash = hashStep(hash, code);
          continue;
        }
        unit = foldUnit(code);
        if (unit === 0) break;
        codes |= code;
        if (unit === combiningMark) {
          marks++;
          continue;
        }
        // A capital differs from its lower-case letter: ASCII by one bit, the others by their case mapping.
        if (code < 128 || (unit !== code && isUpperCase(code))) {
          uppers++;
          if (at > start) innerUpper = true;
        }
        hash = hashStep(hash, unit);
      }
      const letters = at - start - marks;
      const next = at < length ? code : text.charCodeAt(to) || 0;
      behind[count] = next;
      const digitBehind = at < length && isDigit(next);
      starts[count] = from + start;
      ends[count] = from + at;
      hashes[count] = hashEnd(hash);
      lines[count] = line;
      accented[count] = codes > 127 ? 1 : 0;
      const first = units[start] as number;
      const firstUpper = first < 128 ? first < 96 : isUpperCase(first);
      shapes[count] =
        digitsBefore || digitBehind
          ? shape.digits
          : uppers === 0
            ? shape.lower
            : letters === 1
              ? shape.initial
              : uppers === letters
                ? shape.upper
                : innerUpper && !(firstUpper && uppers === 2 && letters > 4)
                  ? shape.camel
                  : firstUpper
                    ? shape.capital
                    : shape.camel;
      count++;
    }
    lineMarks[line] = lineMark < 255 ? lineMark : 255;
    // Sentinels after the last word, so that neighbours can be read without a bounds check.
    if (count > 0 && ends[count - 1] === to) {
      gap[count] = gapKind.line;
      gapHashes[count] = hashSeed;
    }
    shapes[count + 1] = shape.digits;
    starts[count] = to;
    ends[count] = to;
    hashes[count] = 0;
    shapes[count] = shape.digits;
    lines[count] = line + 1;
    this.count = count;
  }
}

function isUpperCase(code: number): boolean {
  const char = String.fromCharCode(code);
  return char !== char.toLowerCase();
}

function gapOf(units: Uint16Array, at: number, length: number): number {
  const first = length === 0 ? 0 : (units[at] as number);
  if (length === 1) {
    if (first === space || first === 0xa0) return gapKind.space;
    if (first === 0x2d || first === 0x2010 || first === 0x2011) return gapKind.hyphen;
    if (first === 0x27 || first === 0x2019) return gapKind.apostrophe;
  } else if (length !== 2 || units[at + 1] !== space) return gapKind.other;
  return first === 0x2e ? gapKind.dot : first === 0x2c ? gapKind.comma : gapKind.other;
}
