import { weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const arIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AR_CUIT',
    kind: 'tax-id',
    form: /(?:2[03-7]|3[034])[- ]?\d{8}[- ]?\d/,
    length: 11,
    check: (d) => '012345678990'[11 - (weighted(d.slice(0, 10), 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11)] === d[10],
    alone: /(?:2[03-7]|3[034])-\d{8}-\d/,
    labels: ['CUIT', 'CUIL', 'C.U.I.T.'],
  },
  {
    type: 'AR_DNI',
    kind: 'national-id',
    form: /\d{1,2}\.?\d{3}\.?\d{3}/,
    length: [7, 8],
    labels: ['DNI', 'D.N.I.', 'documento'],
  },
];
