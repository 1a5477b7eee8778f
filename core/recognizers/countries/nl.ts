import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const nlIdentifiers: readonly IdentifierType[] = [
  {
    type: 'NL_BSN',
    kind: 'national-id',
    form: /\d{9}|\d{4}\.\d{2}\.\d{3}|\d{3}[ .-]\d{3}[ .-]\d{3}|\d{8}/,
    length: [8, 9],
    check: (d) =>
      weighted(d.padStart(9, '0').slice(0, 8), 9, 8, 7, 6, 5, 4, 3, 2) % 11 === valueAt(d, d.length - 1) % 11,
    labels: ['BSN', 'burgerservicenummer', 'sofinummer', 'sofi-nummer', 'BSN-nummer', 'citizen service number'],
  },
  {
    type: 'NL_VAT',
    kind: 'vat',
    form: /NL ?\d{9}B\d{2}/,
    length: 14,
    alone: true,
    labels: ['btw-id', 'btw-nummer', 'BTW-identificatienummer', 'VAT number'],
  },
];
