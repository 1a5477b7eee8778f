import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const trIdentifiers: readonly IdentifierType[] = [
  {
    type: 'TR_TCKN',
    kind: 'national-id',
    form: /[1-9]\d{10}/,
    length: 11,
    check: (d) =>
      (7 * weighted(d.slice(0, 9), 1, 0) - weighted(d.slice(0, 9), 0, 1) + 100) % 10 === valueAt(d, 9) &&
      weighted(d.slice(0, 10), 1) % 10 === valueAt(d, 10),
    labels: ['T.C. Kimlik No', 'TC kimlik numarası', 'TCKN', 'TC No', 'kimlik no', 'Turkish ID number'],
  },
  {
    type: 'TR_VKN',
    kind: 'tax-id',
    form: /\d{10}/,
    length: 10,
    check: isTurkishTaxNumber,
    labels: ['vergi kimlik numarası', 'VKN', 'vergi no', 'Turkish tax number'],
  },
];

/** Vergi kimlik numarası: each digit shifted by its place, multiplied by a power of two, mod 9. */
function isTurkishTaxNumber(d: string): boolean {
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    const shifted = (valueAt(d, i) + 9 - i) % 10;
    sum += shifted === 0 ? 0 : (shifted * 2 ** (9 - i)) % 9 || 9;
  }
  return (10 - (sum % 10)) % 10 === valueAt(d, 9);
}
