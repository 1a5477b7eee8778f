/** Prepares a text for recognizers: the shadow copy that they match on, and the candidates of one cheap pass. */

import type { Table } from '../records/table-syntax.ts';
import { type Candidates, collectCandidates, paddingLength } from './candidates.ts';
import { blankOut, escapeRanges } from './escapes.ts';
import { type Folded, foldUnits } from './folding.ts';
import { mayHoldInvisibles } from './invisibles.ts';
import { type KeywordHits, type KeywordIndex, noKeywords } from './keywords.ts';

export type { DigitRun, WordRun } from './candidates.ts';

/** A text prepared for recognizers. All offsets are the same in `original` and `shadow`. */
export type ScanText = Candidates &
  Omit<Folded, 'isChanged'> & {
    readonly original: string;
    /** Full-width letters, digits and signs as ASCII, all dashes as `-`; same length as the original. */
    readonly shadow: string;
    /** The ASCII characters of `shadow`; all others are 0 or above 0x7f. Reading these is several times faster. */
    readonly bytes: Uint8Array;
    /** The code units of `shadow`, and more. */
    readonly units: Uint16Array;
    /** Whether the text may contain invisible characters. */
    readonly mayHoldInvisibles: boolean;
    /** The keywords of the recognizers. */
    readonly keywords: KeywordHits;
    /** The language given by the caller. */
    readonly lang: Lang | undefined;
    /** Results that recognizers share. */
    readonly shared: {
      tables: readonly Table[] | undefined;
      /** Whether detections need `why`. */
      explains: boolean;
    };
  };

/** Supported languages. Without one, both are assumed. */
export type Lang = 'en' | 'ja';

/** The invisible characters of ASCII. */
const control = /[\0-\x08\x0e-\x1a\x7f]/;
const asciiText: Folded = { isChanged: false, hasJapanese: false, hasAddressSigns: false, kanaJoints: [] };

/** Maximum size of buffers that are reused. */
const keptUnitsMax = 65_536;
/** Number of characters that decide whether to expect ASCII. */
const probeLength = 64;

/** Prepares texts and reuses its buffers. Linear time. */
export class TextScanner {
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
  readonly #asciiDecoder = new TextDecoder();
  #bytes = new Uint8Array(0);
  #units = new Uint16Array(0);
  readonly #keywords: KeywordIndex | undefined;

  constructor(keywords?: KeywordIndex) {
    this.#keywords = keywords;
  }

  /**
   * Prepares a text. Its candidates may use the shared buffers, so they are valid until the next call.
   * @param copyUnits see {@link UnitCopier}
   */
  scan(original: string, lang?: Lang, copyUnits: UnitCopier = copyOneByOne): ScanText {
    const length = original.length;
    const bytes = this.#bytesFor(length);
    const units = this.#unitsFor(length);
    let shadow = original;
    let folded = asciiText;
    let hasInvisibles = false;
    let keywords: KeywordHits | undefined;
    const escapes = escapeRanges(original);
    if (this.#isAscii(original, bytes)) {
      hasInvisibles = control.test(original);
      bytes.fill(0, length, length + paddingLength);
      if (escapes.length > 0) {
        blankOut(bytes, escapes);
        shadow = this.#asciiDecoder.decode(bytes.subarray(0, length));
      }
      units.set(bytes.subarray(0, length));
      keywords = this.#keywords?.search(bytes, length);
    } else {
      bytes.fill(0, length, length + paddingLength);
      copyUnits(original, units);
      hasInvisibles = mayHoldInvisibles(units, length);
      blankOut(units, escapes);
      folded = foldUnits(length, { units, bytes });
      if (folded.isChanged || escapes.length > 0) shadow = this.#decoder.decode(units.subarray(0, length));
      keywords = this.#keywords?.search(units, length);
    }
    const places = collectCandidates(bytes, length);
    return {
      ...places,
      ...folded,
      original,
      shadow,
      bytes,
      units,
      mayHoldInvisibles: hasInvisibles,
      keywords: keywords ?? noKeywords,
      lang,
      shared: { tables: undefined, explains: false },
    };
  }

  /** Copies an ASCII text into `bytes`, several times faster than character by character. */
  #isAscii(text: string, bytes: Uint8Array<ArrayBuffer>): boolean {
    const probe = Math.min(text.length, probeLength);
    for (let i = 0; i < probe; i++) if (text.charCodeAt(i) > 0x7f) return false;
    const { read, written } = this.#encoder.encodeInto(text, bytes);
    // Equal counts of bytes and code units mean ASCII.
    return read === text.length && written === text.length;
  }

  /** Space for three bytes per code unit and padding, which makes the encoder several times faster. */
  #bytesFor(length: number): Uint8Array<ArrayBuffer> {
    const size = (length > keptUnitsMax ? length : length * 3) + paddingLength;
    if (size <= this.#bytes.length) return this.#bytes;
    const bytes = new Uint8Array(Math.max(size, 4096));
    if (bytes.length <= 4 * keptUnitsMax) this.#bytes = bytes;
    return bytes;
  }

  /** Space for the code units and what {@link foldUnits} writes after them. */
  #unitsFor(length: number): Uint16Array {
    const size = length + 2;
    if (size <= this.#units.length) return this.#units;
    const units = new Uint16Array(Math.max(size, 1024));
    if (size <= keptUnitsMax) this.#units = units;
    return units;
  }
}

/**
 * Copies the code units of a text to the beginning of an array, which is not shorter. JavaScript itself can only do so one by
 * one; a runtime with a faster way hands it in (on Node, `write(text, 'utf16le')` of a buffer takes a twentieth of the time).
 */
export type UnitCopier = (text: string, into: Uint16Array) => void;

function copyOneByOne(text: string, into: Uint16Array): void {
  const { length } = text;
  for (let i = 0; i < length; i++) into[i] = text.charCodeAt(i);
}

/** Prepares one text; for many, keep a {@link TextScanner}. */
export function scanText(original: string): ScanText {
  return new TextScanner().scan(original);
}

/** A match of {@link matchesIn}; offsets of the text. */
export type MatchInText = { readonly start: number; readonly end: number; readonly groups: RegExpExecArray };

const noMatches: readonly MatchInText[] = [];

/**
 * Matches of a global pattern that start in `start..end`, with some text before and after for look-arounds. Offsets of the
 * text.
 */
export function matchesIn(
  text: string,
  pattern: RegExp,
  range: { readonly start: number; readonly end: number; readonly before?: number; readonly after?: number },
): readonly MatchInText[] {
  const from = Math.max(0, range.start - (range.before ?? 2));
  const window = text.slice(from, range.end + (range.after ?? 2));
  // Not `matchAll`, which compiles a copy of the pattern.
  let found: MatchInText[] | undefined;
  pattern.lastIndex = 0;
  for (let groups = pattern.exec(window); groups !== null; groups = pattern.exec(window)) {
    const start = from + groups.index;
    if (start >= range.end) break;
    if (groups[0] === '') pattern.lastIndex++;
    if (start < range.start) continue;
    found ??= [];
    found.push({ start, end: start + groups[0].length, groups });
  }
  return found ?? noMatches;
}

/** How many characters a sticky pattern matches at a place of the text; 0 for none. */
export function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** The start of the line before a place, at most `reach` characters before it. Looks no further, unlike `lastIndexOf`. */
export function lineStartWithin(text: string, at: number, reach: number): number {
  const from = Math.max(0, at - reach);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/** The end of the line after a place, at most `reach` characters after it. */
export function lineEndWithin(text: string, at: number, reach: number): number {
  const behind = text.slice(at, at + reach);
  const newline = behind.indexOf('\n');
  return at + (newline < 0 ? behind.length : newline);
}
