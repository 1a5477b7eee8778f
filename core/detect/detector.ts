/**
 * Finds personal data in a text: one cheap pass for places worth a look, the recognizers there, then one detection per
 * character.
 */

import { explained, unexplained } from '../context/reasons.ts';
import { PrivetError } from '../errors.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { identifierTypes } from '../recognizers/identifiers/types.ts';
import { identifierRecognizer } from '../recognizers/identifiers/recognizer.ts';
import { recognizers as builtinRecognizers } from '../recognizers/index.ts';
import { headedValues, headingWords } from '../records/headings.ts';
import { tableLines } from '../records/table-lines.ts';
import { nearestTokenType, tokenTypes } from '../tokens/token-types.ts';
import { defaultTypes } from '../types.ts';
import { withoutBorders } from './borders.ts';
import { type CustomRecognizer, customRecognizers } from './custom-recognizers.ts';
import { type DictionaryEntry, dictionaryRecognizer } from './dictionary.ts';
import { type Decoded, decodeUnits } from './escapes.ts';
import { withoutInvisibles } from './invisibles.ts';
import { KeywordIndex, noKeywords } from './keywords.ts';
import { withRepeats } from './memory.ts';
import { type Lang, type ScanText, TextScanner, type UnitCopier } from './scan.ts';

/** The types that the built-in recognizers find. */
export const builtinTypes: readonly string[] = [
  ...new Set([...builtinRecognizers, ...identifierTypes].map(({ type }) => type)),
];

/** Options of {@link Detector}. */
export type DetectorOptions = {
  /** Language of the texts; without it, both are looked for. */
  readonly lang?: Lang | undefined;
  /** Only these types; labels of the dictionary are always looked for. */
  readonly types?: readonly string[];
  /** Detections with a lower score are left out. Default 0. */
  readonly minScore?: number;
  readonly dictionary?: readonly DictionaryEntry[];
  /** The user's own recognizers; their types are always looked for. */
  readonly recognizers?: readonly CustomRecognizer[] | undefined;
  /** More in one text is `body_too_large`. Default no limit. */
  readonly detectionsMax?: number | undefined;
  /** A faster way to read texts that are not ASCII; the detections are the same. */
  readonly copyUnits?: UnitCopier | undefined;
  /** Detections say `why`. Default no. */
  readonly explain?: boolean;
};

/** How a text is read: as it stands, without its borders, or as the lines of its tables. */
type Reading = 'text' | 'bare' | 'lines';

/** A text with values as close as this is full of them. */
const unitsPerDetection = 40;

/** A set of recognizers, ready to look at texts. Immutable: build a new one when the settings change. */
export class Detector {
  readonly #finders: readonly Finder[];
  /** Without those of names, which marks do not hide. */
  readonly #bareFinders: readonly Finder[];
  readonly #identifiers: Recognizer | undefined;
  readonly #types: ReadonlySet<string>;
  readonly #dictionary: readonly Recognizer[];
  readonly #custom: readonly Recognizer[];
  readonly #minScore: number;
  readonly #detectionsMax: number;
  readonly #lang: Lang | undefined;
  readonly #scanner = sharedScanner();
  readonly #copyUnits: UnitCopier | undefined;
  readonly #finish: (detection: Detection) => Detection;

  /** @throws PrivetError `invalid_input` for an unknown language or type, or a wrong dictionary entry. */
  constructor(options: DetectorOptions = {}) {
    checkNames(options);
    this.#lang = options.lang;
    const types: ReadonlySet<string> = new Set(options.types ?? defaultTypes);
    const wanted = builtinRecognizers.filter((recognizer) => types.has(recognizer.type));
    this.#finders = wanted.map(finderOf);
    this.#bareFinders = wanted.filter(({ type }) => type !== 'NAME' && type !== 'COMPANY_NAME_JP').map(finderOf);
    this.#identifiers = identifierTypes.some(({ type }) => types.has(type)) ? sharedIdentifiers() : undefined;
    this.#types = types;
    this.#dictionary = options.dictionary?.length ? [dictionaryRecognizer(options.dictionary)] : [];
    this.#custom = options.recognizers === undefined ? [] : customRecognizers(options.recognizers);
    this.#minScore = options.minScore ?? 0;
    this.#detectionsMax = options.detectionsMax ?? Number.POSITIVE_INFINITY;
    this.#copyUnits = options.copyUnits;
    this.#finish = options.explain === true ? explained : unexplained;
  }

  /**
   * All detections in order; they do not overlap, and each slices to its value. Time is linear in the text.
   * @throws PrivetError `body_too_large` for more than `detectionsMax`.
   */
  detect(text: string): Detection[] {
    // A text that is much too full is known by its beginning.
    const headLength = this.#detectionsMax * unitsPerDetection;
    if (text.length > 4 * headLength) this.#find(text.slice(0, headLength));
    const decoded = decodeUnits(text);
    const found =
      decoded === undefined ? this.#find(text) : withDecoded(text, this.#find(text), this.#find(decoded.text), decoded);
    if (found.length === 0) return found;
    const all = withRepeats(text, found);
    if (all.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    return all;
  }

  #find(text: string, reading: Reading = 'text'): Detection[] {
    const scan = this.#scanner.scan(text, this.#lang, this.#copyUnits);
    scan.shared.explains = this.#finish === explained;
    const isQuiet = isWithoutPlaces(scan);
    const found: Detection[] = [];
    for (const recognizer of this.#dictionary) this.#keep(recognizer.find(scan), 0, found);
    for (const recognizer of this.#custom) this.#keep(recognizer.find(scan), this.#minScore, found);
    for (const { trigger, find } of reading === 'bare' ? this.#bareFinders : this.#finders) {
      if (trigger === undefined ? isQuiet : !trigger(scan)) continue;
      this.#keep(find(scan), this.#minScore, found);
    }
    if (this.#identifiers?.trigger?.(scan)) {
      const hits = this.#identifiers.find(scan).filter(({ type }) => this.#types.has(type));
      this.#keep(hits, this.#minScore, found);
    }
    this.#keep(
      headedValues(scan, reading === 'lines').filter(({ type }) => this.#types.has(type)),
      this.#minScore,
      found,
    );
    const apart = found.length < 2 ? found : withoutOverlaps(found);
    if (apart.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    if (reading !== 'text') return apart;
    const bare = withoutBorders(scan, apart);
    const lines = tableLines(scan);
    const visible = scan.mayHoldInvisibles ? withoutInvisibles(text) : undefined;
    let all = apart;
    if (visible !== undefined) all = withDecoded(text, all, this.#find(visible.text), visible);
    if (lines !== undefined)
      all = withDecoded(text, all, this.#find(lines.text, 'lines').filter(lines.isInCell), lines);
    if (bare !== undefined)
      all = withDecoded(text, all, this.#find(bare.text, 'bare').filter(bare.mayHaveBeenHidden), bare);
    return all;
  }

  /** Those of one recognizer; none of them overlap, so that too many of them are too many in all. */
  #keep(detections: readonly Detection[], minScore: number, found: Detection[]): void {
    if (detections.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    for (const detection of detections) if (detection.score >= minScore) found.push(this.#finish(detection));
  }
}

/** What is thrown when a call has more values than it may. */
export function tooManyDetections(max: number): PrivetError {
  return new PrivetError('body_too_large', `The text holds more than ${max} values.`, {
    hint: 'Send the text in smaller parts.',
  });
}

/** What was found in a text with escapes, and in the same text decoded: what holds an escape is known only there. */
function withDecoded(text: string, found: Detection[], inDecoded: Detection[], decoded: Decoded): Detection[] {
  const { starts, endsBehindLast } = decoded;
  const placed = inDecoded.map((one) => {
    const start = starts[one.start] as number;
    const last = starts[one.end - 1] as number;
    const end = endsBehindLast ? last + (isHighSurrogate(text.charCodeAt(last)) ? 2 : 1) : (starts[one.end] as number);
    return { ...one, start, end, value: text.slice(start, end), isEscaped: end - start > one.end - one.start };
  });
  const escaped: Detection[] = [];
  const plain: Detection[] = [];
  for (const { isEscaped, ...one } of placed) (isEscaped ? escaped : plain).push(one);
  const inOrder = (all: Detection[]) => all.sort((a, b) => a.start - b.start);
  const kept = inOrder([...escaped, ...apartFrom(found, escaped)]);
  inOrder(plain);
  const whole = wholesOf(plain, kept);
  const others = whole.length === 0 ? kept : inOrder([...whole, ...apartFrom(kept, whole)]);
  return inOrder([...others, ...apartFrom(plain, others)]);
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

/** Those of a list of which some of the others are only a part; both are in order and without overlaps. */
function wholesOf(list: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return list.filter(({ start, end }) => {
    while (next < others.length && (others[next] as Detection).end <= start) next++;
    let covered = 0;
    let i = next;
    for (; i < others.length && (others[i] as Detection).start < end; i++) {
      const other = others[i] as Detection;
      if (other.start < start || other.end > end || other.recognizer === 'dictionary') return false;
      covered += other.end - other.start;
    }
    return i > next && covered < end - start;
  });
}

/** Those of a list that overlap none of the others; both are in order and without overlaps. */
function apartFrom(list: readonly Detection[], others: readonly Detection[]): Detection[] {
  let next = 0;
  return list.filter(({ start, end }) => {
    while (next < others.length && (others[next] as Detection).end <= start) next++;
    return next === others.length || (others[next] as Detection).start >= end;
  });
}

/** What the loop over all recognizers needs of one, the same shape for each: that of the recognizers differs. */
type Finder = {
  readonly trigger: ((text: ScanText) => boolean) | undefined;
  readonly find: (text: ScanText) => Detection[];
};

function finderOf({ trigger, find }: Recognizer): Finder {
  return { trigger, find };
}

/** True when the common pass found no place that a recognizer without a trigger of its own looks at. */
function isWithoutPlaces({ ats, digitRuns, longWords, hexColons, dotPairs, kanaJoints, keywords }: ScanText): boolean {
  const places =
    ats.length + digitRuns.length + longWords.length + hexColons.length + dotPairs.length + kanaJoints.length;
  return places === 0 && keywords === noKeywords;
}

let identifiers: Recognizer | undefined;

/** The recognizer of all identifiers, made when first asked for. */
function sharedIdentifiers(): Recognizer {
  identifiers ??= identifierRecognizer();
  return identifiers;
}

let scanner: TextScanner | undefined;

/** The scanner for all built-in recognizers, made when first asked for. One for all: no two texts are searched at a time. */
function sharedScanner(): TextScanner {
  scanner ??= new TextScanner(new KeywordIndex([...builtinRecognizers, headingWords]));
  return scanner;
}

function checkNames({ lang, types = [] }: DetectorOptions): void {
  if (lang !== undefined && !(languages as readonly string[]).includes(lang)) {
    throw new PrivetError('invalid_input', 'The language is unknown.', {
      hint: `Use one of: ${languages.join(', ')}; or leave it out.`,
      details: { lang: String(lang).slice(0, nameLengthMax), nearest: nearestLang(String(lang)) },
    });
  }
  for (const type of types) {
    if ((tokenTypes as readonly string[]).includes(type)) continue;
    const nearest = nearestTokenType(String(type));
    throw new PrivetError(
      'invalid_input',
      `The type ${JSON.stringify(String(type).slice(0, nameLengthMax))} is unknown.`,
      {
        hint: nearest === undefined ? `Use some of: ${tokenTypes.join(', ')}.` : `Did you mean ${nearest}?`,
        details: { type: String(type).slice(0, nameLengthMax), nearest },
      },
    );
  }
}

const languages: readonly Lang[] = ['en', 'ja'];
const nameLengthMax = 40;

function nearestLang(lang: string): Lang {
  return /^(?:ja|jp|jap)|日本/i.test(lang) ? 'ja' : 'en';
}

/**
 * Who wins where detections overlap; a dictionary label, being the user's own word, wins over all but what it is only a part
 * of ({@link isWhole}).
 */
const order = [
  ...['PRIVATE_KEY', 'JWT', 'SEED_PHRASE', 'MRZ', 'SESSION_TOKEN', 'API_KEY', 'CRYPTO_ADDRESS', 'PASSWORD'],
  ...['EMAIL', 'IBAN', 'CREDIT_CARD'],
];
const lateOrder = ['IP_ADDRESS', 'MAC_ADDRESS', 'PHONE', 'ADDRESS', 'DATE_OF_BIRTH', 'COMPANY_NAME_JP', 'NAME'];
const contextRank = order.length;
const checksumRank = contextRank + 1;
const otherRank = checksumRank + 1;
const lastRank = otherRank + 1 + lateOrder.length;

function rankOf(detection: Detection): number {
  if (detection.recognizer === 'dictionary') return -1;
  // What knows the form of a value knows better where it ends, but for names and addresses.
  if (detection.recognizer === 'heading' && detection.type !== 'NAME' && detection.type !== 'ADDRESS') return lastRank;
  const early = order.indexOf(detection.type);
  if (early >= 0) return early;
  const late = lateOrder.indexOf(detection.type);
  // The long form of a MAC address reads as an IPv6 address too; only a word tells them apart.
  if (late >= 0 && (detection.type !== 'MAC_ADDRESS' || detection.context === undefined)) return otherRank + 1 + late;
  if (detection.context !== undefined) return contextRank;
  return detection.checksum ? checksumRank : otherRank;
}

/** One detection per character: by rank, then the longer, then the more certain, then the earlier. */
function withoutOverlaps(found: Detection[]): Detection[] {
  sortByStart(found);
  const kept: Detection[] = [];
  for (let i = 0; i < found.length; ) {
    const first = found[i] as Detection;
    const group = [first];
    let end = first.end;
    for (i++; i < found.length && (found[i] as Detection).start < end; i++) {
      const next = found[i] as Detection;
      group.push(next);
      end = Math.max(end, next.end);
    }
    if (group.length === 1) kept.push(first);
    else for (const detection of best(group, first.start, end)) kept.push(detection);
  }
  return kept;
}

/** For a few that are nearly in order this is several times faster than `sort`. */
function sortByStart(found: Detection[]): void {
  if (found.length > smallGroupMax) {
    found.sort((a, b) => a.start - b.start);
    return;
  }
  for (let i = 1; i < found.length; i++) {
    const detection = found[i] as Detection;
    let k = i;
    for (; k > 0 && (found[k - 1] as Detection).start > detection.start; k--) found[k] = found[k - 1] as Detection;
    found[k] = detection;
  }
}

/**
 * Whether a word of the dictionary inside may not break it up: the rest of an address of somebody at the company whose name
 * is in the dictionary would stay readable. Names are guesses, which the user's own word corrects.
 */
function isWhole({ recognizer, type }: Detection): boolean {
  return recognizer !== 'dictionary' && type !== 'NAME' && type !== 'COMPANY_NAME_JP';
}

/** The best of a group, in which words of the dictionary count only where nothing that holds them does. */
function best(group: Detection[], start: number, end: number): Detection[] {
  const parts = partsIn(group);
  if (parts.size === 0) return bestOf(group, start, end);
  const kept = bestOf(
    group.filter((detection) => !parts.has(detection)),
    start,
    end,
  );
  const covered = new Uint8Array(end - start);
  for (const detection of kept) covered.fill(1, detection.start - start, detection.end - start);
  const open = [...parts].filter((part) => !covered.subarray(part.start - start, part.end - start).includes(1));
  return open.length === 0 ? kept : [...kept, ...bestOf(open, start, end)].sort((a, b) => a.start - b.start);
}

/** The words of the dictionary that something longer holds; the group is sorted by start. */
function partsIn(group: readonly Detection[]): Set<Detection> {
  const parts = new Set<Detection>();
  if (!group.some(({ recognizer }) => recognizer === 'dictionary')) return parts;
  const wholes = group.filter(isWhole);
  let next = 0;
  let endBefore = 0;
  let endHere = 0;
  let here = -1;
  for (const detection of group) {
    if (detection.recognizer !== 'dictionary') continue;
    if (detection.start !== here) {
      endBefore = Math.max(endBefore, endHere);
      endHere = 0;
      here = detection.start;
    }
    for (; next < wholes.length && (wholes[next] as Detection).start <= here; next++) {
      const { start, end } = wholes[next] as Detection;
      if (start < here) endBefore = Math.max(endBefore, end);
      else endHere = Math.max(endHere, end);
    }
    if (endBefore >= detection.end || endHere > detection.end) parts.add(detection);
  }
  return parts;
}

function bestOf(group: Detection[], start: number, end: number): Detection[] {
  group.sort(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      isOneOfMany(a, b) - isOneOfMany(b, a) ||
      b.end - b.start - (a.end - a.start) ||
      b.score - a.score ||
      a.start - b.start,
  );
  const kept = group.length > smallGroupMax ? apartInAll(group, start, end) : apartInFew(group);
  return kept.length < 2 ? kept : kept.sort((a, b) => a.start - b.start);
}

/** 1 for a hit of the engine of all identifiers beside one of a recognizer for that type alone, which knows its borders. */
function isOneOfMany(a: Detection, b: Detection): number {
  return a.type === b.type && a.recognizer === 'identifier' && b.recognizer !== 'identifier' ? 1 : 0;
}

/** To compare each with each is faster for a few, and too slow for many. */
const smallGroupMax = 8;

/** Of a group in order of worth, those that overlap none before them. */
function apartInFew(group: readonly Detection[]): Detection[] {
  const kept: Detection[] = [];
  for (const detection of group)
    if (kept.every((other) => other.end <= detection.start || other.start >= detection.end)) kept.push(detection);
  return kept;
}

function apartInAll(group: readonly Detection[], start: number, end: number): Detection[] {
  const covered = new Uint8Array(end - start);
  return group.filter((detection) => {
    const from = detection.start - start;
    const to = detection.end - start;
    if (covered.subarray(from, to).includes(1)) return false;
    covered.fill(1, from, to);
    return true;
  });
}
