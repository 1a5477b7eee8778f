/** Tax numbers: Japanese corporate and invoice numbers, US EIN and ITIN, EU and UK VAT numbers. */

import { isCorporateNumber } from '../checksums.ts';
import { numberLeft, numberRight } from '../detect/boundaries.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import { labelledValues } from '../records/labels.ts';
import { labelsOf } from './label-words.ts';

const name = 'tax-id';
const invoice = /(?<![0-9A-Za-z_])T[- ]?(?:[0-9]{13}|[0-9]-[0-9]{4}-[0-9]{4}-[0-9]{4})(?![0-9A-Za-z_])(?!-[0-9])/g;
const itinGroup = '(?:5[0-9]|6[0-5]|7[0-9]|8[0-8]|9[0-2]|9[4-9])';
const itin = new RegExp(`${numberLeft}(?<![0-9] )9[0-9]{2}([- ])${itinGroup}\\1[0-9]{4}${numberRight}(?! [0-9])`, 'g');
const vat =
  'ATU[0-9]{8}|BE[01]?[0-9]{9}|BG[0-9]{9,10}|CHE[-0-9.]{9,12}|CY[0-9]{8}[A-Z]|CZ[0-9]{8,10}|DE[0-9]{9}|DK[0-9]{8}|EE[0-9]{9}|EL[0-9]{9}|' +
  'ES[A-Z0-9][0-9]{7}[A-Z0-9]|FI[0-9]{8}|FR[0-9A-Z]{2}[0-9]{9}|GB(?:[0-9]{9}|[0-9]{12})|HR[0-9]{11}|HU[0-9]{8}|IE[0-9][0-9A-Z+*][0-9]{5}[A-Z]{1,2}|' +
  'IT[0-9]{11}|LT(?:[0-9]{9}|[0-9]{12})|LU[0-9]{8}|LV[0-9]{11}|MT[0-9]{8}|NL[0-9]{9}B[0-9]{2}|PL[0-9]{10}|PT[0-9]{9}|RO[0-9]{2,10}|SE[0-9]{12}|SI[0-9]{8}|SK[0-9]{10}';
const labelled = new RegExp(
  `${numberLeft}(?:${[
    '(?:T[- ]?)?[0-9][- ]?[0-9]{4}[- ]?[0-9]{4}[- ]?[0-9]{4}',
    '[0-9]{2}-[0-9]{7}',
    `9[0-9]{2}-?${itinGroup}-?[0-9]{4}`,
    '[0-9]{9}',
    vat,
    '[0-9]{10,12}',
  ].join('|')})${numberRight}`,
  'gi',
);
const vatLabel = /vat|ust|mwst|tva|iva|btw|umsatz|steuer|moms/;
const linked = /^[\s"'`*_:=#.>|)-]*(?:(?:no|num|number|nr|id|is)[\s"'`*_:=#.>|)-]*){0,2}$/i;
const isVat = new RegExp(`^(?:${vat}|[0-9]{8,12})$`);

/** Checks the invoice form, the hyphenated ITIN, and labelled values. */
export const taxId: Recognizer = {
  name,
  type: 'TAX_ID',
  labels: labelsOf(name),
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    const add = (start: number, end: number, score: number, checksum: boolean, context?: string) =>
      found.push(detectionAt(text, start, end, { type: 'TAX_ID', score, recognizer: name, context, checksum }));
    for (const run of text.digitRuns) {
      if (run.longest < 4) continue;
      if (run.digits === 13 || run.digits > 13) {
        const range = { start: Math.max(0, run.start - 2), end: run.start + 1, before: 1, after: 18 };
        for (const { start, end, groups } of matchesIn(text.shadow, invoice, range)) {
          if (isCorporateNumber(groups[0].replace(/[^0-9]/g, ''))) add(start, end, 0.95, true);
        }
      } else if (run.digits === 9 && text.shadow[run.start] === '9') {
        for (const { start, end } of matchesIn(text.shadow, itin, { ...run, after: 3 })) add(start, end, 0.75, false);
      }
    }
    for (const { start, end, groups, context, gap } of labelledValues(text, name, labelled)) {
      const written = groups[0].toUpperCase();
      const digits = written.replace(/[^0-9]/g, '');
      if (vatLabel.test(context)) {
        if (isVat.test(written) && (/^[A-Z]/.test(written) || linked.test(gap))) add(start, end, 0.9, false, context);
      } else if (digits.length === 13) {
        if (isCorporateNumber(digits)) add(start, end, 1, true, context);
      } else if (/[^ -~]/.test(context)) {
        if (context.startsWith('会社法人等') && digits.length === 12) add(start, end, 0.8, false, context);
      } else if (digits.length === 9 && !/[A-Z ]/.test(written)) add(start, end, 0.9, false, context);
    }
    return found;
  },
};
