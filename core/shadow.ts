/**
 * The shadow copy of a text, on which recognizers match, and what one cheap pass finds in it: the places worth a look.
 */

import { type KeywordHits, type KeywordIndex, noKeywords } from './keywords.ts';
import { collectPlaces, markOf, type Places, paddingLength } from './places.ts';

export type { DigitRun, WordRun } from './places.ts';

/** A text prepared for recognizers. All offsets are the same in `original` and `shadow`. */
export type ScanText = Places & {
  readonly original: string;
  /** Full-width letters, digits and signs as ASCII, the dash family as `-`; one code unit for one code unit. */
  readonly shadow: string;
  /** Offsets of hiragana behind a digit, a capital or a space: where a Japanese plate may be. */
  readonly kanaJoints: readonly number[];
  /** The words that recognizers asked for. */
  readonly keywords: KeywordHits;
  /** Language of the text as far as the caller said it. */
  readonly lang: Lang | undefined;
};

/** The languages that a caller may name. Without one, a text is taken as either. */
export type Lang = 'en' | 'ja';

const none: readonly number[] = [];

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
    const length = original.length;
    const bytes = this.#bytesFor(length + paddingLength);
    // Much faster than reading code units, and true of most texts: as many bytes as code units means ASCII.
    const { read, written } = this.#encoder.encodeInto(original, bytes.subarray(0, length));
    bytes.fill(0, length, length + paddingLength);
    let shadow = original;
    let kanaJoints = none;
    let keywords: KeywordHits | undefined;
    if (read === length && written === read) keywords = this.#keywords?.search(bytes, length);
    else {
      const units = this.#unitsFor(length);
      const joints: number[] = [];
      shadow = this.#fold(original, bytes, units, joints);
      kanaJoints = joints;
      keywords = this.#keywords?.search(units, length);
    }
    const { ats, digitRuns, longWords, hexColons, dotPairs, numbers, nameStarts } = collectPlaces(bytes, length);
    return {
      original,
      shadow,
      ats,
      digitRuns,
      longWords,
      hexColons,
      dotPairs,
      numbers,
      nameStarts,
      kanaJoints,
      keywords: keywords ?? noKeywords,
      lang,
    };
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

  /** Writes the folded text into `units`, and into `bytes` (marks for what is not ASCII); gives it as a string. */
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
      bytes[i] = c < 0x80 ? c : markOf(c);
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
