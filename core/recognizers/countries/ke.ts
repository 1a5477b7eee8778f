import type { IdentifierType } from '../identifier.ts';

export const keIdentifiers: readonly IdentifierType[] = [
  {
    type: 'KE_PIN',
    kind: 'tax-id',
    form: /[AP]\d{9}[A-Z]/,
    length: 11,
    labels: ['KRA PIN', 'PIN number', 'Personal Identification Number', 'iTax PIN'],
  },
  {
    type: 'KE_ID',
    kind: 'national-id',
    form: /\d{7,8}/,
    length: [7, 8],
    labels: ['National ID', 'kitambulisho', 'Kenyan ID'],
  },
];
