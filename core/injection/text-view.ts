/** A span of the original text that readers cannot see as written, and its actual content. */
export type HiddenRun = { readonly start: number; readonly end: number; readonly text: string };

/**
 * A text prepared for the rules: look-alike, full-width and decorated letters folded to plain ones, invisible
 * characters removed. ASCII letters keep their case (it shows where a sentence continues); others are lower case.
 */
export type TextView = {
  readonly text: string;
  /** Original offset of each code unit of `text` and of its end; undefined if they are identical. */
  readonly map: Uint32Array | undefined;
  /** Text in tag characters (U+E0020 to U+E007E), without flags of regions. */
  readonly tagRuns: readonly HiddenRun[];
  /** The text between U+202E and U+202C, reversed. */
  readonly reversedRuns: readonly HiddenRun[];
};

/** Maps an offset in the view to the original text. */
export function originalOffset(view: TextView, offset: number): number {
  return view.map === undefined ? offset : (view.map[offset] ?? 0);
}

const nonAscii = /[^\x00-\x7f]/;

/** The view of a text, in linear time. Plain ASCII is its own view. */
export function viewOf(text: string): TextView {
  if (!nonAscii.test(text)) return { text, map: undefined, tagRuns: [], reversedRuns: [] };
  return new ViewBuilder(text).build();
}

/** Lower case without accents for U+00C0 to U+024F; 0 for letters without a single plain character. */
const latinFold = Uint16Array.from({ length: 0x250 - 0xc0 }, (_, i) => {
  const plain = String.fromCharCode(0xc0 + i)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.length === 1 ? plain.charCodeAt(0) : 0;
});

/** Cyrillic and Greek letters that look like Latin ones, lower case: the common part of Unicode TS 39's confusables. */
const lookAlikes = new Map<number, number>(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    п: 'n',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    г: 'r',
    ѕ: 's',
    т: 't',
    у: 'y',
    ѵ: 'v',
    ԝ: 'w',
    х: 'x',
    н: 'h',
    ё: 'e',
    ї: 'i',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    μ: 'u',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ω: 'w',
    γ: 'y',
    ϲ: 'c',
  }).map(([from, to]) => [from.charCodeAt(0), to.charCodeAt(0)]),
);

/** Characters without a glyph: soft hyphen, joiners, direction marks, variation selectors, fillers. */
function isInvisible(code: number): boolean {
  if (code < 0x200b) {
    return (
      code === 0xad ||
      code === 0x34f ||
      code === 0x61c ||
      code === 0x115f ||
      code === 0x1160 ||
      code === 0x17b4 ||
      code === 0x17b5 ||
      code === 0x180e
    );
  }
  return (
    code <= 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff
  );
}

/** Common scripts that need no folding: kana, kanji, Hangul. */
function isPlainEastAsian(code: number): boolean {
  return (code > 0x3000 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3);
}

/** Latin look-alikes outside ordinary scripts: small capitals and phonetic signs. */
const phonetic = new Map<number, string>();
const phoneticLetters = 'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzɑaɡgıiɩiʋvɾrʂsȷj';
for (let i = 0; i < phoneticLetters.length; i += 2)
  phonetic.set(phoneticLetters.charCodeAt(i), phoneticLetters[i + 1] ?? '');

const isLatin = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isForeign = (code: number): boolean => code >= 0x370 && code <= 0x52f;

class ViewBuilder {
  private readonly source: string;
  private out: Uint16Array;
  private map: Uint32Array;
  private length = 0;
  private foreign = false;
  private readonly tagRuns: HiddenRun[] = [];
  private readonly reversedRuns: HiddenRun[] = [];

  constructor(source: string) {
    this.source = source;
    this.out = new Uint16Array(source.length + 64);
    this.map = new Uint32Array(source.length + 64);
  }

  build(): TextView {
    const { source } = this;
    let i = 0;
    while (i < source.length) i = this.step(i);
    if (this.foreign) this.foldLookAlikes();
    const map = this.map.slice(0, this.length + 1);
    map[this.length] = source.length;
    return { text: textOf(this.out, this.length), map, tagRuns: this.tagRuns, reversedRuns: this.reversedRuns };
  }

  /** Processes the character at `at` and returns the next position. */
  private step(at: number): number {
    const { source } = this;
    const code = source.charCodeAt(at);
    if (code < 0x80 || isPlainEastAsian(code)) return this.plainRun(at);
    if (code < 0xa0) return at + 1;
    if (code < 0x250) {
      if (code === 0xad) return at + 1;
      const folded = code >= 0xc0 ? (latinFold[code - 0xc0] ?? 0) : code === 0xa0 ? 0x20 : 0;
      this.push(folded === 0 ? code : folded, at);
      return at + 1;
    }
    if (code === 0xdb40) {
      const next = source.charCodeAt(at + 1);
      return next >= 0xdc20 && next <= 0xdc7f ? this.tagRun(at) : at + 2;
    }
    if (code === 0x202e) this.reversedRun(at);
    if (isInvisible(code) || (code >= 0x300 && code <= 0x36f)) return at + 1;
    if (code >= 0xff01 && code <= 0xff5e) {
      this.push(code - 0xfee0, at);
      return at + 1;
    }
    if (code === 0x3000) {
      this.push(0x20, at);
      return at + 1;
    }
    if (isForeign(code)) {
      this.foreign = true;
      this.push(lowerOf(code), at);
      return at + 1;
    }
    // A half-width kana and its voicing mark are one letter.
    const isPair =
      (code >= 0xd800 && code <= 0xdbff) ||
      (code >= 0xff66 && code <= 0xff9d && (source.charCodeAt(at + 1) & 0xfffe) === 0xff9e);
    const end = Math.min(at + (isPair ? 2 : 1), source.length);
    const folded =
      phonetic.get(code) ?? plainLetter(source, at) ?? source.slice(at, end).normalize('NFKC').toLowerCase();
    // One Arabic ligature represents a whole sentence; a few letters are enough.
    for (let i = 0; i < folded.length && i < 8; i++) this.push(folded.charCodeAt(i), at);
    return end;
  }

  private plainRun(at: number): number {
    const { source, out, map } = this;
    // The rest of the source fits into `out`, see `push`.
    const most = Math.min(source.length, at + out.length - this.length - 2);
    let { length } = this;
    let i = at;
    for (; i < most; i++) {
      const code = source.charCodeAt(i);
      if (code >= 0x80 && !isPlainEastAsian(code)) break;
      out[length] = code;
      map[length++] = i;
    }
    this.length = length;
    if (i === at) {
      this.push(source.charCodeAt(at), at);
      return at + 1;
    }
    return i;
  }

  private push(code: number, at: number): void {
    if (this.length + 1 >= this.out.length) {
      const size = this.out.length * 2;
      const out = new Uint16Array(size);
      out.set(this.out);
      this.out = out;
      const map = new Uint32Array(size);
      map.set(this.map);
      this.map = map;
    }
    this.out[this.length] = code;
    this.map[this.length] = at;
    this.length++;
  }

  private tagRun(at: number): number {
    const { source } = this;
    const letters: number[] = [];
    let i = at;
    while (i < source.length && source.charCodeAt(i) === 0xdb40) {
      const low = source.charCodeAt(i + 1);
      if (low >= 0xdc20 && low <= 0xdc7e) letters.push(low - 0xdc00);
      i += 2;
    }
    // A flag of a region is the black flag (U+1F3F4) and up to six tags (Unicode TS 51, emoji tag sequence).
    const isFlag = letters.length <= 6 && source.charCodeAt(at - 2) === 0xd83c && source.charCodeAt(at - 1) === 0xdff4;
    const text = String.fromCharCode(...letters.slice(0, 4096));
    if (!isFlag && /[a-z]{8}|\S +\S/i.test(text)) this.tagRuns.push({ start: at, end: i, text });
    return i;
  }

  private reversedRun(at: number): void {
    const { source } = this;
    if (this.reversedRuns.length >= 8) return;
    const stop = source.indexOf('\u202c', at);
    const end = Math.min(stop < 0 ? source.length : stop, at + 4096);
    const text = source.slice(at + 1, end);
    if (text.length < 8) return;
    this.reversedRuns.push({ start: at, end, text: reversed(text) });
  }

  /** Folds look-alikes in words of mixed scripts, or next to a Latin word. Russian and Greek words stay unchanged. */
  private foldLookAlikes(): void {
    const { out, length } = this;
    let latinBefore = false;
    let i = 0;
    while (i < length) {
      const start = i;
      let latin = 0;
      let foreign = 0;
      let alike = 0;
      for (; i < length; i++) {
        const code = out[i] ?? 0;
        if (isLatin(code)) latin++;
        else if (isForeign(code)) {
          foreign++;
          if (lookAlikes.has(code)) alike++;
        } else break;
      }
      if (i === start) {
        i++;
        continue;
      }
      const mixed = latin > 0 && foreign > 0;
      const disguised: boolean = latin === 0 && foreign > 1 && alike === foreign && (latinBefore || this.latinAfter(i));
      if (mixed || disguised) {
        for (let j = start; j < i; j++) {
          const plain = lookAlikes.get(out[j] ?? 0);
          if (plain !== undefined) out[j] = plain;
        }
      }
      latinBefore = latin > 0 || disguised;
    }
  }

  private latinAfter(at: number): boolean {
    const end = Math.min(at + 4, this.length);
    for (let i = at; i < end; i++) {
      const code = this.out[i] ?? 0;
      if (isLatin(code)) return true;
      if (code !== 0x20) return false;
    }
    return false;
  }
}

/** Letters in a black circle or square (U+1F150 to U+1F189), which have no plain form in Unicode. */
function plainLetter(source: string, at: number): string | undefined {
  if (source.charCodeAt(at) !== 0xd83c) return undefined;
  const low = source.charCodeAt(at + 1);
  if (low >= 0xdd50 && low <= 0xdd69) return String.fromCharCode(low - 0xdd50 + 97);
  return low >= 0xdd70 && low <= 0xdd89 ? String.fromCharCode(low - 0xdd70 + 97) : undefined;
}

function lowerOf(code: number): number {
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** Converts codes to a string. Each lone surrogate becomes U+FFFD. */
function textOf(codes: Uint16Array, length: number): string {
  return new TextDecoder('utf-16le', { ignoreBOM: true }).decode(codes.subarray(0, length));
}

/** The text reversed. */
export function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}
