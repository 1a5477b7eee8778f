import type { IdentifierType } from '../identifier.ts';
import { isBirthNumber } from './cz.ts';

export const skIdentifiers: readonly IdentifierType[] = [
  {
    type: 'SK_RC',
    kind: 'national-id',
    form: /\d{2}[0-8]\d[0-3]\d\/?\d{3,4}/,
    length: [9, 10],
    check: isBirthNumber,
    labels: ['rodné číslo', 'r.č.', 'rodné č.', 'Slovak birth number'],
  },
];
