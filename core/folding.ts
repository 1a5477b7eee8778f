/**
 * Reads a text that is not all ASCII, from its UTF-8 form: folds full-width characters, and finds the places of Japanese
 * writing on the way. Bytes are read several times faster than the code units of a string.
 */
import { markOf } from './places.ts';

/** What {@link foldText} finds. */
export type Folded = {
  /** True when the folded text is another than the text. */
  readonly isChanged: boolean;
  /** True for a text with kana, kanji or one of their signs. */
  readonly hasJapanese: boolean;
  /** Offsets of hiragana behind a digit, a capital or a space: where a Japanese plate may be. */
  readonly kanaJoints: readonly number[];
  /**
   * Starts and ends, in turn and in order: runs of at least two kanji, runs of katakana before a middle dot, and single
   * blanks between Japanese characters: where Japanese names may be.
   */
  readonly nameRuns: readonly number[];
};

const noRun = 0;
const kanjiRun = 1;
const katakanaRun = 2;
const hiraganaRun = 3;
/** Folds, or has a mark. */
const special = 4;

let kindTable: Uint8Array | undefined;

/** Code unit → kind. A table, because kinds change too often for branches on them to be guessed. */
function kindsOfUnits(): Uint8Array {
  if (kindTable !== undefined) return kindTable;
  kindTable = new Uint8Array(65_536);
  kindTable.fill(kanjiRun, 0x3400, 0x4dc0).fill(kanjiRun, 0x4e00, 0xa000).fill(kanjiRun, 0xf900, 0xfb00);
  kindTable.fill(katakanaRun, 0x30a1, 0x30fb).fill(hiraganaRun, 0x3041, 0x3097);
  kindTable[0x3005] = kanjiRun;
  kindTable.fill(special, 0x80, 0x2213).fill(special, 0xff01, 0xff5f);
  for (const c of [0x3000, 0x30fb, 0x30fc]) kindTable[c] = special;
  return kindTable;
}

/**
 * Writes the folded code units into `units`, and into `bytes` the ASCII characters and the marks of the others.
 * @param utf8 the text; `size` bytes of it, then at least three that are zero.
 */
export function foldText(utf8: Uint8Array, size: number, bytes: Uint8Array, units: Uint16Array): Folded {
  const kanaJoints: number[] = [];
  const nameRuns: number[] = [];
  const kinds = kindsOfUnits();
  let isChanged = false;
  let hasJapanese = false;
  let run = noRun;
  let runStart = 0;
  let i = 0;
  for (let k = 0; k < size; i++) {
    const lead = utf8[k] as number;
    let c = lead;
    if (lead < 0x80) {
      k++;
      if (run !== noRun) {
        if (run === kanjiRun ? i - runStart > 1 : run === katakanaRun && c === 0x3d) nameRuns.push(runStart, i);
        run = noRun;
      }
      units[i] = c;
      bytes[i] = c;
      continue;
    }
    if (lead < 0xe0) {
      c = ((lead & 0x1f) << 6) | ((utf8[k + 1] as number) & 0x3f);
      k += 2;
    } else if (lead < 0xf0) {
      c = ((lead & 0x0f) << 12) | (((utf8[k + 1] as number) & 0x3f) << 6) | ((utf8[k + 2] as number) & 0x3f);
      k += 3;
    } else {
      const point =
        (((lead & 0x07) << 18) |
          (((utf8[k + 1] as number) & 0x3f) << 12) |
          (((utf8[k + 2] as number) & 0x3f) << 6) |
          ((utf8[k + 3] as number) & 0x3f)) -
        0x10000;
      k += 4;
      if (run === kanjiRun && i - runStart > 1) nameRuns.push(runStart, i);
      run = noRun;
      units[i] = 0xd800 | (point >>> 10);
      bytes[i++] = 0;
      units[i] = 0xdc00 | (point & 0x3ff);
      bytes[i] = 0;
      continue;
    }
    let kind = kinds[c] as number;
    if (kind === special) {
      kind = noRun;
      if (c === 0x30fc) {
        if (i > 0 && isDigit(units[i - 1] as number) && isDigitAt(utf8, k)) c = 0x2d;
        else kind = katakanaRun;
      } else c = foldUnit(c);
      isChanged ||= c < 0x80;
      hasJapanese ||= kind === katakanaRun;
      bytes[i] = c < 0x80 ? c : markOf(c);
    } else {
      bytes[i] = 0;
      hasJapanese ||= c >= 0x3005 && c < 0xa000;
    }
    units[i] = c;
    if (kind === run) continue;
    if (run === kanjiRun) {
      if (i - runStart > 1) nameRuns.push(runStart, i);
    } else if (run === katakanaRun) {
      if (c === 0x30fb || c === 0x3d) nameRuns.push(runStart, i);
    } else if (run === noRun && i > 0) {
      const before = units[i - 1] as number;
      if (before < 0x5b) {
        if (kind === hiraganaRun && c <= 0x3093 && isPlateCode(before)) kanaJoints.push(i);
        if (before === 0x20 && i > 1 && (kinds[units[i - 2] as number] as number) > noRun) nameRuns.push(i - 1, i);
      }
    }
    run = kind;
    runStart = i;
  }
  if (run === kanjiRun && i - runStart > 1) nameRuns.push(runStart, i);
  return { isChanged, hasJapanese, kanaJoints, nameRuns };
}

/** Full-width ASCII, the ideographic space and the dash family as ASCII. */
function foldUnit(c: number): number {
  if (c >= 0xff01 && c <= 0xff5e) return c - 0xfee0;
  if (c === 0x3000) return 0x20;
  return (c >= 0x2010 && c <= 0x2015) || c === 0x2212 ? 0x2d : c;
}

/** True for the UTF-8 form of a digit, full-width or not. */
function isDigitAt(utf8: Uint8Array, k: number): boolean {
  const lead = utf8[k] as number;
  if (lead < 0x80) return isDigit(lead);
  return lead === 0xef && utf8[k + 1] === 0xbc && (utf8[k + 2] as number) >= 0x90 && (utf8[k + 2] as number) <= 0x99;
}

function isPlateCode(c: number): boolean {
  return c === 0x20 || isDigit(c) || (c >= 0x41 && c <= 0x5a);
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}
