/**
 * Characters that show as nothing (Unicode property Default_Ignorable_Code_Point: soft hyphens, zero-width spaces and
 * joiners, direction marks, variation selectors, tags; and the blank of Braille and the marks of annotations, which show as
 * nothing too). Models read through them, so that a value with one inside is a value still. So is one in the letters and
 * digits of mathematics (𝐚𝐧𝐧𝐚, 𝟜𝟙𝟙𝟙), which are those of ASCII in another style.
 */
import type { Decoded } from './escapes.ts';

const invisible = /[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]+|[\u{1d400}-\u{1d7ff}\u210e]/gu;

let table: Uint8Array | undefined;

/** By code unit: 1 for one of them and for a styled letter, and for the high surrogates of those beyond the first plane. */
function newTable(): Uint8Array {
  const isInvisible = new Uint8Array(65_536);
  for (let c = 0; c < 0xd800; c++) isInvisible[c] = Number(String.fromCharCode(c).search(invisible) === 0);
  for (let c = 0xe000; c < 65_536; c++) isInvisible[c] = Number(String.fromCharCode(c).search(invisible) === 0);
  for (const c of [0xd82f, 0xd834, 0xd835, 0xdb40, 0xdb41, 0xdb42, 0xdb43]) isInvisible[c] = 1;
  return isInvisible;
}

/** Whether some of the first `length` code units may be invisible. */
export function mayHoldInvisibles(units: Uint16Array, length: number): boolean {
  table ??= newTable();
  let seen = 0;
  for (let i = 0; i < length; i++) seen |= table[units[i] as number] as number;
  return seen !== 0;
}

/** The text without them and in plain letters, and where its code units stand in it; undefined for a text that has none. */
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
