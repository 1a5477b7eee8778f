import { isDayOfYear, numberAt, valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const plIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PL_PESEL',
    kind: 'national-id',
    form: /\d{4}[0-3]\d{6}/,
    length: 11,
    check: (d) =>
      (10 - (weighted(d.slice(0, 10), 1, 3, 7, 9) % 10)) % 10 === valueAt(d, 10) &&
      isDayOfYear(numberAt(d, 2, 4) % 20, numberAt(d, 4, 6)),
    labels: ['PESEL', 'nr PESEL', 'numer PESEL'],
  },
  {
    type: 'PL_NIP',
    kind: 'tax-id',
    form: /\d{3}-?\d{3}-?\d{2}-?\d{2}|\d{3}-\d{2}-\d{2}-\d{3}|\d{3} \d{3} \d{2} \d{2}/,
    length: 10,
    check: (d) => weighted(d.slice(0, 9), 6, 5, 7, 2, 3, 4, 5, 6, 7) % 11 === valueAt(d, 9),
    labels: ['NIP', 'nr NIP', 'numer identyfikacji podatkowej'],
  },
  {
    type: 'PL_REGON',
    kind: 'company',
    form: /\d{9}|\d{14}/,
    length: [9, 14],
    check: (d) => d.length === 14 || (weighted(d.slice(0, 8), 8, 9, 2, 3, 4, 5, 6, 7) % 11) % 10 === valueAt(d, 8),
    labels: ['REGON', 'nr REGON'],
  },
  {
    type: 'PL_ID_CARD',
    kind: 'id-card',
    form: /[A-Z]{3} ?\d{6}/,
    length: 9,
    check: (d) => weighted(d, 7, 3, 1, 9, 7, 3, 1, 7, 3) % 10 === 0,
    labels: ['dowód osobisty', 'seria i numer dowodu', 'nr dowodu', 'numer dowodu osobistego', 'Polish ID card'],
  },
  {
    type: 'PL_VAT',
    kind: 'vat',
    form: /PL ?\d{10}/,
    length: 12,
    check: (d) => weighted(d.slice(2, 11), 6, 5, 7, 2, 3, 4, 5, 6, 7) % 11 === valueAt(d, 11),
    alone: true,
    labels: ['NIP UE', 'VAT UE', 'VAT number'],
  },
];
