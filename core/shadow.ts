/**
 * The shadow copy of a text, on which recognizers match, and what one cheap pass finds in it: the places worth a look.
 */

/** A run of digits with single separators between them; offsets of the text. */
export type DigitRun = { readonly start: number; readonly end: number; readonly digits: number };

/** A run of letters, digits and the characters of keys. */
export type WordRun = { readonly start: number; readonly end: number };

/** A text prepared for recognizers. All offsets are the same in `original` and `shadow`. */
export type ScanText = {
  readonly original: string;
  /** Full-width letters, digits and signs as ASCII, the dash family as `-`; one code unit for one code unit. */
  readonly shadow: string;
  /** Offsets of every `@`. */
  readonly ats: readonly number[];
  /** Runs of at least four digits in all, in order. */
  readonly digitRuns: readonly DigitRun[];
  /** Runs of at least {@link longWordLength} of `[A-Za-z0-9_+/=-]`, in order: where keys may be. */
  readonly longWords: readonly WordRun[];
  /** Offsets of the colons that stand between hexadecimal digits or colons: where an IPv6 address may be. */
  readonly hexColons: readonly number[];
};

/** A shorter key is not looked for. */
export const longWordLength = 16;

const isWord = 1;
const isDigit = 2;
const isJoint = 4; // May stand between the digits of one number.
const isHex = 8;
const isAt = 16;
const isColon = 32;
const kinds = buildKinds();

function buildKinds(): Uint8Array {
  const table = new Uint8Array(128);
  for (let c = 0; c < 128; c++) {
    const character = String.fromCharCode(c);
    let kind = /[A-Za-z0-9_+/=-]/.test(character) ? isWord : 0;
    if (/[0-9]/.test(character)) kind |= isDigit;
    if (/[ .\-()/+]/.test(character)) kind |= isJoint;
    if (/[0-9A-Fa-f]/.test(character)) kind |= isHex;
    table[c] = kind;
  }
  table[0x40] = isAt;
  table[0x3a] = isColon;
  return table;
}

/** Prepares a text: one pass, in time linear in its length. */
export function scanText(original: string): ScanText {
  const shadow = shadowOf(original);
  const ats: number[] = [];
  const digitRuns: DigitRun[] = [];
  const longWords: WordRun[] = [];
  const hexColons: number[] = [];
  const length = shadow.length;
  let wordStart = 0;
  let numberStart = -1;
  let numberEnd = 0;
  let digits = 0;
  let joints = 0;
  for (let i = 0; i < length; i++) {
    const c = shadow.charCodeAt(i);
    const kind = c < 128 ? (kinds[c] as number) : 0;
    if ((kind & isWord) === 0) {
      if (i - wordStart >= longWordLength) longWords.push({ start: wordStart, end: i });
      wordStart = i + 1;
      if (kind === isAt) ats.push(i);
      else if (kind === isColon && isHexColon(shadow, i)) hexColons.push(i);
    }
    if ((kind & isDigit) !== 0) {
      if (numberStart < 0) {
        numberStart = i;
        digits = 0;
      }
      digits++;
      joints = 0;
      numberEnd = i + 1;
    } else if (numberStart >= 0 && ((kind & isJoint) === 0 || ++joints > 2)) {
      if (digits >= 4) digitRuns.push({ start: numberStart, end: numberEnd, digits });
      numberStart = -1;
      joints = 0;
    }
  }
  if (length - wordStart >= longWordLength) longWords.push({ start: wordStart, end: length });
  if (numberStart >= 0 && digits >= 4) digitRuns.push({ start: numberStart, end: numberEnd, digits });
  return { original, shadow, ats, digitRuns, longWords, hexColons };
}

function isHexColon(text: string, at: number): boolean {
  const after = text.charCodeAt(at + 1);
  const before = at > 0 ? text.charCodeAt(at - 1) : 0;
  const isAfter = after === 0x3a || (after < 128 && ((kinds[after] as number) & isHex) !== 0);
  return isAfter && (at === 0 || before === 0x3a || before >= 128 || (kinds[before] as number) !== isWord);
}

// The three dash ranges, full-width ASCII, the ideographic space; the long vowel mark counts only between digits.
const hasWide = /[\u3000\u2010-\u2015\u2212\u30FC\uFF01-\uFF5E]/;
const wide = /[\u3000\u2010-\u2015\u2212\uFF01-\uFF5E]/g;
const longVowelBetweenDigits = /(?<=[0-9])\u30FC(?=[0-9])/g;

/** The shadow of a text; the text itself when nothing needs folding. Same length in code units. */
export function shadowOf(text: string): string {
  if (!hasWide.test(text)) return text;
  return text.replace(wide, fold).replace(longVowelBetweenDigits, '-');
}

function fold(character: string): string {
  const c = character.charCodeAt(0);
  if (c === 0x3000) return ' ';
  return c >= 0xff01 && c !== 0xff0d ? String.fromCharCode(c - 0xfee0) : '-';
}

/**
 * Matches of a global pattern within `start..end`, with some text before and after in its sight for look-arounds.
 * Matches that start outside `start..end` are left out. The offsets are those of the text.
 */
export function* matchesIn(
  text: string,
  pattern: RegExp,
  range: { readonly start: number; readonly end: number; readonly before?: number; readonly after?: number },
): Generator<{ readonly start: number; readonly end: number; readonly groups: RegExpExecArray }> {
  const from = Math.max(0, range.start - (range.before ?? 2));
  const window = text.slice(from, range.end + (range.after ?? 2));
  for (const groups of window.matchAll(pattern)) {
    const start = from + groups.index;
    if (start >= range.start && start < range.end) yield { start, end: start + groups[0].length, groups };
  }
}
