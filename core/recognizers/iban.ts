/** International bank account numbers, ISO 13616: length by country and mod 97. */

import { isIbanChecksum } from '../checksums.ts';
import { codesOf } from '../detect/code-set.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import { type Detection, detectionAt, type Recognizer } from '../recognizer.ts';
import numbers from './number-lengths.json' with { type: 'json' };

/** Length by country: SWIFT IBAN registry, then countries outside it that use the format (from `AO`). */
const lengths: Readonly<Record<string, number>> = numbers.iban;
/** Countries whose account number starts with four letters of the bank. */
const bankLetters = /^(?:AZ|BG|BH|BY|DO|GB|GI|GT|IE|IQ|JO|KW|LC|LV|MT|MU|NL|PK|PS|QA|RO|SC|SV|VG)..(?![A-Z]{4})/;
const lead = /(?<![0-9A-Za-z_])[A-Z]{2}[0-9]{2}(?=[ -]?[0-9A-Z])/g;
/** Maximum distance from the country code to the digits. */
const leadLengthMax = 20;

/** Checks for a country code at or shortly before a run of digits. */
export const iban: Recognizer = {
  name: 'iban',
  type: 'IBAN',
  find(text: ScanText): Detection[] {
    const found: Detection[] = [];
    let done = 0;
    for (const run of text.digitRuns) {
      const start = leadStart(text.shadow, run.start, Math.max(done, run.start - leadLengthMax));
      // The country code precedes the digits, or is two capitals of the word that they end.
      if (start > run.start - 2) continue;
      const range = { start, end: run.start + 4, before: 1, after: 4 };
      for (const { start } of matchesIn(text.shadow, lead, range)) {
        if (start < done) continue;
        const end = ibanEnd(text.shadow, start);
        if (end === undefined) continue;
        found.push(detectionAt(text, start, end, { type: 'IBAN', score: 1, recognizer: 'iban', checksum: true }));
        done = end;
      }
    }
    return found;
  },
};

/** The start of the capitals, digits and separators before a number. */
function leadStart(text: string, from: number, floor: number): number {
  let start = from;
  while (start > floor && isIbanCode(text.charCodeAt(start - 1))) start--;
  return start;
}

const isIbanCode = codesOf('A-Z0-9 -');

/** The end of a valid IBAN that starts here. Groups of four may be separated by a space or hyphen. */
function ibanEnd(text: string, start: number): number | undefined {
  const length = lengths[text.slice(start, start + 2)];
  if (length === undefined) return undefined;
  let digits = '';
  let i = start;
  for (; digits.length < length && i < text.length; i++) {
    const c = text[i] as string;
    if (/[0-9A-Z]/.test(c)) digits += c;
    else if (!((c === ' ' || c === '-') && digits.length % 4 === 0 && text[i - 1] !== c)) return undefined;
  }
  if (digits.length !== length || /[0-9A-Za-z_]/.test(text[i] ?? '')) return undefined;
  return isIbanChecksum(digits) && !bankLetters.test(digits) ? i : undefined;
}
