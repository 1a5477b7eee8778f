import type { IdentifierType } from '../identifier.ts';

export const geIdentifiers: readonly IdentifierType[] = [
  {
    type: 'GE_PN',
    kind: 'national-id',
    form: /\d{11}/,
    length: 11,
    labels: ['პირადი ნომერი', 'პ/ნ', 'personal number'],
  },
];
