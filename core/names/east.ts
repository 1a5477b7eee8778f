import { chainMax } from './chain.ts';
import { hashEnd, hashSeed, hashStep, mix } from './hash.ts';
import { lexicon, wordClass } from './lexicon.ts';
import type { Features } from './model.ts';
import { englishLevel, familyLevel, givenLevel, kindBits, otherLevel, tables } from './tables.ts';

/** Kinds of characters, as East Asian text needs them told apart. */
const kind = {
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

const kindOf = (code: number): number => kindTable[code] as number;

const blockMax = 1 << 15;
const nameUnitsMax = 4;

/**
 * Finds candidates in kanji, kana, hangul and hanzi, and describes each by features. A unit is one character, or a whole
 * run of katakana.
 */
export class EastReader {
  static readonly unitsMax = blockMax;
  readonly start = new Int32Array(blockMax);
  readonly end = new Int32Array(blockMax);
  count = 0;
  /** 1 where a unit does not continue the chain of the unit before it. */
  private readonly breaks = new Uint8Array(blockMax);
  private readonly unitKind = new Uint8Array(blockMax);
  private readonly unitHash = new Int32Array(blockMax);
  private readonly marked = new Uint8Array(blockMax + 16);
  private readonly family = new Uint8Array(blockMax + 16);
  private readonly given = new Uint8Array(blockMax + 16);
  private readonly full = new Uint8Array(blockMax + 16);
  private readonly word = new Uint8Array(blockMax + 16);
  private readonly honorific = new Uint8Array(blockMax + 16);
  private text = '';
  private from = 0;
  private to = 0;
  private mode = 0;
  /** Set in training only, as in the reader of alphabets. */
  dropout = 0;

  /** Reads a block of the text, at most {@link EastReader.unitsMax} code units. */
  read(text: string, from: number, to: number): void {
    this.text = text;
    this.from = from;
    this.to = to;
    const size = to - from + 16;
    for (const column of [this.marked, this.family, this.given, this.full, this.word]) column.fill(0, 0, size);
    this.honorific.fill(255, 0, size);
    let kanji = 0;
    let kana = 0;
    let hangul = 0;
    for (let at = from; at < to; at++) {
      const k = kindOf(text.charCodeAt(at));
      if (k === kind.kanji) kanji++;
      else if (k === kind.hiragana || k === kind.katakana) kana++;
      else if (k === kind.hangul) hangul++;
    }
    this.mode = hangul > kana + kanji / 4 ? 2 : kana * 12 > kanji ? 0 : 1;
    for (let at = from; at < to; ) {
      const k = kindOf(text.charCodeAt(at));
      if (k === kind.other || k > kind.hangul) {
        at++;
        continue;
      }
      let end = at + 1;
      while (end < to && this.continues(k, end)) end++;
      if (k === kind.kanji) this.markKanji(at, end);
      else if (k === kind.katakana) this.markKatakana(at, end);
      else if (k === kind.hiragana) this.markHiragana(at, end);
      else if (end - at < 9) this.mark(at, end);
      at = end;
    }
    this.collectUnits();
  }

  private continues(k: number, at: number): boolean {
    const code = this.text.charCodeAt(at);
    return kindOf(code) === k || (k === kind.hiragana && code === 0x30fc);
  }

  private mark(from: number, to: number): void {
    this.marked.fill(1, Math.max(from, this.from) - this.from, Math.min(to, this.to) - this.from);
  }

  private kindAt(at: number): number {
    return at < 0 || at >= this.text.length ? kind.line : kindOf(this.text.charCodeAt(at));
  }

  /** Whether the text from `from` to `to` fills a field: between line ends, marks and blanks. */
  private isField(from: number, to: number): boolean {
    const before = this.kindAt(from - 1);
    const behind = this.kindAt(to);
    return before >= kind.space && before !== kind.alphabet && behind >= kind.space && behind !== kind.alphabet;
  }

  /** Notes which names of the lists start at each character, by their lengths. */
  private lookUp(from: number, to: number): void {
    const { names } = tables();
    const { text } = this;
    for (let at = from; at < to; at++) {
      let hash = hashSeed;
      for (let length = 1; length <= nameUnitsMax && at + length <= to; length++) {
        hash = hashStep(hash, text.charCodeAt(at + length - 1));
        const ended = hashEnd(hash);
        const entry = names.get(ended);
        if (entry === 0 || (this.dropout !== 0 && (mix(this.dropout, ended) >>> 0) % 100 < 15)) continue;
        const bit = 1 << (length - 1);
        const slot = at - this.from;
        if (familyLevel(entry) > (length === 1 ? 2 : 0)) this.family[slot] = (this.family[slot] as number) | bit;
        if (givenLevel(entry) > 0) this.given[slot] = (this.given[slot] as number) | bit;
      }
    }
    for (let at = from; at < to; at++) this.markFull(at, to);
  }

  /** Notes a family name with a given name right behind it: its characters get their place in it. */
  private markFull(at: number, to: number): void {
    const families = this.family[at - this.from] as number;
    for (let length = nameUnitsMax; length > 0; length--) {
      if ((families & (1 << (length - 1))) === 0) continue;
      const givens = this.given[at + length - this.from] as number;
      for (let second = nameUnitsMax; second > 0; second--) {
        const end = at + length + second;
        if ((givens & (1 << (second - 1))) === 0 || end > to) continue;
        const whole = end === to ? 8 : 0;
        if (length + second < 3 && whole === 0) continue;
        for (let k = at; k < end; k++) {
          const role = k === at ? 1 : k === end - 1 ? 3 : 2;
          if ((this.full[k - this.from] as number) < whole + role) this.full[k - this.from] = whole + role;
        }
        return;
      }
    }
  }

  private markKanji(from: number, to: number): void {
    this.lookUp(from, to);
    const length = to - from;
    if (this.mode !== 0 || (length <= 6 && this.isField(from, to))) {
      this.mark(from, to);
      return;
    }
    const named = this.honorificAt(to) > 0 || this.hasListedName(from, to);
    if (!named && (length > 10 || this.isCommon(from, to))) return;
    this.mark(from, to);
    // A given name in kana right behind a family name in kanji.
    const behind = this.kindAt(to);
    const slot = from - this.from;
    if (
      length > 3 ||
      (this.family[slot] as number) >> (length - 1) !== 1 ||
      (behind !== kind.hiragana && behind !== kind.katakana)
    )
      return;
    let end = to;
    while (end < this.to && end < to + 4 && this.kindAt(end) === behind) end++;
    if (behind === kind.hiragana) this.mark(to, end);
  }

  /** Whether a family name of the lists starts the run, or a long enough one stands in it. */
  private hasListedName(from: number, to: number): boolean {
    // A given name behind a blank, as in `高橋 直樹`.
    const whole = 1 << (to - from - 1);
    if (this.kindAt(from - 1) === kind.space && ((this.given[from - this.from] as number) & whole) !== 0) return true;
    for (let at = from; at < to; at++) {
      if ((this.full[at - this.from] as number) > 8) return true;
      const families = this.family[at - this.from] as number;
      if (families > 1 && (at === from || to - from < 9)) return true;
      if (at > from && this.honorificAt(at) > 0 && this.honorificAt(at) + at === to) return true;
    }
    return false;
  }

  /** Whether common words cover the whole run. */
  private isCommon(from: number, to: number): boolean {
    const { words } = tables();
    for (let at = from; at < to; ) {
      let hash = hashSeed;
      let longest = 0;
      for (let length = 1; length <= 4 && at + length <= to; length++) {
        hash = hashStep(hash, this.text.charCodeAt(at + length - 1));
        if (words.get(hashEnd(hash)) !== 0) longest = length;
      }
      if (longest === 0) return false;
      at += longest;
    }
    return true;
  }

  private markKatakana(from: number, to: number): void {
    const length = to - from;
    if (length < 2 || length > 14) return;
    let hash = hashSeed;
    for (let at = from; at < to; at++) hash = hashStep(hash, this.text.charCodeAt(at));
    hash = hashEnd(hash);
    const entry = tables().names.get(hash);
    const slot = from - this.from;
    if (entry !== 0 && (this.dropout === 0 || (mix(this.dropout, hash) >>> 0) % 100 >= 15)) {
      this.family[slot] = familyLevel(entry) > 0 ? 16 : 0;
      this.given[slot] = givenLevel(entry) > 0 ? 16 : 0;
    }
    this.mark(from, to);
  }

  private markHiragana(from: number, to: number): void {
    if (to - from <= 10 && this.isField(from, to)) {
      this.lookUp(from, to);
      this.mark(from, to);
    }
    for (let at = from + 1; at < to; at++) {
      if (this.honorificAt(at) < 2) continue;
      const first = Math.max(from, at - 5);
      this.lookUp(first, at);
      this.mark(first, at);
    }
    if (this.kindAt(to) === kind.kanji && this.honorificAt(to) > 0 && this.isFieldStart(from)) {
      this.lookUp(Math.max(from, to - 5), to);
      this.mark(to - Math.min(5, to - from), to);
    }
  }

  private isFieldStart(at: number): boolean {
    const before = this.kindAt(at - 1);
    return before >= kind.space && before !== kind.alphabet;
  }

  /** The length of the longest title or honorific that starts here; 0 for none. */
  private honorificAt(at: number): number {
    if (at >= this.to) return 0;
    const known = this.honorific[at - this.from] as number;
    if (known !== 255) return known;
    const classes = lexicon();
    let hash = hashSeed;
    let longest = 0;
    for (let length = 1; length <= 5 && at + length <= this.to; length++) {
      hash = hashStep(hash, this.text.charCodeAt(at + length - 1));
      if (classes.get(hashEnd(hash)) & wordClass.honorific) longest = length;
    }
    this.honorific[at - this.from] = longest;
    return longest;
  }

  private collectUnits(): void {
    const { text, marked, from } = this;
    const { words } = tables();
    let count = 0;
    let previousEnd = -9;
    for (let at = from; at < this.to; ) {
      if (marked[at - from] === 0) {
        at++;
        continue;
      }
      const code = text.charCodeAt(at);
      const k = kindOf(code);
      let end = at + 1;
      let hash = code;
      if (k === kind.katakana) {
        hash = hashStep(hashSeed, code);
        while (end < this.to && kindOf(text.charCodeAt(end)) === kind.katakana)
          hash = hashStep(hash, text.charCodeAt(end++));
        hash = hashEnd(hash);
      } else if (k === kind.kanji || k === kind.hiragana) this.noteWords(at, words);
      this.start[count] = at;
      this.end[count] = end;
      this.unitKind[count] = k;
      this.unitHash[count] = hash;
      const gap = at - previousEnd;
      const between = gap === 1 ? kindOf(text.charCodeAt(at - 1)) : -1;
      this.breaks[count] = gap === 0 || between === kind.space || between === kind.dot ? 0 : 1;
      previousEnd = end;
      count++;
      at = end;
    }
    this.count = count;
  }

  /** Notes the common words that cover a character. */
  private noteWords(at: number, words: { get(hash: number): number }): void {
    let hash = hashSeed;
    for (let length = 1; length <= 4 && at + length <= this.to; length++) {
      hash = hashStep(hash, this.text.charCodeAt(at + length - 1));
      if (length === 1) continue;
      const entry = words.get(hashEnd(hash));
      if (entry === 0) continue;
      const isPlace = kindBits(entry) & 1;
      const level = otherLevel(entry) + englishLevel(entry) > 1 ? 2 : 0;
      for (let k = 0; k < length; k++) {
        const role = k === 0 ? 4 : k === length - 1 ? 16 : 8;
        this.word[at - this.from + k] = (this.word[at - this.from + k] as number) | role | isPlace | level;
      }
    }
  }

  /** Calls `visit` with the first and last unit of each run that may hold names together. */
  chains(visit: (first: number, last: number) => void): void {
    for (let i = 0; i < this.count; i++) {
      const first = i;
      while (i + 1 < this.count && this.breaks[i + 1] === 0 && i + 1 - first < chainMax) i++;
      visit(first, i);
    }
  }

  private codeAt(at: number): number {
    return at < 0 || at >= this.text.length ? 10 : this.text.charCodeAt(at);
  }

  /** Adds the features of a unit. */
  addFeatures(i: number, first: number, last: number, out: Features): void {
    const s = this.start[i] as number;
    const e = this.end[i] as number;
    const own = this.unitHash[i] as number;
    const k = this.unitKind[i] as number;
    const b1 = this.codeAt(s - 1);
    const b2 = this.codeAt(s - 2);
    const b3 = this.codeAt(s - 3);
    const f1 = this.codeAt(e);
    const f2 = this.codeAt(e + 1);
    const f3 = this.codeAt(e + 2);
    const kinds = (kindOf(b2) << 12) | (kindOf(b1) << 8) | (kindOf(f1) << 4) | kindOf(f2);
    const slot = s - this.from;

    out.add(mix(101, own));
    out.add(mix(102, b1, k));
    out.add(mix(103, f1, k));
    out.add(mix(104, b2, k));
    out.add(mix(105, f2, k));
    out.add(mix(106, b1, own));
    out.add(mix(107, own, f1));
    out.add(mix(108, b2, b1));
    out.add(mix(109, f1, f2));
    out.add(mix(110, mix(0, b2, b1), own));
    out.add(mix(111, mix(0, b1, own), f1));
    out.add(mix(112, mix(0, own, f1), f2));
    out.add(mix(113, mix(0, f1, f2), f3));
    out.add(mix(114, mix(0, b3, b2), b1));
    out.add(mix(115, kinds, k));
    out.add(mix(116, kinds, this.mode | (k << 4) | ((kindOf(f3) === k ? 1 : 0) << 8)));

    const family = this.role(this.family, slot);
    const given = this.role(this.given, slot);
    const full = this.full[slot] as number;
    const common = this.word[slot] as number;
    const dictionary = family | (given << 5) | (full << 10);
    out.add(mix(117, family, k));
    out.add(mix(118, given, k));
    out.add(mix(119, full, common));
    out.add(mix(120, dictionary, k));
    out.add(mix(121, common, k));
    out.add(mix(122, dictionary, common));

    // Where the unit stands in the run of its kind, and what is around the run.
    let runStart = s;
    let runEnd = e;
    while (s - runStart < 6 && kindOf(this.codeAt(runStart - 1)) === k) runStart--;
    while (runEnd - e < 6 && kindOf(this.codeAt(runEnd)) === k) runEnd++;
    const place = Math.min(s - runStart, 5) | (Math.min(runEnd - e, 5) << 3);
    const outside = (kindOf(this.codeAt(runStart - 1)) << 4) | kindOf(this.codeAt(runEnd));
    out.add(mix(123, place, k));
    out.add(mix(124, place | (outside << 6), k));
    out.add(mix(125, place, dictionary));
    out.add(mix(126, mix(place, this.codeAt(runEnd), this.codeAt(runEnd + 1)), k));
    out.add(mix(127, mix(place, this.codeAt(runStart - 1), this.codeAt(runStart - 2)), k));
    out.add(mix(128, mix(place & 7, this.codeAt(runStart - 1)), k));
    out.add(mix(129, mix(place >> 3, this.codeAt(runEnd)), k));

    let distance = 0;
    for (let d = 0; d < 5 && distance === 0; d++) {
      const length = this.honorificAt(e + d);
      if (length > 0 && (length > 1 || e + d === runEnd || d < 3))
        distance = d + 1 + (length > 1 ? 8 : 0) + (e + d === runEnd ? 16 : 0);
    }
    out.add(mix(130, distance, dictionary));
    out.add(mix(131, distance | (place << 6), k));

    const chainStart = this.start[first] as number;
    const chainEnd = this.end[last] as number;
    const size = Math.min(chainEnd - chainStart, 9);
    out.add(
      mix(132, size | (Math.min(s - chainStart, 6) << 4), mix(k, this.codeAt(chainStart - 1), this.codeAt(chainEnd))),
    );
    out.add(mix(133, size | (Math.min(s - chainStart, 6) << 4), dictionary));
    out.add(mix(134, this.labelBefore(chainStart), Math.min(s - chainStart, 3)));
    if (k === kind.katakana) this.addKatakanaFeatures(s, e, out);
  }

  /** The roles that a character has in the listed names around it: single 1, begin 2, inside 4, end 8, whole run 16. */
  private role(lengths: Uint8Array, slot: number): number {
    const own = lengths[slot] as number;
    let role = (own & 1) | ((own & 14) !== 0 ? 2 : 0) | (own & 16);
    for (let back = 1; back < nameUnitsMax && back <= slot; back++) {
      const there = lengths[slot - back] as number;
      if (there & (1 << back)) role |= 8;
      if ((there & 15) >> (back + 1)) role |= 4;
    }
    return role;
  }

  /** A hash of the label in front of a field, as in `氏名：`. */
  private labelBefore(at: number): number {
    let end = at;
    while (
      end > at - 4 &&
      end > 0 &&
      kindOf(this.codeAt(end - 1)) >= kind.space &&
      kindOf(this.codeAt(end - 1)) !== kind.alphabet
    )
      end--;
    if (end === at) return 0;
    let start = end;
    while (start > end - 6 && kindOf(this.codeAt(start - 1)) > 0 && kindOf(this.codeAt(start - 1)) < kind.space)
      start--;
    let hash = hashSeed;
    for (let k = start; k < end; k++) hash = hashStep(hash, this.codeAt(k));
    hash = hashEnd(hash);
    return lexicon().get(hash) & wordClass.label ? 1 : start === end ? 2 : 3;
  }

  private addKatakanaFeatures(s: number, e: number, out: Features): void {
    out.add(mix(140, Math.min(e - s, 10)));
    for (let at = s; at < e; at++) {
      const now = this.codeAt(at);
      if (at + 1 < e) out.add(mix(141, now, this.codeAt(at + 1)));
      if (at + 2 < e) out.add(mix(142, mix(0, now, this.codeAt(at + 1)), this.codeAt(at + 2)));
    }
    out.add(mix(143, this.codeAt(s), this.codeAt(s + 1)));
    out.add(mix(144, this.codeAt(e - 2), this.codeAt(e - 1)));
    out.add(mix(145, this.codeAt(e - 1)));
  }

  /** Whether a span's characters are all kana. */
  isKana(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const k = this.kindAt(at);
      if (k === kind.kanji || k === kind.hangul) return false;
    }
    return true;
  }

  /** Whether a title or honorific starts at an offset. */
  hasHonorificAt(at: number): boolean {
    return this.honorificAt(at) > 0;
  }

  /** Whether a label ends in front of an offset. */
  hasLabelBefore(at: number): boolean {
    return this.labelBefore(at) === 1;
  }
}
