/** The words around candidates: a text cut into words, signs and line breaks, as far as candidates need it. */
import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';

/** What a token is. */
export const tokenKind = { word: 0, digits: 1, sign: 2, newline: 3, kanji: 4, hiragana: 5, katakana: 6 } as const;

/** How far before a candidate words count. */
const lookBehind = 480;
const wordMax = 24;

/** Tokens of a text, made when first needed and once. */
export class ContextWords {
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly kinds: number[] = [];
  readonly words: string[] = [];
  readonly #text: string;
  #done = 0;

  /** @param text the shadow of the text */
  constructor(text: string) {
    this.#text = text;
  }

  /** Makes sure that the text around `start..end` is cut; candidates come in order of their starts. */
  prepare(start: number, end: number): void {
    if (start - lookBehind > this.#done) {
      const newline = this.#text.indexOf('\n', start - lookBehind);
      this.#done = newline >= 0 && newline < start ? newline : start - lookBehind;
    }
    while (this.#done < Math.min(end, this.#text.length)) this.#next();
  }

  /** Index of the first token that starts at the place or behind it. */
  indexAt(place: number): number {
    let low = 0;
    for (let high = this.starts.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((this.starts[middle] as number) < place) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #next(): void {
    const text = this.#text;
    const start = this.#done;
    const c = text.charCodeAt(start);
    this.#done = start + 1;
    if (c === 0x20 || c === 0x09 || c === 0x0d || c === 0x3000) return;
    const kind = c === 0x0a ? tokenKind.newline : kindOf(c);
    if (kind === tokenKind.digits) while (isDigit(text.charCodeAt(this.#done))) this.#done++;
    else if (kind !== tokenKind.sign && kind !== tokenKind.newline) this.#done = wordEnd(text, start, kind);
    const end = this.#done;
    this.starts.push(start);
    this.ends.push(end);
    this.kinds.push(kind);
    const isNumber = kind === tokenKind.digits;
    this.words.push(isNumber ? `#${Math.min(end - start, 13)}` : text.slice(start, end).toLowerCase());
  }
}

/** Where a word of one kind ends: a Latin one before the next hump of camel case. */
function wordEnd(text: string, start: number, kind: number): number {
  let end = start + 1;
  for (; end - start < wordMax; end++) {
    const next = text.charCodeAt(end);
    // `driver's`
    const isApostrophe = next === 0x27 && kind === tokenKind.word && end > start + 1;
    if (isApostrophe && isAsciiLetter(text.charCodeAt(end + 1))) continue;
    if (kindOf(next) !== kind) break;
    if (kind === tokenKind.word && isCapital(next) && !isCapital(text.charCodeAt(end - 1))) break;
  }
  return end;
}

function kindOf(c: number): number {
  if (c < 0x80) return isAsciiLetter(c) ? tokenKind.word : isDigit(c) ? tokenKind.digits : tokenKind.sign;
  if (c >= 0x3041 && c <= 0x3096) return tokenKind.hiragana;
  if (c >= 0x30a1 && c <= 0x30fc && c !== 0x30fb) return tokenKind.katakana;
  if ((c >= 0x3400 && c <= 0x9fff) || c === 0x3005) return tokenKind.kanji;
  if ((c >= 0xc0 && c < 0x2000 && c !== 0xd7 && c !== 0xf7) || (c >= 0xac00 && c <= 0xd7a3)) return tokenKind.word;
  return tokenKind.sign;
}
