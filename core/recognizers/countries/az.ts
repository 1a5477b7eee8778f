import type { IdentifierType } from '../identifier.ts';

export const azIdentifiers: readonly IdentifierType[] = [
  {
    type: 'AZ_FIN',
    kind: 'national-id',
    form: /(?=[A-Z]*\d)[A-HJ-NP-Z0-9]{7}/,
    length: 7,
    labels: ['FİN', 'FIN kod', 'FIN'],
  },
];
