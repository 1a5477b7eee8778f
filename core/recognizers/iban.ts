/** International bank account numbers, ISO 13616: length by country and mod 97. */

import { isIbanChecksum } from '../checksums.ts';
import { codesOf } from '../detect/code-set.ts';
import { matchesIn, type ScanText } from '../detect/scan.ts';
import type { Detection, Recognizer } from '../recognizer.ts';

/** Length by country: SWIFT IBAN registry, then countries outside it that use the format (from `AO`). */
const lengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30 ' +
    'AO25 BF28 BJ28 CF27 CG27 CI28 CM27 CV25 DZ26 GA27 GQ27 GW25 IR26 KM27 MA28 MG27 ML28 MZ25 NE28 SN28 TD27 TG28'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
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
        const value = text.original.slice(start, end);
        found.push({ type: 'IBAN', value, start, end, score: 1, recognizer: 'iban', checksum: true });
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
