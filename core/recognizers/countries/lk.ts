import type { IdentifierType } from '../identifier.ts';

export const lkIdentifiers: readonly IdentifierType[] = [
  {
    type: 'LK_NIC',
    kind: 'national-id',
    form: /\d{9} ?[VXvx]|\d{12}/,
    length: [10, 12],
    labels: ['NIC', 'NIC No', 'National Identity Card', 'Sri Lankan NIC'],
  },
];
