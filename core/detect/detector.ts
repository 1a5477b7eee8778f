/** Finds personal data in a text: one cheap pass for candidates, the recognizers on them, then one detection per character. */

import { explained } from '../context/reasons.ts';
import { type CustomRecognizer, customRecognizers } from '../dictionary/custom-recognizers.ts';
import { type DictionaryEntry, dictionaryRecognizer } from '../dictionary/dictionary.ts';
import { PrivetError } from '../errors.ts';
import type { Detection, Recognizer } from '../recognizer.ts';
import { identifierRecognizer } from '../recognizers/identifiers/recognizer.ts';
import { identifierTypes } from '../recognizers/identifiers/types.ts';
import { recognizers as builtinRecognizers } from '../recognizers/index.ts';
import { headedValues, headingWords } from '../records/headings.ts';
import { tableLines } from '../records/table-lines.ts';
import { nearestTokenType, tokenTypes } from '../tokens/token-types.ts';
import { defaultTypes } from '../types.ts';
import { withoutBorders } from './borders.ts';
import { decodeUnits, rareEscapes } from './escapes.ts';
import { withoutInvisibles } from './invisibles.ts';
import { KeywordIndex } from './keywords.ts';
import { withRepeats } from './memory.ts';
import { withDecoded, withoutOverlaps } from './overlap.ts';
import { type Lang, TextScanner, type UnitCopier } from './scan.ts';

/** The types that the built-in recognizers find. */
export const builtinTypes: readonly string[] = [
  ...new Set([...builtinRecognizers, ...identifierTypes].map(({ type }) => type)),
];

/** Options of {@link Detector}. */
export type DetectorOptions = {
  /** Language of the texts. Default: both. */
  readonly lang?: Lang | undefined;
  /** Types to find; dictionary labels are always found. */
  readonly types?: readonly string[];
  /** Minimum score. Default 0. */
  readonly minScore?: number;
  readonly dictionary?: readonly DictionaryEntry[];
  /** Custom recognizers; their types are always found. */
  readonly recognizers?: readonly CustomRecognizer[] | undefined;
  /** More detections in one text fail with `body_too_large`. Default: no limit. */
  readonly detectionsMax?: number | undefined;
  /** A faster way to copy non-ASCII texts; the detections are the same. */
  readonly copyUnits?: UnitCopier | undefined;
  /** Adds `why` to detections. Default no. */
  readonly explain?: boolean;
};

/** How a text is read: as it is, without borders, or as the lines of its tables. */
type Reading = 'text' | 'bare' | 'lines';

/** Average distance of values in a text that is full of them. */
const unitsPerDetection = 40;

/** A configured set of recognizers. Immutable: build a new one when the settings change. */
export class Detector {
  readonly #finders: readonly Recognizer[];
  /** Excludes names, which marks do not hide. */
  readonly #bareFinders: readonly Recognizer[];
  readonly #identifiers: Recognizer | undefined;
  readonly #types: ReadonlySet<string>;
  readonly #dictionary: readonly Recognizer[];
  readonly #custom: readonly Recognizer[];
  readonly #minScore: number;
  readonly #detectionsMax: number;
  readonly #lang: Lang | undefined;
  readonly #copyUnits: UnitCopier | undefined;
  readonly #explains: boolean;

  /** @throws PrivetError `invalid_input` for an unknown language or type, or a wrong dictionary entry. */
  constructor(options: DetectorOptions = {}) {
    checkNames(options);
    this.#lang = options.lang;
    const types: ReadonlySet<string> = new Set(options.types ?? defaultTypes);
    const wanted = builtinRecognizers.filter((recognizer) => types.has(recognizer.type));
    this.#finders = wanted;
    this.#bareFinders = wanted.filter(({ type }) => type !== 'NAME' && type !== 'COMPANY_NAME_JP');
    this.#identifiers = identifierTypes.some(({ type }) => types.has(type)) ? sharedIdentifiers() : undefined;
    this.#types = types;
    this.#dictionary = options.dictionary?.length ? [dictionaryRecognizer(options.dictionary)] : [];
    this.#custom = options.recognizers === undefined ? [] : customRecognizers(options.recognizers);
    this.#minScore = options.minScore ?? 0;
    this.#detectionsMax = options.detectionsMax ?? Number.POSITIVE_INFINITY;
    this.#copyUnits = options.copyUnits;
    this.#explains = options.explain ?? false;
  }

  /**
   * All detections in order, without overlaps. Linear time.
   * @throws PrivetError `body_too_large` for more than `detectionsMax`.
   */
  detect(text: string): Detection[] {
    // The start of an overfull text is enough to reject it.
    const headLength = this.#detectionsMax * unitsPerDetection;
    if (text.length > 4 * headLength) this.#find(text.slice(0, headLength));
    const found = this.#find(text, 'text', 2);
    if (found.length === 0) return found;
    const all = withRepeats(text, found);
    if (all.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    return all;
  }

  /** Also searches the text without its escapes, which may contain others: `\u0026#64;`. */
  #find(text: string, reading: Reading = 'text', depth = 0): Detection[] {
    const scan = sharedScanner().scan(text, this.#lang, this.#copyUnits);
    scan.shared.explains = this.#explains;
    const found: Detection[] = [];
    for (const recognizer of this.#dictionary) this.#keep(recognizer.find(scan), 0, found);
    for (const recognizer of this.#custom) this.#keep(recognizer.find(scan), this.#minScore, found);
    for (const recognizer of reading === 'bare' ? this.#bareFinders : this.#finders)
      if (recognizer.trigger?.(scan) !== false) this.#keep(recognizer.find(scan), this.#minScore, found);
    for (const hits of [this.#identifiers?.find(scan) ?? [], headedValues(scan, reading === 'lines')]) {
      const wanted = hits.filter(({ type }) => this.#types.has(type));
      this.#keep(wanted, this.#minScore, found);
    }
    const apart = found.length < 2 ? found : withoutOverlaps(found);
    if (apart.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    if (reading !== 'text') return apart;
    const bare = withoutBorders(scan, apart);
    const lines = tableLines(scan);
    const decoded = depth <= 0 ? undefined : decodeUnits(text, scan.keywords.has(rareEscapes.name));
    const visible = scan.mayHoldInvisibles && depth >= 0 ? withoutInvisibles(text) : undefined;
    let all = apart;
    if (visible !== undefined) all = withDecoded(text, all, this.#find(visible.text, 'text', -1), visible);
    if (lines !== undefined)
      all = withDecoded(text, all, this.#find(lines.text, 'lines').filter(lines.isInCell), lines);
    if (bare !== undefined)
      all = withDecoded(text, all, this.#find(bare.text, 'bare').filter(bare.mayHaveBeenHidden), bare);
    if (decoded !== undefined) all = withDecoded(text, all, this.#find(decoded.text, 'text', depth - 1), decoded);
    return all;
  }

  /** Adds the detections of one recognizer. They do not overlap, so too many here are too many overall. */
  #keep(detections: readonly Detection[], minScore: number, found: Detection[]): void {
    if (detections.length > this.#detectionsMax) throw tooManyDetections(this.#detectionsMax);
    for (const one of detections) if (one.score >= minScore) found.push(this.#explains ? explained(one) : one);
  }
}

/** The error for too many detections in one call. */
export function tooManyDetections(max: number): PrivetError {
  return new PrivetError('body_too_large', `The text contains more than ${max} values.`, {
    hint: 'Send the text in smaller parts.',
  });
}

let identifiers: Recognizer | undefined;

/** The identifier recognizer, created on first use. */
function sharedIdentifiers(): Recognizer {
  identifiers ??= identifierRecognizer();
  return identifiers;
}

let scanner: TextScanner | undefined;

/** The scanner for all built-in recognizers, created on first use. Shared: only one text is scanned at a time. */
function sharedScanner(): TextScanner {
  scanner ??= new TextScanner(new KeywordIndex([...builtinRecognizers, ...headingWords, rareEscapes]));
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
