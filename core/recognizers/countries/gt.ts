import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const gtIdentifiers: readonly IdentifierType[] = [
  {
    type: 'GT_CUI',
    kind: 'national-id',
    form: /\d{4} ?\d{5} ?\d{4}/,
    length: 13,
    check: (d) => weighted(d.slice(0, 8), 2, 3, 4, 5, 6, 7, 8, 9) % 11 === valueAt(d, 8),
    labels: ['CUI', 'DPI', 'código único de identificación'],
  },
];
