/** Recovery phrases of wallets: twelve or more words in a row of the list of BIP 39. */
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import type { ScanText } from '../shadow.ts';

const name = 'seed-phrase';
const wordsMin = 12;
const wordsMax = 24;
/** A phrase is drawn at random: few of its words are the same. */
const distinctMin = 9;
/** Words of the list, in a row or numbered. All of them have three to eight letters. */
const row = /(?<![A-Za-z])[a-z]{3,8}(?:(?:[ \t\r\n,;]|[0-9]{1,2}[.):]){1,6}[a-z]{3,8}){11,63}(?![A-Za-z])/g;
const word = /[a-z]+/g;
let words: ReadonlySet<string> | undefined;

/** Looks at rows of short words in small letters. */
export const seedPhrase: Recognizer = {
  name,
  type: 'SEED_PHRASE',
  trigger: ({ bytes, original }) => hasRow(bytes, original.length),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    row.lastIndex = 0;
    for (let match = row.exec(text.shadow); match !== null; match = row.exec(text.shadow)) {
      words ??= new Set(wordlist);
      const inRow = match[0];
      let from = -1;
      let to = 0;
      let count = 0;
      const seen: string[] = [];
      const keep = () => {
        if (count < wordsMin || new Set(seen).size < distinctMin) return;
        const start = (match?.index ?? 0) + from;
        const end = (match?.index ?? 0) + to;
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
  samples: {
    match: [
      [
        'legal winner thank year wave sausage worth useful legal winner thank yellow',
        'legal winner thank year wave sausage worth useful legal winner thank yellow',
      ],
    ],
    noMatch: [
      'legal winner thank year wave sausage worth useful',
      'we had some very good cake and then went home with them all again',
    ],
  },
};

/** Whether there are twelve words of three to eight small letters in a row: near free, and rare in prose. */
function hasRow(bytes: Uint8Array, length: number): boolean {
  let count = 0;
  let letters = 0;
  let between = 0;
  for (let i = 0; i <= length; i++) {
    const c = bytes[i] as number;
    if (c >= 0x61 && c <= 0x7a) {
      letters++;
      between = 0;
      continue;
    }
    if (letters > 0) {
      count = letters >= 3 && letters <= 8 ? count + 1 : 0;
      if (count >= wordsMin) return true;
      letters = 0;
    }
    between++;
    const mayStand =
      c <= 0x20 || c === 0x2c || c === 0x3b || c === 0x2e || c === 0x29 || c === 0x3a || (c >= 0x30 && c <= 0x39);
    if (!mayStand || between > 6) count = 0;
  }
  return false;
}
