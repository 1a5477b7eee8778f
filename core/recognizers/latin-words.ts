/** Runs of capitalised words in a text: where a name in Latin letters may be. */
import { nameParticles } from '../name-words.ts';
import type { ScanText } from '../shadow.ts';
import { WordSet } from '../word-set.ts';

/** One word of a run; offsets of the text. */
export type RunWord = {
  readonly start: number;
  /** Without a possessive `'s` and without the dot of an initial. */
  readonly end: number;
  /** Behind all of it. */
  readonly next: number;
  readonly text: string;
  /**
   * `word`: a capital, then small letters. `caps`: all capitals. `initial`: one letter, with or without a dot.
   * `particle`: such as `van` or `bin`, between others. `other`: mixed case, such as `GitHub`.
   */
  readonly kind: 'word' | 'caps' | 'initial' | 'particle' | 'other';
  /** True for a word with letters that English words have not. */
  readonly isForeign: boolean;
  /** What the lists say of it, or -1 before they have been asked. */
  bits: number;
};

/** Words with one blank between them. */
export type WordRun = { readonly words: readonly RunWord[]; readonly end: number };

const particles = new WordSet(nameParticles);
const runWordsMax = 12;
const wordLengthMax = 40;

/** Of characters that are not ASCII, as bytes. */
const smallMark = 0x80;
const capitalMark = 0x81;
const apostropheMark = 0x82;
/** Byte of a text → what it is in a word. */
const small = 1;
const capital = 2;
const letter = small | capital;
const hyphen = 4;
const apostrophe = 8;
const joint = hyphen | apostrophe;
const kinds = newKinds();

function newKinds(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(small, 0x61, 0x7b).fill(capital, 0x41, 0x5b);
  table[smallMark] = small;
  table[capitalMark] = capital;
  table[0x2d] = hyphen;
  table[0x27] = apostrophe;
  table[apostropheMark] = apostrophe;
  return table;
}

/** A Latin letter, with or without marks. */
export function isLatinLetter(c: number): boolean {
  if (c < 0x80) return (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
  return (c >= 0xc0 && c <= 0x24f && c !== 0xd7 && c !== 0xf7) || (c >= 0x1e00 && c <= 0x1eff);
}

/** Calls `visit` for every run of at least two words that begins at one of the places, in order. */
export function visitRuns(text: ScanText, visit: (run: WordRun) => void): void {
  let done = 0;
  for (const start of text.nameStarts) {
    if (start < done) continue;
    const run = readRun(text, start);
    if (run.words.length > 1) visit(run);
    done = run.end;
  }
}

/** Reads the words from `start` on; `end` is behind the last character that was looked at as a part of it. */
function readRun(text: ScanText, start: number): WordRun {
  const { bytes } = text;
  const words: RunWord[] = [];
  let i = start;
  let end = start;
  while (words.length < runWordsMax) {
    const word = readWord(text, i);
    if (word === undefined) break;
    words.push(word);
    end = word.next;
    // One blank or two, or a dot and a blank after an initial or a title.
    if (bytes[end] !== 0x20) break;
    i = bytes[end + 1] === 0x20 ? end + 2 : end + 1;
  }
  while (words.length > 0 && words[words.length - 1]?.kind === 'particle') words.pop();
  return { words, end: Math.max(end, start + 1) };
}

function readWord({ shadow, bytes }: ScanText, start: number): RunWord | undefined {
  const limit = start + wordLengthMax;
  let i = start;
  let isMixed = false;
  let isForeign = false;
  /** All kinds of characters so far. */
  let seen = 0;
  for (; i < limit; i++) {
    const c = bytes[i] as number;
    const kind = kinds[c] as number;
    if ((kind & letter) !== 0) {
      // A capital after small letters: fine behind a hyphen, an apostrophe or a prefix of surnames.
      if (kind === capital && (seen & small) !== 0 && !isMixed)
        isMixed = ((kinds[bytes[i - 1] as number] as number) & joint) === 0 && !namePrefix.test(shadow.slice(start, i));
      if (c > 0x7f) isForeign = true;
    } else if (kind === 0 || ((kinds[bytes[i + 1] as number] as number) & letter) === 0 || i === start) break;
    seen |= kind;
  }
  if (i === start) return undefined;
  const next = bytes[i] as number;
  if ((next >= 0x30 && next <= 0x39) || next === 0x5f) return undefined;
  let word = shadow.slice(start, i);
  if (kinds[bytes[start] as number] !== capital) {
    return particles.hasExactly(word)
      ? { start, end: i, next: i, text: word, kind: 'particle', isForeign, bits: -1 }
      : undefined;
  }
  let end = i;
  if ((seen & apostrophe) !== 0) {
    if (word.length > 3 && /['\u2019]s$/.test(word)) {
      end -= 2;
      word = word.slice(0, -2);
    }
    if (contraction.test(word)) isMixed = true;
  }
  if (isMixed) return { start, end, next: i, text: word, kind: 'other', isForeign, bits: -1 };
  const hasDot = next === 0x2e;
  if (word.length === 1)
    return { start, end, next: hasDot ? i + 1 : i, text: word, kind: 'initial', isForeign, bits: -1 };
  const kind = (seen & small) !== 0 ? 'word' : 'caps';
  return { start, end, next: hasDot && isTitleWord(word) ? i + 1 : i, text: word, kind, isForeign, bits: -1 };
}

const contraction =
  /^(?:I|It|He|She|We|You|They|That|There|Here|What|Who|Where|How|Let|Don|Can|Won|Isn|Aren|Didn|Doesn)['\u2019](?:m|s|d|ll|re|ve|t)$/;

const namePrefix = /^(?:Mc|Mac|De|Di|La|Le|Lo|Da|Du|Fitz|Van|Von|St|Del|Al|El|Ben)$/;
const titles = new WordSet(
  'Mr Mrs Ms Miss Mx Dr Prof Professor Doctor Sir Madam Rev Capt Lt Sgt Col Gen Hon Herr Frau Mme Mlle Sr Sra St'.split(
    ' ',
  ),
);

/** True for a title that stands before a name; {@link readWord} takes its dot. */
export function isTitleWord(word: string): boolean {
  return titles.hasExactly(word);
}
