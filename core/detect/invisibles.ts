/**
 * Invisible characters (Unicode property Default_Ignorable_Code_Point: soft hyphens, zero-width spaces and joiners, direction
 * marks, variation selectors, tags; also the Braille blank and annotation marks). Models ignore them, so a value that contains
 * one is still a value. The same holds for mathematical letters and digits (𝐚𝐧𝐧𝐚, 𝟜𝟙𝟙𝟙), which are styled ASCII.
 */
import type { Decoded } from './escapes.ts';

const invisible = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+|[\u{1d400}-\u{1d7ff}\u210e]/gu;

let table: Uint8Array | undefined;

/** 1 for each invisible or styled code unit, and for high surrogates of those beyond the first plane. */
function newTable(): Uint8Array {
  const isInvisible = new Uint8Array(65_536);
  for (let c = 0; c < 0xd800; c++) isInvisible[c] = Number(String.fromCharCode(c).search(invisible) === 0);
  for (let c = 0xe000; c < 65_536; c++) isInvisible[c] = Number(String.fromCharCode(c).search(invisible) === 0);
  for (const c of [0xd82f, 0xd834, 0xd835, 0xdb40, 0xdb41, 0xdb42, 0xdb43]) isInvisible[c] = 1;
  return isInvisible;
}

/** True when one of the first `length` code units may be invisible. */
export function mayHoldInvisibles(units: Uint16Array, length: number): boolean {
  table ??= newTable();
  let seen = 0;
  for (let i = 0; i < length; i++) seen |= table[units[i] as number] as number;
  return seen !== 0;
}

/** The text without invisible characters and in plain letters, with the original offsets; undefined if it has none. */
export function withoutInvisibles(text: string): Decoded | undefined {
  const starts = new Int32Array(text.length + 1);
  let visible = '';
  let from = 0;
  const take = (to: number) => {
    for (let i = from; i < to; i++) starts[visible.length + i - from] = i;
    visible += text.slice(from, to);
  };
  for (const { 0: found, index } of text.matchAll(invisible)) {
    take(index);
    from = index + found.length;
    const letter = found.normalize('NFKC');
    if (letter.length !== 1 || letter === found) continue;
    starts[visible.length] = index;
    visible += letter;
  }
  if (from === 0) return undefined;
  take(text.length);
  starts[visible.length] = text.length;
  return { text: visible, starts, endsBehindLast: true };
}
