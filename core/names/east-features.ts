import { joinsName, kind, kindOf } from './characters.ts';
import { type EastReader, nameUnitsMax } from './east.ts';
import { isKoreanNoun } from './east-words.ts';
import { mix } from './hash.ts';
import type { Features } from './model.ts';

/** Adds the features of a unit of kanji, kana, hangul or hanzi in the chain from `first` to `last`. */
export function addEastFeatures(reader: EastReader, i: number, first: number, last: number, out: Features): void {
  const s = reader.start[i] as number;
  const e = reader.end[i] as number;
  const own = reader.unitHash[i] as number;
  const k = reader.unitKind[i] as number;
  const b1 = reader.codeAt(s - 1);
  const b2 = reader.codeAt(s - 2);
  const b3 = reader.codeAt(s - 3);
  const f1 = reader.codeAt(e);
  const f2 = reader.codeAt(e + 1);
  const f3 = reader.codeAt(e + 2);
  const kinds = (kindOf(b2) << 12) | (kindOf(b1) << 8) | (kindOf(f1) << 4) | kindOf(f2);
  const slot = s - reader.from;

  out.add(101, own);
  out.add(102, b1, k);
  out.add(103, f1, k);
  out.add(104, b2, k);
  out.add(105, f2, k);
  out.add(106, b1, own);
  out.add(107, own, f1);
  out.add(108, b2, b1);
  out.add(109, f1, f2);
  out.add(110, mix(0, b2, b1), own);
  out.add(111, mix(0, b1, own), f1);
  out.add(112, mix(0, own, f1), f2);
  out.add(113, mix(0, f1, f2), f3);
  out.add(114, mix(0, b3, b2), b1);
  out.add(116, kinds, reader.mode | (k << 4) | ((kindOf(f3) === k ? 1 : 0) << 8));

  const family = roleOf(reader.family, slot);
  const given = roleOf(reader.given, slot);
  const full = reader.full[slot] as number;
  const common = reader.word[slot] as number;
  const dictionary = family | (given << 5) | (full << 10);
  out.add(117, family, k);
  out.add(118, given, k);
  out.add(119, full, common);
  out.add(120, dictionary, k);
  out.add(122, dictionary, common);

  // The place of the unit in the run of its kind, and the characters around the run.
  let runStart = s;
  let runEnd = e;
  while (s - runStart < 6 && kindOf(reader.codeAt(runStart - 1)) === k) runStart--;
  while (runEnd - e < 6 && kindOf(reader.codeAt(runEnd)) === k) runEnd++;
  const place = Math.min(s - runStart, 5) | (Math.min(runEnd - e, 5) << 3);
  const outside = (kindOf(reader.codeAt(runStart - 1)) << 4) | kindOf(reader.codeAt(runEnd));
  out.add(123, place, k);
  out.add(124, place | (outside << 6), k);
  out.add(125, place, dictionary);
  out.add(126, mix(place, reader.codeAt(runEnd), reader.codeAt(runEnd + 1)), k);
  out.add(127, mix(place, reader.codeAt(runStart - 1), reader.codeAt(runStart - 2)), k);
  out.add(128, mix(place & 7, reader.codeAt(runStart - 1)), k);
  out.add(129, mix(place >> 3, reader.codeAt(runEnd)), k);

  let distance = 0;
  for (let d = 0; d < 5 && distance === 0; d++) {
    const length = reader.honorificAt(e + d);
    if (length > 0 && (length > 1 || e + d === runEnd || d < 3))
      distance = d + 1 + (length > 1 ? 8 : 0) + (e + d === runEnd ? 16 : 0);
  }
  out.add(130, distance, dictionary);
  out.add(131, distance | (place << 6), k);

  const chainStart = reader.start[first] as number;
  const chainEnd = reader.end[last] as number;
  const size = Math.min(chainEnd - chainStart, 9);
  const borders = mix(k, reader.codeAt(chainStart - 1), reader.codeAt(chainEnd));
  out.add(132, size | (Math.min(s - chainStart, 6) << 4), borders);
  out.add(133, size | (Math.min(s - chainStart, 6) << 4), dictionary);
  out.add(134, reader.labelBefore(chainStart), Math.min(s - chainStart, 3));
  if (k === kind.katakana) addKatakanaFeatures(reader, s, e, out);
  if (k === kind.katakana || k === kind.alphabet) addForeignFeatures(reader, i, first, last, out);

  // The dictionary word that covers the unit, those at its borders, and those on both sides.
  const cover = reader.cover[slot] as number;
  const starts = reader.startsWord[slot] as number;
  const ends = reader.endsWord[slot + e - s] as number;
  const wordBefore = reader.endsWord[slot] as number;
  const wordBehind = reader.startsWord[slot + e - s] as number;
  const mode = reader.mode;
  out.add(150, cover, k);
  out.add(151, starts, ends);
  out.add(152, wordBefore, wordBehind);
  out.add(153, cover, dictionary);
  out.add(154, wordBefore, dictionary);
  out.add(155, wordBehind, dictionary);
  out.add(156, mix(0, wordBefore, cover), wordBehind);
  out.add(157, own, mode | (given << 2) | (family << 7));
  if (mode === 2) {
    out.add(160, mix(place & 7, reader.codeAt(runStart)), Math.min(runEnd - runStart, 7));
    out.add(161, mix(place >> 3, reader.codeAt(runEnd - 1), reader.codeAt(runEnd - 2)));
    out.add(162, mix(Math.min(place & 7, 3), reader.codeAt(runStart - 2), reader.codeAt(runStart - 3)));
    out.add(163, mix(Math.min(place >> 3, 3), reader.codeAt(runEnd + 1), reader.codeAt(runEnd + 2)));
    const nouns = nounsFrom(reader, s - 2, 5);
    const whole = nounsFrom(reader, runStart, 5) | (Math.min(runEnd - runStart, 7) << 5);
    out.add(180, nouns, place);
    out.add(181, nouns, own);
    out.add(182, whole, s - runStart);
  } else {
    // Two characters on each side, without the unit itself: verbs, particles and marks around a name.
    out.add(164, mix(place & 7, b1, b2), kindOf(b3));
    out.add(165, mix(place >> 3, f1, f2), kindOf(f3));
    out.add(166, mix(0, f2, f3), k);
    out.add(167, mix(0, b2, b3), k);
  }
}

/** A bit for each of `count` offsets at which a Korean noun of two syllables starts. */
function nounsFrom(reader: EastReader, start: number, count: number): number {
  let bits = 0;
  for (let k = 0; k < count; k++)
    if (isKoreanNoun(reader.codeAt(start + k), reader.codeAt(start + k + 1))) bits |= 1 << k;
  return bits;
}

/** Bits for the roles of a character in listed names: single 1, begin 2, inside 4, end 8, whole run 16. */
function roleOf(lengths: Uint8Array, slot: number): number {
  const own = lengths[slot] as number;
  let role = (own & 1) | ((own & 14) !== 0 ? 2 : 0) | (own & 16);
  for (let back = 1; back < nameUnitsMax && back <= slot; back++) {
    const there = lengths[slot - back] as number;
    if (there & (1 << back)) role |= 8;
    if ((there & 15) >> (back + 1)) role |= 4;
  }
  return role;
}

/** List entries of a foreign name and of the parts joined to it by dots, and the characters on both sides. */
function addForeignFeatures(reader: EastReader, i: number, first: number, last: number, out: Features): void {
  let from = i;
  let to = i;
  while (from > first && isJoined(reader, from)) from--;
  while (to < last && isJoined(reader, to + 1)) to++;
  const own = reader.listed[(reader.start[i] as number) - reader.from] as number;
  const whole = roughly(reader, i);
  const head = roughly(reader, from);
  const tail = roughly(reader, to);
  let people = 0;
  for (let k = from; k <= to; k++) if ((roughly(reader, k) & 15) !== 0) people++;
  const place = Math.min(i - from, 3) | (Math.min(to - i, 3) << 2);
  const before = reader.codeAt((reader.start[from] as number) - 1);
  const before2 = reader.codeAt((reader.start[from] as number) - 2);
  const behind = reader.codeAt(reader.end[to] as number);
  const behind2 = reader.codeAt((reader.end[to] as number) + 1);
  out.add(170, own, place);
  out.add(171, own, behind);
  out.add(172, own, before);
  out.add(173, mix(0, whole, behind), behind2);
  out.add(174, mix(0, whole, before), before2);
  out.add(175, whole | (head << 5) | (tail << 10), place);
  out.add(176, Math.min(people, 3) | (Math.min(to - from, 3) << 2), whole | (place << 5));
  out.add(177, mix(Math.min(people, 3), place, behind), behind2);
  out.add(178, mix(Math.min(people, 3), place, before), before2);
}

/** Whether a dot or double hyphen joins this unit to a katakana word or an initial before it. */
function isJoined(reader: EastReader, i: number): boolean {
  const mark = reader.codeAt((reader.start[i] as number) - 1);
  const before = reader.unitKind[i - 1] as number;
  const isForeign = before === kind.katakana || before === kind.alphabet;
  return isForeign && kindOf(mark) !== kind.space && joinsName(before, mark, kind.katakana);
}

/** A word's frequency as a given and as a family name (0 to 3 each), and whether it is listed as anything else; 31 for an initial. */
function roughly(reader: EastReader, i: number): number {
  if (reader.unitKind[i] === kind.alphabet) return 31;
  const entry = reader.listed[(reader.start[i] as number) - reader.from] as number;
  const given = ((entry & 7) + 1) >> 1;
  const family = (((entry >> 3) & 7) + 1) >> 1;
  return Math.min(given, 3) | (Math.min(family, 3) << 2) | (entry > 63 ? 16 : 0);
}

function addKatakanaFeatures(reader: EastReader, s: number, e: number, out: Features): void {
  out.add(140, Math.min(e - s, 10));
  for (let at = s; at < e; at++) {
    const now = reader.codeAt(at);
    if (at + 1 < e) out.add(141, now, reader.codeAt(at + 1));
    if (at + 2 < e) out.add(142, mix(0, now, reader.codeAt(at + 1)), reader.codeAt(at + 2));
  }
  out.add(143, reader.codeAt(s), reader.codeAt(s + 1));
  out.add(144, reader.codeAt(e - 2), reader.codeAt(e - 1));
  out.add(145, reader.codeAt(e - 1));
}
