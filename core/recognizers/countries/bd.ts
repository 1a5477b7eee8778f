import type { IdentifierType } from '../identifier.ts';

export const bdIdentifiers: readonly IdentifierType[] = [
  {
    type: 'BD_NID',
    kind: 'national-id',
    form: /\d{10}|\d{13}|\d{17}/,
    length: [10, 13, 17],
    labels: ['NID', 'জাতীয় পরিচয়পত্র', 'NID No', 'Bangladesh NID'],
  },
];
