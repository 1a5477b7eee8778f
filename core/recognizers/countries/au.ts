import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const auIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AU_TFN',
    kind: 'tax-id',
    form: /\d{3}[ -]?\d{3}[ -]?\d{3}/,
    length: 9,
    check: (d) => weighted(d, 1, 4, 3, 7, 5, 8, 6, 9, 10) % 11 === 0,
    labels: ['TFN', 'Tax File Number', 'Tax file no'],
  },
  {
    type: 'AU_ABN',
    kind: 'company',
    form: /\d{2} ?\d{3} ?\d{3} ?\d{3}/,
    length: 11,
    check: (d) => (weighted(d, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19) - 10) % 89 === 0,
    alone: /\d{2} \d{3} \d{3} \d{3}/,
    labels: ['ABN', 'A.B.N.'],
  },
  {
    type: 'AU_ACN',
    kind: 'company',
    form: /\d{3} ?\d{3} ?\d{3}/,
    length: 9,
    check: (d) => (10 - (weighted(d.slice(0, 8), 8, 7, 6, 5, 4, 3, 2, 1) % 10)) % 10 === valueAt(d, 8),
    labels: ['ACN', 'A.C.N.'],
  },
  {
    type: 'AU_MEDICARE',
    kind: 'health',
    form: /[2-6]\d{3}[ -]?\d{5}[ -]?\d(?: ?[/-] ?[1-9])?/,
    length: [10, 11],
    check: (d) => weighted(d.slice(0, 8), 1, 3, 7, 9) % 10 === valueAt(d, 8),
    labels: ['Medicare number', 'Medicare card', 'Medicare no', 'Medicare'],
  },
];
