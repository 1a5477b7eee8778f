/**
 * Values named by a heading or key: `"first_name": "May"`, `Geburtsdatum;01.04.1985`, `<cvv>737</cvv>`. The heading
 * suffices, so short and common values are masked too unless they cannot be of the type.
 */
import { isAsciiLetter, isCapital, isDigit } from '../characters.ts';
import { countBefore, type KeywordHit, type KeywordLists } from '../detect/keywords.ts';
import type { ScanText } from '../detect/scan.ts';
import headings from '../lexicon/headings.json' with { type: 'json' };
import words from '../lexicon/record-words.json' with { type: 'json' };
import { isFunctionWord, isListedName } from '../names/word-kinds.ts';
import { patternsOf } from '../pattern-data.ts';
import { anyOf } from '../patterns.ts';
import { type Detection, detectionAt } from '../recognizer.ts';
import { remembering } from '../remembered.ts';
import { bareFrom, type Field, itemsFrom, piecesOf, quotedFrom, valueMax } from './fields.ts';

const name = 'heading';

/** Headings of people and of much else, of several people, of a name's parts, and of what only people have. */
const [listedName, people, partOfName, personal] = ['LISTED_NAME', 'PEOPLE', 'NAME_PART', 'PERSONAL'] as const;
const uncertain: readonly string[] = [listedName, people, partOfName, personal];
/** A record is a person's if a heading of one stands this close to another. */
const recordMax = 160;
const headingLists = Object.entries(headings).filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
/** Types by heading, without separators. */
const types = new Map(
  headingLists.flatMap(([type, all]) =>
    uncertain.includes(type) ? [] : all.map((word) => [squeezed(word), type] as const),
  ),
);

/** Words that behind others name things as well: "file name" ends in them in these languages. */
const wholeHeadings = new Set(words.wholeHeadings.map(squeezed));

const wordsOf = (isWanted: (type: string) => boolean): string[] =>
  headingLists.flatMap(([type, all]) =>
    isWanted(type) ? all.flatMap((word) => (word.includes(' ') ? [word, word.replaceAll(' ', '')] : [word])) : [],
  );

/** The headings that are certain, and the others. */
export const headingWords: readonly KeywordLists[] = [
  { name, anchors: wordsOf((type) => !uncertain.includes(type)) },
  ...uncertain.map((one) => ({ name: one, anchors: wordsOf((type) => type === one) })),
];

/** The type of a heading or of its last words (`customer_first_name`); undefined for any other heading. */
export const typeOfHeading = remembering(
  (heading): string | undefined =>
    types.get(squeezed(heading)) ?? (heading.length > valueMax ? undefined : typeOfLastWords(heading)),
  { max: 4_096, unitsMax: valueMax },
);

function typeOfLastWords(heading: string): string | undefined {
  for (const { index } of heading.matchAll(humps)) {
    const last = squeezed(heading.slice(index));
    const type = wholeHeadings.has(last) ? undefined : types.get(last);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** The start of each word in a heading. */
const humps = /(?<=[\s_.-])[^\s_.-]|(?<=[a-z])[A-Z]/g;

function squeezed(word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '');
}

const listedNames = new Set(headings.LISTED_NAME.map(squeezed));

/** True for a heading of people and of much else. */
export function isListedHeading(heading: string): boolean {
  return listedNames.has(squeezed(heading.trim()));
}

/** Finds possible headings in a text. */
export function headingHits(text: ScanText): readonly KeywordHit[] {
  return text.keywords.anchors(name);
}

/** Finds headings of people and of much else. */
export function listedNameHits(text: ScanText): readonly KeywordHit[] {
  return text.keywords.anchors(listedName);
}

/** Finds headings that only records of people have, in text order. */
export function personalHits(text: ScanText): readonly KeywordHit[] {
  const others = text.keywords.anchors(personal).filter((hit) => isHeading(text.shadow, hit));
  return [...headingHits(text), ...others].sort((a, b) => a.start - b.start);
}

const placeholders: ReadonlySet<string> = new Set(words.placeholders);
const noValue = new RegExp(`^(?:${words.noValues.join('|')})$`, 'i');
const noValueMax = 15;

/** True for a word that says that a value is missing, in the languages of the headings, and for no name. */
export function isPlaceholder(word: string): boolean {
  return word.length <= noValueMax && placeholders.has(word.toLowerCase());
}

/** True for what stands where a value is missing: a placeholder, or an empty value of a program. */
export function isNoValue(cell: string): boolean {
  const value = cell.trim();
  return isPlaceholder(value) || (value.length <= noValueMax && noValue.test(value));
}

const eastern = '\\u3041-\\u30ff\\u3400-\\u9fff々ー・\\uac00-\\ud7a3';
/** A word of a name: with a capital, of East Asia, or of a script without capitals. */
const namePart = [
  "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,24}",
  '[\\u3041-\\u30ff\\u3400-\\u9fff々ー・]{1,12}|[\\uac00-\\ud7a3]{1,6}',
  `(?![${eastern}])\\p{Lo}(?:(?![${eastern}])[\\p{Lo}\\p{M}\u200c'’-]){0,24}`,
].join('|');
const particles = words.nameParticles.join('|');
const year = '(?:19|20)[0-9]{2}';
/** Dates of birth: numeric, year first, Japanese, by era, with the month's name before or after the day. */
const dates = [
  String.raw`[0-9]{1,2}[./ -][0-9]{1,2}[./ -](?:[0-9]{4}|[0-9]{2})\.?`,
  `${year}[./ -]?[0-9]{1,2}[./ -]?[0-9]{1,2}`,
  `${year} ?年 ?[0-9]{1,2} ?月 ?[0-9]{1,2} ?日`,
  String.raw`[0-9]{1,2}\.? (?:de )?\p{L}{3,10}\.? (?:de )?${year}`,
  String.raw`\p{L}{3,10}\.? [0-9]{1,2},? ${year}`,
  '(?:明治|大正|昭和|平成|令和|[MTSHR])[0-9元]{1,2}[年.-][0-9]{1,2}[月.-][0-9]{1,2}日?',
];
/** The required form of each type. */
const shapes: Readonly<Record<string, RegExp>> = {
  NAME: new RegExp(`^(?:${namePart}|(?:${particles}),?)(?:(?:, ?|[ \u3000・])(?:${namePart}|${particles})){0,4}$`, 'u'),
  CARD_CVV: /^[0-9]{3,4}$/,
  OTP_CODE: /^[0-9]{4,8}$|^[0-9]{3}[ -][0-9]{3}$/,
  DATE_OF_BIRTH: new RegExp(`^(?:${dates.join('|')})$`, 'u'),
  PHONE: new RegExp(
    '^(?=(?:[^0-9]*[0-9]){6})(?!(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}$)' +
      String.raw`[+(]{0,2}[0-9][0-9 ()./-]{5,24}(?: ?(?:x|ext\.?) ?[0-9]{1,6})?$`,
    'i',
  ),
  ADDRESS: new RegExp(
    String.raw`^(?!https?:|[0-9.]+$|0x|.*\w\.\w+\()(?=[^@{}<>=]*(?:[0-9]|[都道府県市区町村郡]))` +
      String.raw`(?=.*\p{L}{2})(?=.*[ ,\u3000-\u9fff])[^@{}<>=]{5,120}$`,
    'u',
  ),
  BANK_ACCOUNT: /^(?=(?:[^0-9]*[0-9]){5})[0-9A-Z][0-9A-Z -]{3,36}$/,
  CREDIT_CARD: /^(?=(?:[^0-9]*[0-9]){12})[0-9](?:[ -]?[0-9]){11,18}$/,
  SSN: /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/,
  MY_NUMBER: /^[0-9]{4}[- ]?[0-9]{4}[- ]?[0-9]{4}$/,
  PASSPORT: /^(?=(?:[^0-9]*[0-9]){3})[A-Z0-9]{6,12}$/i,
  DRIVER_LICENSE: /^(?=(?:[^0-9]*[0-9]){4})[A-Z0-9](?:[ -]?[A-Z0-9]){4,22}$/i,
  HEALTH_INSURANCE: /^(?=(?:[^0-9]*[0-9]){4})[A-Z0-9](?:[ -]?[A-Z0-9]){4,22}$/i,
  TAX_ID: /^(?=(?:[^0-9]*[0-9]){7})[A-Z0-9](?:[ ./-]?[A-Z0-9]){7,20}$/i,
  VEHICLE_PLATE: /^(?=.*[0-9])(?=.*[A-Z\u3040-\u9fff])[A-Z0-9\u3040-\u9fff](?:[ ・-]{0,2}[A-Z0-9\u3040-\u9fff]){3,14}$/,
  PASSWORD: new RegExp(
    `^(?!${anyOf('string null none undefined true false yes no required optional hidden redacted password passwd pwd pass')}$` +
      String.raw`|[*•x.]+$|\$|\{|<)\S{4,64}$`,
    'i',
  ),
};
/** Types read only in tables and markup: such keys are common in code, where the password recognizer decides. */
const inTablesOnly: ReadonlySet<string> = new Set(['PASSWORD']);

/**
 * The values with a heading, in text order.
 * @param isOfTable true for text made from table cells, with a heading and a cell per line
 */
export function headedValues(text: ScanText, isOfTable = false): Detection[] {
  const parts = text.keywords.anchors(partOfName).filter((hit) => isInName(text.shadow, hit));
  const names = listedNameHits(text);
  const ofPeople = new Set([...text.keywords.anchors(people), ...inRecords(text, names)]);
  const hits = [...new Set([...headingHits(text), ...names, ...ofPeople, ...parts])].sort((a, b) => a.start - b.start);
  const found = contactNames(text);
  let done = 0;
  for (let i = 0; i < hits.length; i++) {
    const hit = longestAt(hits, i);
    if (hit.start < done || !isHeading(text.shadow, hit)) continue;
    const certain = parts.includes(hit) ? 'NAME' : types.get(squeezed(text.shadow.slice(hit.start, hit.end)));
    const type = certain ?? 'NAME';
    const isOfPeople = ofPeople.has(hit);
    const fields = fieldsBehind(text.shadow, hit);
    for (const { start, end: edge } of isOfPeople ? piecesOf(text.shadow, fields) : fields) {
      const outer = nextHeading(text.shadow, hits, i, { start, end: edge });
      // A name on the line below a word is left to the tagger.
      if (type === 'NAME' && isBelow(text.shadow, hit.end, start) && !isOfTable) continue;
      // `<password>…`, `<input name="password" value="…"`
      const isMarked = isOfTable || /[^=-]>|\bvalue=["']$/i.test(text.shadow.slice(hit.end, start));
      if (!isMarked && inTablesOnly.has(type)) continue;
      const field = text.shadow.slice(start, outer);
      if (type === 'NAME' && (noName.test(field) || isNoValue(field))) continue;
      const fits = certain === undefined ? 0 : fitting(field, shapes[type] as RegExp);
      const isLower = fits === 0 && type === 'NAME' && isLowerName(field, certain !== undefined, isOfPeople);
      const end = start + (isLower ? field.length : fits);
      if (end === start) continue;
      const context = text.shadow.slice(hit.start, hit.end).toLowerCase();
      found.push(detectionAt(text, start, end, { type, score: 0.9, recognizer: name, context }));
      done = end;
    }
  }
  return found;
}

/** The hits that are headings in the record of a person. */
function inRecords(text: ScanText, hits: readonly KeywordHit[]): readonly KeywordHit[] {
  if (hits.length === 0) return hits;
  const others = personalHits(text).filter((hit) => isHeading(text.shadow, hit));
  return hits.filter(({ start, end }) => {
    const first = countBefore(others, start - recordMax);
    return others.slice(first, first + 2).some((other) => other.start !== start && other.start < end + recordMax);
  });
}

/** How an object that is a name begins, in JSON and its like, YAML and XML, up to the key of a part. */
const { nameObject } = patternsOf('headings');
const nameObjectMax = 240;

/** True for a key inside an object that is a name: `"name": {"first": "May", "last": "Doe"}`. */
function isInName(shadow: string, { start, end }: KeywordHit): boolean {
  return (
    `"':=>`.includes(shadow.charAt(end)) && nameObject.test(shadow.slice(Math.max(0, start - nameObjectMax), start))
  );
}

/** True if the value is on the line below its heading, without a colon. */
function isBelow(shadow: string, from: number, to: number): boolean {
  const between = shadow.slice(from, to);
  return between.includes('\n') && !/^\s?[:：]/.test(between);
}

/** The structured name of a vCard: family, given, additional names, prefixes, suffixes (RFC 6350 §6.2.2). */
const contactName = /^(?:item\d{1,3}\.)?N(?:;[^:\n]{0,80})?:([^\n]{1,200})$/gm;

/** The name parts of vCards, separated by semicolons. */
function contactNames(text: ScanText): Detection[] {
  const { shadow } = text;
  if (!shadow.includes('BEGIN:VCARD')) return [];
  const found: Detection[] = [];
  for (const { 0: line, 1: value = '', index } of shadow.matchAll(contactName)) {
    let start = index + line.length - value.length;
    for (const part of value.split(';').slice(0, 3)) {
      const length = part.trimEnd().length;
      if (length > 0)
        found.push(
          detectionAt(text, start, start + length, { type: 'NAME', score: 0.9, recognizer: name, context: 'n' }),
        );
      start += part.length + 1;
    }
  }
  return found;
}

/** The length of the field, or of the part before a remark, that matches the shape; 0 if neither does. */
function fitting(field: string, shape: RegExp): number {
  const sentence = field.search(/(?<=\d)\. \p{Lu}/u);
  const value = sentence === -1 ? field : field.slice(0, sentence);
  if (shape.test(value)) return value.length;
  const end = value.search(/ ?[,()（）、/T]/);
  return end > 0 && shape.test(value.slice(0, end)) ? end : 0;
}

const noName = new RegExp(`^(?:${words.noNames.join('|')})$`, 'i');
/** Up to five words in lower case. */
const lowerName = /^[\p{Ll}\p{M}]{1,24}(?:[ '’-][\p{Ll}\p{M}]{2,24}){0,4}$/u;

/**
 * A name in lower case: the lists have one of its words, and the others are particles or no common words; under an
 * uncertain heading they have all of several words, or the only one if the heading lists people.
 */
function isLowerName(field: string, isCertain: boolean, isOfPeople: boolean): boolean {
  if (!lowerName.test(field)) return false;
  const parts = field
    .replace(/['’]/g, '')
    .split(/[ -]/)
    .filter((part) => !words.nameParticles.includes(part));
  if (!isCertain) return (isOfPeople || parts.length > 1) && parts.every(isListedName);
  return (
    parts.some(isListedName) && parts.every((part) => part.length === 1 || isListedName(part) || !isFunctionWord(part))
  );
}

/** The end of a field on whose line another heading with a value follows: `first name: Ann last name: Lee`. */
function nextHeading(shadow: string, hits: readonly KeywordHit[], i: number, { start, end }: Field): number {
  for (let k = i + 1; k < hits.length; k++) {
    const hit = longestAt(hits, k);
    if (hit.start >= end) return end;
    if (hit.start <= start || !isHeading(shadow, hit) || !/^ ?[:：=]/.test(shadow.slice(hit.end, hit.end + 2)))
      continue;
    return start + shadow.slice(start, hit.start).trimEnd().length;
  }
  return end;
}

/** The longest of the keywords that start here: `name complete`, not `name`. */
function longestAt(hits: readonly KeywordHit[], i: number): KeywordHit {
  let longest = hits[i] as KeywordHit;
  for (let k = i + 1; k < hits.length && (hits[k] as KeywordHit).start <= longest.start + 1 && k < i + 8; k++) {
    const next = hits[k] as KeywordHit;
    if (next.start === longest.start && next.end > longest.end) longest = next;
  }
  return longest;
}

/** True for a whole heading or the end of one (`customer_first_name`, `billing address`), but not for `姓` in `旧姓`. */
function isHeading(shadow: string, { start, end }: KeywordHit): boolean {
  const after = shadow.charCodeAt(end);
  const last = shadow.charCodeAt(end - 1);
  if (isAsciiLetter(after) || isDigit(after) || after === 0x5f) return false;
  if (last > 0x7f && isLetter(after)) return false;
  const before = shadow.charCodeAt(start - 1);
  const first = shadow.charCodeAt(start);
  if (first > 0x7f) return !isLetter(before);
  if (isAsciiLetter(before)) return isCapital(first) && !isCapital(before);
  return !isDigit(before) && !(before > 0x7f && isLetter(before));
}

/** True for accented Latin letters and letters of other scripts. */
function isLetter(c: number): boolean {
  return isAsciiLetter(c) || (c >= 0xc0 && c < 0x2000) || (c >= 0x3040 && c <= 0xd7a3);
}

const bold = String.raw`(?:\*\*|__)?`;
const quoteMark = String.raw`\\{0,4}["']`;
const innerTags = String.raw`(?:\s{0,16}<\/?[a-z]{1,10}(?: [^<>\n]{0,60})?>){0,5}\s{0,4}(?=[^<\s])`;
/** Separators between a heading and its value, by kind. Groups: 1, 4, 5, 6 a quote, 2 a list, 3 an object. */
const separators = {
  member: String.raw`\\{0,4}["'${'`'}]\s{0,4}(?::|=>|=)\s{0,8}(?:(${quoteMark})|(\[)|(\{)|(?=[0-9]))`,
  line:
    String.raw`${bold}(?:[ \t]{0,24}(?:=>|[:：=](?![=>]))|[ \t]?(?:\.{3,60}|…{1,20}))` +
    String.raw`${bold}[ \t]{0,24}(["'])?`,
  nextMember: String.raw`${quoteMark},\s{0,4}${quoteMark}[A-Za-z]{3,8}${quoteMark}\s?:\s{0,4}(${quoteMark})`,
  attribute: String.raw`["']\s{1,4}(?:value|content)=(["'])`,
  tagOfAttribute: String.raw`["'][^<>\n]{0,60}>(?=[^<\s])`,
  tag: String.raw`(?: [\w:.-]{1,20}="[^"<>\n]{0,60}"){0,4}>(?:<!\[CDATA\[)?${innerTags}`,
  endTag: String.raw`(?:<\/[a-z]{1,10}>)${innerTags}`,
};
const behind = new RegExp(String.raw`${bold}(?: ?\([^()\n]{1,16}\))?(?:${Object.values(separators).join('|')})`, 'y');
/** A dash, in a line that consists of a heading and its value. */
const dash = / {1,3}[-\u2013\u2014] {1,3}(?=\S)/y;

function* fieldsBehind(shadow: string, heading: KeywordHit): Generator<Field> {
  const at = heading.end;
  behind.lastIndex = at;
  const lead = behind.exec(shadow);
  if (lead === null) {
    dash.lastIndex = at;
    const isDashed = shadow.charCodeAt(at) === 0x20 && opensLine(shadow, heading.start) && dash.test(shadow);
    const other = isDashed ? bareFrom(shadow, dash.lastIndex) : lineBelow(shadow, at);
    if (other !== undefined) yield other;
    return;
  }
  const start = at + lead[0].length;
  if (lead[2] !== undefined || lead[3] !== undefined) {
    yield* itemsFrom(shadow, start);
    return;
  }
  const quote = lead[1] ?? lead[4] ?? lead[5] ?? lead[6];
  const field =
    quote === undefined ? (bareFrom(shadow, start) ?? lineBelow(shadow, at)) : quotedFrom(shadow, start, quote);
  if (field !== undefined) yield field;
}

function opensLine(shadow: string, at: number): boolean {
  return at === 0 || shadow.charCodeAt(at - 1) === 0x0a;
}

/** The line below a heading that ends its line. */
function lineBelow(shadow: string, at: number): Field | undefined {
  const c = shadow.charCodeAt(at);
  if (c !== 0x0a && c !== 0x0d && c !== 0x20 && c !== 0x3a && c !== 0xff1a) return undefined;
  lineEnd.lastIndex = at;
  const lead = lineEnd.exec(shadow);
  if (lead === null) return undefined;
  const field = bareFrom(shadow, at + lead[0].length);
  if (field === undefined) return undefined;
  // Another heading: this is a form without values.
  const value = shadow.slice(field.start, field.end);
  return /[:：]$/.test(value) || typeOfHeading(value) !== undefined ? undefined : field;
}

const lineEnd = /[ \t]{0,4}[:：]?[ \t]{0,4}\r?\n[ \t]{0,16}(?=[0-9+(A-Z\u3041-\u9fff])/y;
