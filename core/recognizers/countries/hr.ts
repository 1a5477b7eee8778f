import { isMod11And10 } from '../../check-digits.ts';
import type { IdentifierType } from '../identifier.ts';

export const hrIdentifiers: readonly IdentifierType[] = [
  {
    type: 'HR_OIB',
    kind: 'national-id',
    form: /\d{11}/,
    length: 11,
    check: (d) => isMod11And10(d),
    labels: ['OIB', 'osobni identifikacijski broj', 'Croatian OIB'],
  },
];
