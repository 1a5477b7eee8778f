import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const huIdentifiers: readonly IdentifierType[] = [
  {
    type: 'HU_TAJ',
    kind: 'health',
    form: /\d{3}[- ]?\d{3}[- ]?\d{3}/,
    length: 9,
    check: (d) => weighted(d.slice(0, 8), 3, 7) % 10 === valueAt(d, 8),
    labels: ['TAJ szám', 'TAJ', 'TAJ-szám', 'társadalombiztosítási azonosító jel', 'Hungarian social security number'],
  },
  {
    type: 'HU_TAX_ID',
    kind: 'tax-id',
    form: /8\d{9}/,
    length: 10,
    check: (d) => weighted(d.slice(0, 9), 1, 2, 3, 4, 5, 6, 7, 8, 9) % 11 === valueAt(d, 9),
    labels: ['adóazonosító jel', 'adóazonosító', 'adószám', 'Hungarian tax ID'],
  },
];
