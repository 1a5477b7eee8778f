/** Where in a text tokens stand that may be secrets, found around digits and marks: most texts that speak of passwords have none. */
import { firstFrom } from '../places.ts';
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './stretch.ts';

/** A token without the name, the brackets and the punctuation around it. */
export type Candidate = Stretch & {
  /** Where the run of characters starts in which it stands. */
  readonly from: number;
  /** Four digits or more, and no letter. */
  readonly isNumber: boolean;
};

const lengthMin = 4;
const keyMax = 40;
/** `smtp_secret=` */
const ofSecret = /^[A-Za-z_][\w.-]{0,24}?(?:secret|pin|psk|pass[a-z]{0,6}|pwd|pw)[=:]|^(?:secret|pin|psk|pwd|pw)[=:]/i;

/** Blanks, quotes, angle brackets and what is not ASCII end a token. */
const breaking = 0;
const letter = 1;
const digit = 2;
const sign = 3;
const kinds = Uint8Array.from({ length: 256 }, (_, c) => {
  const character = String.fromCharCode(c);
  if (/[A-Za-z]/.test(character)) return letter;
  if (/[0-9]/.test(character)) return digit;
  return /[!-~]/.test(character) && !/["'`<>]/.test(character) ? sign : breaking;
});
/** A secret has one of these in it. */
const digitsAndMarks = Uint8Array.from({ length: 256 }, (_, c) => (/[0-9!#$%&*]/.test(String.fromCharCode(c)) ? 1 : 0));

/**
 * Reads the tokens with letters and with digits or marks among them, and the numbers, in order, and only where it is asked:
 * the places must not go back.
 */
export class CandidateReader {
  readonly #text: ScanText;
  /** Some of the signs may be full-width. Comparing the texts takes time. */
  readonly #isFolded: boolean;
  /** The next places to look at. */
  #digit = 0;
  #mark = 0;
  /** Where the last run ends, its tokens, and which of them is the next. */
  #done = 0;
  #tokens: Candidate[] = [];
  #next = 0;

  constructor(text: ScanText) {
    this.#text = text;
    this.#isFolded = text.original !== text.shadow;
  }

  /** The first token that ends behind `from`, if it begins before `to`. */
  first(from: number, to: number): Candidate | undefined {
    for (;;) {
      for (; this.#next < this.#tokens.length; this.#next++) {
        const token = this.#tokens[this.#next] as Candidate;
        if (token.end > from) return token.from < to ? token : undefined;
      }
      if (!this.#readRun(Math.max(from, this.#done), to)) return undefined;
    }
  }

  /** The first such token behind the one that was given before. */
  next(from: number, to: number): Candidate | undefined {
    this.#next++;
    return this.first(from, to);
  }

  /** Reads the first run of characters with tokens in it; false when none has a digit or a mark within `from..to`. */
  #readRun(from: number, to: number): boolean {
    const { bytes, digitStarts, marks } = this.#text;
    if ((digitStarts[this.#digit] ?? from) < from) this.#digit = firstFrom(digitStarts, from, this.#digit);
    if ((marks[this.#mark] ?? from) < from) this.#mark = firstFrom(marks, from, this.#mark);
    for (;;) {
      const at = Math.min(digitStarts[this.#digit] ?? to, marks[this.#mark] ?? to);
      if (at >= to) return false;
      if (at === digitStarts[this.#digit]) this.#digit++;
      else this.#mark++;
      if (at < this.#done) continue;
      this.#done = runEnd(bytes, at);
      // Most are numbers of a few digits.
      const start = runStart(bytes, at);
      if (this.#done - start < lengthMin) continue;
      const tokens: Candidate[] = [];
      const from = this.#isFolded ? addTokens(this.#text, start, this.#done, tokens) : start;
      addToken(this.#text, from, this.#done, tokens);
      if (tokens.length === 0) continue;
      this.#tokens = tokens;
      this.#next = 0;
      return true;
    }
  }
}

function runStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && kinds[bytes[start - 1] as number] !== breaking) start--;
  return start;
}

/** The text ends with characters that break a run. */
function runEnd(bytes: Uint8Array, at: number): number {
  let end = at + 1;
  while (kinds[bytes[end] as number] !== breaking) end++;
  return end;
}

/** Adds the tokens of a run before full-width signs, which are those of the sentence; tells where the last token starts. */
function addTokens({ bytes, shadow, original }: ScanText, start: number, end: number, found: Candidate[]): number {
  let from = start;
  for (let i = start; i < end; i++)
    if (kinds[bytes[i] as number] === sign && original.charCodeAt(i) > 0x7f) {
      addToken({ bytes, shadow }, from, i, found);
      from = i + 1;
    }
  return from;
}

/** Adds the token if it may be a secret. */
function addToken(
  { bytes, shadow }: Pick<ScanText, 'bytes' | 'shadow'>,
  from: number,
  to: number,
  found: Candidate[],
): void {
  if (to - from < lengthMin) return;
  let digits = 0;
  let letters = 0;
  let marks = 0;
  let isAssigned = false;
  for (let i = from; i < to; i++) {
    const c = bytes[i] as number;
    const kind = kinds[c];
    if (kind === letter) letters++;
    else if (kind === digit) digits++;
    else {
      marks += digitsAndMarks[c] as number;
      if (c === 0x3d || c === 0x3a) isAssigned = true;
    }
  }
  if (letters === 0 ? digits < lengthMin : digits + marks === 0) return;
  let start = from;
  if (isAssigned) start += ofSecret.exec(shadow.slice(from, Math.min(to, from + keyMax)))?.[0].length ?? 0;
  let end = to;
  while (start < end && '([{*=:'.includes(shadow[start] as string)) start++;
  while (end > start && '.,;:?)]}'.includes(shadow[end - 1] as string)) end--;
  if (end - start >= lengthMin) found.push({ start, end, from, isNumber: letters === 0 });
}
