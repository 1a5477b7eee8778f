import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const uyIdentifiers: readonly IdentifierType[] = [
  {
    type: 'UY_CI',
    kind: 'national-id',
    form: /(?:\d\.?)?\d{3}\.?\d{3}-?\d/,
    length: [7, 8],
    check: (d) =>
      (10 - (weighted(d.padStart(8, '0').slice(0, 7), 2, 9, 8, 7, 6, 3, 4) % 10)) % 10 === valueAt(d, d.length - 1),
    labels: ['C.I.', 'cédula de identidad', 'CI', 'cedula'],
  },
];
