import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const byIdentifiers: readonly IdentifierType[] = [
  {
    type: 'BY_ID',
    kind: 'national-id',
    form: /[1-6]\d{6}[ABCHKEM]\d{3}[A-Z]{2}\d/,
    length: 14,
    check: (d) => weighted(d.slice(0, 13), 7, 3, 1) % 10 === valueAt(d, 13),
    alone: true,
    labels: ['идентификационный номер', 'личный номер', 'Belarus personal number'],
  },
];
