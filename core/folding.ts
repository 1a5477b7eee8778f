/**
 * Reads a text that is not all ASCII in one pass: folds full-width characters, and finds the places of Japanese writing on
 * the way.
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
/** Belongs to no run, but to Japanese writing. */
const otherJapanese = 4;
/** Folds, or has a mark. */
const special = 5;

let kindTable: Uint8Array | undefined;

/** Code unit → kind. A table, because kinds change too often for branches on them to be guessed. */
function kindsOfUnits(): Uint8Array {
  if (kindTable !== undefined) return kindTable;
  kindTable = new Uint8Array(65_536);
  kindTable.fill(otherJapanese, 0x3006, 0xa000);
  kindTable.fill(kanjiRun, 0x3400, 0x4dc0).fill(kanjiRun, 0x4e00, 0xa000).fill(kanjiRun, 0xf900, 0xfb00);
  kindTable.fill(katakanaRun, 0x30a1, 0x30fb).fill(hiraganaRun, 0x3041, 0x3097);
  kindTable[0x3005] = kanjiRun;
  kindTable.fill(special, 0x80, 0x2213).fill(special, 0xff01, 0xff5f);
  for (const c of [0x3000, 0x30fb, 0x30fc]) kindTable[c] = special;
  return kindTable;
}

/**
 * Writes the folded code units into `units`, and into `bytes` the ASCII characters and the marks of the others.
 * @param bytes holds zeros.
 */
export function foldText(text: string, bytes: Uint8Array, units: Uint16Array): Folded {
  const kanaJoints: number[] = [];
  const nameRuns: number[] = [];
  const kinds = kindsOfUnits();
  const { length } = text;
  let isChanged = false;
  let hasJapanese = false;
  let run = noRun;
  let runStart = 0;
  for (let i = 0; i < length; i++) {
    let c = text.charCodeAt(i);
    let kind = kinds[c] as number;
    if (kind > hiraganaRun) {
      if (kind === otherJapanese) {
        kind = noRun;
        hasJapanese = true;
      } else {
        kind = noRun;
        if (c === 0x30fc) {
          if (i > 0 && isDigit(units[i - 1] as number) && isDigit(foldUnit(text.charCodeAt(i + 1)))) c = 0x2d;
          else kind = katakanaRun;
        } else c = foldUnit(c);
        isChanged ||= c < 0x80;
        if (c >= 0x80) bytes[i] = markOf(c);
      }
    }
    units[i] = c;
    if (c < 0x80) bytes[i] = c;
    if (kind === run) continue;
    if (run === kanjiRun) {
      if (i - runStart > 1) nameRuns.push(runStart, i);
    } else if (run === katakanaRun) {
      if (c === 0x30fb || c === 0x3d) nameRuns.push(runStart, i);
    } else if (run === noRun) {
      hasJapanese = true;
      if (i > 0) {
        const before = units[i - 1] as number;
        if (before < 0x5b) {
          if (kind === hiraganaRun && c <= 0x3093 && isPlateCode(before)) kanaJoints.push(i);
          if (before === 0x20 && i > 1 && mayEndName(kinds[units[i - 2] as number] as number)) nameRuns.push(i - 1, i);
        }
      }
    }
    run = kind;
    runStart = i;
  }
  if (run === kanjiRun && length - runStart > 1) nameRuns.push(runStart, length);
  return { isChanged, hasJapanese, kanaJoints, nameRuns };
}

/** True for all that has a kind of its own in Japanese writing or beside it. */
function mayEndName(kind: number): boolean {
  return kind !== noRun && kind !== otherJapanese;
}

/** Full-width ASCII, the ideographic space and the dash family as ASCII. */
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
