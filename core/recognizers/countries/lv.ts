import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const lvIdentifiers: readonly IdentifierType[] = [
  {
    type: 'LV_PK',
    kind: 'national-id',
    form: /\d{6}-?\d{5}/,
    length: 11,
    check: (d) =>
      d.startsWith('32') ||
      ((1101 - weighted(d.slice(0, 10), 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)) % 11) % 10 === valueAt(d, 10),
    labels: ['personas kods', 'p.k.', 'Latvian personal code'],
  },
];
