import { chainMax } from './chain.ts';
import { eastLanguage, joinsName, kind, kindOf } from './characters.ts';
import { eastWords, simplify, wordKind } from './east-words.ts';
import { hashEnd, hashSeed, hashStep, mix } from './hash.ts';
import { classesOf, honorificStarts, wordClass } from './lexicon.ts';
import { englishLevel, familyLevel, givenLevel, kindBits, otherLevel, tables } from './tables.ts';

const blockMax = 1 << 15;
/** The longest listed name, in characters. */
export const nameUnitsMax = 4;

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
  readonly breaks = new Uint8Array(blockMax);
  readonly unitKind = new Uint8Array(blockMax);
  readonly unitHash = new Int32Array(blockMax);
  private readonly marked = new Uint8Array(blockMax + 16);
  readonly family = new Uint8Array(blockMax + 16);
  readonly given = new Uint8Array(blockMax + 16);
  readonly full = new Uint8Array(blockMax + 16);
  readonly word = new Uint8Array(blockMax + 16);
  /** The longest dictionary word that covers a character: kind, level, place in the word, length. */
  readonly cover = new Uint16Array(blockMax + 16);
  /** Kind and level of the longest dictionary word that starts at a character, and of the one that ends before it. */
  readonly startsWord = new Uint8Array(blockMax + 16);
  readonly endsWord = new Uint8Array(blockMax + 16);
  /** The entry of a run of katakana in the table of names. */
  readonly listed = new Uint8Array(blockMax + 16);
  private noted = 0;
  private readonly honorific = new Uint8Array(blockMax + 16);
  text = '';
  from = 0;
  private to = 0;
  /** 0 Japanese, 1 Chinese, 2 Korean. */
  mode = 0;
  /** Set in training only, as in the reader of alphabets. */
  dropout = 0;

  /** Reads a block of the text, at most {@link EastReader.unitsMax} code units. */
  read(text: string, from: number, to: number): void {
    this.text = text;
    this.from = from;
    this.to = to;
    const size = to - from + 16;
    const { marked, family, given, full, word, startsWord, endsWord, listed } = this;
    for (const column of [marked, family, given, full, word, startsWord, endsWord, listed, this.cover])
      column.fill(0, 0, size);
    this.noted = from;
    this.honorific.fill(255, 0, size);
    this.mode = eastLanguage(text, from, to);
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
    return this.isFieldStart(from) && this.isFieldStart(to + 1);
  }

  /** Notes which names of the lists start at each character, by their lengths. */
  private lookUp(from: number, to: number): void {
    const { names } = tables();
    const dictionary = this.mode === 1 ? eastWords() : undefined;
    for (let at = from; at < to; at++) {
      let hash = hashSeed;
      for (let length = 1; length <= nameUnitsMax && at + length <= to; length++) {
        hash = hashStep(hash, this.codeAt(at + length - 1));
        const ended = hashEnd(hash);
        if (dictionary !== undefined && length < 3) {
          const isFamily = ((dictionary.get(ended) >>> 5) & 7) === wordKind.family;
          if (isFamily) this.family[at - this.from] = (this.family[at - this.from] as number) | (1 << (length - 1));
          if (length === 1) continue;
        }
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

  /** Whether a listed family name starts the run, or a long enough one is inside. */
  private hasListedName(from: number, to: number): boolean {
    // A given name behind a blank, as in `高橋 直樹`.
    const whole = 1 << (to - from - 1);
    if (this.kindAt(from - 1) === kind.space && ((this.given[from - this.from] as number) & whole) !== 0) return true;
    for (let at = from; at < to; at++) {
      const rest = to - at;
      // A given name that ends the run, as in `源頼朝`.
      if (rest > 1 && rest <= nameUnitsMax && ((this.given[at - this.from] as number) & (1 << (rest - 1))) !== 0)
        return true;
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
      this.listed[slot] = entry;
    }
    this.mark(from, to);
    // Initials on both sides: `ジョン・F・ケネディ`, `J.L.ボニエ`.
    for (let at = from - 2; at >= from - 8 && this.isInitial(at, at + 1); at -= 2) this.mark(at, at + 1);
    if (this.isInitial(to + 1, to)) this.mark(to + 1, to + 2);
  }

  /** Whether there is a single capital at an offset, with an adjacent dot. */
  private isInitial(at: number, dotAt: number): boolean {
    const code = this.text.charCodeAt(at);
    if (
      at < this.from ||
      code < 0x41 ||
      code > 0x5a ||
      !joinsName(kind.alphabet, this.text.charCodeAt(dotAt), kind.katakana)
    )
      return false;
    return this.kindAt(at - 1) !== kind.alphabet && this.kindAt(at + 1) !== kind.alphabet;
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
  honorificAt(at: number): number {
    if (at >= this.to) return 0;
    const known = this.honorific[at - this.from] as number;
    if (known !== 255) return known;
    if (honorificStarts()[this.text.charCodeAt(at)] === 0) return 0;
    let hash = hashSeed;
    let longest = 0;
    for (let length = 1; length <= 5 && at + length <= this.to; length++) {
      hash = hashStep(hash, this.text.charCodeAt(at + length - 1));
      if (classesOf(hashEnd(hash)) & wordClass.honorific) longest = length;
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
      } else if (k !== kind.alphabet) {
        this.noteWords(at, words);
        hash = this.codeAt(at);
      }
      for (this.noted = Math.max(this.noted, at - 4); this.noted < end + 4; this.noted++)
        this.noteDictionary(this.noted);
      this.start[count] = at;
      this.end[count] = end;
      this.unitKind[count] = k;
      this.unitHash[count] = hash;
      const gap = at - previousEnd;
      this.breaks[count] =
        gap === 0 || (gap === 1 && joinsName(this.kindAt(at - 2), text.charCodeAt(at - 1), k)) ? 0 : 1;
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

  /** Notes the dictionary words that start at an offset. */
  private noteDictionary(at: number): void {
    if (this.mode === 2 || at >= this.to) return;
    const { cover, startsWord, endsWord, from } = this;
    const k = kindOf(this.text.charCodeAt(at));
    if (k < kind.kanji || k > kind.katakana) return;
    const dictionary = eastWords();
    const shift = this.mode === 1 ? 5 : 0;
    const isKatakana = k === kind.katakana;
    if (isKatakana && kindOf(this.codeAt(at - 1)) === k) return;
    let hash = hashSeed;
    const most = isKatakana ? 10 : 4;
    for (let length = 1; length <= most && at + length <= this.to; length++) {
      const code = this.codeAt(at + length - 1);
      if (isKatakana && kindOf(code) !== k) break;
      hash = hashStep(hash, code);
      if (isKatakana && at + length < this.to && kindOf(this.text.charCodeAt(at + length)) === k) continue;
      const entry = (dictionary.get(hashEnd(hash)) >>> shift) & 31;
      if (entry === 0) continue;
      const slot = at - from;
      startsWord[slot] = entry | (Math.min(length, 4) << 5);
      if (endsWord[slot + length] === 0) endsWord[slot + length] = entry | (Math.min(length, 4) << 5);
      for (let place = 0; place < length; place++) {
        const role = length === 1 ? 0 : place === 0 ? 1 : place === length - 1 ? 3 : 2;
        if ((cover[slot + place] as number) >>> 7 <= length) cover[slot + place] = entry | (role << 5) | (length << 7);
      }
    }
  }

  /** Calls `visit` with the first and last unit of each run that may be a name. */
  chains(visit: (first: number, last: number) => void): void {
    for (let i = 0; i < this.count; i++) {
      const first = i;
      while (i + 1 < this.count && this.breaks[i + 1] === 0 && i + 1 - first < chainMax) i++;
      visit(first, i);
    }
  }

  /** The code unit at an offset; in Chinese the simplified character. A line end where there is none. */
  codeAt(at: number): number {
    if (at < 0 || at >= this.text.length) return 10;
    const code = this.text.charCodeAt(at);
    return this.mode === 1 ? simplify(code) : code;
  }

  /** A hash of the label in front of a field, as in `氏名：`. */
  labelBefore(at: number): number {
    let end = at;
    while (end > at - 4 && end > 0 && this.isFieldStart(end)) end--;
    if (end === at) return 0;
    let start = end;
    while (start > end - 6 && kindOf(this.codeAt(start - 1)) > 0 && kindOf(this.codeAt(start - 1)) < kind.space)
      start--;
    let hash = hashSeed;
    for (let k = start; k < end; k++) hash = hashStep(hash, this.codeAt(k));
    hash = hashEnd(hash);
    return classesOf(hash) & wordClass.label ? 1 : start === end ? 2 : 3;
  }

  /** Whether a span's characters are all kana. */
  isKana(from: number, to: number): boolean {
    for (let at = from; at < to; at++) {
      const k = this.kindAt(at);
      if (k === kind.kanji || k === kind.hangul) return false;
    }
    return true;
  }
}
