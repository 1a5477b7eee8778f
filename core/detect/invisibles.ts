/**
 * Invisible characters (Unicode property Default_Ignorable_Code_Point: soft hyphens, zero-width spaces and joiners, direction
 * marks, variation selectors, tags; also the Braille blank, annotation marks, control and private characters). Models ignore them,
 * so a value that contains one is still a value. The same holds for ASCII in another style (𝐚𝐧𝐧𝐚, 𝟜𝟙𝟙𝟙, ④①①①, ﹫) and for
 * characters with combining marks (1⃣, é of macOS).
 */
import data from '../lexicon/escapes.json' with { type: 'json' };
import { patternsOf } from '../pattern-data.ts';
import { type Decoded, rewritten } from './escapes.ts';

/** Digits and letters that may also number a line, by themselves. */
const listed = new Map<string, string>();
for (const alphabet of data.alphabets)
  for (const [i, c] of [...alphabet].entries())
    if (c > '\x7f') listed.set(c, [...alphabet].length === 10 ? String(i) : String.fromCharCode(0x61 + i));

/** In `invisible`, zeros between all characters: a text in UTF-16 that was read as bytes. Elsewhere they part texts. */
const { invisible, candidate, dropped } = patternsOf('invisibles', { listed: `[${[...listed.keys()].join('')}]` });

let table: Uint8Array | undefined;

/**
 * For each code unit 1 if it is invisible or styled, or the high surrogate of such a character; otherwise a bit for those that are so
 * only next to each other: what may number a line, and the surrogates of letters and digits among the emoji.
 */
function newTable(): Uint8Array {
  const kinds = new Uint8Array(65_536);
  const units = new Uint16Array(kinds.length);
  for (let c = 0; c < units.length; c++) units[c] = c >> 11 === 0x1b ? 0x20 : c;
  const all = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units);
  for (const { 0: found, index } of all.matchAll(candidate)) kinds[index] = listed.has(found) ? 2 : 1;
  for (const c of [0xd82f, 0xd834, 0xd835, 0xdb40, 0xdb41, 0xdb42, 0xdb43]) kinds[c] = 1;
  // U+1F100 to U+1F18F, U+1FBF0 to U+1FBF9.
  kinds.fill(4, 0xd83c, 0xd83d).fill(4, 0xdd00, 0xdd90).fill(8, 0xd83e, 0xd83f).fill(8, 0xdff0, 0xdffa);
  return kinds.fill(1, 0xdb80, 0xdc00);
}

/** True when one of the first `length` code units may be invisible. */
export function mayHoldInvisibles(units: Uint8Array | Uint16Array, length: number): boolean {
  table ??= newTable();
  for (let i = 0; i < length; i++) {
    const kind = table[units[i] as number] as number;
    if (kind !== 0 && (kind === 1 || (i > 0 && (kind & (table[units[i - 1] as number] as number)) !== 0))) return true;
  }
  return false;
}

/** The text without invisible characters and in plain letters, with the original offsets; undefined if it has none. */
export function withoutInvisibles(text: string): Decoded | undefined {
  const pieces = [...text.matchAll(invisible)].map(({ 0: found, index }) => {
    const character = listed.get(found) ?? found.normalize('NFKC').replace(dropped, '');
    return { start: index, end: index + found.length, character };
  });
  return pieces.length === 0 ? undefined : rewritten(text, pieces);
}
