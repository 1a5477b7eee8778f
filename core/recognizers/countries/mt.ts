import type { IdentifierType } from '../identifier.ts';

export const mtIdentifiers: readonly IdentifierType[] = [
  {
    type: 'MT_ID',
    kind: 'id-card',
    form: /\d{4,7}[MGAPLHBZ]/,
    length: [5, 6, 7, 8],
    labels: ['ID card no', 'karta tal-identità', 'Maltese ID'],
  },
];
