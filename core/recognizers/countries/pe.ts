import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const peIdentifiers: readonly IdentifierType[] = [
  {
    type: 'PE_DNI',
    kind: 'national-id',
    form: /\d{8}(?:-[\dA-K])?/,
    length: [8, 9],
    labels: ['DNI', 'DNI N°', 'documento de identidad'],
  },
  {
    type: 'PE_RUC',
    kind: 'tax-id',
    form: /(?:1[0567]|20)\d{9}/,
    length: 11,
    check: (d) => (11 - (weighted(d.slice(0, 10), 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11)) % 10 === valueAt(d, 10),
    labels: ['RUC', 'R.U.C.'],
  },
];
