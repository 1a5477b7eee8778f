import type { IdentifierType } from '../identifier.ts';

export const ngIdentifiers: readonly IdentifierType[] = [
  {
    type: 'NG_NIN',
    kind: 'national-id',
    form: /\d{11}/,
    length: 11,
    labels: ['NIN', 'National Identification Number', 'NIMC number', 'BVN'],
  },
];
