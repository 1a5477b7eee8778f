/** The words around candidates: splits a text into words, signs and line breaks where there are candidates. */
import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';
import { lineEndWithin, type ScanText } from '../detect/scan.ts';
import { hashStart, hashWith, numberWord, pairsOf, type Vocabulary } from './vocabulary.ts';

/** What a token is. */
export const tokenKind = { word: 0, digits: 1, sign: 2, newline: 3, kanji: 4, hiragana: 5, katakana: 6 } as const;

/** How far before a candidate the text is split. */
const lookBehind = 480;
const wordMax = 24;

const tokensMax = 1 << 13;
/** How many tokens are kept when the columns are full. */
const tokensKept = 1 << 10;

/** One set of columns for all texts, because one text is read at a time; `owner` filled them last. */
const columns = {
  starts: new Int32Array(tokensMax),
  ends: new Int32Array(tokensMax),
  kinds: new Uint8Array(tokensMax),
  ids: new Uint16Array(tokensMax),
  owner: undefined as ContextWords | undefined,
};

/** Tokens of one stretch of a text, shared by all types. */
export class ContextWords {
  readonly starts = columns.starts;
  readonly kinds = columns.kinds;
  /** The numbers of the words in the vocabulary. */
  readonly ids = columns.ids;
  count = 0;
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly #vocabulary: Vocabulary;
  readonly #pairIds = new Map<number, readonly number[]>();
  #first = 0;
  #done = 0;
  /** Of the last word. */
  #hash = 0;
  #isAscii = false;

  constructor({ shadow, bytes }: ScanText, vocabulary: Vocabulary) {
    this.#text = shadow;
    this.#bytes = bytes;
    this.#vocabulary = vocabulary;
  }

  /** Splits the text around `start..end`; tokens far from it may be dropped. */
  prepare(start: number, end: number): void {
    const from = Math.max(0, start - lookBehind);
    if (from > this.#done || from < this.#first || columns.owner !== this) this.#restart(start, from);
    const to = Math.min(end, this.#text.length);
    while (this.#done < to) this.#next();
  }

  #restart(start: number, from: number): void {
    const lineEnd = from === 0 ? start : lineEndWithin(this.#text, from, start - from);
    this.#done = lineEnd < start ? lineEnd : from;
    this.#first = from;
    this.count = 0;
    this.#pairIds.clear();
    columns.owner = this;
  }

  lengthAt(at: number): number {
    return (columns.ends[at] as number) - (columns.starts[at] as number);
  }

  /** A word in lower case; for a number its {@link numberWord}. */
  wordAt(at: number): string {
    if (columns.kinds[at] === tokenKind.digits) return numberWord(this.lengthAt(at));
    return this.#text.slice(columns.starts[at], columns.ends[at]).toLowerCase();
  }

  isRivalAt(at: number): boolean {
    return this.#vocabulary.isRival(columns.ids[at] as number);
  }

  /** The numbers of the pairs of characters in a word. */
  pairIdsAt(at: number): readonly number[] {
    let ids = this.#pairIds.get(at);
    if (ids === undefined) {
      ids = pairsOf(this.wordAt(at)).map((pair) => this.#vocabulary.idOf(pair));
      this.#pairIds.set(at, ids);
    }
    return ids;
  }

  /** Index of the first token that starts at or after the place. */
  indexAt(place: number): number {
    let low = 0;
    for (let high = this.count; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((columns.starts[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #next(): void {
    const bytes = this.#bytes;
    const start = this.#done;
    const first = bytes[start] as number;
    const c = isOther(first) ? this.#text.charCodeAt(start) : first;
    this.#done = start + 1;
    if (c === 0x20 || c === 0x09 || c === 0x0d || c === 0x3000) return;
    const kind = c === 0x0a ? tokenKind.newline : kindOf(c);
    let end = start + 1;
    let id = 0;
    if (kind === tokenKind.digits) {
      while (isDigit(bytes[end])) end++;
      id = this.#vocabulary.idOfNumber(end - start);
    } else if (kind !== tokenKind.sign && kind !== tokenKind.newline) {
      end = this.#wordEnd(start, kind);
      const word = this.#isAscii ? '' : this.#text.slice(start, end);
      if (this.#isAscii) id = this.#vocabulary.idAt(bytes, start, end, this.#hash);
      else id = this.#vocabulary.idOf(kind === tokenKind.word ? word.toLowerCase() : word);
    }
    this.#done = end;
    if (this.count === tokensMax) this.#forget();
    const at = this.count++;
    columns.starts[at] = start;
    columns.ends[at] = end;
    columns.kinds[at] = kind;
    columns.ids[at] = id;
  }

  /** The end of a word of one kind; a Latin one ends before the next hump of camel case. Also computes its hash. */
  #wordEnd(start: number, kind: number): number {
    const bytes = this.#bytes;
    const isWord = kind === tokenKind.word;
    let hash = hashStart;
    let units = 0;
    let end = start;
    for (let before = 0; end - start < wordMax; end++) {
      let c = bytes[end] as number;
      if (!isWord || c < 0x61 || c > 0x7a) {
        if (isOther(c)) c = this.#text.charCodeAt(end);
        // `driver's`
        const isApostrophe = isWord && c === 0x27 && end > start + 1 && isAsciiLetter(bytes[end + 1]);
        if (!isApostrophe && kindOf(c) !== kind) break;
        if (isWord && isCapital(c) && end > start && !isCapital(before)) break;
      }
      units |= c;
      hash = hashWith(hash, c);
      before = c;
    }
    this.#hash = hash;
    this.#isAscii = units < 0x80;
    return end;
  }

  #forget(): void {
    const { starts, ends, kinds, ids } = columns;
    for (const column of [starts, ends, kinds, ids]) column.copyWithin(0, tokensMax - tokensKept);
    this.count = tokensKept;
    this.#first = starts[0] as number;
    this.#pairIds.clear();
  }
}

/** True for a byte that stands for a non-ASCII character. */
function isOther(byte: number): boolean {
  return byte === 0 || byte > 0x7f;
}

const asciiKinds = Uint8Array.from({ length: 0x80 }, (_, c) =>
  isAsciiLetter(c) ? tokenKind.word : isDigit(c) ? tokenKind.digits : tokenKind.sign,
);

function kindOf(c: number): number {
  if (c < 0x80) return asciiKinds[c] as number;
  if (c >= 0x3041 && c <= 0x3096) return tokenKind.hiragana;
  if (c >= 0x30a1 && c <= 0x30fc && c !== 0x30fb) return tokenKind.katakana;
  if ((c >= 0x3400 && c <= 0x9fff) || c === 0x3005) return tokenKind.kanji;
  if ((c >= 0xc0 && c < 0x2000 && c !== 0xd7 && c !== 0xf7) || (c >= 0xac00 && c <= 0xd7a3)) return tokenKind.word;
  return tokenKind.sign;
}
