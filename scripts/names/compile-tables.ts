import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldUnit, hashWord, mix } from '../../core/names/hash.ts';
import { pairTemplate } from '../../core/names/word-kinds.ts';
import { languageSets, type PackedTable, wordFields } from '../../core/names/tables.ts';
import { chineseVariants, dictionaryNames, eastWords, foreignNames, koreanPairs } from './dictionaries.ts';
import { placeNames } from './places.ts';
import { packBytes, packTable } from './pack.ts';
import pools from './pools.json' with { type: 'json' };

/**
 * Packs the lists of names and words into core/names/names.json, words.json and words-east.json.
 *
 *   node scripts/names/compile-tables.ts <folder of the raw lists> <folder of the dictionaries>
 *
 * Deterministic.
 */
const [, , folder, dictionaries] = process.argv;
if (folder === undefined || dictionaries === undefined) {
  console.error('usage: node scripts/names/compile-tables.ts <folder of the raw lists> <folder of the dictionaries>');
  process.exit(2);
}
const own = join(import.meta.dirname, '..', 'lists');
const out = join(import.meta.dirname, '..', '..', 'core', 'names');

const lines = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
const raw = (name: string): string[] => lines(join(folder, name));
const rows = (name: string): string[][] => raw(name).map((line) => line.split('\t'));
const fold = (word: string): string =>
  [...word.normalize('NFC')]
    .map((char) => String.fromCharCode(foldUnit(char.charCodeAt(0)) || char.charCodeAt(0)))
    .join('');

type Use = { best: number; countries: Set<string> };
const given = new Map<string, Use>();
const family = new Map<string, Use>();

function count(uses: Map<string, Use>, name: string, country: string, rank: number): void {
  const parts = name.split(/[\s\-'’]+/).map(fold);
  for (const part of parts) {
    const short = /^[\u0370-\uffff]/.test(part) ? 1 : 2;
    if (part.length < short || (parts.length > 1 && part.length < 3)) continue;
    const use = uses.get(part) ?? { best: Number.POSITIVE_INFINITY, countries: new Set() };
    use.best = Math.min(use.best, parts.length > 1 ? rank * 4 + 2000 : rank);
    if (parts.length === 1) use.countries.add(country);
    uses.set(part, use);
  }
}

/** From 1 for a name in one long list to 7 for a frequent name of many countries. */
function level(use: Use | undefined): number {
  if (use === undefined) return 0;
  const { best, countries } = use;
  const rank = best <= 100 ? 3 : best <= 500 ? 2 : best <= 2000 ? 1 : 0;
  const spread = countries.size >= 12 ? 3 : countries.size >= 5 ? 2 : countries.size >= 2 ? 1 : 0;
  return 1 + rank + spread;
}

for (const [name = '', country = '', kind = '', rank = ''] of rows('names_by_country.tsv').slice(1)) {
  count(kind === 'given' ? given : family, name, country, Number(rank) || 1000);
}
for (const name of raw('given_names_us.txt')) count(given, name, 'US', 1500);
for (const name of raw('surnames_us.txt')) count(family, name, 'US', 5000);
for (const [name = '', bearers = '', kana = '', romaji = ''] of rows('surnames_ja.tsv')) {
  const rank = 50_000_000 / (Number(bearers) * 20 || 1);
  count(family, name, 'JP', Math.max(1, rank));
  count(family, romaji.replace(/ou/g, 'o'), 'JP', 400);
  count(family, romaji, 'JP', 400);
  count(family, kana, 'JP', 400);
  count(family, katakana(kana), 'JP', 400);
}
for (const file of ['given_names_ja_man.tsv', 'given_names_ja_woman.tsv']) {
  for (const [kana = '', romaji = '', ...spellings] of rows(file)) {
    for (const spelling of spellings) count(given, spelling, 'JP', 1500);
    count(given, romaji, 'JP', 800);
    count(given, kana, 'JP', 800);
    count(given, katakana(kana), 'JP', 800);
  }
}
for (const [kind = '', kanji = '', kana = '', kata = '', romaji = ''] of rows('names_ja_readings.tsv')) {
  const uses = kind === 'given' ? given : family;
  for (const form of [kanji, kana, kata]) if (form !== '') count(uses, form, 'JP-2', 1500);
  if (romaji !== '') count(uses, romaji, 'JP-2', 1500);
}

// Names from the world's locales, and short forms, which the lists above lack.
const ownWords = (file: string): string[] => lines(join(own, file)).flatMap((line) => line.split(/\s+/));
for (const name of [...ownWords('given-names.txt'), ...ownWords('given-names-locales.txt')])
  count(given, name, 'own', 3000);
for (const name of ownWords('surnames-locales.txt')) count(family, name, 'own', 5000);
for (const name of ownWords('given-names-ja.txt')) count(given, name, 'own', 3000);
for (const { name, isFamily } of dictionaryNames(dictionaries)) count(isFamily ? family : given, name, 'JP-3', 3000);

function katakana(kana: string): string {
  return kana.replace(/[ぁ-ゖ]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0x60));
}

// How often a word is in lower case within sentences of the labelled texts, unlike names; the film subtitle counts
// ignore case.
const lower = new Map<string, number>();
for (const file of readdirSync(join(folder, 'ner')).sort()) {
  for (const line of lines(join(folder, 'ner', file))) {
    const { text, source } = JSON.parse(line) as { text: string; source: string };
    if (source.startsWith('en_btc') || source.startsWith('en_wnut')) continue;
    for (const [word] of text.matchAll(/(?<![\p{L}\p{N}.@/_-])\p{Ll}+(?![\p{L}\p{N}@_/])/gu)) {
      const folded = fold(word);
      lower.set(folded, (lower.get(folded) ?? 0) + 1);
    }
  }
}

const english = new Map<string, number>();
const other = new Map<string, number>();
/** The languages in which a word is common. */
const spoken = new Map<string, Set<string>>();
const dictionary = new Set(raw('words_en_dictionary.txt').map(fold));
const steps = [0, 300, 1000, 5000, 30_000, 200_000, 1_000_000];
const commonness = (uses: number): number => steps.filter((step) => uses > step).length;
const isCommonName = (word: string): boolean => level(given.get(word)) >= 3 || level(family.get(word)) >= 5;

for (const [word = '', uses = '', mid = '', capital = ''] of rows('words_en.tsv').slice(1)) {
  const folded = fold(word);
  const share =
    Number(mid) >= 5 ? 1 - Number(capital) / Number(mid) : isCommonName(folded) && !dictionary.has(folded) ? 0 : 1;
  if (share < 0.1) continue;
  english.set(folded, Math.max(english.get(folded) ?? 0, commonness(Number(uses) * share) || 1));
}
for (const word of dictionary) english.set(word, Math.max(english.get(word) ?? 0, 1));
for (const language of ['de', 'fr', 'es', 'it', 'pt', 'nl', 'ja']) {
  for (const [word = '', uses = '', , , inName = '', labelled = ''] of rows(`words_${language}.tsv`).slice(
    1,
    language === 'ja' ? 14_000 : 12_000,
  )) {
    const folded = fold(word);
    if (language === 'de' && Number(labelled) >= 2 && Number(inName) / Number(labelled) > 0.5) continue;
    if (isCommonName(folded) && language !== 'ja' && (lower.get(folded) ?? 0) < 2) continue;
    other.set(folded, Math.max(other.get(folded) ?? 0, commonness(Number(uses)) || 1));
    if (language !== 'ja') spoken.set(folded, (spoken.get(folded) ?? new Set()).add(language));
  }
}
for (const [word, uses] of lower) {
  if (uses >= 6) other.set(word, Math.max(other.get(word) ?? 0, uses >= 400 ? 5 : uses >= 60 ? 4 : uses >= 12 ? 3 : 2));
}

const kind = new Map<string, number>();
const mark = (word: string, bit: number): void => {
  kind.set(word, (kind.get(word) ?? 0) | bit);
};
for (const [prefecture = '', place = ''] of rows('municipalities_ja.tsv')) {
  for (const name of [prefecture, prefecture.slice(0, -1), place, place.slice(0, -1)])
    if (name.length > 1) mark(name, 1);
}
for (const line of lines(join(own, 'places.txt'))) for (const word of line.split(/\s+/)) mark(fold(word), 1);
// One-word place names; for longer ones, each pair of adjacent words, and rare words on their own.
for (const name of placeNames(dictionaries)) {
  const parts = name.split(/[\s\-'’/]+/).map(fold);
  if (parts.length === 1) {
    if ([...name].length > 1) mark(parts[0] as string, 1);
    continue;
  }
  for (const [at, part] of parts.entries()) {
    const isName = level(given.get(part)) > 2 || level(family.get(part)) > 3;
    if (part.length > 4 && !isName && !english.has(part) && !other.has(part)) mark(part, 1);
    const next = parts[at + 1];
    if (next !== undefined && isWordy(part) && isWordy(next)) mark(`${part} ${next}`, 1);
  }
}
function isWordy(part: string): boolean {
  return /^\p{L}{3,}$/u.test(part) || ['la', 'el', 'le', 'st', 'lo', 'al'].includes(part);
}
for (const line of lines(join(own, 'not-names.txt'))) for (const word of line.split(/\s+/)) mark(fold(word), 2);

function pack(entries: ReadonlyMap<string, number>, bits: number): PackedTable {
  const size = 1 << bits;
  const slots = new Int32Array(size);
  let used = 0;
  if (entries.size > size * 0.87) throw new Error(`${entries.size} words do not fit into ${size} slots`);
  for (const [word, value] of [...entries].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === 0) continue;
    const [first = '', second] = word.split(' ');
    const hash = second === undefined ? hashWord(first) : mix(pairTemplate, hashWord(first), hashWord(second));
    const print = (hash >>> 20) << 12;
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = print | value;
    used++;
  }
  console.log(`${used} of ${size} slots`);
  return packTable(slots, wordFields);
}

function write(
  file: string,
  about: string,
  entries: ReadonlyMap<string, number>,
  bits: number,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const table = {
    generated: 'by scripts/names/compile-tables.ts; not edited by hand',
    about,
    ...more,
    ...pack(entries, bits),
  };
  writeFileSync(join(out, file), `${JSON.stringify(table, null, 2)}\n`);
}

const names = new Map<string, number>();
for (const word of new Set([...given.keys(), ...family.keys()])) {
  names.set(word, level(given.get(word)) | (level(family.get(word)) << 3));
}
// A foreign name in katakana is as common as the same name in Latin letters.
for (const { word, isGiven, isFamily, isPlace, isOther, romaji } of foreignNames(dictionaries)) {
  const most = (uses: ReadonlyMap<string, Use>): number =>
    Math.max(0, ...romaji.map((name) => level(uses.get(fold(name)))));
  const known = names.get(word) ?? 0;
  const givenLevels = Math.max(known & 7, most(given), isGiven ? 2 : 0);
  const familyLevels = Math.max((known >> 3) & 7, most(family), isFamily ? 1 : 0);
  names.set(word, givenLevels | (familyLevels << 3) | (isPlace ? 64 : 0) | (isOther ? 128 : 0));
}
const words = new Map<string, number>();
for (const word of new Set([...english.keys(), ...other.keys(), ...kind.keys()])) {
  words.set(
    word,
    (english.get(word) ?? 0) | ((other.get(word) ?? 0) << 3) | ((kind.get(word) ?? 0) << 6) | (setOf(word) << 8),
  );
}
/** The number of the smallest set with all languages of a word. */
function setOf(word: string): number {
  const own = [...(spoken.get(word) ?? [])];
  if (own.length === 0) return 0;
  const fits = languageSets.map((set) => own.every((language) => set.split(' ').includes(language)));
  const sizes = languageSets.map((set, at) => (fits[at] ? set.length : 99));
  return sizes.indexOf(Math.min(...sizes));
}
write('names.json', 'Given and family names of the world; sources and licences in README.md', names, 19);
write(
  'words.json',
  'How common words are; compiled from FrequencyWords (CC BY-SA 4.0) and others, see README.md',
  words,
  18,
);
// The most common family names come first; the others follow in the order of the old list.
const families = [...pools.chineseFamilies, ...raw0(join(own, 'family-names-zh.txt'))];
function raw0(path: string): string[] {
  return lines(path).flatMap((line) => (line.includes(' ') ? line.split(' ') : [...line]));
}
const { simplified, traditional } = chineseVariants(dictionaries);
const korean = koreanPairs(dictionaries);
write(
  'words-east.json',
  'Words of Japanese, Chinese and Korean: their kind, how common they are; from IPADIC, jieba and libhangul, see README.md',
  eastWords(
    dictionaries,
    [...new Set(families)].filter((name) => !traditional.includes(name)),
  ),
  18,
  { simplified, traditional, korean: { syllables: korean.syllables, pairs: packBytes(korean.bits) } },
);
