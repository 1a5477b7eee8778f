/** Kinds of characters in East Asian text. */
export const kind = {
  other: 0,
  kanji: 1,
  hiragana: 2,
  katakana: 3,
  hangul: 4,
  space: 5,
  alphabet: 6,
  mark: 7,
  line: 8,
  dot: 9,
} as const;

const kindTable = buildKindTable();

function buildKindTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  const fill = (from: number, to: number, value: number): Uint8Array => table.fill(value, from, to + 1);
  fill(0x21, 0x2f, kind.mark);
  fill(0x30, 0x39, kind.alphabet);
  fill(0x3a, 0x40, kind.mark);
  fill(0x41, 0x5a, kind.alphabet);
  fill(0x61, 0x7a, kind.alphabet);
  fill(0x5b, 0x60, kind.mark);
  fill(0x7b, 0x7e, kind.mark);
  fill(0x3000, 0x303f, kind.mark);
  fill(0x3041, 0x309f, kind.hiragana);
  fill(0x30a1, 0x30fe, kind.katakana);
  fill(0x3400, 0x4dbf, kind.kanji);
  fill(0x4e00, 0x9fff, kind.kanji);
  fill(0xf900, 0xfaff, kind.kanji);
  fill(0xac00, 0xd7a3, kind.hangul);
  fill(0xff00, 0xff65, kind.mark);
  fill(0xff66, 0xff9f, kind.katakana);
  for (const code of [0x3005, 0x3006, 0x3007, 0x30f6]) table[code] = kind.kanji;
  for (const code of [0x20, 0xa0, 0x3000]) table[code] = kind.space;
  for (const code of [0x9, 0xa, 0xd]) table[code] = kind.line;
  for (const code of [0x30fb, 0xb7, 0x2027, 0x30a0, 0xff1d, 0xff65]) table[code] = kind.dot;
  return table;
}

/** The {@link kind} of a code unit. */
export const kindOf = (code: number): number => kindTable[code] as number;

/** The language of a text in the scripts of East Asia, by its characters: 0 Japanese, 1 Chinese, 2 Korean. */
export function eastLanguage(text: string, from: number, to: number): number {
  let kanji = 0;
  let kana = 0;
  let hangul = 0;
  for (let at = from; at < to; at++) {
    const k = kindOf(text.charCodeAt(at));
    if (k === kind.kanji) kanji++;
    else if (k === kind.hiragana || k === kind.katakana) kana++;
    else if (k === kind.hangul) hangul++;
  }
  return hangul > kana + kanji / 4 ? 2 : kana * 12 > kanji ? 0 : 1;
}

/** Whether a mark may join two parts of a name: a space, a dot; in foreign names also `=` and `.`. */
export function joinsName(before: number, mark: number, behind: number): boolean {
  const k = kindOf(mark);
  if (k === kind.space || k === kind.dot) return true;
  const isForeign =
    (before === kind.katakana || before === kind.alphabet) && (behind === kind.katakana || behind === kind.alphabet);
  return isForeign && (mark === 0x3d || (mark === 0x2e && before === kind.alphabet));
}

/** How much hiragana how near to a name makes a sentence. */
const sentence = { hiragana: 8, reach: 24 };

/** Whether enough hiragana is near a span on its line, which then is a sentence and no field or heading. */
export function isInSentence(text: string, from: number, to: number): boolean {
  const kindAt = (at: number): number => kindOf(text.charCodeAt(at));
  let missing = sentence.hiragana;
  for (let at = to; missing > 0 && at < to + sentence.reach && kindAt(at) !== kind.line; at++)
    if (kindAt(at) === kind.hiragana) missing--;
  for (let at = from - 1; missing > 0 && at >= from - sentence.reach && kindAt(at) !== kind.line; at--)
    if (kindAt(at) === kind.hiragana) missing--;
  return missing === 0;
}
