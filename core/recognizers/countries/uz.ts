import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const uzIdentifiers: readonly IdentifierType[] = [
  {
    type: 'UZ_PINFL',
    kind: 'national-id',
    form: /[1-6]\d{13}/,
    length: 14,
    check: (d) => weighted(d.slice(0, 13), 7, 3, 1) % 10 === valueAt(d, 13),
    labels: ['ПИНФЛ', 'JShShIR', 'ЖШШИР', 'PINFL'],
  },
];
