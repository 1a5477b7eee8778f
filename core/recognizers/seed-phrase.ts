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
  trigger: () => true,
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const [rowStart, rowEnd] of rowsIn(text.bytes, text.original.length)) {
      words ??= new Set(wordlist);
      const inRow = text.shadow.slice(rowStart, rowEnd);
      let from = -1;
      let to = 0;
      let count = 0;
      const seen: string[] = [];
      const keep = () => {
        if (count < wordsMin || new Set(seen).size < distinctMin) return;
        const start = rowStart + from;
        const end = rowStart + to;
        found.push(detectionAt(text, start, end, { type: 'SEED_PHRASE', score: 0.95, recognizer: name }));
      };
      for (const one of inRow.matchAll(word)) {
        if (words.has(one[0]) && count < wordsMax) {
          if (count === 0) {
            from = one.index;
            seen.length = 0;
          }
          seen.push(one[0]);
          to = one.index + one[0].length;
          count++;
          continue;
        }
        keep();
        count = 0;
      }
      keep();
    }
    return found;
  },
};

/** Rows of twelve or more words (three to eight lower-case letters), optionally numbered. Cheap to find, and rare in prose. */
function rowsIn(bytes: Uint8Array, length: number): readonly (readonly [start: number, end: number])[] {
  let rows: [number, number][] | undefined;
  let start = 0;
  let end = 0;
  let count = 0;
  let between = 0;
  for (let i = 0; i <= length; i++) {
    const from = i;
    while ((bytes[i] as number) >= 0x61 && (bytes[i] as number) <= 0x7a) i++;
    const letters = i - from;
    if (letters > 0) between = 0;
    const c = bytes[i] as number;
    const isWord = letters >= 3 && letters <= 8;
    if (isWord) {
      if (count === 0) start = i - letters;
      count++;
      end = i;
    }
    between++;
    const mayStand =
      c <= 0x20 || c === 0x2c || c === 0x3b || c === 0x2e || c === 0x29 || c === 0x3a || (c >= 0x30 && c <= 0x39);
    if ((letters > 0 && !isWord) || !mayStand || between > 6 || i === length) {
      if (count >= wordsMin) {
        rows ??= [];
        rows.push([start, end]);
      }
      count = 0;
    }
  }
  return rows ?? none;
}
