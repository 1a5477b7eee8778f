import { valueAt, weighted } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const mdIdentifiers: readonly IdentifierType[] = [
  {
    type: 'MD_IDNP',
    kind: 'national-id',
    form: /[20]\d{12}/,
    length: 13,
    check: (d) => weighted(d.slice(0, 12), 7, 3, 1) % 10 === valueAt(d, 12),
    labels: ['IDNP', 'codul personal'],
  },
];
