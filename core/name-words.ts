/** Where a name may go on behind a capitalised word: what the common pass asks of one, before any list of names is asked. */
import { apostropheMark, capitalMark, smallMark, tableOf } from './byte-marks.ts';

/** Letters and the signs inside of names. */
const nameCharacters = tableOf((c) => (/[A-Za-z'-]/.test(c) ? 1 : 0));
nameCharacters.fill(1, smallMark, apostropheMark + 1);
const capitals = tableOf((c) => (/[A-Z]/.test(c) ? 1 : 0));
capitals[capitalMark] = 1;

/** Small words inside of names, such as `van`. */
export const nameParticles: ReadonlySet<string> = new Set(
  'van von vom zu zum zur de der den del della delle dello di da do dos das du la le lo los las bin bint bte binte binti ibn ben abu al el ad as ter ten te af av y e i san st'.split(
    ' ',
  ),
);
/** Those of at most four letters, with five bits for each. */
const packedParticles = new Set(
  [...nameParticles].filter((word) => word.length < 5).map((word) => [...word].reduce(packed, 0)),
);
/** Their lowest bits: few other words share them, and to look one up in a set takes as long as to read the word. */
const particleBits = new Uint8Array(256);
for (const word of packedParticles) particleBits[word & 0xff] = 1;

function packed(sum: number, letter: string): number {
  return (sum << 5) | (letter.charCodeAt(0) - 0x60);
}

/** What titles that a dot may follow begin with: `Dr.`, `Prof.`, `Mr.` */
const titleFirsts = tableOf((c) => (/[CDFGHLMPRS]/.test(c) ? 1 : 0));
const titleLengthMax = 9;

/**
 * True when the word `start..end` may be followed by another word of a name: a blank or two, then a capital or a
 * particle. A dot may only stand behind an initial or a title.
 */
export function isPairBehind(bytes: Uint8Array, start: number, end: number): boolean {
  let i = end;
  if (bytes[i] === 0x2e) {
    const length = end - start;
    if (length > 1 && (length > titleLengthMax || titleFirsts[bytes[start] as number] === 0)) return false;
    i++;
  }
  if (bytes[i] !== 0x20) return false;
  if (bytes[++i] === 0x20) i++;
  if (capitals[bytes[i] as number] === 1) return true;
  let word = 0;
  for (let k = 0; k < 5; k++) {
    const c = bytes[i + k] as number;
    if (c === 0x20) return isParticle(word) && (k < 4 || capitals[bytes[i + 5] as number] === 1);
    if (c < 0x61 || c > 0x7a) return false;
    word = (word << 5) | (c - 0x60);
  }
  return false;
}

function isParticle(word: number): boolean {
  return particleBits[word & 0xff] === 1 && packedParticles.has(word);
}

/** `"Family, Given"` in a quoted cell. */
export function isQuotedName(bytes: Uint8Array, start: number, end: number): boolean {
  return start > 0 && bytes[start - 1] === 0x22 && bytes[end + 1] === 0x20 && capitals[bytes[end + 2] as number] === 1;
}

/** The end of a word that a name may have. */
export function nameWordEnd(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  while (nameCharacters[bytes[end] as number] === 1) end++;
  return end;
}
