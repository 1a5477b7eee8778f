/** Runs of capitalised words in a text: where a name in Latin letters may be. */
import { nameParticles } from '../places.ts';
import type { ScanText } from '../shadow.ts';
import { WordSet } from '../word-set.ts';

/** One word of a run; offsets of the text. */
export type RunWord = {
  readonly start: number;
  /** Without a possessive `'s` and without the dot of an initial. */
  readonly end: number;
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
export type WordRun = { readonly words: readonly RunWord[]; readonly start: number; readonly end: number };

const particles = new WordSet(nameParticles);
const runWordsMax = 12;
const wordLengthMax = 40;
function isUpper(c: number): boolean {
  if (c < 0x80) return c >= 0x41 && c <= 0x5a;
  if (c < 0xc0 || c > 0x1eff || (c > 0x17f && c < 0x1e00)) return false;
  if (c <= 0xde) return c !== 0xd7;
  if (c <= 0xff) return false;
  return String.fromCharCode(c).toLowerCase() !== String.fromCharCode(c);
}

/** A Latin letter, with or without marks. */
export function isLatinLetter(c: number): boolean {
  if (c < 0x80) return (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a);
  return (c >= 0xc0 && c <= 0x24f && c !== 0xd7 && c !== 0xf7) || (c >= 0x1e00 && c <= 0x1eff);
}

function isApostrophe(c: number): boolean {
  return c === 0x27 || c === 0x2019;
}

/** Calls `visit` for every run of at least two words that begins at one of the places, in order. */
export function visitRuns({ shadow, nameStarts }: ScanText, visit: (run: WordRun) => void): void {
  let done = 0;
  for (const start of nameStarts) {
    if (start < done) continue;
    const run = readRun(shadow, start);
    if (run.words.length > 1) visit(run);
    done = run.end;
  }
}

/** Reads the words from `start` on; `end` is behind the last character that was looked at as a part of it. */
function readRun(text: string, start: number): WordRun {
  const words: RunWord[] = [];
  let i = start;
  let end = start;
  while (words.length < runWordsMax) {
    const word = readWord(text, i);
    if (word === undefined) break;
    words.push(word.word);
    end = word.next;
    // One blank or two, or a dot and a blank after an initial or a title.
    if (text.charCodeAt(end) !== 0x20) break;
    i = text.charCodeAt(end + 1) === 0x20 ? end + 2 : end + 1;
  }
  while (words.length > 0 && words[words.length - 1]?.kind === 'particle') words.pop();
  return { words, start, end: Math.max(end, start + 1) };
}

function readWord(text: string, start: number): { readonly word: RunWord; readonly next: number } | undefined {
  const limit = Math.min(text.length, start + wordLengthMax);
  let i = start;
  let small = 0;
  let isMixed = false;
  let isForeign = false;
  let hasApostrophe = false;
  for (; i < limit; i++) {
    const c = text.charCodeAt(i);
    if (isLatinLetter(c)) {
      if (isUpper(c)) {
        // A capital after small letters: fine behind a hyphen, an apostrophe or a prefix of surnames.
        if (small > 0 && !isJoint(text.charCodeAt(i - 1)) && !namePrefix.test(text.slice(start, i))) isMixed = true;
      } else small++;
      if (c > 0x7f) isForeign = true;
      continue;
    }
    if (!isJoint(c) || !isLatinLetter(text.charCodeAt(i + 1)) || i === start) break;
    if (c !== 0x2d) hasApostrophe = true;
  }
  if (i === start) return undefined;
  const next = text.charCodeAt(i);
  if ((next >= 0x30 && next <= 0x39) || next === 0x5f) return undefined;
  let word = text.slice(start, i);
  if (!isUpper(text.charCodeAt(start))) {
    return particles.hasExactly(word)
      ? { word: { start, end: i, text: word, kind: 'particle', isForeign, bits: -1 }, next: i }
      : undefined;
  }
  let end = i;
  if (hasApostrophe && /['\u2019]s$/.test(word) && word.length > 3) {
    end -= 2;
    word = word.slice(0, -2);
  }
  if (hasApostrophe && contraction.test(word)) isMixed = true;
  if (isMixed) return { word: { start, end, text: word, kind: 'other', isForeign, bits: -1 }, next: i };
  const hasDot = text.charCodeAt(i) === 0x2e;
  if (word.length === 1)
    return { word: { start, end, text: word, kind: 'initial', isForeign, bits: -1 }, next: hasDot ? i + 1 : i };
  const isTitle = hasDot && isTitleWord(word);
  return {
    word: { start, end, text: word, kind: small > 0 ? 'word' : 'caps', isForeign, bits: -1 },
    next: isTitle ? i + 1 : i,
  };
}

const contraction =
  /^(?:I|It|He|She|We|You|They|That|There|Here|What|Who|Where|How|Let|Don|Can|Won|Isn|Aren|Didn|Doesn)['\u2019](?:m|s|d|ll|re|ve|t)$/;

function isJoint(c: number): boolean {
  return c === 0x2d || isApostrophe(c);
}

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
