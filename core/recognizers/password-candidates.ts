/** Where in a text tokens stand that may be secrets, found around digits and marks: most texts that speak of passwords have none. */
import type { ScanText } from '../shadow.ts';
import type { Stretch } from './password-signs.ts';

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

/** The tokens that begin within `from..to`, in order: with letters and with digits or marks among them, or numbers. */
export function candidatesIn(text: ScanText, from: number, to: number): Candidate[] {
  const { bytes, digitStarts, marks } = text;
  const found: Candidate[] = [];
  let digit = firstFrom(digitStarts, from);
  let mark = firstFrom(marks, from);
  let done = from;
  for (;;) {
    const at = Math.min(digitStarts[digit] ?? to, marks[mark] ?? to);
    if (at >= to) break;
    if (at === digitStarts[digit]) digit++;
    else mark++;
    if (at < done) continue;
    done = runEnd(bytes, at);
    // Most are numbers of a few digits.
    const start = runStart(bytes, at);
    if (done - start >= lengthMin) addTokens(text, start, done, found);
  }
  while ((found[0]?.from ?? from) < from) found.shift();
  return found;
}

/** The index of the first place at `from` or behind it. */
function firstFrom(places: readonly number[], from: number): number {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return low;
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

/** Adds the tokens of a run of characters: the full-width signs of the sentence are no part of one. */
function addTokens(text: ScanText, start: number, end: number, found: Candidate[]): void {
  const { bytes, shadow, original } = text;
  let from = start;
  if (original !== shadow)
    for (let i = start; i < end; i++)
      if (kinds[bytes[i] as number] === sign && original.charCodeAt(i) > 0x7f) {
        addToken(text, from, i, found);
        from = i + 1;
      }
  addToken(text, from, end, found);
}

/** Adds the token if it may be a secret. */
function addToken({ bytes, shadow }: ScanText, from: number, to: number, found: Candidate[]): void {
  if (to - from < lengthMin) return;
  let digits = 0;
  let letters = 0;
  let marks = 0;
  for (let i = from; i < to; i++) {
    const c = bytes[i] as number;
    const kind = kinds[c];
    if (kind === letter) letters++;
    else if (kind === digit) digits++;
    else marks += digitsAndMarks[c] as number;
  }
  if (letters === 0 ? digits < lengthMin : digits + marks === 0) return;
  let start = from;
  if (letters > 2) start += ofSecret.exec(shadow.slice(from, Math.min(to, from + keyMax)))?.[0].length ?? 0;
  let end = to;
  while (start < end && '([{*=:'.includes(shadow[start] as string)) start++;
  while (end > start && '.,;:?)]}'.includes(shadow[end - 1] as string)) end--;
  if (end - start >= lengthMin) found.push({ start, end, from, isNumber: letters === 0 });
}
