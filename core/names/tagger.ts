import { Chain, tag, tagCount } from './chain.ts';
import { isInSentence } from './characters.ts';
import { looksLikeName } from './company.ts';
import { EastReader } from './east.ts';
import { addEastFeatures } from './east-features.ts';
import { LatinReader } from './latin.ts';
import { addPlaceFeatures, addWordFeatures } from './latin-features.ts';
import { languages, wordClass } from './lexicon.ts';
import { addScores, Features, type Model } from './model.ts';
import type { NameSpan } from './span.ts';
import { gapKind, shape } from './tokens.ts';
import { isPlacePair } from './word-kinds.ts';

/** Minimum score of a name. */
const scoreMin = 0.5;
/** Minimum score of a word that is part of a full name elsewhere in the text. */
const weakMin = 0.02;
const surePart = 0.8;
/** A unit whose best tag is this far below "outside" cannot win, whatever its neighbours are. */
const hopeless = -6;
/** A word whose own scores are all below this is a name only next to a cue; otherwise its surroundings are not read. */
const unlikely = -1;
/**
 * A single unit with a lower score is no name: the logistic function of it is below {@link weakMin}. Its surroundings hardly ever
 * raise it (20 of 26,000 words without a cue).
 */
const noSingle = -4;
const never = -1e6;
const weakMax = 20_000;
/** The longest part of a name in kanji, in characters. */
const weakUnits = 4;
/**
 * Added to the scores of a name's first unit. Higher values find more names and raise more false alarms: a missed name costs more
 * than a masked word, but most words are in Latin letters.
 */
const eagerness = {
  /** Added in languages other than English and German, for which there is less labelled text. */
  sparse: 0.5,
  /** In running text: a block of none of the {@link toldKinds}. */
  prose: -0.4,
  /** In program text. */
  code: -1.7,
  /** In other text. */
  told: -0.5,
  /** Added there to a word that the lists have as a name: mails, forms and minutes name people by one word. */
  listed: 0.6,
  /** Added in a block with East Asian characters, where most words in Latin letters are products. */
  mixed: -0.9,
  /** Added to words before professional letters. */
  letters: 2.5,
  /** In Japanese, Chinese and Korean. */
  east: [-1.4, 0.2, -0.1],
  /** Added in East Asian text after a label for names, as in `姓: 中`. */
  label: 1.4,
  /** Added in a Japanese sentence; in tables and headings most of what looks like a name is a place or a word. */
  sentence: 0.7,
};
/** The kinds of text that are not running text. `to` and `de` are labels too, so those without a colon do not count. */
const toldKinds = 1 | 2 | 4 | 16;
/** Numbers of the languages with much labelled text. */
const labelled: ReadonlySet<number> = new Set(['en', 'de'].map((language) => languages.indexOf(language) + 1));
const blockMax = EastReader.unitsMax;
const cacheSize = 1 << 13;

/** `units`: the code units of the text, which saves copying them. */
export type TagOptions = { readonly lang?: string | undefined; readonly units?: Uint16Array };

type Found = NameSpan & { readonly hasInitials?: boolean };

/** Cached scores of words without their surroundings: most words recur. */
class WordScores {
  private readonly keys = new Int32Array(cacheSize);
  private readonly lengths = new Uint8Array(cacheSize);
  private readonly values = new Float64Array(cacheSize * tagCount);

  /** Copies the scores of a word to `cell`; false when they are not known. */
  get(key: number, length: number, scores: Float64Array, cell: number): boolean {
    const slot = key & (cacheSize - 1);
    if (this.keys[slot] !== key || this.lengths[slot] !== length) return false;
    for (let t = 1; t < tagCount; t++) scores[cell + t] = this.values[slot * tagCount + t] as number;
    return true;
  }

  set(key: number, length: number, scores: Float64Array, cell: number): void {
    const slot = key & (cacheSize - 1);
    this.keys[slot] = key;
    this.lengths[slot] = length;
    for (let t = 1; t < tagCount; t++) this.values[slot * tagCount + t] = scores[cell + t] as number;
  }
}

/**
 * Tags names with two models: one for words of alphabets with capitals, one for East Asian characters. Only has buffers, so
 * one tagger serves all texts.
 */
export class NameTagger {
  private readonly latin: Model;
  private readonly openEast: () => Model;
  private openedEast: Model | undefined;
  private readonly latinReader = new LatinReader();
  private readonly eastReader = new EastReader();
  private readonly chain = new Chain();
  private readonly features = new Features();
  private readonly wordScores = new WordScores();
  private found: Found[] = [];
  private weak: Found[] = [];
  private sureParts = new Set<string>();

  /** The model for East Asian text is loaded on first use. */
  constructor(latin: Model, east: () => Model) {
    this.latin = latin;
    this.openEast = east;
  }

  /** The names of `text`, sorted and disjoint. */
  tag(text: string, options: TagOptions = {}): NameSpan[] {
    this.found = [];
    this.weak = [];
    this.sureParts = new Set();
    const language = options.lang === undefined ? 0 : languages.indexOf(options.lang.slice(0, 2).toLowerCase()) + 1;
    for (let from = 0; from < text.length; ) {
      const to = blockEnd(text, from);
      this.latinReader.read(text, from, to, language, options.units);
      this.latinReader.chains((first, last) => this.tagWords(text, first, last));
      if (this.latinReader.words.hasEast) {
        this.eastReader.read(text, from, to);
        this.eastReader.chains((first, last) => this.tagCharacters(text, first, last));
      }
      from = to;
    }
    // Parts of a full name elsewhere in the text.
    const parts = this.weak.filter(({ start, end }) => this.sureParts.has(text.slice(start, end)));
    for (const span of parts) this.found.push({ ...span, score: Math.max(span.score, 0.6) });
    return disjoint(this.found);
  }

  private tagWords(text: string, first: number, last: number): void {
    const { chain, latinReader: reader, features, latin } = this;
    const { sparse, prose, mixed, letters, code, told, listed } = eagerness;
    const isTold = (reader.textKind & toldKinds) !== 0;
    const amount =
      (reader.isCode ? code : isTold ? told : prose) +
      (reader.words.hasEast ? mixed : 0) +
      (reader.language === 0 || labelled.has(reader.language) ? 0 : sparse);
    const titled = lettersAt(reader, first, last);
    chain.length = last - first + 1;
    let hope = false;
    for (let i = first; i <= last; i++) {
      const cell = (i - first) * tagCount;
      setScores(chain.scores, cell, 0);
      features.count = 0;
      const length = (reader.words.end[i] as number) - (reader.words.start[i] as number);
      const key =
        ((reader.words.hash[i] as number) ^
          Math.imul((reader.words.shape[i] as number) + 1 + 8 * (reader.words.accented[i] as number), 0x9e3779b1)) |
        1;
      if (!this.wordScores.get(key, length, chain.scores, cell)) {
        addWordFeatures(reader, i, features);
        addScores(latin, features, chain.scores, cell);
        this.wordScores.set(key, length, chain.scores, cell);
        features.count = 0;
      }
      const isAlone = first === last && (chain.scores[tag.single] as number) < noSingle;
      if ((isAlone || !reaches(chain.scores, cell, unlikely)) && !reader.mayBeCued(i)) {
        setScores(chain.scores, cell, never);
        continue;
      }
      addPlaceFeatures(reader, i, first, last, features);
      addScores(latin, features, chain.scores, cell);
      this.lean(cell, amount + (isTold && looksLikeName(reader, i) ? listed : 0) + (i < titled - 1 ? letters : 0));
      hope ||= reaches(chain.scores, cell, hopeless);
    }
    if (!hope || this.isNoSingle()) return;
    this.collect(text, latin, (a, b) => this.nameOfWords(text, first + a, first + b));
  }

  private tagCharacters(text: string, first: number, last: number): void {
    const { chain, eastReader: reader, features } = this;
    this.openedEast ??= this.openEast();
    const east = this.openedEast;
    const start = reader.start[first] as number;
    const amount =
      (eagerness.east[reader.mode] as number) +
      (reader.labelBefore(start) === 1 ? eagerness.label : 0) +
      (reader.mode === 0 && isInSentence(text, start, reader.end[last] as number) ? eagerness.sentence : 0);
    chain.length = last - first + 1;
    let hope = false;
    for (let i = first; i <= last; i++) {
      const cell = (i - first) * tagCount;
      setScores(chain.scores, cell, 0);
      features.count = 0;
      addEastFeatures(reader, i, first, last, features);
      addScores(east, features, chain.scores, cell);
      this.lean(cell, amount);
      hope ||= reaches(chain.scores, cell, hopeless);
    }
    if (!hope || this.isNoSingle()) return;
    this.collect(text, east, (a, b) => {
      const start = reader.start[first + a] as number;
      const end = reader.end[first + b] as number;
      return { start, end, score: 0, isKana: reader.isKana(start, end) };
    });
  }

  /** Whether the chain is a single unit whose probability is below {@link weakMin}. */
  private isNoSingle(): boolean {
    return this.chain.length === 1 && (this.chain.scores[tag.single] as number) < noSingle;
  }

  private lean(cell: number, amount: number): void {
    const { scores } = this.chain;
    scores[cell + tag.single] = (scores[cell + tag.single] as number) + amount;
    scores[cell + tag.begin] = (scores[cell + tag.begin] as number) + amount;
  }

  /** Collects the names of the chain; `name` returns the span of a range of units. */
  private collect(text: string, model: Model, name: (first: number, last: number) => Found): void {
    const { chain } = this;
    chain.decode(model.transitions);
    let summed = false;
    for (let at = 0; at < chain.length; at++) {
      const t = chain.path[at] as number;
      if (t === tag.outside && !reaches(chain.scores, at * tagCount, hopeless)) continue;
      if (!summed) chain.sum(model.transitions);
      summed = true;
      if (t === tag.outside) {
        const units = chain.marginal(at, tag.begin) < weakMin ? 1 : weakUnits;
        for (let last = at; last < Math.min(at + units, chain.length) && chain.path[last] === tag.outside; last++)
          this.noteWeak({ ...name(at, last), score: chain.spanProbability(at, last, model.transitions) });
        continue;
      }
      const first = at;
      while (at + 1 < chain.length && chain.path[at] !== tag.end && chain.path[at] !== tag.single) at++;
      const score = chain.spanProbability(first, at, model.transitions);
      // A name with uncertain borders is still a name if none of its units is outside one.
      let inside = 1;
      for (let k = first; k <= at; k++) inside = Math.min(inside, 1 - chain.marginal(k, tag.outside));
      const span = { ...name(first, at), score: Math.max(score, inside * 0.95) };
      if (span.score >= scoreMin) {
        this.found.push(span);
        this.noteParts(text, span);
      } else this.noteWeak(span);
    }
  }

  private noteWeak(span: Found): void {
    if (span.score >= weakMin && this.weak.length < weakMax) this.weak.push(span);
  }

  private nameOfWords(text: string, first: number, last: number): Found {
    const { words } = this.latinReader;
    const start = words.start[first] as number;
    let hasInitials = false;
    let hasComma = start > 0 && text[start - 1] === '@';
    for (let i = first; i <= last; i++) {
      hasInitials ||= words.shape[i] === shape.initial;
      hasComma ||= i > first && words.gap[i] === gapKind.comma;
    }
    return { start, end: words.end[last] as number, score: 0, isKana: false, hasInitials: hasInitials && !hasComma };
  }

  /** Records the parts of a full name, which then also count alone. */
  private noteParts(text: string, span: Found): void {
    if (span.score < surePart || span.hasInitials || this.sureParts.size > weakMax) return;
    const name = text.slice(span.start, span.end);
    const parts = name.split(/[^\p{L}\p{M}]+/u);
    for (const part of parts) if (part.length > (part.charCodeAt(0) < 0x2e80 ? 2 : 1)) this.sureParts.add(part);
    // In an unspaced name in kanji the family name usually has two characters.
    if (parts.length === 1 && name.length > 2 && name.charCodeAt(0) >= 0x3400) this.sureParts.add(name.slice(0, 2));
  }
}

/** The index of professional letters behind the words, or -1: `Grace Wells, RN`, `Grace Wells, Jr.`, `Grace Wells PhD`. */
function lettersAt(reader: LatinReader, first: number, last: number): number {
  const { words, classes } = reader;
  for (let i = first + 2; i <= last + 1 && i < words.count; i++) {
    if (((classes[i] as number) & wordClass.honorific) === 0 || words.shape[i] === shape.lower) continue;
    const isShort = words.shape[i] !== shape.capital || reader.behind(i) === 0x2e;
    const isApart = words.gap[i] === gapKind.comma || words.shape[i - 1] === shape.capital;
    if (isShort && isApart && (words.gap[i] as number) <= gapKind.comma) return isPlacePair(words, first) ? -1 : i;
  }
  return -1;
}

/** Sets the scores of a unit; `fill` would cost more than these few steps. */
function setScores(scores: Float64Array, cell: number, value: number): void {
  scores[cell] = 0;
  for (let t = 1; t < tagCount; t++) scores[cell + t] = value;
}

/** Whether the score of a tag other than "outside" is above a limit. */
function reaches(scores: Float64Array, cell: number, limit: number): boolean {
  for (let t = 1; t < tagCount; t++) if ((scores[cell + t] as number) > limit) return true;
  return false;
}

/** The end of the block that starts at `from`: after a line or a space, so that no word is split. */
function blockEnd(text: string, from: number): number {
  const most = from + blockMax;
  if (most >= text.length) return text.length;
  // Only the second half is searched: `lastIndexOf` on the text would go back to its start.
  const half = from + blockMax / 2;
  const window = text.slice(half, most);
  const line = window.lastIndexOf('\n');
  if (line > 0) return half + line + 1;
  const blank = window.lastIndexOf(' ');
  return blank > 0 ? half + blank + 1 : most;
}

/** Sorts the spans and drops those that overlap a better one. */
function disjoint(spans: readonly Found[]): NameSpan[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.score - a.score);
  const kept: Found[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (last === undefined || last.end <= span.start) kept.push(span);
    else if (last.score < span.score) kept[kept.length - 1] = span;
  }
  return kept;
}
