/** Payment card numbers, ISO/IEC 7812: issuer range, card grouping, Luhn. */
import { isEan, isLuhn } from '../checksums.ts';
import { isIdMember, isNamedNumber, isOtherNumber } from '../detect/other-numbers.ts';
import { patternsOf } from '../detect/patterns.ts';
import { type DigitRun, matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelFor } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const { behindGroup, counted, expiryAndCode } = patternsOf('credit-card');

const name = 'credit-card';

const left = '(?<![0-9A-Za-z_])(?<![0-9A-Za-z][-./])';
const right = '(?![0-9A-Za-z_])(?![-./][0-9A-Za-z])';
const foursShapes = [new RegExp(`${left}[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}\\1[0-9]{4}(?:\\1[0-9]{3})?${right}`, 'g')];
const groupedShapes = [...foursShapes, new RegExp(`${left}3[0-9]{3}([ -])[0-9]{6}\\1[0-9]{4,5}${right}`, 'g')];
const longFoursShapes = [...foursShapes, behindGroup];
const plainMin = 12;
const groupMin = 4;
/** The longest group of {@link groupedShapes}. */
const groupMax = 6;
const plainShapes = [new RegExp(`${left}[0-9]{12,19}${right}`, 'g')];
const shapes = [...groupedShapes, ...plainShapes];
const schemes: readonly (readonly [range: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:1800|2131)/, [15]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(?:6|8|0[0-5])/, [14, 16]],
  [/^35(?:2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^(?:6011|64|65)/, [16, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6)/, [13, 14, 15, 16, 17, 18, 19]],
];

/** Shorter numbers are rarely cards; 13 digits are usually an article number (JAN, EAN, ISBN). */
const cardMin = 14;
const eanLength = 13;

/** Longer numbers are usually record IDs. */
const usualMax = 16;

/** Checks runs of 12 or more digits. With a context word any issuer range counts. */
export const creditCard: Recognizer = {
  name,
  type: 'CREDIT_CARD',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    for (const run of text.digitRuns) {
      if (run.digits < plainMin || run.longest < groupMin) continue;
      for (const shape of shapesFor(run)) {
        for (const { start, end, groups } of matchesIn(text.shadow, shape, { ...run, after: 3 })) {
          const digits = groups[0].replace(/[ -]/g, '');
          if (/^(.)\1+$/.test(digits) || !isLuhn(digits)) continue;
          const isKnown = isIssued(digits);
          const context = labelFor(text, name, start, end)?.context;
          if (!isKnown && context === undefined) continue;
          if (context === undefined || digits.length < cardMin) {
            const isOther = groups[1] === undefined ? isOtherNumber : isNamedNumber;
            if (isOther(text.shadow, start) || counted.test(text.shadow.slice(end, end + 8))) continue;
            if (digits.length === eanLength && isEan(digits)) continue;
            if (digits.length > usualMax && isIdMember(text.shadow, start)) continue;
          }
          found.push({
            type: 'CREDIT_CARD',
            value: text.original.slice(start, end),
            start,
            end,
            score: isKnown ? 0.95 : 0.6,
            recognizer: name,
            checksum: true,
            ...(context === undefined ? {} : { context }),
          });
          const [behind, code] = expiryAndCode.exec(text.shadow.slice(end, end + 24)) ?? [];
          if (behind === undefined || code === undefined) continue;
          const of = { type: 'CARD_CVV', score: 0.8, recognizer: name, context: 'card and expiry' };
          found.push(detectionAt(text, end + behind.length - code.length, end + behind.length, of));
        }
      }
    }
    return found;
  },
};

/** The card patterns that can match the run. */
function shapesFor({ digits, longest }: DigitRun): readonly RegExp[] {
  if (longest === digits) return plainShapes;
  if (longest < groupMax) return digits > 16 ? longFoursShapes : foursShapes;
  return longest < plainMin ? groupedShapes : shapes;
}

/** True for a number in an issuer range with a valid length. */
function isIssued(digits: string): boolean {
  return schemes.find(([range]) => range.test(digits))?.[1].includes(digits.length) === true;
}
