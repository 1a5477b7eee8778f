/** Payment card numbers, ISO/IEC 7812: issuer range, card grouping, Luhn. */
import { isEan, isLuhn } from '../checksums.ts';
import { isIdMember, isNamedNumber, isOtherNumber } from '../detect/other-numbers.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { patternsOf } from '../pattern-data.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelFor } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';
import numbers from './number-lengths.json' with { type: 'json' };

const { behindGroup, counted, expiryAndCode, fours, fourSixFive, plain } = patternsOf('credit-card');

const name = 'credit-card';

/** Four groups may follow an unrelated one: `0001 4111 1111 1111 1111`. */
const shapes = [fours, behindGroup, fourSixFive, plain];
const plainMin = 12;
const groupMin = 4;
const schemes = numbers.cards.map(({ range, lengths }) => ({ range: new RegExp(range), lengths }));

/** Shorter numbers are rarely cards; 13 digits are usually an article number (JAN, EAN, ISBN). */
const cardMin = 14;
const eanLength = 13;

/** How far behind a card its expiry date and security code are. */
const behindMax = 44;

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
      for (const shape of shapes) {
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
          const score = isKnown ? 0.95 : 0.6;
          found.push(
            detectionAt(text, start, end, { type: 'CREDIT_CARD', score, recognizer: name, context, checksum: true }),
          );
          for (const [at, span] of expiryAndCode.exec(text.shadow.slice(end, end + behindMax))?.indices?.entries() ??
            []) {
            const of = {
              type: ['', 'CARD_EXPIRY', 'CARD_CVV'][at] ?? '',
              score: 0.8,
              recognizer: name,
              context: 'card',
            };
            if (at > 0 && span !== undefined) found.push(detectionAt(text, end + span[0], end + span[1], of));
          }
        }
      }
    }
    return found;
  },
};

/** True for a number in an issuer range with a valid length. */
function isIssued(digits: string): boolean {
  return schemes.find(({ range }) => range.test(digits))?.lengths.includes(digits.length) === true;
}
