import { chainMax } from './chain.ts';
import { Company } from './company.ts';
import { foldUnit, hashSeed, hashStep, mix } from './hash.ts';
import { classBits, classesOf, languageShift, languages, wordClass } from './lexicon.ts';
import { SeenWords, seen } from './seen.ts';
import { markSpeakers } from './speakers.ts';
import { englishLevel, familyLevel, givenLevel, languageSet, languageSets, otherLevel, tables } from './tables.ts';
import { gapKind, shape, Words } from './tokens.ts';

/** The languages of each set as bits; the bit of a language is its index in {@link languages}. */
const setBits = Int32Array.from(languageSets, (set) =>
  set.split(' ').reduce((bits, language) => bits | (language === '' ? 0 : 1 << languages.indexOf(language)), 0),
);
const english = languages.indexOf('en') + 1;

const noCoarse = 255;
/** How a comment of a program opens. */
const comment = /\/\*\*|\n[ \t]{0,8}\/\//;

/** Fewer lines with marks of code make no program. */
const codeLinesMin = 3;
const knownSize = 1 << 12;
const capitalsMask = (1 << 12) - 1;
const at64 = 0x40;
/** Cues: words after or before which a word in lower case may be a name. */
const cue = wordClass.title | wordClass.greeting | wordClass.label;
const joining = cue | wordClass.particle | wordClass.honorific;
const colon = 0x3a;
const dot = 0x2e;

/**
 * Finds the candidates among the words of a block. A candidate is a capitalized word that is not a function word, or a
 * lower-case word that is usually a name or is in the place of one.
 */
export class LatinReader {
  readonly words = new Words();
  readonly isCandidate = new Uint8Array(Words.unitsMax / 2 + 4);
  readonly names = new Uint16Array(Words.unitsMax / 2 + 4);
  readonly common = new Uint16Array(Words.unitsMax / 2 + 4);
  /** 0 for words in lower case that are unlisted, no cue and not first on their line: most words. */
  private readonly isSpecial = new Uint8Array(Words.unitsMax / 2 + 4);
  readonly classes = new Int32Array(Words.unitsMax / 2 + 4);
  readonly coarse = new Uint8Array(Words.unitsMax / 2 + 4);
  /** Results of {@link endingOf}; 0 if not yet computed. */
  private readonly endings = new Int32Array(Words.unitsMax / 2 + 4);
  readonly lineFirst = new Int32Array(Words.unitsMax + 2);
  readonly lineCapitals = new Int32Array(Words.unitsMax + 2);
  private readonly seenWords = new SeenWords();
  /** By offset in the block, 1 where the name of a speaker begins that a time or brackets mark. */
  private readonly speakers = new Uint8Array(Words.unitsMax);
  readonly company = new Company();
  /** 1 if the hash of a capitalized word has these lowest bits. */
  private readonly capitals = new Uint8Array(capitalsMask + 1);
  /** A cache with four numbers per word: its hash, its list entries, its classes, and 1. */
  private readonly known = new Int32Array(knownSize * 4);
  private readonly languageCounts = new Int32Array(languages.length);
  text = '';
  private from = 0;
  language = 0;
  lineCount = 0;
  capitalShare = 0;
  /** Whether the block is program text: it has comments, or several marks of code in many lines. */
  isCode = false;
  /** Bits for the kind of text: 1 speakers, 2 titles or greetings, 4 e-mail addresses, 8 labels, 16 labels with a colon. */
  textKind = 0;
  /**
   * Set in training only: some words then count as unlisted, like most of the world's names.
   */
  dropout = 0;

  /** Reads a block of the text. `language` is an index into {@link languages} plus one, or 0 when unknown. */
  read(text: string, from: number, to: number, language: number, units?: Uint16Array): void {
    this.text = text;
    this.from = from;
    this.company.clear();
    this.words.read(text, from, to, units);
    markSpeakers(text, from, to, this.speakers);
    this.classify(language);
    this.isCode ||= comment.test(text.slice(from, to));
    this.markSeen();
    this.findCandidates();
  }

  /** Looks a word up in all lists, with a cache: most words of a text recur. */
  private lookUp(hash: number): number {
    const { known } = this;
    const slot = (hash & (knownSize - 1)) << 2;
    if (known[slot] === hash && known[slot + 3] !== 0) return slot;
    const lists = tables();
    known[slot] = hash;
    known[slot + 1] = lists.names.get(hash) | (lists.words.get(hash) << 12);
    known[slot + 2] = classesOf(hash);
    known[slot + 3] = 1;
    return slot;
  }

  private classify(language: number): void {
    const { words, names, common, classes, coarse, isSpecial, known, languageCounts, lineFirst, lineCapitals } = this;
    const { count, hash: hashes, shape: shapes, line: lines } = words;
    languageCounts.fill(0);
    coarse.fill(noCoarse, 0, count);
    this.endings.fill(0, 0, count);
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
      const isPlain = form === shape.lower && names[i] === 0 && (entry & joining) === 0;
      isSpecial[i] = isPlain && !this.isLineStart(i) && !this.isTimed(i) ? 0 : 1;
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
    for (const column of [names, isSpecial, common, classes]) column[count] = 0;
    this.lineCount = line + 1;
    let marked = 0;
    for (let at = 0; at <= line; at++) if ((words.lineMarks[at] as number) > 2) marked++;
    this.isCode = marked >= codeLinesMin && marked * 5 > line + 1;
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

  private see(i: number, bit: number): void {
    this.seenWords.add(this.words.hash[i] as number, bit);
  }

  seenOf(i: number): number {
    return this.seenWords.get(this.words.hash[i] as number);
  }

  /** The character right behind a word. */
  behind(i: number): number {
    return this.words.behind[i] as number;
  }

  before(i: number): number {
    return this.text.charCodeAt((this.words.start[i] as number) - 1) || 0;
  }

  private isLineStart(i: number): boolean {
    return i === 0 || this.words.gap[i] === gapKind.line;
  }

  /** Records how each word is used, so that one use helps another. */
  private markSeen(): void {
    const { words, capitals } = this;
    this.textKind = 0;
    const { shape: shapes, hash: hashes } = words;
    this.seenWords.clear();
    capitals.fill(0);
    // The table is filled up to three quarters; further words are not recorded.
    const last = Math.min(words.count, 12_000);
    for (let i = 0; i < last; i++) {
      const form = shapes[i] as number;
      if (form === shape.capital || form === shape.upper) {
        capitals[(hashes[i] as number) & capitalsMask] = 1;
        this.seeCapital(i);
      }
      if (form !== shape.digits && this.behind(i) === at64) this.seeAddress(i);
    }
    for (let i = 0; i < last; i++) {
      if (shapes[i] !== shape.lower) continue;
      if (this.isSpeaker(i)) this.seeSpeaker(i);
      // Words that are never capitalized need no entry.
      else if (capitals[(hashes[i] as number) & capitalsMask] === 1) this.see(i, seen.lower);
    }
  }

  /** Records the words of the local part of an e-mail address that ends at a word. */
  private seeAddress(i: number): void {
    const { words } = this;
    this.textKind |= 4;
    for (let k = i; k >= 0 && k > i - 3; k--) {
      if ((words.end[k] as number) - (words.start[k] as number) > 2) this.see(k, seen.address);
      if ((words.start[k] as number) - (words.end[k - 1] ?? -9) !== 1 || words.gap[k] === gapKind.space) break;
    }
  }

  private seeCapital(i: number): void {
    const { words, classes } = this;
    const gap = words.gap[i] as number;
    const near = i > 0 && gap !== gapKind.line && gap !== gapKind.other;
    const classBefore = near ? (classes[i - 1] as number) : 0;
    if ((classBefore & (wordClass.title | wordClass.greeting)) !== 0) {
      this.see(i, seen.cued);
      this.textKind |= 2;
    }
    if ((classBefore & wordClass.label) !== 0) this.textKind |= 8;
    if (this.isCued(i) && this.behind(i - 1) === colon) this.textKind |= 16;
    if (this.isSpeaker(i)) this.seeSpeaker(i);
    if (gap === gapKind.space && givenLevel(this.names[i - 1] as number) > 3 && words.shape[i - 1] !== shape.lower) {
      this.see(i, seen.besideName);
      this.see(i - 1, seen.besideName);
    }
  }

  /** Whether the word says who speaks: marked by a time or brackets, or with a colon at the start of a line. */
  private isSpeaker(i: number): boolean {
    return this.isTimed(i) || (this.isLineStart(i) && this.behind(i) === colon);
  }

  /** Whether a time or brackets mark the word as a speaker's first name. */
  isTimed(i: number): boolean {
    return this.speakers[(this.words.start[i] as number) - this.from] === 1;
  }

  private seeSpeaker(i: number): void {
    if (this.seenOf(i) & seen.speaker) this.textKind |= 1;
    this.see(i, this.seenOf(i) & seen.speaker ? seen.speaksAgain : seen.speaker);
  }

  private findCandidates(): void {
    const { words, names, classes, isCandidate, isSpecial } = this;
    const { count, shape: shapes } = words;
    const isChat = (this.textKind & 1) !== 0;
    let special = 0;
    let next = isSpecial[0] as number;
    for (let i = 0; i < count; i++) {
      const before = special;
      special = next;
      next = isSpecial[i + 1] as number;
      if ((before | special | next) === 0 && !isChat) {
        isCandidate[i] = 0;
        continue;
      }
      const form = shapes[i] as number;
      const entry = names[i] as number;
      let is = 0;
      const speaks = this.isTimed(i) || (isChat && (this.seenOf(i) & seen.speaker) !== 0);
      if (form === shape.capital || form === shape.upper || form === shape.camel) {
        const common = this.common[i] as number;
        const isFunctionWord = englishLevel(common) > 5 || otherLevel(common) > 5;
        is = !isFunctionWord || givenLevel(entry) > 3 || familyLevel(entry) > 4 || this.isCued(i) ? 1 : 0;
      } else if (form === shape.initial) {
        const follows = i > 0 && isCandidate[i - 1] === 1 && words.gap[i] === gapKind.space;
        is = this.behind(i) === dot || follows || this.behind(i) === 0x27 || this.behind(i) === 0x2019 ? 1 : 0;
      } else if (form === shape.lower && (speaks || entry !== 0 || this.isCued(i))) {
        // A speaker in a chat may have a name that is a common word: `dan:`, `bas:`.
        is = speaks || this.isLowerCandidate(i, entry) ? 1 : 0;
      }
      // A particle before a capitalized word belongs to the chain, or opens it where a name is expected: `Mme de la Tour`.
      if (form === shape.lower && (classes[i] as number) & wordClass.particle && this.leadsOn(i)) {
        const next = words.shape[i + 1];
        if (next === shape.capital || next === shape.upper || words.shape[i + 2] === shape.capital) is = 1;
      }
      isCandidate[i] = is;
    }
    isCandidate[words.count] = 0;
  }

  /** Whether a word continues the chain before it or is expected to be a name, and a word follows behind a space. */
  private leadsOn(i: number): boolean {
    const { gap } = this.words;
    if (gap[i + 1] !== gapKind.space) return false;
    return (i > 0 && this.isCandidate[i - 1] === 1 && gap[i] === gapKind.space) || this.isCued(i);
  }

  /** Whether the adjacent words suggest a name. */
  isCued(i: number): boolean {
    const { words, classes } = this;
    const gap = words.gap[i] as number;
    if (i > 0 && gap !== gapKind.line && ((classes[i - 1] as number) & cue) !== 0) return true;
    if ((classes[i + 1] as number) & wordClass.honorific && words.gap[i + 1] === gapKind.hyphen) return true;
    return this.isSpeaker(i);
  }

  private isLowerCandidate(i: number, entry: number): boolean {
    const { words } = this;
    if ((words.end[i] as number) - (words.start[i] as number) < 2 || this.behind(i) === at64) return false;
    const common = this.common[i] as number;
    const isName = givenLevel(entry) > 2 || familyLevel(entry) > 3 || (entry !== 0 && common === 0);
    // A word before a colon is more often a key than a speaker, unless speakers recur.
    const isCued = this.isCued(i) && (isName || (this.textKind & 1) !== 0 || !this.isSpeaker(i));
    if (!isName && !isCued) {
      const follows = i > 0 && this.isCandidate[i - 1] === 1 && words.shape[i - 1] === shape.lower;
      if (entry === 0 || !follows || words.gap[i] !== gapKind.space) return false;
    }
    const limit = isCued ? 4 : 2;
    return englishLevel(common) < limit && otherLevel(common) < limit;
  }

  /** Calls `visit` with the first and last word of each run of candidates that may be a name. */
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

  /** The shape of a word, whether it is a name and how common it is, as one small number. */
  coarseOf(i: number): number {
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

  /** Whether the word is common in the language of the block. */
  isSpoken(i: number): boolean {
    const common = this.common[i] as number;
    if (this.language === english) return englishLevel(common) > 1;
    if (this.language === 0) return languageSet(common) !== 0;
    return ((setBits[languageSet(common)] as number) & (1 << (this.language - 1))) !== 0;
  }

  /** A hash of the last three letters of a word, and whether it has a capital. */
  endingOf(i: number): number {
    const { words, text, endings } = this;
    const known = endings[i] as number;
    if (known !== 0) return known;
    const start = words.start[i] as number;
    let hash = words.shape[i] === shape.lower ? hashSeed : hashStep(hashSeed, 1);
    let count = 0;
    for (let at = (words.end[i] as number) - 1; at >= start && count < 3; at--, count++)
      hash = hashStep(hash, foldUnit(text.charCodeAt(at)));
    endings[i] = hash;
    return hash;
  }

  /** Whether the surroundings of a word may make it a name, regardless of the word itself. */
  mayBeCued(i: number): boolean {
    return this.isCued(i) || (this.seenOf(i) & ~(seen.lower | seen.besideName)) !== 0 || this.behind(i) === 0x2c;
  }
}
