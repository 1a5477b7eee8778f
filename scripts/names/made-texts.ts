import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeChats } from './chats.ts';
import {
  chineseVariants,
  chineseWords,
  type JapaneseReading,
  japaneseNouns,
  katakanaEntries,
  koreanNouns,
} from './dictionaries.ts';
import type { LabelledText } from './examples.ts';
import { hangulOf, withParticle } from './hangul.ts';
import { People, type Person, pick, type Random } from './people.ts';
import { locales, placeNames } from './places.ts';
import pools from './pools.json' with { type: 'json' };
import { japanesePages, proseTexts } from './prose.ts';
import { generator } from './train-chain.ts';

/**
 * Generates texts from templates: business mail, chats, forms, tables, minutes, tickets, and texts without names. A
 * one-letter slot is a name, with a number for a person who occurs again. A word slot is filled from a list and is not
 * a name, nor is a name after a hyphen (`{-f} Street`).
 */
const templates = join(import.meta.dirname, 'templates');
/** Number of texts per template. */
const copies: Readonly<Record<string, number>> = { en: 40, ja: 60, zh: 40, ko: 40, other: 30 };
const copiesElsewhere = 26;
const copiesNegative = 18;

type ByLanguage = Readonly<Record<string, readonly string[]>>;
const inLanguage = (lists: ByLanguage, language: string): readonly string[] =>
  lists[language] ?? lists.other ?? lists.en ?? [''];

type WordLists = {
  readonly words: readonly string[];
  readonly nouns: readonly string[];
  readonly foreign: readonly string[];
  readonly katakana: readonly string[];
  readonly readings: readonly JapaneseReading[];
  readonly places: readonly string[];
  /** Names of real and invented people in Chinese. */
  readonly people: readonly Person[];
};

class Maker {
  private readonly people: People;
  private readonly random: Random;
  private readonly language: string;
  private readonly words: readonly string[];
  private readonly nouns: readonly string[];
  private readonly foreign: readonly string[];
  private readonly katakana: readonly string[];
  private readonly readings: readonly JapaneseReading[];
  private readonly places: readonly string[];
  private readonly known: readonly Person[];

  constructor(people: People, random: Random, language: string, lists: WordLists) {
    this.people = people;
    this.random = random;
    this.language = language;
    this.words = lists.words;
    this.nouns = lists.nouns;
    this.foreign = lists.foreign;
    this.katakana = lists.katakana;
    this.readings = lists.readings;
    this.places = lists.places;
    this.known = lists.people;
  }

  make(template: string, source: string): LabelledText {
    const cast = new Map<string, Person>();
    const names: [number, number][] = [];
    let text = '';
    let last = 0;
    for (const slot of template.matchAll(/\{(-?)([A-Za-z]+)(\d*)\}/g)) {
      text +=
        this.language === 'ko'
          ? withParticle(template.slice(last, slot.index), text)
          : template.slice(last, slot.index);
      last = slot.index + slot[0].length;
      const [, bare = '', kind = '', number = ''] = slot;
      const key = number === '' ? `${slot.index}` : number;
      const person = cast.get(key) ?? this.person();
      cast.set(key, person);
      const isName =
        (kind.length === 1 && !'ehTwW'.includes(kind)) ||
        (this.language === 'ja' && number !== '' && 'hw'.includes(kind));
      const filling = isName ? this.name(kind, person) : this.filling(kind, person);
      if (isName && bare === '') names.push([text.length, text.length + filling.length]);
      text += filling;
    }
    text += this.language === 'ko' ? withParticle(template.slice(last), text) : template.slice(last);
    return { source, lang: this.language, text, names };
  }

  private person(): Person {
    const { random } = this;
    if (this.language === 'ja') return this.people.japanese(random);
    if (this.language === 'zh' && random() < 0.6) return pick(this.known, random);
    if (this.language === 'zh')
      return { family: char(pools.chineseFamilies, random), given: chars(pools.chineseGivens, random) };
    if (this.language === 'ko')
      return {
        family: char(pools.koreanFamilies, random),
        given: `${char(pools.koreanGivens, random)}${char(pools.koreanGivens, random)}`,
      };
    return this.people.stranger(this.language, random);
  }

  private name(kind: string, person: Person): string {
    const { given, family } = person;
    if (this.language === 'ja') return this.japaneseName(kind, person);
    if (this.language === 'zh' || this.language === 'ko') {
      if (kind === 'x') return pick(this.foreign, this.random);
      if (kind === 'X') {
        const joint = this.language === 'zh' ? '·' : this.random() < 0.75 ? ' ' : '';
        return pick(this.foreign, this.random) + joint + pick(this.foreign, this.random);
      }
      return kind === 'f' ? family : kind === 'g' ? given : family + given;
    }
    const initial = given.slice(0, 1).toUpperCase();
    // Nicknames, which no list contains: a shortened given name with an ending, or a doubled syllable.
    if (kind === 'g' && this.random() < 0.18) return this.callName(given);
    const accentless = (name: string): string =>
      this.random() < 0.3 ? name.normalize('NFD').replace(/\p{M}/gu, '') : name;
    switch (kind) {
      case 'g':
        return accentless(given);
      case 'f':
        return accentless(family);
      case 'n':
        return this.random() < 0.06 ? `${given} ${initial}. ${family}` : `${given} ${family}`;
      case 'l':
        return `${family}, ${given}`;
      case 'r':
        return `${family} ${given}`;
      case 'i':
        return this.random() < 0.7
          ? `${initial}. ${family}`
          : `${initial}.${pick([...'ABCDEJKMRS'], this.random)}. ${family}`;
      case 'k':
        return `${given} ${pick([...'ABCDEJKMRS'], this.random)}. ${family}`;
      case 'a':
        return initial + family.slice(0, 1).toUpperCase();
      case 'u':
        return `${given} ${family}`.toUpperCase();
      case 'U':
        return `${family.toUpperCase()} ${given}`;
      case 'P':
        return family.toUpperCase();
      case 'p':
        return given.toUpperCase();
      case 'd':
        return `${given} ${family}`.toLowerCase();
      case 'q':
        return family.toLowerCase();
      default:
        return given.toLowerCase();
    }
  }

  private callName(given: string): string {
    const head = given.slice(0, 3 + Math.floor(this.random() * 2));
    const ending = pick(['o', 'y', 'ie', 'i', 'a', 'u', 's', 'ou', 'ita', 'ito', 'ka', 'chen', 'bo', ''], this.random);
    const twice = given.slice(0, 2) + given.slice(0, 2).toLowerCase();
    return this.random() < 0.15 ? twice : head + ending;
  }

  private japaneseName(kind: string, person: Person): string {
    const { given, family } = person;
    const [familyKana = '', givenKana = ''] = person.kana ?? [];
    const [familyHiragana = '', givenHiragana = ''] = person.hiragana ?? [];
    const [familyRomaji = '', givenRomaji = ''] = person.romaji ?? [];
    const chinese = kind === 'z' ? pick(this.known, this.random) : person;
    const forms: Record<string, string> = {
      z: chinese.family + chinese.given,
      f: family,
      g: given,
      n: family + given,
      s: `${family} ${given}`,
      w: `${family}\u3000${given}`,
      m: family + givenHiragana,
      v: family + givenKana,
      K: `${familyKana}${this.random() < 0.5 ? ' ' : '\u3000'}${givenKana}`,
      L: familyKana,
      M: givenKana,
      N: familyKana + givenKana,
      H: `${familyHiragana}${this.random() < 0.5 ? ' ' : '\u3000'}${givenHiragana}`,
      h: givenHiragana,
      I: familyHiragana,
      J: `${familyHiragana}${givenHiragana}`,
      R: `${givenRomaji} ${familyRomaji}`,
      Q: `${familyRomaji.toUpperCase()} ${givenRomaji}`,
      o: familyRomaji,
      t: givenRomaji,
      q: familyRomaji.toLowerCase(),
      r: givenRomaji.toLowerCase(),
      x: pick(this.foreign, this.random),
      X: `${pick(this.foreign, this.random)}・${pick(this.foreign, this.random)}`,
      Y: `${pick(this.foreign, this.random)} ${pick(this.foreign, this.random)}`,
    };
    return forms[kind] ?? family;
  }

  private filling(kind: string, person: Person): string {
    const { random, language } = this;
    const number = (from: number, to: number): string => String(from + Math.floor(random() * (to - from)));
    const latinKey = ['ja', 'zh', 'ko'].includes(language) ? 'en' : language;
    switch (kind) {
      case 'T':
        return pick(inLanguage(pools.titles, language), random);
      case 'role':
        return pick(inLanguage(pools.roles, language), random);
      case 'hon':
        return pick(pools.honorifics, random);
      case 'month':
        return pick(inLanguage(pools.months, latinKey), random);
      case 'day':
        return pick(inLanguage(pools.days, latinKey), random);
      case 'city':
        return pick(random() < 0.5 ? this.places : inLanguage(pools.cities, language), random);
      case 'org':
        return pick(inLanguage(pools.organisations, language), random);
      case 'num':
        return number(2, random() < 0.5 ? 60 : 90_000);
      case 'year':
        return number(1850, 2025);
      case 'time':
        return `${number(7, 22)}:${number(10, 59)}`;
      case 'date':
        return language === 'ja' && random() < 0.5
          ? `${number(1, 12)}月${number(1, 28)}日`
          : `${number(1, 28)}.${number(1, 12)}.${number(1950, 2025)}`;
      case 'phone':
        return `0${number(10, 99)}-${number(1000, 9999)}-${number(1000, 9999)}`;
      case 'e':
        return `${plain(person.romaji?.[1] ?? person.given)}.${plain(person.romaji?.[0] ?? person.family)}@example.com`;
      case 'h':
        return plain(person.given) + plain(person.family).slice(0, 3) + (random() < 0.5 ? number(1, 99) : '');
      case 'kw':
        return pick(random() < 0.5 || this.katakana.length === 0 ? pools.katakanaWords : this.katakana, random);
      case 'read': {
        const { word, reading } = pick(this.readings, random);
        return `${word}(${reading})`;
      }
      case 'noun':
        return pick(this.nouns, random);
      case 'W': {
        const word = pick(this.words, random);
        return word.charAt(0).toUpperCase() + word.slice(1);
      }
      default:
        return pick(this.words, random);
    }
  }
}

const char = (list: string, random: Random): string => list.charAt(Math.floor(random() * list.length));
const chars = (list: string, random: Random): string => char(list, random) + (random() < 0.8 ? char(list, random) : '');
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase() || 'info';

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** Lower-case words of a language, German nouns, and foreign names in katakana. */
function wordLists(folder: string, dictionaries: string, language: string): WordLists {
  const file = ['de', 'fr', 'es', 'it', 'pt', 'nl', 'ja'].includes(language) ? language : 'en';
  const rows = linesOf(join(folder, `words_${file}.tsv`))
    .slice(1)
    .map((line) => line.split('\t'));
  const dictionary = new Set(linesOf(join(folder, 'words_en_dictionary.txt')));
  const words: string[] = [];
  const nouns: string[] = [];
  for (const [word = '', , mid = '0', capital = '0', inName = '0', labelled = '0'] of rows.slice(0, 12_000)) {
    if (file === 'ja' ? /^[\u4e00-\u9fff]{2,3}$/.test(word) : word.length > 2) {
      if (file === 'en' ? dictionary.has(word) : file === 'ja' || Number(inName) === 0) {
        if (
          file === 'de' &&
          Number(mid) > 2 &&
          Number(capital) === Number(mid) &&
          Number(inName) === 0 &&
          Number(labelled) > 0
        ) {
          nouns.push(word.charAt(0).toUpperCase() + word.slice(1));
        } else if (file !== 'de' || Number(capital) === 0) words.push(word);
      }
    }
  }
  const { kanji, katakana, readings } =
    language === 'ja' ? japaneseNouns(dictionaries) : { kanji: [], katakana: [], readings: [] };
  const katakanaPeople = language === 'ja' || language === 'ko' ? katakanaNames(dictionaries) : [];
  const foreign = language === 'ko' ? katakanaPeople.map(hangulOf).filter((name) => name.length > 1) : katakanaPeople;
  if (language === 'ja') katakana.push(...katakanaEntries(dictionaries).others);
  const places = placeNames(dictionaries, locales.includes(language) ? [language] : ['en']);
  const chinese =
    language === 'zh' || language === 'ja' ? chineseWords(dictionaries, pools.chineseFamilies) : undefined;
  // Chinese names in Japanese texts have no simplified characters.
  const simplified = new Set(language === 'ja' ? chineseVariants(dictionaries).simplified : '');
  return {
    words: [...words.slice(150), ...kanji],
    nouns: language === 'zh' ? (chinese?.nouns ?? []) : language === 'ko' ? koreanNouns(dictionaries) : nouns,
    foreign: language === 'zh' ? (chinese?.foreign ?? []) : foreign,
    katakana,
    readings,
    places,
    people: (chinese?.people ?? []).filter(
      ({ family, given }) => ![...family, ...given].some((c) => simplified.has(c)),
    ),
  };
}

/** Foreign names in katakana: listed ones as often as the more numerous ones from the encyclopedia. */
export function katakanaNames(dictionaries: string): string[] {
  const listed = linesOf(join(templates, '..', '..', 'lists', 'katakana-names.txt'));
  return [...listed, ...listed, ...katakanaEntries(dictionaries).people];
}

/** Source code of the project's dependencies, without lines that contain names. */
function codeTexts(): LabelledText[] {
  const root = join(templates, '..', '..', '..', 'node_modules');
  const packages = [
    'fastify',
    'undici',
    'pino',
    'jose',
    'fflate',
    'lru-cache',
    'openai',
    'pg',
    'preact',
    'uplot',
    'yaml',
    'zod',
  ];
  const texts: LabelledText[] = [];
  for (const name of packages) {
    let files: string[] = [];
    try {
      files = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).sort();
    } catch {
      continue;
    }
    for (const file of files
      .filter((path) => /\.(?:[cm]?[jt]s|json)$/.test(path) && !path.includes('package'))
      .slice(0, 60)) {
      const text = readFileSync(join(root, name, file), 'utf8');
      const kept = text
        .split('\n')
        .filter((line) => line.length < 300 && !/©|\(c\)|copyright|author|@|by [A-Z]|github/i.test(line));
      texts.push({ source: 'made-code', lang: 'en', text: kept.join('\n').slice(0, 5000), names: [] });
    }
  }
  return texts;
}

/** All generated texts; deterministic. */
export function makeTexts(folder: string, dictionaries: string): LabelledText[] {
  const people = new People(folder);
  const random = generator(7);
  const texts: LabelledText[] = [...codeTexts(), ...japanesePages(), ...proseTexts(dictionaries), ...makeChats(folder)];
  const files = readdirSync(templates).sort();
  for (const language of [...new Set(files.map((file) => file.slice(0, file.search(/[.-]/))))]) {
    const maker = new Maker(people, random, language, wordLists(folder, dictionaries, language));
    for (const file of files.filter((name) => name.startsWith(`${language}.`) || name.startsWith(`${language}-`))) {
      const isNegative = file.includes('negative');
      const times = isNegative ? copiesNegative : (copies[language] ?? copiesElsewhere);
      for (const line of linesOf(join(templates, file))) {
        const template = line.replaceAll('\\n', '\n').replaceAll('\\t', '\t');
        for (let copy = 0; copy < times; copy++)
          texts.push(maker.make(template, isNegative ? 'made-negative' : 'made'));
      }
    }
  }
  return texts;
}
