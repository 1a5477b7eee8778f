import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const nzIdentifiers: readonly IdentifierType[] = [
  {
    type: 'NZ_IRD',
    kind: 'tax-id',
    form: /\d{2,3}[- ]?\d{3}[- ]?\d{3}/,
    length: [8, 9],
    check: isNewZealandTaxNumber,
    labels: ['IRD number', 'IRD no', 'IRD'],
  },
  {
    type: 'NZ_NHI',
    kind: 'health',
    form: /[A-HJ-NP-Z]{3} ?(?:\d{4}|\d{2}[A-HJ-NP-Z]{2})/,
    length: 7,
    labels: ['NHI', 'NHI number', 'NHI No'],
  },
];

/** IRD number: weights 3 2 7 6 5 4 3 2, a second row when the first gives ten. */
function isNewZealandTaxNumber(d: string): boolean {
  const body = d.slice(0, -1).padStart(8, '0');
  const check = (...weights: number[]) => (11 - (weighted(body, ...weights) % 11)) % 11;
  const first = check(3, 2, 7, 6, 5, 4, 3, 2);
  return (first === 10 ? check(7, 4, 3, 2, 5, 2, 7, 6) : first) === valueAt(d, d.length - 1);
}
