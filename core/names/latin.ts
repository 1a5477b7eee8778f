import { chainMax } from './chain.ts';
import { combiningMark, foldUnit, hashSeed, hashStep, mix } from './hash.ts';
import { classBits, languageShift, languages, lexicon, wordClass } from './lexicon.ts';
import type { Features } from './model.ts';
import { englishLevel, familyLevel, givenLevel, kindBits, otherLevel, tables } from './tables.ts';
import { gapKind, shape, Words } from './tokens.ts';

/** What the block tells of a word elsewhere in it, as bits. */
export const seen = { lower: 1, cued: 2, besideName: 4, address: 8, speaker: 16, speaksAgain: 32 } as const;

const noCoarse = 255;
const knownSize = 1 << 12;
const at64 = 0x40;
const colon = 0x3a;
const dot = 0x2e;

/**
 * Finds candidates among the words of a block, and describes each by features. A candidate is a capitalised word that is
 * no function word, or a lower-case word that is mostly a name or that stands where a name stands.
 */
export class LatinReader {
  readonly words = new Words();
  readonly isCandidate = new Uint8Array(Words.unitsMax / 2 + 4);
  private readonly names = new Uint16Array(Words.unitsMax / 2 + 4);
  private readonly common = new Uint16Array(Words.unitsMax / 2 + 4);
  private readonly classes = new Int32Array(Words.unitsMax / 2 + 4);
  private readonly coarse = new Uint8Array(Words.unitsMax / 2 + 4);
  private readonly lineFirst = new Int32Array(Words.unitsMax + 2);
  private readonly lineCapitals = new Int32Array(Words.unitsMax + 2);
  private readonly seenKeys = new Int32Array(1 << 14);
  private readonly seenBits = new Uint8Array(1 << 14);
  /** A cache of four numbers a word: its hash, its lists, its classes, and 1. */
  private readonly known = new Int32Array(knownSize * 4);
  private readonly letters = new Uint16Array(32);
  private readonly languageCounts = new Int32Array(languages.length);
  private text = '';
  private language = 0;
  private lineCount = 0;
  private capitalShare = 0;
  /**
   * Set in training only: some words then count as being on no list, as most names of the world are.
   */
  dropout = 0;

  /** Reads a block of the text. `language` is an index into {@link languages} plus one, or 0 when unknown. */
  read(text: string, from: number, to: number, language: number): void {
    this.text = text;
    this.words.read(text, from, to);
    this.classify(language);
    this.markSeen();
    this.findCandidates();
  }

  /** Looks a word up in all lists, or remembers what they said: most words of a text come again and again. */
  private lookUp(hash: number): number {
    const { known } = this;
    const slot = (hash & (knownSize - 1)) << 2;
    if (known[slot] === hash && known[slot + 3] !== 0) return slot;
    const lists = tables();
    known[slot] = hash;
    known[slot + 1] = lists.names.get(hash) | (lists.words.get(hash) << 12);
    known[slot + 2] = lexicon().get(hash);
    known[slot + 3] = 1;
    return slot;
  }

  private classify(language: number): void {
    const { words, names, common, classes, coarse, known, languageCounts, lineFirst, lineCapitals } = this;
    const { count, hash: hashes, shape: shapes, line: lines } = words;
    languageCounts.fill(0);
    coarse.fill(noCoarse, 0, count);
    let line = -1;
    let capitals = 0;
    let lowers = 0;
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] as number;
      const form = shapes[i] as number;
      const slot = this.lookUp(hash);
      const listed = known[slot + 1] as number;
      names[i] = listed & 0xfff;
      common[i] = listed >>> 12;
      if (this.dropout !== 0 && (mix(this.dropout, hash) >>> 0) % 100 < 15) names[i] = 0;
      const entry = known[slot + 2] as number;
      classes[i] = entry & classBits;
      while (line < (lines[i] as number)) {
        line++;
        lineFirst[line] = i;
        lineCapitals[line] = 0;
      }
      if (form === shape.lower) {
        lowers++;
        for (let spoken = entry >>> languageShift; spoken !== 0; spoken &= spoken - 1) {
          const bit = 31 - Math.clz32(spoken & -spoken);
          languageCounts[bit] = (languageCounts[bit] as number) + 1;
        }
      } else if (form !== shape.digits) {
        capitals++;
        lineCapitals[line] = (lineCapitals[line] as number) + 1;
      }
    }
    names[count] = 0;
    common[count] = 0;
    classes[count] = 0;
    this.lineCount = line + 1;
    lineFirst[line + 1] = count;
    this.capitalShare = lowers + capitals === 0 ? 0 : Math.min(3, Math.floor((4 * capitals) / (lowers + capitals)));
    this.language = language;
    let top = 2;
    for (let k = 0; k < languageCounts.length; k++) {
      if ((languageCounts[k] as number) > top) {
        top = languageCounts[k] as number;
        this.language = k + 1;
      }
    }
  }

  private seenSlot(hash: number): number {
    const mask = this.seenKeys.length - 1;
    let slot = hash & mask;
    while (this.seenBits[slot] !== 0 && this.seenKeys[slot] !== hash) slot = (slot + 1) & mask;
    return slot;
  }

  private see(i: number, bit: number): void {
    const hash = this.words.hash[i] as number;
    const slot = this.seenSlot(hash);
    this.seenKeys[slot] = hash;
    this.seenBits[slot] = (this.seenBits[slot] as number) | bit;
  }

  private seenOf(i: number): number {
    return this.seenBits[this.seenSlot(this.words.hash[i] as number)] as number;
  }

  /** The character right behind a word. */
  private behind(i: number): number {
    return this.text.charCodeAt(this.words.end[i] as number) || 0;
  }

  private before(i: number): number {
    const start = this.words.start[i] as number;
    return start === 0 ? 0 : this.text.charCodeAt(start - 1);
  }

  private isLineStart(i: number): boolean {
    return this.lineFirst[this.words.line[i] as number] === i;
  }

  /** Notes for each word what stands around its uses, so that one use helps another. */
  private markSeen(): void {
    const { words, classes } = this;
    this.seenBits.fill(0);
    // The table takes three quarters of its size; words beyond that are not noted.
    const last = Math.min(words.count, 12_000);
    for (let i = 0; i < last; i++) {
      const form = words.shape[i] as number;
      const length = (words.end[i] as number) - (words.start[i] as number);
      if (this.behind(i) === at64 && form !== shape.digits) {
        for (let k = i; k >= 0 && k > i - 3; k--) {
          if ((words.end[k] as number) - (words.start[k] as number) > 2) this.see(k, seen.address);
          if ((words.start[k] as number) - (words.end[k - 1] ?? -9) !== 1 || words.gap[k] === gapKind.space) break;
        }
      } else if (form === shape.lower) {
        if (this.isSpeaker(i)) this.seeSpeaker(i);
        else if (length > 1) this.see(i, seen.lower);
      } else if (form === shape.capital || form === shape.upper) {
        const gap = words.gap[i] as number;
        const near = i > 0 && gap !== gapKind.line && gap !== gapKind.other;
        const classBefore = near ? (classes[i - 1] as number) : 0;
        if ((classBefore & (wordClass.title | wordClass.greeting)) !== 0) this.see(i, seen.cued);
        if (this.isSpeaker(i)) this.seeSpeaker(i);
        if (
          near &&
          gap === gapKind.space &&
          givenLevel(this.names[i - 1] as number) > 3 &&
          words.shape[i - 1] !== shape.lower
        ) {
          this.see(i, seen.besideName);
          this.see(i - 1, seen.besideName);
        }
      }
    }
  }

  /** Whether the word opens a line and a colon or a clock time follows, as in a chat. */
  private isSpeaker(i: number): boolean {
    return this.isLineStart(i) && (this.behind(i) === colon || this.isTimeBehind(i));
  }

  private isTimeBehind(i: number): boolean {
    const end = this.words.end[i] as number;
    const digit = this.text.charCodeAt(end + 1);
    if (this.text.charCodeAt(end) !== 0x20 || !(digit >= 0x30 && digit <= 0x39)) return false;
    return this.text.charCodeAt(end + 2) === colon || this.text.charCodeAt(end + 3) === colon;
  }

  private seeSpeaker(i: number): void {
    this.see(i, this.seenOf(i) & seen.speaker ? seen.speaksAgain : seen.speaker);
  }

  private findCandidates(): void {
    const { words, names, classes, isCandidate } = this;
    for (let i = 0; i < words.count; i++) {
      const form = words.shape[i] as number;
      const entry = names[i] as number;
      let is = 0;
      if (form === shape.capital || form === shape.upper || form === shape.camel) {
        const common = this.common[i] as number;
        const isFunctionWord = englishLevel(common) > 5 || otherLevel(common) > 5;
        is = !isFunctionWord || givenLevel(entry) > 3 || familyLevel(entry) > 4 || this.isCued(i) ? 1 : 0;
      } else if (form === shape.initial) {
        const follows = i > 0 && isCandidate[i - 1] === 1 && words.gap[i] === gapKind.space;
        is = this.behind(i) === dot || follows || this.behind(i) === 0x27 || this.behind(i) === 0x2019 ? 1 : 0;
      } else if (form === shape.lower && (entry !== 0 || this.isCued(i))) {
        is = this.isLowerCandidate(i, entry) ? 1 : 0;
      }
      // A particle belongs to the chain when a capitalised word stands on both sides.
      if (form === shape.lower && (classes[i] as number) & wordClass.particle && i > 0 && isCandidate[i - 1] === 1) {
        const next = words.shape[i + 1];
        const joins = words.gap[i] === gapKind.space && words.gap[i + 1] === gapKind.space;
        const second = words.shape[i + 2];
        if (
          joins &&
          (next === shape.capital || next === shape.upper || (next === shape.lower && second === shape.capital))
        )
          is = 1;
      }
      isCandidate[i] = is;
    }
    isCandidate[words.count] = 0;
  }

  /** Whether the words around are such as stand beside a name. */
  isCued(i: number): boolean {
    const { words, classes } = this;
    const gap = words.gap[i] as number;
    const cue = wordClass.title | wordClass.greeting | wordClass.label;
    if (i > 0 && gap !== gapKind.line && ((classes[i - 1] as number) & cue) !== 0) return true;
    if ((classes[i + 1] as number) & wordClass.honorific && words.gap[i + 1] === gapKind.hyphen) return true;
    return this.isSpeaker(i);
  }

  private isLowerCandidate(i: number, entry: number): boolean {
    const { words } = this;
    if ((words.end[i] as number) - (words.start[i] as number) < 2 || this.behind(i) === at64) return false;
    const common = this.common[i] as number;
    const isName = givenLevel(entry) > 2 || familyLevel(entry) > 3 || (entry !== 0 && common === 0);
    const isCued = this.isCued(i);
    if (!isName && !isCued) {
      const follows = i > 0 && this.isCandidate[i - 1] === 1 && words.shape[i - 1] === shape.lower;
      if (entry === 0 || !follows || words.gap[i] !== gapKind.space) return false;
    }
    const limit = isCued ? 4 : 2;
    return englishLevel(common) < limit && otherLevel(common) < limit;
  }

  /** Calls `visit` with the first and last word of each run of candidates that may hold names together. */
  chains(visit: (first: number, last: number) => void): void {
    const { words, isCandidate } = this;
    for (let i = 0; i < words.count; i++) {
      if (isCandidate[i] === 0) continue;
      const first = i;
      while (isCandidate[i + 1] === 1 && i + 1 - first < chainMax && this.joins(i + 1)) i++;
      visit(first, i);
    }
  }

  private joins(i: number): boolean {
    const gap = this.words.gap[i] as number;
    if (gap === gapKind.dot) return this.words.shape[i - 1] === shape.initial;
    return gap === gapKind.space || gap === gapKind.hyphen || gap === gapKind.comma || gap === gapKind.apostrophe;
  }

  /** Shape, whether a name and how common: one small number for a word. */
  private coarseOf(i: number): number {
    if (i < 0 || i >= this.words.count) return 1;
    const known = this.coarse[i] as number;
    if (known !== noCoarse) return known;
    const entry = this.names[i] as number;
    const common = this.common[i] as number;
    const given = givenLevel(entry);
    const family = familyLevel(entry);
    const kind = given > 3 ? (family > 3 ? 3 : 1) : family > 3 ? 2 : given + family > 0 ? 4 : 0;
    const level = Math.max(englishLevel(common), otherLevel(common));
    const frequent = level > 3 ? 2 : level > 0 ? 1 : 0;
    const value = ((this.words.shape[i] as number) * 5 + kind) * 3 + frequent;
    this.coarse[i] = value;
    return value;
  }

  /** Adds the features that depend on the word alone. */
  addWordFeatures(i: number, out: Features): void {
    const { letters, text, words } = this;
    const hash = words.hash[i] as number;
    const form = words.shape[i] as number;
    let count = 0;
    const accents = words.accented[i] as number;
    for (let at = words.start[i] as number; at < (words.end[i] as number) && count < 30; at++) {
      const code = text.charCodeAt(at);
      const unit = foldUnit(code);
      if (unit !== combiningMark) letters[count++] = unit;
    }
    const entry = this.names[i] as number;
    const common = this.common[i] as number;
    const kinds = kindBits(common);
    const script = (letters[0] as number) >= 0x370 ? 1 : 0;
    out.add(mix(1, hash, form === shape.lower ? 1 : 0));
    out.add(mix(2, form, Math.min(count, 12)));
    out.add(mix(3, entry, form));
    out.add(mix(4, entry, common));
    out.add(mix(5, common & 0xff, form));
    out.add(mix(6, givenLevel(entry), form));
    out.add(mix(7, familyLevel(entry), form));
    out.add(mix(8, accents | (kinds << 1) | (script << 3), form));
    out.add(mix(9, this.classes[i] as number, form));
    out.add(mix(10, this.coarseOf(i)));
    if (count < 2) return;
    let prefix = hashSeed;
    for (let k = 0; k < Math.min(count, 5); k++) {
      prefix = hashStep(prefix, letters[k] as number);
      if (k > 0) out.add(mix(11 + k, prefix));
    }
    let suffix = hashSeed;
    for (let k = 0; k < Math.min(count, 5); k++) {
      suffix = hashStep(suffix, letters[count - 1 - k] as number);
      out.add(mix(20 + k, suffix, entry === 0 ? 1 : 0));
    }
    for (let k = 0; k + 2 < count; k++) {
      const gram = hashStep(
        hashStep(hashStep(hashSeed, letters[k] as number), letters[k + 1] as number),
        letters[k + 2] as number,
      );
      out.add(mix(30, gram));
    }
  }

  /** Whether the place of a word may turn it into a name, whatever the word itself says. */
  mayBeCued(i: number): boolean {
    return this.isCued(i) || (this.seenOf(i) & ~(seen.lower | seen.besideName)) !== 0 || this.behind(i) === 0x2c;
  }

  /** Adds the features of where the word stands. */
  addPlaceFeatures(i: number, first: number, last: number, out: Features): void {
    const { words, classes } = this;
    const own = this.coarseOf(i);
    const hash = words.hash[i] as number;
    const line = words.line[i] as number;
    const lineFirst = this.lineFirst[line] as number;
    const lineEnd = line + 1 < this.lineCount ? (this.lineFirst[line + 1] as number) : words.count;
    const sameBefore = i > lineFirst;
    const sameBehind = i + 1 < lineEnd;
    const gapBefore = words.gapHash[i] as number;
    const gapBehind = words.gapHash[i + 1] as number;
    const kindBefore = words.gap[i] as number;
    const kindBehind = words.gap[i + 1] as number;
    const before = sameBefore ? (words.hash[i - 1] as number) : 2;
    const behind = sameBehind ? (words.hash[i + 1] as number) : 3;
    const before2 = i - 2 >= lineFirst ? (words.hash[i - 2] as number) : 4;
    const behind2 = i + 2 < lineEnd ? (words.hash[i + 2] as number) : 5;
    const coarseBefore = sameBefore ? this.coarseOf(i - 1) : 0;
    const coarseBehind = sameBehind ? this.coarseOf(i + 1) : 0;
    const classBefore = sameBefore ? (classes[i - 1] as number) : 0;
    const classBehind = sameBehind ? (classes[i + 1] as number) : 0;
    const language = this.language;
    const lineSize = lineEnd - lineFirst;
    const sizeClass = lineSize > 12 ? 5 : lineSize > 6 ? 4 : lineSize;
    const sharp = ((this.lineCapitals[line] as number) * 4) / lineSize;
    const casing = sharp >= 4 ? 4 : Math.floor(sharp);

    out.add(mix(40, before, kindBefore));
    out.add(mix(41, behind, kindBehind));
    out.add(mix(42, before, before2));
    out.add(mix(43, behind, behind2));
    out.add(mix(44, before, own));
    out.add(mix(45, behind, own));
    out.add(mix(46, coarseBefore | (kindBefore << 8), own));
    out.add(mix(47, coarseBehind | (kindBehind << 8), own));
    out.add(mix(48, coarseBefore | (coarseBehind << 8), own | (kindBefore << 8) | (kindBehind << 12)));
    out.add(mix(49, gapBefore, own));
    out.add(mix(50, gapBehind, own));
    out.add(mix(51, gapBefore, gapBehind));
    out.add(mix(52, classBefore | (kindBefore << 12), own));
    out.add(mix(53, classBehind | (kindBehind << 12), own));
    if (i - 2 >= lineFirst) out.add(mix(54, classes[i - 2] as number, own));
    if (i + 2 < lineEnd) out.add(mix(55, classes[i + 2] as number, own));
    out.add(mix(56, this.sentencePlace(i, lineFirst) | (language << 4), own));
    out.add(mix(57, sizeClass | (casing << 4) | ((sameBefore ? 1 : 0) << 8) | ((sameBehind ? 1 : 0) << 9), own));
    out.add(mix(58, casing | (this.capitalShare << 4), own));
    out.add(mix(59, language, own));
    out.add(mix(60, language, hash));
    out.add(mix(61, Math.min(last - first, 6) | (Math.min(i - first, 4) << 4), own));
    out.add(mix(62, this.seenOf(i), own));
    out.add(mix(63, this.lineAbove(line), sizeClass | (own << 4)));
    if (sameBefore) this.addLabelFeatures(i, lineFirst, own, out);
    if (first > lineFirst) out.add(mix(64, words.hash[first - 1] as number, i === first ? 0 : 1));
    if (last + 1 < lineEnd) out.add(mix(65, words.hash[last + 1] as number, i === last ? 0 : 1));
    if (first > lineFirst) out.add(mix(66, classes[first - 1] as number, Math.min(i - first, 3)));
    if (last + 1 < lineEnd) out.add(mix(67, classes[last + 1] as number, Math.min(last - i, 3)));
    out.add(mix(68, this.before(i), this.behind(i)));
    // The same without what the word itself is: this is what carries over to names of no list.
    const form = words.shape[i] as number;
    out.add(mix(73, classBefore | (kindBefore << 12), form));
    out.add(mix(74, classBehind | (kindBehind << 12), form));
    out.add(mix(75, gapBefore, form));
    out.add(mix(76, gapBehind, form));
    out.add(mix(77, gapBefore, mix(0, gapBehind, form)));
    out.add(mix(78, this.seenOf(i), form | (this.sentencePlace(i, lineFirst) << 4)));
    out.add(mix(79, this.lineAbove(line), sizeClass | (form << 4) | ((sameBefore ? 1 : 0) << 8)));
    const marks = words.lineMarks[line] as number;
    const markClass = marks > 5 ? 4 : marks > 2 ? 3 : marks;
    out.add(mix(83, markClass, form));
    out.add(mix(84, markClass, own));
    out.add(mix(80, before, form | (kindBefore << 4)));
    out.add(mix(81, behind, form | (kindBehind << 4)));
    out.add(mix(69, this.behind(last) | (this.before(first) << 16), own));
  }

  /** 0 inside a sentence, 1 at its start, 2 at the start of a line. */
  private sentencePlace(i: number, lineFirst: number): number {
    if (i === lineFirst) return 2;
    const end = this.text.charCodeAt(this.words.end[i - 1] as number);
    return end === dot || end === 0x21 || end === 0x3f || end === 0x2026 ? 1 : end === colon ? 3 : 0;
  }

  /** What the line above is: 0 none, 1 blank, 2 a short one that ends in a comma, and the class of its last word. */
  private lineAbove(line: number): number {
    for (let above = line - 1; above >= 0 && above >= line - 3; above--) {
      const first = this.lineFirst[above] as number;
      const last = (this.lineFirst[above + 1] as number) - 1;
      if (last < first) continue;
      const size = last - first + 1;
      const mark = this.behind(last);
      const ends = mark === 0x2c ? 1 : mark === 0x2e ? 2 : mark === 10 ? 3 : 0;
      return (
        ((this.classes[last] as number) & (wordClass.signOff | wordClass.label)) |
        ends |
        (size < 5 ? 16 : 0) |
        ((line - above) << 6)
      );
    }
    return 0;
  }

  /** The label that opens the line or the field: `Attendees: Anna, Ben`. */
  private addLabelFeatures(i: number, lineFirst: number, own: number, out: Features): void {
    for (let k = i - 1; k >= lineFirst && k > i - 12; k--) {
      const mark = this.behind(k);
      if (mark !== colon && mark !== 0x3d) continue;
      const distance = Math.min(i - k, 4);
      out.add(mix(70, this.words.hash[k] as number, distance));
      out.add(mix(71, (this.classes[k] as number) | (distance << 12), own));
      out.add(mix(82, (this.classes[k] as number) | (distance << 12), this.words.shape[i] as number));
      return;
    }
    out.add(mix(72, this.classes[lineFirst] as number, Math.min(i - lineFirst, 4)));
  }

  /** A word's shape, list entries and classes, for the reasons of a span. */
  describe(i: number): {
    readonly shape: number;
    readonly entry: number;
    readonly classes: number;
    readonly common: number;
  } {
    return {
      shape: this.words.shape[i] as number,
      entry: this.names[i] as number,
      classes: this.classes[i] as number,
      common: this.common[i] as number,
    };
  }
}
