import type { IdentifierType } from '../identifier.ts';

export const ghIdentifiers: readonly IdentifierType[] = [
  {
    type: 'GH_CARD',
    kind: 'national-id',
    form: /GHA-\d{9}-\d/,
    length: 13,
    alone: true,
    labels: ['Ghana Card', 'Ghana Card number', 'PIN'],
  },
];
