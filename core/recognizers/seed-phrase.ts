/** Wallet recovery phrases: twelve or more words of the BIP 39 list in a row. */
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';

const name = 'seed-phrase';
const wordsMin = 12;
const wordsMax = 24;
/** Phrases are random, so few words repeat. */
const distinctMin = 9;
const word = /[a-z]+/g;
const none: readonly (readonly [number, number])[] = [];
let words: ReadonlySet<string> | undefined;

/** Checks rows of short lower-case words. */
export const seedPhrase: Recognizer = {
  name,
  type: 'SEED_PHRASE',
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const [rowStart, rowEnd] of rowsIn(text.bytes, text.original.length)) {
      words ??= new Set(wordlist);
      const row = text.shadow.slice(rowStart, rowEnd);
      if (!mayHoldPhrase(row, words)) continue;
      let run: RegExpExecArray[] = [];
      for (const one of [...row.matchAll(word), undefined]) {
        if (one !== undefined && words.has(one[0]) && run.length < wordsMax) {
          run.push(one);
          continue;
        }
        const [first, last] = [run[0], run.at(-1)];
        if (first !== undefined && last !== undefined && isPhrase(run.map(([written]) => written))) {
          const end = rowStart + last.index + last[0].length;
          found.push(
            detectionAt(text, rowStart + first.index, end, { type: 'SEED_PHRASE', score: 0.95, recognizer: name }),
          );
        }
        run = [];
      }
    }
    return found;
  },
};

/** True for a row with enough words of the list, which most rows of prose have not; their offsets are not needed for this. */
function mayHoldPhrase(row: string, words: ReadonlySet<string>): boolean {
  let run = 0;
  for (const one of row.match(word) ?? []) {
    run = words.has(one) ? run + 1 : 0;
    if (run === wordsMin) return true;
  }
  return false;
}

function isPhrase(run: readonly string[]): boolean {
  return run.length >= wordsMin && new Set(run).size >= distinctMin;
}

/** Rows of twelve or more words (three to eight lower-case letters), optionally numbered. Cheap to find, and rare in prose. */
function rowsIn(bytes: Uint8Array, length: number): readonly (readonly [start: number, end: number])[] {
  let rows: [number, number][] | undefined;
  let start = 0;
  let end = 0;
  let count = 0;
  let between = 0;
  for (let i = nextStart(bytes, 0, length); i <= length; i++) {
    const from = i;
    while (isSmall(bytes[i] as number)) i++;
    const letters = i - from;
    if (letters > 0) between = 0;
    if (isWordLength(letters)) {
      if (count === 0) start = from;
      count++;
      end = i;
    }
    const isBreak = (letters > 0 && !isWordLength(letters)) || ++between > gapMax || !mayStand[bytes[i] as number];
    if (!isBreak && i < length) continue;
    if (count >= wordsMin) {
      rows ??= [];
      rows.push([start, end]);
    }
    count = 0;
    i = nextStart(bytes, i + 1, length) - 1;
  }
  return rows ?? none;
}

const lettersMin = 3;
const lettersMax = 8;
/** Longer gaps end a row. */
const gapMax = 6;
/** The fewest characters of a row. */
const rowLengthMin = wordsMin * (lettersMin + 1) - 1;
/** 1 for characters that may separate the words of a row. */
const mayStand = Uint8Array.from({ length: 256 }, (_, c) =>
  c <= 0x20 || /[,;.):0-9]/.test(String.fromCharCode(c)) ? 1 : 0,
);

/** The next place where a row may start. Reads backwards from the fewest characters of a row, and so skips most of the text. */
function nextStart(bytes: Uint8Array, from: number, length: number): number {
  for (let start = from; ; ) {
    if (start + rowLengthMin > length) return length + 1;
    const behind = behindLastBreak(bytes, start, start + rowLengthMin);
    if (behind < 0) return start;
    start = behind;
  }
}

/** The end of the last sign, gap or word of a stretch that no row contains; -1 for none. */
function behindLastBreak(bytes: Uint8Array, from: number, to: number): number {
  let letters = 0;
  let gap = 0;
  for (let i = to - 1; i >= from; i--) {
    const c = bytes[i] as number;
    if (isSmall(c)) {
      letters++;
      continue;
    }
    // The word at the end of the stretch may go on.
    const isWhole = letters > 0 && i + letters + 1 < to;
    if (isWhole && !isWordLength(letters)) return i + letters + 1;
    if (mayStand[c] === 0) return i + 1;
    gap = letters > 0 ? 1 : gap + 1;
    if (gap > gapMax) return i + gap;
    letters = 0;
  }
  return -1;
}

function isSmall(c: number): boolean {
  return c >= 0x61 && c <= 0x7a;
}

function isWordLength(letters: number): boolean {
  return letters >= lettersMin && letters <= lettersMax;
}
