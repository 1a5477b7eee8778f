import {
  cutWordMin,
  hashSeed,
  hashStep,
  type Lexicon,
  letterMix,
  pieceMax,
  shuffledMin,
  signature,
} from './lexicon.ts';

/** Bits of `Units.flags`. */
export const unitFlag = {
  /** A sentence ends before this unit. */
  sentence: 1,
  /** Inside quotation marks. */
  quoted: 2,
  /** One character of a script without spaces. */
  east: 4,
  /** First on its line. */
  line: 8,
  /** Letters and digits in one word. */
  digits: 16,
} as const;

/** The units of a text in columns of equal length: words, and single characters in scripts without spaces. */
export type Units = {
  readonly count: number;
  readonly hash: Int32Array;
  /** Order-independent hash of the letters (digits as letters), see `signature`; 0 if none. */
  readonly shuffle: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Running distance: a word counts 2, a character of a script without spaces 1. */
  readonly position: Int32Array;
  readonly flags: Uint8Array;
  /** Offsets of words long enough to be part of an encoding. */
  readonly longWords: readonly number[];
  /** Number of isolated digit pairs, as in spaced hexadecimal. */
  readonly digitPairs: number;
  /** Longest run of single letters separated by one character each. */
  readonly lettersApart: number;
};

/** Kinds of ASCII characters. */
const other = 0;
const letter = 1;
const digit = 2;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) return letter;
  return code >= 48 && code <= 57 ? digit : other;
});
const mixes = Int32Array.from({ length: 128 }, (_, code) => letterMix(code));
/** Lower case, with digits mapped to the letters they stand for. */
const letterFor = Uint8Array.from({ length: 128 }, (_, code) => {
  const at = '0134578'.indexOf(String.fromCharCode(code));
  if (at >= 0) return 'oieastb'.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
});
const numberHash = hashStep(hashSeed, 0x30);

/** Minimum run of letters and digits in an encoded text. */
const encodedMin = 12;

const eastern = /[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

function isEast(code: number): boolean {
  return (code >= 0x3005 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

/** True for a non-ASCII letter of a script with spaces: anything but punctuation, symbols and surrogates. */
function isForeignLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x2c00 && code < 0x2e00) || (code >= 0xa640 && code < 0xac00);
}

/** Splits a text in one linear pass. */
export function splitUnits(text: string): Units {
  // Words are at least one character apart; only scripts without spaces need a unit per character.
  const size = eastern.test(text) ? text.length + 1 : (text.length >> 1) + 2;
  const hashes = new Int32Array(size);
  const shuffle = new Int32Array(size);
  const starts = new Int32Array(size);
  const ends = new Int32Array(size);
  const positions = new Int32Array(size);
  const flags = new Uint8Array(size);
  let count = 0;
  let position = 0;
  let pending: number = unitFlag.sentence | unitFlag.line;
  let quoted = false;
  let singles = 0;
  let lettersApart = 0;
  const longWords: number[] = [];
  let digitPairs = 0;
  const { length } = text;
  let i = 0;
  while (i < length) {
    let code = text.charCodeAt(i);
    let kind = code < 128 ? (kinds[code] ?? 0) : isForeignLetter(code) ? letter : other;
    if (kind !== other) {
      const start = i;
      const first = code;
      let hash = hashSeed;
      let sum = 0;
      let letters = 0;
      let last = code;
      for (;;) {
        if (code >= 65 && code <= 90) code += 32;
        hash = hashStep(hash, code);
        sum = (sum + (code < 128 ? (mixes[code] ?? 0) : code)) | 0;
        if (kind === letter) letters++;
        last = code;
        i++;
        if (i >= length) break;
        code = text.charCodeAt(i);
        // An apostrophe inside a word is dropped: "don't".
        if ((code === 0x27 || code === 0x2019) && i + 1 < length && isAsciiLetter(text.charCodeAt(i + 1))) {
          i++;
          code = text.charCodeAt(i);
        }
        kind = code < 128 ? (kinds[code] ?? 0) : isForeignLetter(code) ? letter : other;
        if (kind === other) break;
      }
      const width = i - start;
      if (letters === 0) hash = numberHash;
      if (width >= encodedMin) longWords.push(start);
      if (width === 2 && letters < 2) digitPairs++;
      const mixed = letters > 0 && letters < width;
      hashes[count] = hash;
      shuffle[count] =
        width >= shuffledMin && letters === width
          ? signature(sum, first >= 65 && first <= 90 ? first + 32 : first, last, width)
          : mixed
            ? foldedHash(text, start, i)
            : 0;
      starts[count] = start;
      ends[count] = i;
      positions[count] = position;
      position += 2;
      flags[count] = pending | (quoted ? unitFlag.quoted : 0) | (mixed ? unitFlag.digits : 0);
      pending = 0;
      if (width === 1 && letters === 1 && (count === 0 || start - (ends[count - 1] ?? 0) <= 2)) {
        singles++;
        if (singles > lettersApart) lettersApart = singles;
      } else singles = width === 1 ? 1 : 0;
      count++;
      continue;
    }
    if (isEast(code)) {
      hashes[count] = hashStep(hashSeed, code);
      starts[count] = i;
      ends[count] = i + 1;
      positions[count] = position;
      position += 1;
      flags[count] = pending | unitFlag.east | (quoted ? unitFlag.quoted : 0);
      pending = 0;
      if (count > 0 && i - (ends[count - 1] ?? 0) === 1 && ((flags[count - 1] ?? 0) & unitFlag.east) !== 0) {
        singles++;
        if (singles > lettersApart) lettersApart = singles;
      } else singles = 0;
      count++;
      i++;
      continue;
    }
    switch (code) {
      case 0x0a:
        if (endsAtNewline(text, i)) {
          pending |= unitFlag.sentence;
          // A quotation does not continue over an empty line.
          if (text.charCodeAt(i + 1) === 0x0a) quoted = false;
        }
        pending |= unitFlag.line;
        break;
      case 0x21: // !
      case 0x3f: // ?
      case 0x2e: // .
        if (endsSentence(text, i)) pending |= unitFlag.sentence;
        break;
      case 0x3002: // 。
        pending |= unitFlag.sentence;
        break;
      case 0x22:
        quoted = !quoted;
        break;
      case 0x201c:
      case 0x201e:
      case 0x300c:
      case 0x300e:
      case 0xab:
        quoted = true;
        break;
      case 0x201d:
      case 0x300d:
      case 0x300f:
      case 0xbb:
        quoted = false;
        break;
    }
    i++;
  }
  return {
    count,
    hash: hashes,
    shuffle,
    start: starts,
    end: ends,
    position: positions,
    flags,
    lettersApart,
    longWords,
    digitPairs,
  };
}

/** The hash of a word with its digits replaced by letters. */
function foldedHash(text: string, start: number, end: number): number {
  let hash = hashSeed;
  for (let i = start; i < Math.min(end, start + 24); i++) {
    const code = text.charCodeAt(i);
    hash = hashStep(hash, code < 128 ? (letterFor[code] ?? code) : code);
  }
  return hash;
}

function isAsciiLetter(code: number): boolean {
  return code < 128 && kinds[code] === letter;
}

/** True if the point, question or exclamation mark at `at` is followed by a space, a closing mark or nothing. */
function endsSentence(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return Number.isNaN(next) || next <= 0x20 || next === 0x22 || next === 0x27 || next === 0x29 || next >= 128;
}

/** True unless the text clearly continues: a lower-case letter after a letter or comma. */
function endsAtNewline(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (!(next >= 97 && next <= 122)) return true;
  const before = text.charCodeAt(at - 1);
  return !(before === 0x2c || isAsciiLetter(before));
}

/**
 * Corrects known words in place: letter order ("ingore"), digits for letters ("pr3vious"). Short words with digits
 * ("y0u") stay unless a longer one shows a pattern.
 * @returns how many words had digits for letters
 */
export function straighten(units: Units, { known, shuffled }: Lexicon): number {
  const { hash, shuffle, flags, count } = units;
  let withDigits = 0;
  for (let i = 0; i < count; i++) {
    const key = shuffle[i] ?? 0;
    if (key === 0) continue;
    if (((flags[i] ?? 0) & unitFlag.digits) !== 0) {
      if ((units.end[i] ?? 0) - (units.start[i] ?? 0) >= digitsMin && known.has(key)) withDigits++;
      continue;
    }
    const straight = shuffled.get(key);
    if (straight !== undefined && !known.has(hash[i] ?? 0)) hash[i] = straight;
  }
  if (withDigits === 0) return 0;
  for (let i = 0; i < count; i++) {
    if (((flags[i] ?? 0) & unitFlag.digits) !== 0 && known.has(shuffle[i] ?? 0)) hash[i] = shuffle[i] ?? 0;
  }
  return withDigits;
}

/** Minimum length of a word with digits for letters; excludes "mp3" and "b2b". */
const digitsMin = 4;

/** Maximum number of pieces of a split word. */
const piecesMax = 4;

/**
 * Joins known words split by a sign or a space ("ig-nore", "prev ious instr uctions"), in place: the first piece
 * becomes the word. Spaces split words by chance ("over ride"), so they count only from the second such word on.
 * @returns how many words were joined
 */
export function joinCutWords(text: string, units: Units, { known, beginnings }: Lexicon): number {
  const { hash, start, end, flags, count } = units;
  const byBlank: { unit: number; word: number }[] = [];
  let joined = 0;
  for (let i = 0; i + 1 < count; i++) {
    if (!beginnings.has(hash[i] ?? 0) || ((flags[i] ?? 0) & unitFlag.digits) !== 0) continue;
    let word = hash[i] ?? 0;
    let length = (end[i] ?? 0) - (start[i] ?? 0);
    let blanks = false;
    for (let next = i + 1; next < Math.min(count, i + piecesMax); next++) {
      const from = start[next] ?? 0;
      const to = end[next] ?? 0;
      const gap = text.charCodeAt(from - 1);
      if (from - (end[next - 1] ?? 0) !== 1 || to - from > pieceMax + 4 || gap === 0x27 || gap > 0x7f) break;
      if (gap === 0x20 || gap === 0x0a) blanks = true;
      word = wordHash(text, word, from, to);
      length += to - from;
      if (length < cutWordMin || !known.has(word)) continue;
      // A piece that is itself a word is not joined: "over the limit", "system prompt".
      if (blanks && (known.has(hash[i] ?? 0) || known.has(hash[next] ?? 0))) break;
      if (blanks) byBlank.push({ unit: i, word });
      else {
        hash[i] = word;
        joined++;
      }
      i = next;
      break;
    }
  }
  if (byBlank.length < 2) return joined;
  for (const { unit, word } of byBlank) hash[unit] = word;
  return joined + byBlank.length;
}

function wordHash(text: string, seed: number, start: number, end: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    hash = hashStep(hash, code >= 65 && code <= 90 ? code + 32 : code);
  }
  return hash;
}
