import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words of East Asian dictionaries with their kind and frequency. */

/** Kinds of words, three bits per language. */
export const wordKind = { none: 0, noun: 1, place: 2, proper: 3, affix: 4, other: 5, person: 6, family: 7 } as const;

/** One word of the table: its kind (3 bits) and level (2 bits) in Japanese, then the same in Chinese. */
export type EastWords = Map<string, number>;

/** A name in the Japanese dictionary, and whether it is a family name. */
export type DictionaryName = { readonly name: string; readonly isFamily: boolean };

const east = /^[\u3005\u3006\u30a1-\u30fc\u3400-\u9fff]+$/;
const lengthMax = 4;

function ipadicRows(folder: string): string[][] {
  const decoder = new TextDecoder('euc-jp');
  return readdirSync(join(folder, 'ipadic'))
    .filter((file) => file.endsWith('.csv'))
    .sort()
    .flatMap((file) =>
      decoder
        .decode(readFileSync(join(folder, 'ipadic', file)))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(',')),
    );
}

function japaneseKind(part: string, detail: string, more: string): number {
  if (part === '名詞') {
    if (detail === '固有名詞')
      return more === '地域' ? wordKind.place : more === '人名' ? wordKind.person : wordKind.proper;
    return detail === '接尾' ? wordKind.affix : wordKind.noun;
  }
  return part === '接頭詞' ? wordKind.affix : wordKind.other;
}

const chineseKind = (tag: string): number =>
  tag.startsWith('nr')
    ? wordKind.person
    : tag.startsWith('ns')
      ? wordKind.place
      : tag.startsWith('nt') || tag.startsWith('nz')
        ? wordKind.proper
        : tag.startsWith('n')
          ? wordKind.noun
          : wordKind.other;

/** Traditional characters and their simplified forms, as two strings of equal length. */
export function chineseVariants(folder: string): { simplified: string; traditional: string } {
  const source = readFileSync(join(folder, 'variants.js'), 'utf8');
  const simplified = [...(/'S':'([^']*)'/.exec(source)?.[1] ?? '')];
  const traditional = [...(/'T':'([^']*)'/.exec(source)?.[1] ?? '')];
  // A character that is also used in simplified text is unchanged.
  const own = new Set(simplified);
  const pairs = traditional
    .map((char, at): [string, string] => [char, simplified[at] ?? char])
    .filter(([from, to]) => from !== to && !own.has(from) && from.length === 1 && to.length === 1);
  const unique = [...new Map(pairs)].sort(([a], [b]) => (a < b ? -1 : 1));
  return { traditional: unique.map(([from]) => from).join(''), simplified: unique.map(([, to]) => to).join('') };
}

/** Japanese names in the dictionary. */
export function dictionaryNames(folder: string): DictionaryName[] {
  return ipadicRows(folder)
    .filter(([, , , , , , more = '', kind = '']) => more === '人名' && (kind === '姓' || kind === '名'))
    .map(([name = '', , , , , , , kind = '']) => ({ name, isFamily: kind === '姓' }));
}

/** A word in kanji and its reading in hiragana. */
export type JapaneseReading = { readonly word: string; readonly reading: string };
type JapaneseNouns = { kanji: string[]; katakana: string[]; readings: JapaneseReading[] };

/** Nouns of the Japanese dictionary in kanji and katakana, and proper nouns other than people with readings. */
export function japaneseNouns(folder: string): JapaneseNouns {
  const rows = ipadicRows(folder).filter(([, , , , part]) => part === '名詞');
  const nouns = rows
    .filter(([, , , , , detail]) => detail === '一般' || detail === 'サ変接続')
    .map(([word = '']) => word);
  return {
    kanji: nouns.filter((word) => /^[\u4e00-\u9fff]{2,3}$/.test(word)),
    katakana: nouns.filter((word) => /^[ァ-ー]{3,9}$/.test(word)),
    readings: rows
      .filter(([word = '', , , , , , more]) => more !== '人名' && /^[\u4e00-\u9fff]{2,5}$/.test(word))
      .map(([word = '', , , , , , , , , , , kana = '']) => ({ word, reading: hiragana(kana) }))
      .filter(({ reading }) => reading !== ''),
  };
}

const hiragana = (kana: string): string =>
  kana.replace(/[ァ-ヶ]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0x60));

/** A word in katakana, its possible kinds, and its original spelling. */
export type ForeignName = {
  readonly word: string;
  readonly isGiven: boolean;
  readonly isFamily: boolean;
  readonly isPlace: boolean;
  /** A company, product or work. */
  readonly isOther: boolean;
  readonly romaji: readonly string[];
};

/** Foreign names in katakana, of people and others, from the Japanese dictionary of names. */
export function foreignNames(folder: string): ForeignName[] {
  const lines = new TextDecoder('euc-jp').decode(readFileSync(join(folder, 'enamdict'))).split('\n');
  return lines.flatMap((line) => {
    const word = /^[ァ-ヺー]{2,12}(?= )/.exec(line)?.[0];
    if (word === undefined) return [];
    const kinds = [...line.matchAll(/\(([a-z,]+)\)/g)].flatMap(([, list = '']) => list.split(','));
    const has = (...wanted: string[]): boolean => kinds.some((kind) => wanted.includes(kind));
    return {
      word,
      isGiven: has('m', 'f', 'g'),
      isFamily: has('s', 'u'),
      isPlace: has('p', 'st'),
      isOther: has('o', 'c', 'wk', 'pr'),
      romaji: line
        .replace(/\([^)]*\)/g, ' ')
        .split(/[/ ,]+/)
        .filter((part) => /^\p{Lu}[\p{L}'-]+$/u.test(part)),
    };
  });
}

/** Categories of encyclopedia entries about people. */
const personEntry = /(?:人[名物]?|姓|[男女]性名?|者|[作画詩芸]家|手|優|監督|王|皇帝|軍人|聖人|タレント|アイドル)$/;
const otherEntry = /法人|登場|巨人/;

/** Katakana entries of the Japanese encyclopedia: people, and all others. */
export function katakanaEntries(folder: string): { people: string[]; others: string[] } {
  const people: string[] = [];
  const others: string[] = [];
  for (const line of readFileSync(join(folder, 'juman', 'Wikipedia.csv'), 'utf8').split('\n')) {
    const word = line.slice(0, line.indexOf(','));
    const entry = /上位語:([^/ ,]*)/.exec(line)?.[1];
    if (entry === undefined || !/^[ァ-ヺー]{2,9}$/.test(word)) continue;
    if (!personEntry.test(entry)) others.push(word);
    else if (!otherEntry.test(entry)) people.push(word);
  }
  return { people, others };
}

/** Chinese names, split into family and given names; foreign names in Chinese characters; and ordinary nouns. */
type ChineseWords = { people: { family: string; given: string }[]; foreign: string[]; nouns: string[] };

/** People and nouns of the Chinese dictionary; a person's family name is one of `families`. */
export function chineseWords(folder: string, families: string): ChineseWords {
  const found: ChineseWords = { people: [], foreign: [], nouns: [] };
  for (const line of readFileSync(join(folder, 'jieba.txt'), 'utf8').split('\n')) {
    const [word = '', uses = '', tag = ''] = line.split(' ');
    if (tag === 'nr' && word.length === 3 && Number(uses) > 2 && families.includes(word.charAt(0)))
      found.people.push({ family: word.charAt(0), given: word.slice(1) });
    else if (tag === 'nrt' && word.length > 1 && word.length < 7 && !/[一二三四五六世人郎]/.test(word))
      found.foreign.push(word);
    else if (tag === 'n' && word.length > 1 && word.length < 5 && Number(uses) > 99) found.nouns.push(word);
  }
  return found;
}

/** Korean nouns of Chinese origin, of two or three syllables. */
export function koreanNouns(folder: string): string[] {
  const lines = readFileSync(join(folder, 'hanja.txt'), 'utf8').split('\n');
  return [...new Set(lines.map((line) => /^[가-힣]{2,3}(?=:)/.exec(line)?.[0] ?? ''))].filter((word) => word !== '');
}

/** Pairs of syllables that form a noun: the frequent syllables, and a bit for each pair of them. */
export function koreanPairs(folder: string): { syllables: string; bits: Uint8Array } {
  const nouns = koreanNouns(folder).filter((word) => word.length === 2);
  const uses = new Map<string, number>();
  for (const syllable of nouns.join('')) uses.set(syllable, (uses.get(syllable) ?? 0) + 1);
  const syllables = [...uses.keys()].filter((syllable) => (uses.get(syllable) ?? 0) >= 8).sort();
  const bits = new Uint8Array(((syllables.length ** 2) >> 3) + 1);
  for (const [first = '', second = ''] of nouns) {
    const one = syllables.indexOf(first);
    const two = syllables.indexOf(second);
    const bit = one * syllables.length + two;
    if (one >= 0 && two >= 0) bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7));
  }
  return { syllables: syllables.join(''), bits };
}

/** All words of the table. */
export function eastWords(folder: string, families: readonly string[]): EastWords {
  const words: EastWords = new Map();
  const put = (word: string, kind: number, level: number, shift: number): void => {
    const known = words.get(word) ?? 0;
    const before = (known >>> shift) & 31;
    // If a word has several readings, the most common one counts.
    if (before >>> 3 >= level) return;
    words.set(word, (known & ~(31 << shift)) | ((kind | (level << 3)) << shift));
  };
  for (const [word = '', , , cost = '', part = '', detail = '', more = ''] of ipadicRows(folder)) {
    if (!east.test(word) || word.length < 2 || word.length > (/^[ァ-ー]/.test(word) ? 10 : lengthMax)) continue;
    const kind = japaneseKind(part, detail, more);
    if (kind === wordKind.person || (part === '動詞' && word.length > 3)) continue;
    const usual = kind === wordKind.place ? 8600 : 5600;
    const level = Number(cost) < usual - 1500 ? 3 : Number(cost) < usual ? 2 : 1;
    if (level === 1 && ((kind === wordKind.place && word.length > 3) || kind === wordKind.other)) continue;
    put(word, kind, level, 0);
  }
  for (const line of readFileSync(join(folder, 'jieba.txt'), 'utf8').split('\n')) {
    const [word = '', uses = '', tag = ''] = line.split(' ');
    const kind = chineseKind(tag);
    const least = kind === wordKind.person ? 10 : kind === wordKind.place ? 3 : 15;
    if (!east.test(word) || word.length < 2 || word.length > lengthMax || Number(uses) < least) continue;
    put(word, kind, Number(uses) >= 500 ? 3 : Number(uses) >= 40 ? 2 : 1, 5);
  }
  for (const [at, family] of families.entries()) {
    const known = words.get(family) ?? 0;
    words.set(family, (known & 31) | ((wordKind.family | ((at < 120 ? 3 : at < 260 ? 2 : 1) << 3)) << 5));
  }
  return words;
}
