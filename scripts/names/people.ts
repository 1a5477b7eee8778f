import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fictional person: the parts of a name in the scripts used by the templates. */
export type Person = {
  readonly given: string;
  readonly family: string;
  /** Katakana, hiragana and romaji of a Japanese name, family name first. */
  readonly kana?: readonly [string, string];
  readonly hiragana?: readonly [string, string];
  readonly romaji?: readonly [string, string];
};

export type Random = () => number;
export const pick = <T>(list: readonly T[], random: Random): T => list[Math.floor(random() * list.length)] as T;

const countriesOf: Readonly<Record<string, readonly string[]>> = {
  en: ['US', 'GB', 'AU', 'CA', 'IE', 'NZ', 'IN', 'NG', 'PH', 'ZA'],
  de: ['DE', 'AT', 'CH', 'TR'],
  fr: ['FR', 'BE', 'CH', 'MA', 'DZ', 'SN'],
  es: ['ES', 'MX', 'AR', 'CO', 'PE', 'CL'],
  pt: ['BR', 'PT'],
  it: ['IT'],
  nl: ['NL', 'BE'],
  other: ['PL', 'CZ', 'TR', 'SE', 'NO', 'FI', 'HU', 'ID', 'RO', 'HR', 'RS', 'VN', 'DK', 'GR'],
};

/** Share of family names composed of the parts of two others. */
const inventedShare = 0.35;

type Pool = { given: string[]; family: string[] };

/** Draws people with names from a country's lists, and some from anywhere in the world. */
export class People {
  private readonly byCountry = new Map<string, Pool>();
  private readonly world: Pool = { given: [], family: [] };
  private readonly japaneseFamilies: [string, string, string][] = [];
  private readonly japaneseGivens: [string, string, string][] = [];

  constructor(folder: string) {
    const rows = (file: string): string[][] =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t'));
    for (const [name = '', country = '', kind = ''] of rows('names_by_country.tsv').slice(1)) {
      if (name.length < 2 || /[^\p{L} '’-]/u.test(name) || (kind === 'given' && / /.test(name))) continue;
      const pool = this.byCountry.get(country) ?? { given: [], family: [] };
      this.byCountry.set(country, pool);
      const capital = name === name.toLowerCase() || name === name.toUpperCase() ? capitalised(name) : name;
      (kind === 'given' ? pool.given : pool.family).push(capital);
      (kind === 'given' ? this.world.given : this.world.family).push(capital);
    }
    for (const [kanji = '', bearers = '', kana = '', romaji = ''] of rows('surnames_ja.tsv')) {
      const copies = Math.max(1, Math.round(Math.sqrt(Number(bearers) / 10_000)));
      for (let copy = 0; copy < copies; copy++) this.japaneseFamilies.push([kanji, kana, romaji]);
    }
    for (const file of ['given_names_ja_man.tsv', 'given_names_ja_woman.tsv']) {
      for (const [kana = '', romaji = '', ...spellings] of rows(file)) {
        for (const spelling of spellings) this.japaneseGivens.push([spelling, kana, romaji]);
      }
    }
    for (const [kind = '', kanji = '', kana = '', , romaji = ''] of rows('names_ja_readings.tsv')) {
      (kind === 'given' ? this.japaneseGivens : this.japaneseFamilies).push([kanji, kana, romaji]);
    }
  }

  /** A person with a name in Latin letters. */
  latin(language: string, random: Random): Person {
    const countries = countriesOf[language] ?? countriesOf.other ?? [];
    const pool = random() < 0.72 ? (this.byCountry.get(pick(countries, random)) ?? this.world) : this.world;
    return {
      given: this.ranked(pool.given, this.world.given, random),
      family: this.ranked(pool.family, this.world.family, random),
    };
  }

  /** Like {@link latin}, sometimes with an invented family name: no list has most of the world's names. */
  stranger(language: string, random: Random): Person {
    const person = this.latin(language, random);
    if (random() >= inventedShare) return person;
    return { ...person, family: spliced(person.family, this.latin(language, random).family) };
  }

  /** Lists are roughly ordered by rank: half of the draws come from the first tenth. */
  private ranked(list: readonly string[], otherwise: readonly string[], random: Random): string {
    const from = list.length < 20 ? otherwise : list;
    const share = random() < 0.5 ? 0.1 : 1;
    return from[Math.floor(random() * from.length * share)] as string;
  }

  japanese(random: Random): Person {
    let [kanji, kana, romaji] = pick(this.japaneseFamilies, random);
    const given = pick(this.japaneseGivens, random);
    // Rare family names, from the characters of two others.
    if (random() < 0.12 && kanji.length === 2)
      kanji = (kanji[0] as string) + (pick(this.japaneseFamilies, random)[0].at(-1) as string);
    return {
      family: kanji,
      given: given[0],
      hiragana: [kana, given[1]],
      kana: [katakana(kana), katakana(given[1])],
      romaji: [capitalised(romaji), capitalised(given[2])],
    };
  }
}

/** The start of one name up to a vowel, and the end of another from its next consonant. */
function spliced(one: string, other: string): string {
  const head = /^.{2,5}?[aeiouyäöüáéíóúãõâêô](?=.)/iu.exec(one)?.[0] ?? one;
  const tail = /[aeiouyäöüáéíóúãõâêô]([^aeiouyäöüáéíóúãõâêô'’ -].{2,})$/iu.exec(other)?.[1] ?? other.toLowerCase();
  return head + tail.toLowerCase();
}

function capitalised(name: string): string {
  return name.toLowerCase().replace(/(^|[ '’-])\p{L}/gu, (head) => head.toUpperCase());
}

function katakana(kana: string): string {
  return kana.replace(/[ぁ-ゖ]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0x60));
}
