/**
 * Folding and hashing of words. Training, the lists and the tagger share these functions, so a word has the same hash
 * everywhere.
 */

/** The result of {@link foldUnit} for a combining accent, which is part of a word but not of its hash. */
export const combiningMark = 1;

const foldedMax = 0x2000;
/** Letters that Unicode does not decompose, and the ones that replace them. */
const undivided = { letters: 'ßøłđðþæœı', replaced: 'solddtaoi' };

/** Lower-case letter without its accent, by code unit; 0 where the code unit is no letter or mark of an alphabet. */
const foldTable = buildFoldTable();

function buildFoldTable(): Uint16Array {
  const table = new Uint16Array(foldedMax);
  const letter = /^[\p{L}\p{M}]$/u;
  for (let code = 0; code < foldedMax; code++) {
    // Scripts without capitals have no candidates here, so their letters need no entry. Georgian to Mongolian: skipped.
    if (code >= 0x590 && code < 0x1e00) continue;
    const char = String.fromCharCode(code);
    if (!letter.test(char)) continue;
    const lower = char.toLowerCase();
    const base = lower.normalize('NFD')[0] as string;
    table[code] = (undivided.replaced[undivided.letters.indexOf(base)] ?? base).charCodeAt(0);
  }
  for (let mark = 0x300; mark < 0x370; mark++) table[mark] = combiningMark;
  return table;
}

/** The lower-case letter without accent, {@link combiningMark}, or 0 for what is no letter of Latin, Greek, Cyrillic or Armenian. */
export function foldUnit(code: number): number {
  return code < foldedMax ? (foldTable[code] as number) : 0;
}

export const hashSeed = 0x811c9dc5;

/** One step of the hash of a word. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Spreads the bits of a hash; the last step. */
export function hashEnd(hash: number): number {
  let mixed = hash ^ (hash >>> 15);
  mixed = Math.imul(mixed, 0x2c1b3c6d);
  mixed ^= mixed >>> 12;
  mixed = Math.imul(mixed, 0x297a2d39);
  return mixed ^ (mixed >>> 15);
}

/** Mixes the number of a feature template with up to two values. */
export function mix(template: number, a: number, b = 0): number {
  let mixed = Math.imul(a ^ Math.imul(template, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(b, 0xc2b2ae35);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return mixed ^ (mixed >>> 15);
}

/** The hash of a whole word, folded. */
export function hashWord(word: string): number {
  let hash = hashSeed;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const unit = foldUnit(code) || code;
    if (unit !== combiningMark) hash = hashStep(hash, unit);
  }
  return hashEnd(hash);
}
