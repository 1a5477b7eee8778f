/** Recognizers of numbers with a form of their own: the rows of `forms.json`, read by one engine. */
import { isOtherNumber } from '../detect/other-numbers.ts';
import { type Lang, matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import rows from './forms.json' with { type: 'json' };
import { checkOf } from './identifiers/check-rules.ts';
import { labelsOf } from './label-words.ts';

/** One way of writing a number. */
type Form = {
  /** Patterns between the boundaries of a number, any of them. */
  readonly form: readonly string[];
  readonly anyCase?: boolean;
  /** Signs may touch it: only a letter or digit at its ends makes it a part of something longer. */
  readonly besideSigns?: boolean;
  /** The check that the letters and digits must pass. */
  readonly check?: string;
  /** The score next to a label, and what the label and the text up to the value must match. */
  readonly labelled?: number;
  readonly label?: string;
  readonly gap?: string;
  /** The score without a label in a run of so many digits, in texts of the language. */
  readonly alone?: number;
  readonly digits?: readonly [min: number, max: number];
  readonly lang?: Lang;
  /** Without a label it counts even after a word for other numbers: `Invoice No. T…`. */
  readonly ofAnyNumber?: boolean;
};

type Check = (bare: string) => boolean;

/** `\\b` fails next to kana and kanji, and matches parts of serials, versions, dates and UUIDs. */
const bareLeft = '(?<![0-9A-Za-z])';
const bareRight = '(?![0-9A-Za-z])';
const left = `${bareLeft}(?<![0-9][-./_])(?<![A-Za-z]-)`;
/** A full stop that ends the sentence is allowed. */
const right = `${bareRight}(?![-._][0-9A-Za-z])(?!/[0-9])`;

type Row = {
  readonly name: Parameters<typeof labelsOf>[0];
  readonly type: string;
  /** How far a label may be; see `LabelReach`. */
  readonly reach?: number;
  readonly back?: number;
  readonly forms: readonly Form[];
  /** Endings that identify a value without a label. */
  readonly anchors?: readonly string[];
};

/** Letters and signs that a value may have before its first digit. */
const leadMax = 4;
/** The longest group of digits has at least so many. */
const groupMin = 4;
/** The longest value that an ending identifies. */
const anchoredMax = 80;
/** What may follow its last digit, with the boundary. */
const behindMax = 6;

function recognizerOf({ name, type, forms, anchors = [], ...reach }: Row): Recognizer {
  const all = forms.map(({ form, anyCase, besideSigns, check, label = '', gap = '', digits = [0, 0], ...one }) => ({
    ...one,
    digitsMin: digits[0],
    digitsMax: digits[1],
    pattern: new RegExp(
      `${besideSigns ? bareLeft : left}(?:${form.join('|')})${besideSigns ? bareRight : right}`,
      anyCase ? 'gi' : 'g',
    ),
    check: check === undefined ? undefined : checkOf([check]),
    label: new RegExp(label),
    gap: new RegExp(gap, 'i'),
  }));
  const aloneForms = all.filter(({ alone }) => alone !== undefined);
  const find = (text: ScanText): Detection[] => {
    const found: Detection[] = [];
    const starts = new Set<number>();
    const add = (start: number, end: number, check: Check | undefined, score: number, context?: string) => {
      const bare = text.shadow.slice(start, end).replace(/[^0-9A-Za-z]|^T/gi, '');
      if (starts.has(start) || check?.(bare) === false) return;
      starts.add(start);
      found.push(
        detectionAt(text, start, end, { type, score, recognizer: name, context, checksum: check !== undefined }),
      );
    };
    const isLabelled = text.keywords.labels(name).length > 0;
    for (const { pattern, check, labelled, label, gap } of isLabelled ? all : [])
      if (labelled !== undefined)
        for (const value of labelledValues(text, name, pattern, reach))
          if (label.test(value.context) && gap.test(value.gap))
            add(value.start, value.end, check, labelled, value.context);
    for (const { end } of text.keywords.anchors(name))
      for (const { pattern, check, alone = 0 } of aloneForms)
        for (const one of matchesIn(text.shadow, pattern, { start: Math.max(0, end - anchoredMax), end, before: 3 }))
          if (one.end === end) add(one.start, end, check, alone);
    for (const run of anchors.length === 0 ? text.digitRuns : []) {
      if (run.longest < groupMin) continue;
      for (const { pattern, check, alone = 0, lang = text.lang, digitsMin, digitsMax, ofAnyNumber } of aloneForms) {
        if (run.digits < digitsMin || run.digits > digitsMax || lang !== (text.lang ?? lang)) continue;
        const range = { start: Math.max(0, run.start - leadMax), end: run.end, before: 3, after: behindMax };
        for (const { start, end } of matchesIn(text.shadow, pattern, range))
          if (ofAnyNumber || !isOtherNumber(text.shadow, start)) add(start, end, check, alone);
      }
    }
    return found.sort((a, b) => a.start - b.start);
  };
  return { name, type, labels: labelsOf(name), anchors, find };
}

/** All rows as recognizers. */
export const formRecognizers: readonly Recognizer[] = (rows as readonly unknown[] as readonly Row[]).map(recognizerOf);
