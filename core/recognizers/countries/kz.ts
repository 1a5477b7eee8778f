import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const kzIdentifiers: readonly IdentifierType[] = [
  {
    type: 'KZ_IIN',
    kind: 'national-id',
    form: /\d{2}[01]\d[0-3]\d[0-6]\d{5}/,
    length: 12,
    check: isKazakhNumber,
    labels: ['ИИН', 'ЖСН', 'БИН', 'IIN'],
  },
];

/** IIN: mod 11 with a second row of weights when the first gives ten; the second ten is never issued. */
function isKazakhNumber(d: string): boolean {
  const first = weighted(d.slice(0, 11), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) % 11;
  const check = first < 10 ? first : weighted(d.slice(0, 11), 3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2) % 11;
  return check === valueAt(d, 11) && isDayOfYear(numberAt(d, 2, 4), numberAt(d, 4, 6)) && /[1-6]/.test(d.charAt(6));
}
