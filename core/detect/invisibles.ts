/**
 * Invisible characters (Unicode property Default_Ignorable_Code_Point: soft hyphens, zero-width spaces and joiners, direction
 * marks, variation selectors, tags; also the Braille blank, annotation marks and control characters). Models ignore them, so
 * a value that contains one is still a value. The same holds for ASCII in another style (𝐚𝐧𝐧𝐚, 𝟜𝟙𝟙𝟙, ④①①①, ﹫) and for
 * characters with combining marks (1⃣).
 */
import { type Decoded, rewritten } from './escapes.ts';

const nothing = String.raw`\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\x01-\x08\x0e-\x1a\x7f-\x84\x86-\x9f`;
/** Between all characters: a text in UTF-16 that was read as bytes. Elsewhere it parts texts. */
const zeros = String.raw`(?<=\0.)\0|\0(?=.\0)`;
const styled = String.raw`[\u{1d400}-\u{1d7ff}\u210e\u24b6-\u24e9\ufe52\ufe5f-\ufe6b]`;
/** One by itself numbers a line. */
const circle = String.raw`[\u2460-\u2468\u24ea]`;
const circled = `${circle}(?=${circle})|(?<=${circle})${circle}`;
const marks = String.raw`\u0300-\u034e\u0350-\u036f\u20d0-\u20f0`;

const pattern = (ignored: string) => new RegExp(`[${ignored}]+|${zeros}|${styled}|${circled}`, 'gsu');
const invisible = pattern(nothing);
/** Marks belong to letters in many languages, but never to a digit or an at sign. */
const marked = new RegExp(`[\\d@]\\ufe0f?[${marks}]`);
const invisibleOrMark = pattern(nothing + marks);
/** What a text has where the above may be found. */
const candidate = new RegExp(`[${nothing}${marks}\\0\\u2460-\\u2468\\u24ea]|${styled}`, 'gu');

let table: Uint8Array | undefined;

/** 1 for each invisible or styled code unit, and for high surrogates of those beyond the first plane. */
function newTable(): Uint8Array {
  const isInvisible = new Uint8Array(65_536);
  const units = new Uint16Array(65_536);
  for (let c = 0; c < 65_536; c++) units[c] = c >> 11 === 0x1b ? 0x20 : c;
  const all = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units);
  for (const { index } of all.matchAll(candidate)) isInvisible[index] = 1;
  for (const c of [0xd82f, 0xd834, 0xd835, 0xdb40, 0xdb41, 0xdb42, 0xdb43]) isInvisible[c] = 1;
  return isInvisible;
}

/** True when one of the first `length` code units may be invisible. */
export function mayHoldInvisibles(units: Uint8Array | Uint16Array, length: number): boolean {
  table ??= newTable();
  let seen = 0;
  for (let i = 0; i < length; i++) seen |= table[units[i] as number] as number;
  return seen !== 0;
}

/** The text without invisible characters and in plain letters, with the original offsets; undefined if it has none. */
export function withoutInvisibles(text: string): Decoded | undefined {
  const pieces = [...text.matchAll(marked.test(text) ? invisibleOrMark : invisible)].map(({ 0: found, index }) => {
    const letter = found.normalize('NFKC');
    const character = letter.length !== 1 || letter === found ? '' : letter;
    return { start: index, end: index + found.length, character };
  });
  return pieces.length === 0 ? undefined : { ...rewritten(text, pieces), endsBehindLast: true };
}
